"""How far a batch is: a bar on stderr with the rate and the time that is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruleengine.faces.screen import Screen


class Progress:
    """A bar while a batch runs; `size` is how much there is to do, None where nobody knows.

    As a context it gives a function of how much more was done and how many records that is.
    """

    def __init__(self, size: int | None, screen: Screen) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        last = TimeElapsedColumn() if size is None else TimeRemainingColumn()
        self._screen = screen
        self._bar: Any = Bar(
            BarColumn(), TextColumn("{task.fields[said]}"), last,
            console=Console(stderr=True), transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("", total=size, said="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def __call__(self, more: int, records: int) -> None:
        task = self._bar.tasks[0]
        rate = records / task.elapsed if task.elapsed else 0
        said = self._screen.say("batch_rate", n=f"{records:,}", rate=f"{rate:,.0f}")
        self._bar.update(self._task, advance=more, said=said)
