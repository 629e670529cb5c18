#!/bin/sh
# Makes .venv ready for use:  sh scripts/setup.sh run|test
#   run    what the engine needs
#   test   that, and what the checks need
# Does nothing when .venv is ready already. Needs Python 3.11 or newer; PYTHON=... chooses one.
# A .venv that could not be finished is removed, so what stands there can be used.
set -eu
cd "$(dirname "$0")/.."

level=${1:-run}
case $level in
    run) requirement=. ;;
    test) requirement='.[test]' ;;
    *) echo "usage: sh scripts/setup.sh run|test" >&2; exit 2 ;;
esac

venv=.venv
python=$venv/bin/python
unfinished=$venv/.unfinished
scratch=

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# The state that a finished .venv was made for. Where the folder has moved, or what the package asks
# for has changed, the states differ.
state() { printf '%s\n' "$PWD"; cksum pyproject.toml scripts/setup.sh; }

is_ready() {
    [ ! -e "$unfinished" ] && [ -f "$venv/.ready-$1" ] &&
        [ "$(cat "$venv/.ready-$1")" = "$(state)" ] && "$python" -c '' 2>/dev/null
}

if is_ready "$level" || { [ "$level" = run ] && is_ready test; }; then
    exit 0
fi

tidy() {
    status=$?
    [ -z "$scratch" ] || rm -rf "$scratch"
    [ ! -e "$unfinished" ] || rm -rf "$venv"
    exit "$status"
}
trap tidy EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Settings meant for another Python must not reach the new one.
unset PYTHONHOME PYTHONPATH
export PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

# ---- a Python -------------------------------------------------------------------------------

# Prints the path of the Python behind a command, out of any virtual environment, if it will do.
suits() {
    "$1" -c "
import sys
if sys.version_info < (3, 11):
    sys.exit(1)
import ssl, venv
$2
print(getattr(sys, '_base_executable', '') or sys.executable)
" 2>/dev/null
}

# One that can make a virtual environment by itself comes first.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        suits "$PYTHON" '' || fail "PYTHON=$PYTHON is not a complete Python 3.11 or newer."
        return
    fi
    managed=$(uv python find '>=3.11' 2>/dev/null) || managed=
    for need in 'import ensurepip' ''; do
        for name in python3 python3.13 python3.12 python3.11 /usr/bin/python3 ${managed:+"$managed"}; do
            suits "$name" "$need" && return
        done
    done
    fail "no complete Python 3.11 or newer was found: install one (on Debian or Ubuntu the packages python3 and python3-venv), or name one with PYTHON=/path/to/python3."
}

# ---- a virtual environment with pip ---------------------------------------------------------

# Debian keeps the part of Python that puts pip into a virtual environment in a package of its own.
has_ensurepip() { "$base" -c 'import ensurepip' 2>/dev/null; }

is_debian_python() {
    case $base in /usr/bin/*) command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 ;; *) false ;; esac
}

# As root, or where sudo asks for no password: install Debian's package.
install_ensurepip() {
    if [ "$(id -u)" -eq 0 ]; then
        as_root=
    elif sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        return 1
    fi
    package=$("$base" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    say "installing the Debian package $package (this Python has no ensurepip)"
    # shellcheck disable=SC2086  # as_root is empty or two words
    {
        $as_root apt-get -qq update &&
            $as_root env DEBIAN_FRONTEND=noninteractive \
                apt-get -qq -y --no-install-recommends install "$package"
    } >"$scratch/apt.log" 2>&1 </dev/null && has_ensurepip
}

# Without root: unpack Debian's own copy of pip into a scratch folder and install no package.
# apt-get is given a state folder of ours, so it needs no right to write anywhere else.
fetch_pip() {
    say "fetching pip from Debian's package python3-pip-whl (this Python has no ensurepip)"
    mkdir -p "$scratch/apt/lists/partial" "$scratch/apt/cache/archives/partial" || return 1
    (
        cd "$scratch/apt" || exit 1
        set -- -qq -o "Dir::State::lists=$PWD/lists" -o "Dir::Cache=$PWD/cache" \
            -o APT::Sandbox::User=
        apt-get "$@" update && apt-get "$@" download python3-pip-whl &&
            dpkg -x python3-pip-whl_*.deb .
    ) >"$scratch/apt.log" 2>&1 </dev/null || return 1
    pip_wheel=$(find "$scratch/apt/usr/share/python-wheels" -name 'pip-*.whl' 2>/dev/null | head -n 1)
    [ -n "$pip_wheel" ]
}

make_venv() {
    rm -rf "$venv"
    mkdir "$venv"
    : >"$unfinished"
    if has_ensurepip || { is_debian_python && install_ensurepip; }; then
        "$base" -m venv "$venv"
    elif "$base" -m pip --version >/dev/null 2>&1; then
        "$base" -m venv --without-pip "$venv"
        "$base" -m pip --python "$python" install -qq pip
    elif is_debian_python && fetch_pip; then
        "$base" -m venv --without-pip "$venv"
        "$python" "$pip_wheel/pip" install -qq --no-index "$pip_wheel"
    else
        [ ! -f "$scratch/apt.log" ] || grep '^E:' "$scratch/apt.log" >&2 || :
        fail "$base cannot make a virtual environment: install the package python3-venv (as root: apt-get install python3-venv), then run this again."
    fi
}

# ---- the work -------------------------------------------------------------------------------

# One that somebody else made here is used as it is, as long as it works.
is_usable() {
    [ ! -e "$unfinished" ] && [ -x "$python" ] &&
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || return 1
    for stamp in "$venv"/.ready-*; do
        [ ! -f "$stamp" ] || [ "$(head -n 1 "$stamp")" = "$PWD" ] || return 1
    done
    "$python" -c 'import pip' 2>/dev/null || "$python" -m ensurepip >/dev/null 2>&1
}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/setup.XXXXXX")
if ! is_usable; then
    base=$(find_python)
    [ ! -e "$venv" ] || say "replacing a .venv that is unfinished, moved or broken"
    say "making .venv with $("$base" -V) ($base)"
    make_venv
fi
rm -f "$venv"/.ready-*
say "installing what this needs ($level); the first time takes a minute"
"$python" -m pip install -qq --editable "$requirement" ||
    fail "the packages could not be installed: pip's message above says why."
state >"$venv/.ready-$level"
rm -f "$unfinished"
say "ready"
