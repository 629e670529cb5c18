#!/bin/sh
# Installs a browser and fonts for the tests that look at the rule book:  sh scripts/browser.sh
# Uses Debian's packages, as root or where sudo asks for no password. Where that cannot be, or there
# is a browser already, it does nothing; it never fails, and the tests are then skipped or run.
set -u

say() { printf 'browser: %s\n' "$*"; }

for name in chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done
if ! command -v apt-get >/dev/null 2>&1; then
    say "no Chromium here, and no apt-get to install it: the tests in a browser are skipped"
    exit 0
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    say "no Chromium here, and no right to install it: the tests in a browser are skipped"
    exit 0
fi
say "installing chromium and fonts-noto-cjk"
# shellcheck disable=SC2086  # as_root is empty or two words
if ! {
    $as_root apt-get -qq update &&
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get -qq -y --no-install-recommends install chromium fonts-noto-cjk
} >/dev/null 2>&1 </dev/null; then
    say "Chromium could not be installed: the tests in a browser are skipped"
fi
exit 0
