"""Writes the arrangements that were chosen for columns of hands, as text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruleengine.batch.columns import keys_of
from ruleengine.batch.rows import LISTED_AT, SHAPE_AT, SPLIT_AT, cut_listed
from ruleengine.batch.text import CONCEALED_KONG, KONG, SEQUENCE, TRIPLET
from ruleengine.tiles import FIRST_FLOWER, format_tiles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ruleengine.batch.columns import Hands
    from ruleengine.batch.rows import ColumnRowFinder

_SPLIT_MASK = (1 << (LISTED_AT - SPLIT_AT)) - 1
_LISTED_MASK = (1 << (SHAPE_AT - LISTED_AT)) - 1


class ColumnArrangements:
    """Writes arrangements of the shapes of one ruleset, such as `123m 456p [789s] (9999m) 11z`."""

    def __init__(self, finder: ColumnRowFinder) -> None:
        self.finder = finder
        self._texts: dict[int, tuple[list[pa.StringArray], list[pa.StringArray]]] = {}

    def written(
        self,
        hands: Hands,
        order: NDArray[np.int64],
        meld_kind: NDArray[np.int8] | None,
        meld_tile: NDArray[np.int8] | None,
    ) -> pa.StringArray:
        """The arrangement of each hand; null where it has none. `order` is that of `Judged`."""
        found = pa.nulls(len(hands), pa.string())
        shapes = order >> SHAPE_AT
        for place in range(len(self.finder.shapes)):
            chosen = shapes == place
            rows = np.flatnonzero(chosen)
            if not len(rows):
                continue
            part = hands if len(rows) == len(hands) else hands.take(rows)
            melds: list[pa.StringArray] = []
            if meld_kind is not None and meld_tile is not None:
                melds = self._melds(meld_kind[rows], meld_tile[rows])
            texts = self._of_shape(place, part, order.take(rows), melds)
            if len(rows) == len(hands):
                return texts
            found = pc.replace_with_mask(found, pa.array(chosen), texts)
        return found

    def _of_shape(
        self, place: int, hands: Hands, order: NDArray[np.int64], melds: list[pa.StringArray]
    ) -> pa.StringArray:
        shape = self.finder.shapes[place]
        listed = (order >> LISTED_AT & _LISTED_MASK).astype(np.intp)
        loose: list[pa.StringArray] = []
        keys = keys_of(hands)
        if shape.listed:
            texts = [
                format_tiles(tuple(tile for tile, copies in one for _ in range(copies)))
                for one in shape.listed
            ]
            loose = [pa.array(texts).take(pa.array(listed))]
            used = np.array([cut_listed(one)[0] for one in shape.listed], dtype=np.int64)
            keys = tuple(key - used[listed, suit] for suit, key in enumerate(keys))
        if not shape.sets and not shape.pairs:
            return loose[0]
        ways = self._ways(place, keys, order >> SPLIT_AT & _SPLIT_MASK)
        sets, pairs = self._texts_of(place)
        parts = [
            *loose,
            *(texts.take(pa.array(way)) for texts, way in zip(sets, ways, strict=True)),
            *melds,
            *(texts.take(pa.array(way)) for texts, way in zip(pairs, ways, strict=True)),
        ]
        return pc.binary_join_element_wise(*parts, " ", null_handling="skip")

    def _ways(
        self, place: int, keys: tuple[NDArray[np.int64], ...], nth: NDArray[np.int64]
    ) -> list[NDArray[Any]]:
        """The ways of the four suits, of which `nth` counts the products; the last suit changes
        fastest."""
        shape = self.finder.shapes[place]
        ids = self.finder.ids_of_keys(keys)
        suited, honors = self.finder.ways_of(shape)
        ways: list[NDArray[Any]] = [ids[0]] * 4
        for suit in (3, 2, 1, 0):
            table = honors if suit == 3 else suited
            nth, way = np.divmod(nth, table.count.take(ids[suit]))
            ways[suit] = table.first.take(ids[suit]) + way
        return ways

    def _texts_of(self, place: int) -> tuple[list[pa.StringArray], list[pa.StringArray]]:
        """The sets and the pairs of every way of the four suits; null where there are none."""
        found = self._texts.get(place)
        if found is None:
            suited, honors = self.finder.ways_of(self.finder.shapes[place])
            sets: list[pa.StringArray] = []
            pairs: list[pa.StringArray] = []
            for letter in "mpsz":
                both = (honors if letter == "z" else suited).texts(letter)
                sets.append(pa.array([text or None for text in both[0]], pa.string()))
                pairs.append(pa.array([text or None for text in both[1]], pa.string()))
            found = (sets, pairs)
            self._texts[place] = found
        return found

    def _melds(self, kind: NDArray[np.int8], tile: NDArray[np.int8]) -> list[pa.StringArray]:
        """The melds of each hand, the first of all hands, then the second, ..."""
        found = []
        for at in range(kind.shape[1]):
            number = kind[:, at].astype(np.int64) * FIRST_FLOWER + tile[:, at]
            there = kind[:, at] >= 0
            found.append(self._meld_texts.take(pa.array(number, mask=~there)))
        return found

    @cached_property
    def _meld_texts(self) -> pa.StringArray:
        texts: list[str | None] = []
        for kind in (SEQUENCE, TRIPLET, KONG, CONCEALED_KONG):
            for tile in range(FIRST_FLOWER):
                if kind == SEQUENCE:
                    tiles = (tile, tile + 1, tile + 2)
                    texts.append(f"[{format_tiles(tiles)}]" if tile % 9 < 7 else None)
                elif kind == CONCEALED_KONG:
                    texts.append(f"({format_tiles((tile,) * 4)})")
                else:
                    texts.append(f"[{format_tiles((tile,) * (3 if kind == TRIPLET else 4))}]")
        return pa.array(texts, pa.string())
