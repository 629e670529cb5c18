"""The options that commands share, for Typer."""

from __future__ import annotations

from typing import Annotated

import typer

Rules = Annotated[
    list[str] | None,
    typer.Option("--rules", metavar="NAME|FILE", help="The ruleset, by name or as a file."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Switch an option; may be repeated."),
]
Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="LANG", help="Words in en, zh-Hant, zh-Hans or ja."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII signs only.")]

Hand = Annotated[
    list[str],
    typer.Argument(metavar="HAND", help="Such as '67m22z(4444m)[1111m][567m]+5m'."),
]
By = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="WAY", help="self_draw (when not given), discard or robbing_kong."
    ),
]
Seat = Annotated[
    str | None,
    typer.Option("--seat", metavar="WIND", help="The winner's seat: E, S, W or N."),
]
Round = Annotated[
    str | None,
    typer.Option("--round", metavar="WIND", help="The round wind: E, S, W or N."),
]
From = Annotated[
    str | None,
    typer.Option("--from", metavar="WIND", help="Who discarded, or added to the kong."),
]
Liable = Annotated[
    str | None,
    typer.Option("--liable", metavar="WIND|none", help="Who bears the discarder's duty."),
]
Events = Annotated[
    list[str] | None,
    typer.Option("--events", metavar="A,B", help="Events of the ruleset, such as last_tile."),
]
Flowers = Annotated[
    str | None, typer.Option("--flowers", metavar="TILES", help="Flower tiles, such as 15f.")
]
Dora = Annotated[
    str | None,
    typer.Option("--dora", metavar="N|TILES", help="Dora tiles held, or the indicators."),
]
WinningTile = Annotated[
    str | None,
    typer.Option("--winning-tile", metavar="TILE", help="The winning tile, for a hand without +."),
]
Pattern = Annotated[
    str | None, typer.Option("--pattern", metavar="ID", help="One pattern, in depth.")
]
