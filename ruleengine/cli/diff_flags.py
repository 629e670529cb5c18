"""Which options of `yaku diff` do nothing together with others: they are refused, not ignored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.cli.failure import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Idle:
    """Options that would do nothing `beside` something, and `why`."""

    beside: str
    flags: tuple[str, ...]
    why: str


IDLE = (
    Idle(
        "--textconv",
        (
            "--only-structure", "--fail-on", "--require-bump", "--accept", "--budget", "--seed",
            "--jobs", "--texts", "--markdown", "--output", "--git-driver", "--set", "--lang",
            "--json", "--ascii",
        ),
        "it prints one ruleset and compares nothing",
    ),
    Idle(
        "--git-driver",
        ("--fail-on", "--require-bump", "--markdown", "--output", "--json"),
        "git shows text, and takes every status but 0 for a failure",
    ),
    Idle("--only-structure", ("--budget", "--seed", "--jobs"), "it looks at no hand"),
    Idle("three rulesets", ("--jobs",), "one process looks for hands in which changes meet"),
    Idle("Markdown", ("--ascii",), "Markdown is not drawn with signs"),
    Idle("HTML", ("--ascii",), "HTML is not drawn with signs"),
    Idle("HTML", ("--texts",), "every text is in the page"),
    Idle("JSON", ("--texts",), "every text is in it"),
)  # fmt: skip


def refuse_idle(given: Iterable[str]) -> None:
    """Raise `UsageError` for an option that would do nothing beside another one, or beside the
    number of rulesets or the form of the output."""
    there = frozenset(given)
    for idle in IDLE:
        flags = [flag for flag in idle.flags if flag in there]
        if idle.beside in there and flags:
            do = "does" if len(flags) == 1 else "do"
            named = " and ".join(part for part in (", ".join(flags[:-1]), flags[-1]) if part)
            raise UsageError(
                f"{named} {do} nothing with {idle.beside}: {idle.why}", f"leave out {named}"
            )
