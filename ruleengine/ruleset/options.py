"""Says whether the options given for a ruleset are those that it has."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

from ruleengine.diagnostics import suggest, there_are
from ruleengine.errors import HandError, quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruleengine.ruleset.model import Option, RulesetData

MAX_NUMBER = 1_000_000_000
"""The largest number that an option can be."""
MAX_UNSAID = 1_000_000
"""The largest number that an option can be where the ruleset does not say."""


class OptionError(HandError):
    """An option that the ruleset does not have, or a value that it cannot have."""


def check_options(data: RulesetData, options: Mapping[str, object]) -> dict[str, int | bool]:
    """The options given, each known and of a value that it can have.

    Raises `OptionError` R102 for an unknown option, R103 for a value that it cannot have.
    """
    found: dict[str, int | bool] = {}
    for name, value in options.items():
        option = data.options.get(name)
        if option is None:
            shown = str(name)[:100]
            meant = suggest(shown, data.options)
            help_line = f"did you mean '{meant}'?" if meant else there_are(data.options, shown)
            raise OptionError("R102", f"{data.id} has no option {quote(shown)}", help_line)
        problem = option_problem(option, value)
        if problem is not None:
            raise OptionError("R103", problem)
        assert isinstance(value, int)
        found[name] = value
    return found


def option_problem(option: Option, value: object) -> str | None:
    """Why a value cannot be that of an option, in one sentence; None where it can."""
    if option.type == "bool":
        return None if isinstance(value, bool) else f"option '{option.id}' is true or false"
    if not isinstance(value, int) or isinstance(value, bool):
        return f"option '{option.id}' is a whole number"
    least, most = bounds_of(option)
    shown = f"{value}" if abs(value) <= MAX_NUMBER else "so large a number"
    if option.choices and value not in option.choices:
        choices = " or ".join(map(str, option.choices))
        return f"option '{option.id}' cannot be {shown}; it is {choices}"
    if value < least:
        return f"option '{option.id}' cannot be {shown}; the least is {least}"
    if value > most:
        unsaid = " where it has no 'max'" if option.most is None else ""
        return f"option '{option.id}' cannot be {shown}; the most is {most}{unsaid}"
    return None


def bounds_of(option: Option) -> tuple[int, int]:
    """The least and the most that an option of type int can be."""
    if option.choices:
        return min(option.choices), max(option.choices)
    return option.least or 0, MAX_UNSAID if option.most is None else option.most


def values_of(option: Option) -> Sequence[int | bool]:
    """Every value that an option can have."""
    if option.type == "bool":
        return (True, False)
    if option.choices:
        return tuple(dict.fromkeys(option.choices))
    least, most = bounds_of(option)
    return range(least, most + 1)


def every_choice(options: Sequence[Option], most: int) -> list[dict[str, int | bool]] | None:
    """Every choice of the values of some options; None where there are more than `most`."""
    values = [values_of(option) for option in options]
    if prod(map(len, values)) > most:
        return None
    names = [option.id for option in options]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]
