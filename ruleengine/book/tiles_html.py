"""Hands as pictures in an HTML page that needs nothing besides itself."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from ruleengine.book import tiles_svg
from ruleengine.book.labels import label
from ruleengine.tiles import tile_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.book.examples import Laid

_RING = (
    '<symbol id="won" viewBox="0 0 60 80"><rect class="ring" x="2" y="2" width="56" height="76" '
    'rx="8"/><path class="tip" d="M30 84 21 95H39Z"/></symbol>'
)


@cache
def style() -> str:
    """The style that pages with tiles share."""
    return (files("ruleengine.book") / "style.css").read_text(encoding="utf-8")


def page(title: str, language: str, style: str, defs: str, body: str) -> str:
    """A whole page. A content security policy allows its own style and nothing else; `title` is
    escaped here, `defs` and `body` are HTML."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(language)}">\n<head>\n'
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<svg class="defs" aria-hidden="true" focusable="false"><defs>{defs}</defs>'
        f"</svg>\n{body}</body>\n</html>\n"
    )


class Tiles:
    """Draws tiles, and remembers which ones, so that a page has the symbols of those."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.used: set[int] = set()

    def defs(self) -> str:
        """The symbols of what was drawn."""
        return tiles_svg.symbols(self.used, figures=self.language == "en") + _RING

    def tile(
        self, tile: int, *, claimed: bool = False, won: bool = False, down: bool = False
    ) -> str:
        """One tile: standing, on its side, face down, or marked as the winning one."""
        name = tile_words(tile, self.language)
        self.used.add(tile)
        if down:
            inside, view, kind = f'<use href="#{tiles_svg.BACK}"/>', tiles_svg.UPRIGHT, "tile"
            name = label("tile_back", self.language)
        elif claimed:
            inside, view, kind = tiles_svg.turned(tile), tiles_svg.TURNED, "tile turned"
            name = label("tile_claimed", self.language, name)
        else:
            inside, view, kind = tiles_svg.upright(tile), tiles_svg.UPRIGHT, "tile"
        if won:
            inside += '<use href="#won"/>'
            kind += " won"
            name = label("tile_won", self.language, name)
        shown = escape(name)
        return (
            f'<svg class="{kind}" viewBox="{view}" role="img" aria-label="{shown}">'
            f"<title>{shown}</title>{inside}</svg>"
        )

    def laid(self, laid: Laid) -> str:
        """Tiles that lie together."""
        last = len(laid.tiles) - 1
        tiles = "".join(
            self.tile(
                tile,
                claimed=laid.claimed and place == 0,
                won=place == laid.won,
                down=laid.concealed_kong and place in (0, last),
            )
            for place, tile in enumerate(laid.tiles)
        )
        loose = " loose" if len(laid.tiles) > 4 else ""
        return f'<span class="laid{loose}">{tiles}</span>'

    def hand(self, groups: Iterable[Laid], text: str) -> str:
        """A hand; `text` is its notation."""
        inside = "".join(self.laid(laid) for laid in groups)
        return f'<div class="hand" data-hand="{escape(text)}">{inside}</div>'
