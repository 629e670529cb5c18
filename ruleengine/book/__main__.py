"""Writes the page of every shipped ruleset: `python -m ruleengine.book docs/rulesets`."""

from __future__ import annotations

import sys
from pathlib import Path

from ruleengine.book import book_markdown
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.find import ruleset_ids

INDEX = "README.md"


def pages() -> dict[str, str]:
    """The pages by file name: one a shipped ruleset, and a list of them."""
    from ruleengine.book.markdown import md

    found: dict[str, str] = {}
    lines = [
        "# The rulesets",
        "",
        "One page a ruleset, made from its file by `make docs`: change the ruleset, not the page.",
        "",
        "| Ruleset | Name | Patterns |",
        "|---|---|---:|",
    ]
    for name in ruleset_ids():
        rules = load_ruleset(name)
        found[f"{name}.md"] = book_markdown(rules)
        shown = f"{rules.name()} {rules.version}"
        lines.append(f"| [{name}]({name}.md) | {md(shown)} | {len(rules.data.patterns)} |")
    found[INDEX] = "\n".join(lines) + "\n"
    return found


def write(folder: Path) -> None:
    """Write every page into a folder; pages of rulesets that are gone are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m ruleengine.book FOLDER")
    write(Path(sys.argv[1]))
