"""`yaku fmt`, end to end."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

LOOSE = "id: a\nformat: 1 # one\nterms: {x: dragon|1z}\n"
NEAT = "format: 1  # one\nid: a\n\nterms: {x: dragon | 1z}\n"
UNCLEAR = "a:\n    b:\n      c: 1\n   # odd\nd: 1\n"


def test_a_file_is_laid_out(yaku: Yaku) -> None:
    Path("a.yaml").write_text(LOOSE, encoding="utf-8")
    run = yaku("fmt", "a.yaml")
    assert (run.status, run.out, run.err) == (0, "laid out: a.yaml\n", "")
    assert Path("a.yaml").read_text(encoding="utf-8") == NEAT
    run = yaku("fmt", "a.yaml")
    assert (run.status, run.out) == (0, "Nothing to change.\n")
    assert os.listdir() == ["a.yaml"]


def test_check_and_diff_write_nothing(yaku: Yaku) -> None:
    Path("a.yaml").write_text(LOOSE, encoding="utf-8")
    Path("b.yaml").write_text(NEAT, encoding="utf-8")
    run = yaku("fmt", "--check", "a.yaml", "b.yaml")
    assert (run.status, run.out) == (1, "would change: a.yaml\n")
    run = yaku("fmt", "--diff", "a.yaml", "b.yaml")
    assert run.status == 1
    assert run.out == (
        "--- a.yaml\n+++ a.yaml\n@@ -1,3 +1,4 @@\n"
        "+format: 1  # one\n id: a\n-format: 1 # one\n-terms: {x: dragon|1z}\n"
        "+\n+terms: {x: dragon | 1z}\n"
    )
    assert Path("a.yaml").read_text(encoding="utf-8") == LOOSE
    assert yaku("fmt", "--check", "b.yaml").status == 0


def test_what_is_not_certain_is_refused_and_the_others_are_laid_out(yaku: Yaku) -> None:
    Path("a.yaml").write_text(LOOSE, encoding="utf-8")
    Path("b.yaml").write_text(UNCLEAR, encoding="utf-8")
    run = yaku("fmt", "b.yaml", "a.yaml", "none.yaml")
    assert run.status == 2
    assert run.out == "laid out: a.yaml\n"
    assert "b.yaml:4:4: error[E601]: it cannot be told what this comment is about" in run.err
    assert "none.yaml:1:1: error[E101]: there is no such file" in run.err
    assert Path("b.yaml").read_text(encoding="utf-8") == UNCLEAR


def test_a_refusal_does_not_say_that_the_ruleset_is_wrong(yaku: Yaku) -> None:
    Path("b.yaml").write_text(UNCLEAR, encoding="utf-8")
    run = yaku("fmt", "b.yaml")
    assert run.status == 2
    assert run.err.endswith("yaku: b.yaml stays as it is: 1 place that cannot be laid out\n")


def test_a_folder_stands_for_its_files(yaku: Yaku) -> None:
    Path("sub/deep").mkdir(parents=True)
    Path("sub/deep/a.yaml").write_text(LOOSE, encoding="utf-8")
    Path("sub/b.yml").write_text(LOOSE, encoding="utf-8")
    Path("sub/c.txt").write_text(LOOSE, encoding="utf-8")
    run = yaku("fmt", "sub", "--check")
    assert run.lines == [
        f"would change: {Path('sub/b.yml')}", f"would change: {Path('sub/deep/a.yaml')}",
    ]  # fmt: skip
    Path("empty").mkdir()
    run = yaku("fmt", "empty")
    assert (run.status, run.out) == (2, "")
    assert "there are no .yaml files in the folder empty" in run.err


def test_stdin_goes_to_stdout(yaku: Yaku) -> None:
    run = yaku("fmt", "-", stdin=LOOSE.encode())
    assert (run.status, run.out, run.err) == (0, NEAT, "")
    run = yaku("fmt", "-", "--check", stdin=LOOSE.encode())
    assert (run.status, run.out) == (1, "would change: -\n")
    run = yaku("fmt", "-", stdin=b"a: [\n")
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith("stdin:1:4: error[E124]")


def test_line_ends_and_marks(yaku: Yaku) -> None:
    Path("a.yaml").write_bytes(b"\xef\xbb\xbfformat: 1\r\nid: a\r\n")
    run = yaku("fmt", "a.yaml", "--diff")
    assert (run.status, run.out) == (
        1, "a.yaml: only line ends or a byte order mark would change\n",
    )  # fmt: skip
    yaku("fmt", "a.yaml")
    assert Path("a.yaml").read_bytes() == b"format: 1\r\nid: a\r\n"


def test_json(yaku: Yaku) -> None:
    Path("a.yaml").write_text(LOOSE, encoding="utf-8")
    Path("b.yaml").write_text(UNCLEAR, encoding="utf-8")
    run = yaku("fmt", "a.yaml", "b.yaml", "--check", "--json")
    assert run.status == 2
    first, second = run.json
    assert first == {"file": "a.yaml", "changed": True}
    assert second["changed"] is None
    assert [problem["code"] for problem in second["diagnostics"]] == ["E601"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-Hant", "無須改動。"), ("zh-Hans", "无须改动。"), ("ja", "変更なし。")],
)
def test_in_other_languages(yaku: Yaku, language: str, words: str) -> None:
    Path("a.yaml").write_text(NEAT, encoding="utf-8")
    assert yaku("fmt", "a.yaml", "--lang", language).out == f"{words}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")
def test_permissions_and_links_stay(yaku: Yaku) -> None:
    Path("a.yaml").write_text(LOOSE, encoding="utf-8")
    Path("a.yaml").chmod(0o640)
    Path("link.yaml").symlink_to("a.yaml")
    assert yaku("fmt", "link.yaml").status == 0
    assert Path("link.yaml").is_symlink()
    assert Path("a.yaml").read_text(encoding="utf-8") == NEAT
    assert Path("a.yaml").stat().st_mode & 0o777 == 0o640


def test_a_file_that_is_too_large_or_no_text(yaku: Yaku) -> None:
    Path("a.yaml").write_bytes(b"a: " + b"x" * 1024 * 1024)
    Path("b.yaml").write_bytes(b"a: \xff\n")
    run = yaku("fmt", "a.yaml", "b.yaml")
    assert run.status == 2
    assert "error[E102]" in run.err
    assert "error[E103]" in run.err
