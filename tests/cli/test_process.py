"""The command as a real process: pipes, terminals, encodings, speed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HAND = "67m22z(4444m)[1111m][567m]+5m"


def start(
    *arguments: str, stdin: bytes = b"", cwd: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    names = ("PATH", "HOME", "SYSTEMROOT", "LANG")
    kept = {name: os.environ[name] for name in names if name in os.environ}
    environment = {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "100", **variables}
    return subprocess.run(
        [sys.executable, "-m", "ruleengine", *arguments],
        input=stdin,
        capture_output=True,
        env=environment,
        cwd=cwd,
        check=False,
    )


def test_the_module_is_the_command(tmp_path: Path) -> None:
    done = start("score", HAND, cwd=tmp_path, PYTHONUTF8="1")
    assert done.returncode == 0
    assert "Mixed One-Suit" in done.stdout.decode()
    assert b"\x1b" not in done.stdout


def test_an_output_that_is_not_unicode_gets_ascii_and_english(tmp_path: Path) -> None:
    done = start("score", HAND, "--lang", "ja", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    text = done.stdout.decode("ascii")
    assert " +5m 6m 7m  (## 4m 4m ##)" in text
    assert "Mixed One-Suit" in text
    assert "?" not in text


def test_an_encoding_with_words_but_without_tiles_keeps_the_words(tmp_path: Path) -> None:
    done = start("score", HAND, "--lang", "zh-Hans", cwd=tmp_path, PYTHONIOENCODING="gbk")
    text = done.stdout.decode("gbk")
    assert "混一色" in text
    assert "5m 6m 7m" in text


def test_json_on_an_output_that_is_not_unicode_is_escaped(tmp_path: Path) -> None:
    import json

    arguments = ("score", HAND, "--lang", "ja", "--json")
    done = start(*arguments, cwd=tmp_path, PYTHONIOENCODING="ascii")
    names = [one["name"] for one in json.loads(done.stdout)["patterns"]]
    assert names[0] == "混一色"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
def test_a_pipe_that_is_closed_early_is_no_error(tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m ruleengine show | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    lines = b'{"hand": "19m19p19s1234566z+7z"}\n' * 3000
    command = f"'{sys.executable}' -m ruleengine batch - | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command],
        input=lines,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        check=False,
    )
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as sh does")
@pytest.mark.parametrize(
    ("command", "status"),
    [
        (f"score '{HAND}' >&-", 0),
        (f"score '{HAND}' --json >&- 2>&-", 0),
        ("score 1z >&-", 2),
        ("score 1z --json 2>&- >/dev/null", 2),
    ],
)
def test_closed_streams_are_no_reason_to_fail(tmp_path: Path, command: str, status: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m ruleengine {command}"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        check=False,
    )
    assert (done.returncode, done.stdout) == (status, b"")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ruleengine", "rules"],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"yaku: no space left on device\n")


def test_batch_from_pipe_to_pipe(tmp_path: Path) -> None:
    record = '{"id": "京", "hand": "19m19p19s1234566z+7z"}\n'.encode()
    done = start("batch", "-", stdin=record * 3, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count('"id": "京"'.encode()) == 3
    assert done.stderr.decode() == "3 records: 3 winning, 0 not, 0 in error\n"


def test_colours_are_for_terminals_and_can_be_forbidden(tmp_path: Path) -> None:
    coloured = start("score", HAND, cwd=tmp_path, FORCE_COLOR="1", PYTHONUTF8="1", TERM="xterm")
    assert b"\x1b[" in coloured.stdout
    plain = start(
        "score", HAND, cwd=tmp_path, FORCE_COLOR="1", NO_COLOR="1", PYTHONUTF8="1", TERM="xterm"
    )
    assert b"\x1b[31m" not in plain.stdout


def test_what_is_not_used_is_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys, ruleengine\n"
        "heavy = {'typer', 'rich', 'lark', 'yaml', 'jsonschema', 'platformdirs'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "from ruleengine.cli import main\n"
        "main(['score', '19m19p19s1234566z+7z', '--json'])\n"
        "print(sorted({'rich', 'jsonschema', 'numpy', 'pyarrow'} & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        check=True,
    )
    lines = done.stdout.decode().splitlines()
    assert (lines[0], lines[-1]) == ("[]", "[]")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close streams")
def test_a_closed_standard_input_is_an_empty_one(tmp_path: Path) -> None:
    command = f"{sys.executable} -m ruleengine batch - <&-"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    said = b"0 records: 0 winning, 0 not, 0 in error\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", said)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_device_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "hands.jsonl").write_text(f'{{"hand": "{HAND}"}}\n', encoding="utf-8")
    done = start("batch", "hands.jsonl", "-o", "/dev/full", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, b"yaku: no space left on device\n")
