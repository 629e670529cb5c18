"""What each word of the language means, in a sentence: for editors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.language.vocabulary import FACTS, ROLES, SITUATION_CLASSES, SUBJECTS, WAITS, WAYS

if TYPE_CHECKING:
    from collections.abc import Mapping

GRAMMAR_WORDS: Mapping[str, str] = {
    "if": "`if A then B else C`: B where A is true, else C",
    "then": "`if A then B else C`: B where A is true, else C",
    "else": "`if A then B else C`: B where A is true, else C",
    "and": "both sentences are true",
    "or": "at least one of the sentences is true",
    "not": "the sentence is false; before a class, `is not`, the class does not fit",
    "is": "says what a subject is: `pair is dragon`, `shape is basic`, `seat is E`",
    "are": "says what they are: `all tiles are simple`",
    "has": "a template (`has triplet rx, pair ry`), or after a group: one of its tiles is in the "
    "class",
    "have": "each of them has a tile of the class: `all groups have terminal`",
    "win": "`win by self_draw | discard | robbing_kong`: how the hand was won",
    "by": "`win by self_draw | discard | robbing_kong`: how the hand was won",
    "all": "all of them; true where there is none",
    "every": "all of them, said of one; true where there is none",
    "some": "at least one of them",
    "no": "none of them",
    "hand": "the tiles in hand, melds aside: `hand before win is 1112345678999x`",
    "before": "`hand before win`: the tiles in hand without the winning one",
    "includes": "the tiles in hand have at least these",
    "include": "all tiles of the shape have at least these",
    "count": "how many of them: `count triplets of dragon`; takes a whole class after `of`",
    "of": "only those within a class: a group is within it when all its tiles are",
    "sum": "`sum ranks`: the ranks of the tiles added up",
    "ranks": "`sum ranks`: the ranks of the tiles added up",
    "min": "the smallest of some numbers",
    "max": "the largest of some numbers",
    "round_up": "`round_up(number, step)`: up to a multiple of the step",
    "round_down": "`round_down(number, step)`: down to a multiple of the step",
    "true": "always true",
    "false": "never true",
    "concealed": "not claimed and, for a triplet, not completed by another's tile at the win",
    "claimed": "melded with another's tile before the win",
    "sequence": "three tiles of a suit with neighbouring ranks; named by its lowest tile",
    "triplet": "three of a tile; a kong is one too",
    "kong": "four of a tile, declared",
    "pair": "two of a tile; `pair is C`: there is exactly one pair, and it is of C",
    "set": "a sequence or a triplet",
    "group": "a set or a pair",
    "tile": "a tile of the shape: all four of a kong and the winning tile too, never a flower",
    "flower": "a flower of the hand",
    "seat": "the winner's seat wind (`seat is E`); in payments: a seat of the table",
    "suits": "characters, dots, bamboo; an honor has no suit",
    "kinds": "different tiles",
    "quads": "tiles of which all four are in the hand, kong or not",
    "waits": "different tiles that would complete the hand",
}

CLASS_WORDS: Mapping[str, str] = {
    "characters": "the suit of characters 萬, 1-9m",
    "dots": "the suit of dots 筒, 1-9p",
    "bamboo": "the suit of bamboo 索, 1-9s",
    "numbered": "tiles with a suit and a rank",
    "terminal": "ranks 1 and 9",
    "simple": "ranks 2 to 8",
    "odd": "ranks 1, 3, 5, 7, 9",
    "even": "ranks 2, 4, 6, 8",
    "honor": "winds and dragons",
    "wind": "East, South, West, North",
    "dragon": "White, Green, Red",
}

PLURALS: Mapping[str, str] = {
    "sequences": "sequence",
    "triplets": "triplet",
    "kongs": "kong",
    "pairs": "pair",
    "sets": "set",
    "groups": "group",
    "tiles": "tile",
    "flowers": "flower",
    "seats": "seat",
}


def meaning_of(word: str) -> str | None:
    """What a word means in every ruleset; None for a word that has no such meaning."""
    word = PLURALS.get(word, word)
    if word in GRAMMAR_WORDS:
        return GRAMMAR_WORDS[word]
    if word in CLASS_WORDS:
        return f"class of tiles: {CLASS_WORDS[word]}"
    if word in SITUATION_CLASSES:
        return f"class of tiles: {SITUATION_CLASSES[word]}"
    if word in FACTS:
        return FACTS[word].doc
    if word in WAYS:
        return f"way of winning: {WAYS[word]}"
    if word in WAITS:
        return f"wait: {WAITS[word]}"
    if word in SUBJECTS:
        return SUBJECTS[word]
    return ROLES[word][0] if word in ROLES else None
