"""`yaku settle`: who pays whom at the end of a hand, and what becomes of the stakes."""

from __future__ import annotations

import json as jsonlib
import sys
from typing import Annotated, Any

import typer

from ruleengine.cli import FINE, options
from ruleengine.cli.session import Session, hand_fields, split_names

LONGEST_REQUEST = 1_000_000
"""How many bytes a request may have."""
_WIN_FIELDS = (
    "hand", "by", "seat", "round", "from", "liable", "events", "flowers", "dora", "winning_tile",
    "discards",
)  # fmt: skip


def settle(
    request: Annotated[
        str | None,
        typer.Argument(
            metavar="REQUEST", help="A file with a JSON request; - reads standard input."
        ),
    ] = None,
    event: Annotated[
        str | None,
        typer.Option("--event", metavar="ENDING", help="win, exhausted, wrong_win or abortive."),
    ] = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="HAND", help="The hand that wins.")
    ] = None,
    by: options.By = None,
    seat: Annotated[
        str | None,
        typer.Option("--seat", metavar="WIND", help="The winner, or who declared a wrong win."),
    ] = None,
    round: options.Round = None,
    from_: options.From = None,
    liable: options.Liable = None,
    discards: Annotated[
        list[str] | None,
        typer.Option(
            "--discards",
            metavar="S5m,W9p",
            help="Discards since the winner's own last one, that one included.",
        ),
    ] = None,
    events: options.Events = None,
    flowers: options.Flowers = None,
    dora: options.Dora = None,
    winning_tile: options.WinningTile = None,
    ready: Annotated[
        list[str] | None,
        typer.Option("--ready", metavar="E,S", help="Who was ready at an exhausted wall, or none."),
    ] = None,
    stakes: Annotated[
        list[str] | None,
        typer.Option("--stakes", metavar="E=1,S=1", help="What was paid in advance."),
    ] = None,
    carried: Annotated[
        int | None,
        typer.Option("--carried", metavar="N", help="The stakes left by earlier hands."),
    ] = None,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Settle the end of a hand, from a JSON request or from options."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    given = {
        "event": event, "hand": hand, "by": by, "seat": seat, "round": round, "from": from_,
        "liable": liable, "discards": discards, "events": events, "flowers": flowers,
        "dora": dora, "winning_tile": winning_tile, "ready": ready, "stakes": stakes,
        "carried": carried,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    from ruleengine.settle import settle_table

    asked = _from_options(given) if request is None else _from_file(request, given)
    settled = settle_table(session.rules(), asked)
    if json:
        session.print_json(settled.to_json())
    else:
        from ruleengine.faces.settlement import show_settled

        show_settled(settled, session.rules(), session.screen)
    return FINE


# ---- a request in a file -------------------------------------------------------------------------


def _from_file(source: str, given: dict[str, Any]) -> object:
    if given:
        from ruleengine.cli.failure import UsageError

        name = next(iter(given)).replace("_", "-")
        message = f"the request is given by {source}, and --{name} says something besides"
        raise UsageError(message, "give a file, or options")
    if source == "-":
        text = sys.stdin.buffer.read(LONGEST_REQUEST + 1)
    else:
        with open(source, "rb") as incoming:
            text = incoming.read(LONGEST_REQUEST + 1)
    return read_request(text)


def read_request(text: bytes) -> object:
    """The request in a JSON text.

    Raises `HandError` H401 where it is none, or gives a field twice.
    """
    from ruleengine.batch.line import once
    from ruleengine.errors import HandError

    if len(text) > LONGEST_REQUEST:
        raise HandError("H401", f"a request has at most {LONGEST_REQUEST} bytes")
    try:
        return jsonlib.loads(text.decode("utf-8-sig"), object_pairs_hook=once("H401"))
    except UnicodeDecodeError:
        raise HandError("H401", "the request is not UTF-8 text") from None
    except jsonlib.JSONDecodeError as error:
        message = f"the request is not JSON: {error.msg.lower()} at line {error.lineno}"
        raise HandError("H401", message) from None
    except (ValueError, RecursionError) as error:
        raise HandError("H401", f"the request is not JSON: {error}") from None


# ---- a request in options ------------------------------------------------------------------------


def _from_options(given: dict[str, Any]) -> dict[str, Any]:
    from ruleengine.cli.failure import UsageError

    if not given:
        message = "REQUEST is missing: a file with what is to be settled"
        raise UsageError(message, "yaku settle --help says how to settle by options instead")
    event = given.get("event", "win" if "hand" in given else None)
    found: dict[str, Any] = {"event": event}
    if "stakes" in given:
        found["stakes"] = _stakes(given["stakes"])
    if "carried" in given:
        found["carried"] = given["carried"]
    if "ready" in given:
        names = split_names(given["ready"])
        found["ready"] = [] if names == ["none"] else [_wind(name) for name in names]
    if event == "win":
        found["wins"] = [_record(given)]
        return found
    for name in _WIN_FIELDS:
        if name in given and name != "seat":
            message = f"--{name.replace('_', '-')} says how a hand was won"
            raise UsageError(message, "it goes with --event win")
    if "seat" in given:
        found["seat"] = _wind(given["seat"])
    return found


def _record(given: dict[str, Any]) -> dict[str, Any]:
    record = hand_fields({name: given[name] for name in _WIN_FIELDS if name in given})
    if "from" in record:
        record["from"] = _wind(record["from"])
    if "discards" in record:
        names = [name for text in record["discards"] for name in text.replace(",", " ").split()]
        record["discards"] = [[_wind(name[:1]), name[1:].lstrip(":")] for name in names]
    return record


def _stakes(texts: list[str]) -> dict[str, Any]:
    from ruleengine.cli.failure import UsageError

    found: dict[str, Any] = {}
    for part in split_names(texts):
        seat, sign, amount = part.partition("=")
        if not sign or not (amount.isascii() and amount.isdigit() and len(amount) < 10):
            raise UsageError("--stakes are written as E=1,S=1")
        if _wind(seat) in found:
            raise UsageError(f"--stakes names {_wind(seat)} twice")
        found[_wind(seat)] = int(amount)
    return found


def _wind(text: str) -> str:
    return text.upper() if len(text) == 1 else text
