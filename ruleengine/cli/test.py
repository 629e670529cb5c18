"""`yaku test`: whether the examples and cases of rulesets hold, and what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.files import ruleset_files
from ruleengine.cli.session import Session


def test(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILES", help="Ruleset files, names or folders."),
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", metavar="FILE", help="A case file; may be repeated."),
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Which parts of sentences the cases reach.")
    ] = False,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Which changes to the rules the cases would notice.")
    ] = False,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="PERCENT", min=0, max=100, help="The least coverage, or score."
        ),
    ] = None,
    suggest: Annotated[
        str | None,
        typer.Option("--suggest", metavar="PATTERN", help="Write a hit and a miss of a pattern."),
    ] = None,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Test rulesets by their examples and cases. Each example and case by itself."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    if threshold is not None and not (coverage or mutants):
        from ruleengine.cli.failure import UsageError

        message = "--threshold goes with --coverage or --mutants"
        raise UsageError(message, "for example: --coverage --threshold 100")
    if suggest is not None:
        _refuse_beside_suggest(cases=cases, coverage=coverage, mutants=mutants)
    paths = ruleset_files(files or [], session)
    if suggest is not None:
        return _suggest(paths, suggest, session)
    from ruleengine.faces import trials
    from ruleengine.testing.report import examine

    setting = session.config.rules[0]
    tested = [
        examine(
            path,
            session.config.folder_paths,
            cases or (),
            lambda data: session.options_for(setting, data.options),
            coverage=coverage,
            mutants=mutants,
        )
        for path in paths
    ]
    if json:
        session.print_json([trials.plain(one) for one in tested])
    else:
        for one in tested:
            trials.show(one, session.screen)
    return FINE if all(one.passed(threshold) for one in tested) else FINDINGS


def _refuse_beside_suggest(**given: object) -> None:
    """Refuse options that do nothing beside `--suggest`, which runs no examples."""
    from ruleengine.cli.failure import UsageError

    for name, value in given.items():
        if value:
            raise UsageError(f"--{name} does not go with --suggest", f"leave out --{name}")


def _suggest(paths: list[Path], pattern: str, session: Session) -> int:
    from ruleengine.cli.explain import check_pattern
    from ruleengine.cli.failure import UsageError
    from ruleengine.loading import rules_of
    from ruleengine.ruleset.read import read_ruleset_file
    from ruleengine.testing.suggest import suggest_examples, suggestion_yaml

    if len(paths) != 1:
        raise UsageError("--suggest takes one ruleset")
    read = read_ruleset_file(paths[0], session.config.folder_paths)
    options = session.options_for(session.config.rules[0], read.data.options)
    rules = rules_of(read, options)
    check_pattern(rules, pattern)
    found = suggest_examples(rules, pattern)
    if session.as_json:
        session.print_json(
            {
                "pattern": pattern,
                "hit": None if found.hit is None else found.hit.to_json(session.language),
                "miss": None if found.miss is None else found.miss.to_json(session.language),
                "change": found.change,
                "whole": found.whole,
                "yaml": suggestion_yaml(found),
            }
        )
    else:
        from ruleengine.cli.failure import tell

        if found.hit is None:
            tell(f"yaku: no hand was found that counts {pattern}")
        else:
            print(suggestion_yaml(found))
        if not found.whole:
            tell("yaku: not all hands were looked at: it became too much work")
    return FINE if found.hit is not None else FINDINGS
