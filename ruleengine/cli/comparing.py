"""One comparison of rulesets as a command was called for it: what to compare, how to show it, and
what is a finding."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.cli import FINDINGS, FINE
from ruleengine.cli.failure import UsageError
from ruleengine.errors import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ruleengine.cli.session import Session
    from ruleengine.compare.model import Comparison
    from ruleengine.compare.review import FailOn, Review
    from ruleengine.ruleset.read import ReadRuleset


class Call:
    """One call of the command: how to compare, and what is a finding."""

    def __init__(
        self,
        *,
        session: Session,
        only_structure: bool,
        budget: float | None,
        seed: int,
        jobs: int,
        fail_on: FailOn,
        require_bump: bool,
        accept: str | None,
        plain: bool,
    ) -> None:
        self._start = time.monotonic()
        self.session = session
        self.plain = plain
        self.only_structure = only_structure
        self.budget = budget
        self.seed = seed
        self.jobs = jobs
        self.fail_on: FailOn = fail_on
        self.require_bump = require_bump
        self.accepted: Mapping[str, str] = {}
        if accept is not None:
            from ruleengine.compare.review import read_accepted

            self.accepted = read_accepted(Path(accept))

    def read(self, operand: str) -> ReadRuleset:
        """The ruleset that an operand names."""
        from ruleengine.compare.operands import read_operand

        return read_operand(operand, self.session.config.folder_paths)

    def options(self, reads: Sequence[ReadRuleset]) -> dict[str, int | bool]:
        """What `--set` says. Raises `UsageError` for an option that none of the rulesets has."""
        given = {
            name: setting.value
            for name, setting in self.session.config.options.items()
            if setting.rank == 0
        }
        known = dict.fromkeys(name for read in reads for name in read.data.options)
        for name in given:
            if name not in known:
                from ruleengine.diagnostics import suggest

                meant = suggest(name, known)
                help_line = f"did you mean '{meant}'?" if meant else None
                raise UsageError(f"none of these rulesets has an option {quote(name)}", help_line)
        return given

    @property
    def left(self) -> float | None:
        """What is left of the budget in seconds, now that the rulesets are read."""
        if self.budget is None:
            return None
        return max(self.budget - (time.monotonic() - self._start), 0.0)

    def compare(self, reads: Sequence[ReadRuleset]) -> Comparison:
        """Compare two rulesets."""
        if self.only_structure:
            from ruleengine.compare.structure import said_otherwise

            return said_otherwise(reads[0], reads[1], self.options(reads))
        from ruleengine.compare.run import compare

        with _progress() as progress:
            return compare(
                reads[0],
                reads[1],
                options=self.options(reads),
                budget=self.left,
                seed=self.seed,
                jobs=self.jobs,
                progress=progress,
            )

    def review(self, comparison: Comparison) -> Review:
        """What is accepted, and what is a finding."""
        from ruleengine.compare.review import review

        return review(
            comparison,
            fail_on=self.fail_on,
            require_bump=self.require_bump,
            accepted=self.accepted,
        )

    def two(self, reads: Sequence[ReadRuleset], form: str, texts: bool) -> tuple[str | None, int]:
        """Two rulesets in a form: the text, None where it is shown, and the exit status."""
        comparison = self.compare(reads)
        review = self.review(comparison)
        status = FINDINGS if review.is_finding else FINE
        language = self.session.language
        if form == "json":
            from ruleengine.faces.compared_json import comparison_json

            return self._json(comparison_json(comparison, review, language)), status
        if form == "markdown":
            from ruleengine.faces.compared_markdown import comparison_markdown

            return comparison_markdown(comparison, review, language, texts=texts), status
        if form == "html":
            from ruleengine.faces.compared_html import comparison_html

            return comparison_html(comparison, review, language), status
        from ruleengine.faces.compared_text import show_comparison

        return _shown(
            self.session,
            form,
            lambda screen: show_comparison(comparison, review, screen, texts=texts),
        ), status

    def three(self, reads: Sequence[ReadRuleset], form: str, texts: bool) -> tuple[str | None, int]:
        """A base and two branches in a form, as `two` gives it."""
        from ruleengine.compare.review import review_branches
        from ruleengine.compare.three_way import three_way

        with _progress() as progress:
            found = three_way(
                reads[0],
                reads[1],
                reads[2],
                options=self.options(reads),
                only_structure=self.only_structure,
                budget=self.left,
                seed=self.seed,
                progress=progress,
            )
        review = review_branches(
            found,
            fail_on=self.fail_on,
            require_bump=self.require_bump,
            accepted=self.accepted,
        )
        status = FINDINGS if review.is_finding else FINE
        language = self.session.language
        if form == "json":
            from ruleengine.faces.compared_json import three_way_json

            return self._json(three_way_json(found, review, language)), status
        if form == "markdown":
            from ruleengine.faces.compared_markdown import three_way_markdown

            return three_way_markdown(found, review, language, texts=texts), status
        if form == "html":
            from ruleengine.faces.compared_html import three_way_html

            return three_way_html(found, review, language), status
        from ruleengine.faces.compared_text import show_three_way

        return _shown(
            self.session, form, lambda screen: show_three_way(found, review, screen, texts=texts)
        ), status

    def _json(self, value: object) -> str:
        from ruleengine.cli.session import json_line

        return json_line(value, "ascii" if self.plain else sys.stdout.encoding) + "\n"


def _shown(session: Session, form: str, show: Callable[[Any], None]) -> str | None:
    """What a face writes: on the screen, or as the text of a file."""
    screen = session.screen
    if form == "screen":
        show(screen)
        return None
    with screen.console.capture() as captured:
        show(screen)
    return captured.get()


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """Tells a terminal how far the work is; nothing else is told."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)

        def tell(what: str, done: int, of: int) -> None:
            shown.update(task, description=what, completed=done, total=of or None)

        yield tell
