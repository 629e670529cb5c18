"""Makes the pages of `docs/errors` from `docs/errors/pages.yaml`: one for each code.

`python -m tests.error_pages` writes them. What a wrong example gives is found by running it, so
that a page can only show what is so.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import ruleengine.notation
import ruleengine.situation
import ruleengine.tiles
from ruleengine import config
from ruleengine.check.run import check_files
from ruleengine.cli import main
from ruleengine.config import CONFIG_ERRORS
from ruleengine.diagnostics import TITLES, Diagnostic, RulesetError, render_text
from ruleengine.errors import HAND_ERRORS, RULES_ERRORS, HandError
from ruleengine.fmt import format_text
from ruleengine.loading import load_ruleset
from ruleengine.record import score_record
from ruleengine.ruleset.read import read_ruleset_file
from ruleengine.settle import settle_table

FOLDER = Path(__file__).parents[1] / "docs" / "errors"
SOURCE = FOLDER / "pages.yaml"
HEAD = "format: 1\nid: our-table\nextends: zhongyong-3.3\n"
FILE = "our-table.yaml"
KINDS = ("fmt", "command", "record", "settle", "batch", "config", "python")
"""Examples that are no rulesets."""
OTHER_TITLES: Mapping[str, str] = {
    "T101": "a table that is no table of hands",
    "U100": "a mistake without a code of its own",
    "U101": "a command that was called in a way that it cannot be",
    "U102": "a file that cannot be read or written",
    "U103": "an input that is not what it is said to be",
    "U104": "a batch that cannot be continued",
    "U105": "a helping process that was ended from outside",
    "U106": "a revision in git that cannot be read",
}
"""Titles of codes that stand in no table of the package."""
GROUPS: tuple[tuple[str, str], ...] = (
    ("E10 E11 E12 E13 E199", "Files that are no plain YAML"),
    ("E14", "Sentences that cannot be read"),
    ("E2", "Sentences that say what cannot be"),
    ("E3", "The fields of a ruleset"),
    ("E4", "A ruleset that extends another"),
    ("E5 W5", "What `yaku check` finds in the whole"),
    ("E6", "What `yaku fmt` does not lay out"),
    ("H1", "How hands are written"),
    ("H2", "Hands that cannot be"),
    ("H3", "Situations and records"),
    ("H4", "The end of a hand"),
    ("H9 U T", "Commands and files"),
    ("R", "Rulesets and their options"),
    ("C", "Settings"),
)


@dataclass(frozen=True)
class Found:
    """What an example gave: the codes, and what was said."""

    codes: tuple[str, ...]
    text: str = ""


@cache
def entries() -> dict[str, dict[str, Any]]:
    """What stands in `pages.yaml`, by code."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    return found


def titles() -> dict[str, str]:
    """Every code with its title."""
    return {**TITLES, **HAND_ERRORS, **RULES_ERRORS, **CONFIG_ERRORS, **OTHER_TITLES}


def kind_of(code: str, entry: Mapping[str, Any]) -> str:
    """What the examples of a page are."""
    for kind in KINDS:
        if entry.get(kind):
            return kind
    return "ruleset" if code[0] in "EW" else "command"


def shown_example(code: str, entry: Mapping[str, Any], text: str) -> str:
    """An example as the page shows it: a ruleset as a whole file."""
    if kind_of(code, entry) not in ("ruleset", "fmt") or entry.get("whole"):
        return text
    return text if text.startswith("format:") else HEAD + text


# ---- running examples --------------------------------------------------------------


@cache
def run_example(code: str, which: str) -> Found:
    """What an example (`which`: wrong or right) gives, in an empty folder without settings."""
    entry = entries()[code]
    text = entry[which]
    kind = kind_of(code, entry)
    shown = shown_example(code, entry, text)
    with _elsewhere() as folder:
        found = _run_here(kind, code, shown, entry)
    return Found(found.codes, found.text.replace(f"{folder}{os.sep}", ""))


def _run_here(kind: str, code: str, shown: str, entry: Mapping[str, Any]) -> Found:
    if kind == "ruleset":
        return _ruleset(code, shown)
    if kind == "fmt":
        return _laid_out(shown)
    if kind == "command":
        return _command(shown)
    if kind == "config":
        Path("yaku.toml").write_text(shown, encoding="utf-8")
        return _command("yaku config")
    if kind == "batch":
        Path("hands.jsonl").write_text(shown, encoding="utf-8")
        _run("yaku batch hands.jsonl -o results.jsonl")
        error = json.loads(Path("results.jsonl").read_text(encoding="utf-8")).get("error")
        return Found((error["code"],), error["message"]) if error else Found(())
    return _call(kind, shown, entry)


@contextlib.contextmanager
def _elsewhere() -> Iterator[str]:
    before, variables, user = os.getcwd(), dict(os.environ), config._user_folder
    with tempfile.TemporaryDirectory() as folder:
        for name in [name for name in os.environ if name.startswith("YAKU_")]:
            if name != "YAKU_CACHE":
                del os.environ[name]
        os.environ["COLUMNS"] = "100"
        config._user_folder = lambda: Path(folder) / "none"
        os.chdir(folder)
        try:
            yield os.getcwd()
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(variables)
            config._user_folder = user


def _ruleset(code: str, text: str) -> Found:
    path = Path(FILE)
    path.write_text(text, encoding="utf-8", newline="")
    if code[:2] in ("E5", "W5"):
        report = check_files([path])
        return _told(report.findings, report.sources)
    try:
        read = read_ruleset_file(path)
    except RulesetError as error:
        return _told(error.diagnostics, error.sources)
    return _told(read.warnings, read.sources)


def _laid_out(text: str) -> Found:
    try:
        after = format_text(text, FILE)
    except RulesetError as error:
        return _told(error.diagnostics, error.sources)
    if after == text:
        return Found(())
    Path(FILE).write_text(text, encoding="utf-8")
    return Found(("E604",), _run(f"yaku fmt --check {FILE}"))


def _told(found: Any, sources: Mapping[str, str]) -> Found:
    diagnostics: list[Diagnostic] = list(found)
    text = render_text(diagnostics, sources)
    for path in sources:
        text = text.replace(path, Path(path).name)
    return Found(tuple(one.code for one in diagnostics), text)


def _command(command: str) -> Found:
    printed = _run(f"{command} --json")
    try:
        found = json.loads(printed.splitlines()[0])
    except (ValueError, IndexError):
        found = {}
    error = found.get("error") if isinstance(found, dict) else None
    if error is None:
        return Found(())
    codes = tuple(one["code"] for one in error.get("diagnostics", ())) or (error["code"],)
    return Found(codes, _run(command))


def _run(command: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        main(shlex.split(command)[1:])
    return printed.getvalue()


def _call(kind: str, text: str, entry: Mapping[str, Any]) -> Found:
    rules = load_ruleset(entry.get("rules", "zhongyong-3.3"))
    try:
        if kind == "record":
            score_record(rules, json.loads(text))
        elif kind == "settle":
            settle_table(rules, json.loads(text))
        else:
            eval(text, {"ruleengine": ruleengine})
    except HandError as error:
        lines = [error.message, *([f"  help: {error.help}"] if error.help else [])]
        return Found((error.code,), "\n".join(lines))
    return Found(())


# ---- pages -------------------------------------------------------------------------

_LANGUAGES = {
    "ruleset": "yaml", "fmt": "yaml", "command": "sh", "record": "json", "settle": "json",
    "batch": "json", "config": "toml", "python": "python",
}  # fmt: skip


def page(code: str) -> str:
    """The page of a code."""
    entry = entries()[code]
    lines = [f"# {code}: {titles()[code]}", "", *_filled(entry["means"])]
    if "wrong" in entry:
        language = _LANGUAGES[kind_of(code, entry)]
        for heading, name in (("Not so", "wrong"), ("But so", "right")):
            shown = shown_example(code, entry, entry[name]).rstrip("\n")
            lines += ["", f"{heading}:", "", f"```{language}", _visible(shown), "```"]
            if name == "wrong":
                told = run_example(code, name).text.rstrip("\n")
                lines += ["", "```text", told, "```"]
    return "\n".join(lines) + "\n"


def _visible(text: str) -> str:
    """An example in which what cannot be seen is written out."""
    return text.replace("\u2028", "[U+2028]").replace("\t", "[tab]")


def _filled(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 98:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


def index() -> str:
    """The list of all codes."""
    lines = [
        "# Codes of mistakes", "",
        "Every mistake that yaku tells of has a code, and a page that says what it means and how",
        "to put it right. `yaku` prints the code in brackets: `error[E201]`. The messages are in",
        "English whatever `--lang` says.",
    ]  # fmt: skip
    for _, heading in GROUPS:
        lines += ["", f"## {heading}", "", "| code | |", "|---|---|"]
        for code, title in sorted(titles().items(), key=_order):
            if group_of(code) == heading:
                lines.append(f"| [{code}]({code}.md) | {title} |")
    return "\n".join(lines) + "\n"


def _order(item: tuple[str, str]) -> tuple[bool, str]:
    return item[0] != "E199" and item[0][0] not in "EW", item[0]


def group_of(code: str) -> str:
    """The heading that a code stands under."""
    best = max(
        ((start, heading) for starts, heading in GROUPS for start in starts.split()
         if code.startswith(start)),
        key=lambda found: len(found[0]),
    )  # fmt: skip
    return best[1]


def pages() -> dict[str, str]:
    """Every file of the folder by name."""
    return {**{f"{code}.md": page(code) for code in entries()}, "README.md": index()}


def write() -> None:
    """Write the pages, and remove those of codes that are gone."""
    found = pages()
    for name, text in found.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    for path in FOLDER.glob("*.md"):
        if path.name not in found:
            path.unlink()


if __name__ == "__main__":
    write()
    sys.exit(0)
