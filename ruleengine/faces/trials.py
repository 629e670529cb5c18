"""What became of the tests of a ruleset, as text and as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruleengine.diagnostics import Span
    from ruleengine.faces.screen import Screen
    from ruleengine.testing.mutants import Mutant, Tried
    from ruleengine.testing.report import Examined


SHOWN = 100
"""How many lines of one kind are printed for a ruleset."""


def show(tested: Examined, screen: Screen) -> None:
    """Print what became of one ruleset."""

    def line(text: str, indent: int = 0) -> None:
        screen.line(text, indent=indent, wrap=False)

    failed = tested.failed
    whole = len(tested.outcomes)
    if failed:
        line(f"{tested.id}: {len(failed)} of {whole} cases do not hold")
    else:
        line(f"{tested.id}: {whole} cases hold")
    for outcome in failed[:SHOWN]:
        line(f"{_place(outcome.case.span)}: {outcome.case.name}", 2)
        line(str(outcome.problem), 4)
        if outcome.case.why:
            line(f"it should be: {outcome.case.why}", 4)
    _rest(len(failed), line)
    if tested.untried:
        first, *rest = tested.untried
        more = f" and the {len(rest):,} after it" if rest else ""
        line(f"not run: {_place(first.span)}{more}: with the others it is too much work", 2)
    if tested.covered is not None:
        seen, of = tested.reached
        line(f"coverage: {tested.coverage:.1f} % ({seen} of {of}, in {len(tested.covered)} parts)")
        if tested.unseen:
            line(f"not measured in full: the last {tested.unseen} cases are too much work", 2)
        told: list[str] = []
        for part, span in zip(tested.covered, tested.places, strict=True):
            what = f"{_place(span)}: '{' '.join(part.text.split())}'"
            told += [f"{what} is never seen {aspect}" for aspect in part.missing]
            told += [
                f"{what} can never be {aspect} (proved over all hands)"
                for aspect in sorted(part.impossible)
            ]
        for text in told[:SHOWN]:
            line(text, 2)
        _rest(len(told), line)
    if tested.mutants is not None:
        _show_mutants(tested, line)


def _show_mutants(tested: Examined, line: Any) -> None:
    mutants = tested.mutants
    assert mutants is not None
    noticed = len(mutants.noticed)
    whole = noticed + len(mutants.survivors)
    line(f"mutants: {mutants.score:.1f} % ({noticed} of {whole} noticed)")
    if mutants.stopped is not None:
        at = mutants.stopped
        told = f"{_place(at.span)}: {at.at}"
        line(f"not measured in full: from here on it is too much work: {told}", 2)
    if mutants.explained:
        line(f"{len(mutants.explained)} more are explained in {tested.explained_in}", 2)
    for one in mutants.survivors[:SHOWN]:
        mutant = one.mutant
        line(f"{_place(mutant.span)}: {mutant.at}: nothing notices {_change(one)}", 2)
    _rest(len(mutants.survivors), line)
    for entry in mutants.idle[:SHOWN]:
        told = entry.problem or f"explains no mutant that survives: {entry.at}: {entry.becomes}"
        line(f"{_place(entry.span)}: {told}", 2)
    _rest(len(mutants.idle), line)


def _rest(whole: int, line: Any) -> None:
    """Say how many of a long list were not printed."""
    if whole > SHOWN:
        line(f"... and {whole - SHOWN} more (all of them: --json)", 2)


def _change(one: Tried) -> str:
    mutant = one.mutant
    if mutant.after == "(left out)":
        return f"'{mutant.before}' left out"
    return f"'{mutant.before}' -> '{mutant.after}'"


def _place(span: Span) -> str:
    return f"{span.path}:{span.line}:{span.column}"


def plain(tested: Examined) -> dict[str, Any]:
    """What became of one ruleset, as JSON."""
    found: dict[str, Any] = {
        "rules": tested.id,
        "file": tested.path,
        "cases": len(tested.outcomes),
        "cases_not_run": len(tested.untried),
        "failed": [
            {**_json(outcome.case.span), "case": outcome.case.name, "problem": outcome.problem}
            for outcome in tested.failed
        ],
    }
    if tested.covered is not None:
        found["coverage"] = {
            "percent": round(tested.coverage, 2),
            "cases_left_out": tested.unseen,
            "parts": [
                {
                    **_json(span), "at": ".".join(part.home.path), "part": part.text,
                    "seen": sorted(part.seen), "missing": list(part.missing),
                    "impossible": sorted(part.impossible),
                }
                for part, span in zip(tested.covered, tested.places, strict=True)
            ],
        }  # fmt: skip
    if tested.mutants is not None:
        found["mutants"] = {
            "percent": round(tested.mutants.score, 2),
            "stopped": _stopped(tested.mutants.stopped),
            "noticed": len(tested.mutants.noticed),
            "explained": len(tested.mutants.explained),
            "survivors": [
                {
                    **_json(one.mutant.span), "at": one.mutant.at, "before": one.mutant.before,
                    "after": one.mutant.after, "becomes": one.mutant.becomes,
                }
                for one in tested.mutants.survivors
            ],
            "out_of_date": [
                {**_json(entry.span), "at": entry.at, "becomes": entry.becomes}
                for entry in tested.mutants.idle
            ],
        }  # fmt: skip
    return found


def _stopped(mutant: Mutant | None) -> dict[str, Any] | None:
    return None if mutant is None else {**_json(mutant.span), "at": mutant.at}


def _json(span: Span) -> dict[str, Any]:
    return {"path": span.path, "line": span.line, "column": span.column}
