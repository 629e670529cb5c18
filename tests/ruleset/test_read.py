"""Reading a ruleset: what it says, as data. What can be wrong is `test_bad.py`."""

from __future__ import annotations

import json
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ruleengine
from ruleengine.data import data_folder
from ruleengine.diagnostics import TITLES, RulesetError, render_text
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from ruleengine.tiles import parse_tile
from tests.ruleset.small import load, mistakes, read, ruleset, words

V33 = data_folder("rulesets") / "zhongyong-3.3.yaml"


# ---- what is read -------------------------------------------------------------------------------


def test_the_smallest_ruleset() -> None:
    data = read(ruleset("patterns: {}"))
    assert (data.id, data.version, data.name.get()) == ("small", "1", "Small")
    assert (data.units, data.hand_size) == (("points",), 14)
    assert data.wall.copies == dict.fromkeys(range(34), 4)
    assert (data.options, data.events, data.terms, data.patterns) == ({}, {}, {}, {})
    assert data.total.cap is None
    assert (data.liability.moves, data.liability.nobody) == (False, False)
    assert list(data.settlement) == ["win"]


def test_tiles_flowers_and_dora() -> None:
    text = ruleset("patterns: {}").replace(
        '"1234567z": 4}',
        '"1234567z": 4, "12345678f": 1}\n'
        '  flowers: {E: "15f", N: "48f"}\n'
        '  dora: ["123456789m", "567z"]',
    )
    wall = read(text).wall
    assert wall.copies[parse_tile("8f")] == 1
    assert wall.seat_flowers == {
        "E": 1 << parse_tile("1f") | 1 << parse_tile("5f"),
        "N": 1 << parse_tile("4f") | 1 << parse_tile("8f"),
    }
    assert wall.dora[parse_tile("9m")] == parse_tile("1m")
    assert wall.dora[parse_tile("5z")] == parse_tile("6z")
    assert wall.dora[parse_tile("7z")] == parse_tile("5z")
    assert parse_tile("1z") not in wall.dora


def test_options() -> None:
    data = read(
        ruleset(
            "options:\n"
            "  minimum: {type: int, default: 0, choices: [0, 5], name: Minimum}\n"
            "  bounded: {type: int, default: 3, min: 1, max: 9}\n"
            "  open: {type: bool, default: true, doc: {en: Open, ja: あり}}\n"
            "patterns: {}"
        )
    )
    minimum, bounded, opened = data.options.values()
    assert (minimum.type, minimum.default, minimum.choices) == ("int", 0, (0, 5))
    assert (bounded.least, bounded.most) == (1, 9)
    assert opened.default is True
    assert (opened.doc.get("ja"), opened.doc.get("zh-Hant")) == ("あり", "Open")


def test_a_pattern_with_all_that_it_may_have() -> None:
    data = read(
        ruleset(
            "patterns:\n"
            "  one: {points: 1, when: win by self_draw}\n"
            "  two: {code: 2.10, name: {ja: 二}, doc: Two., series: pairs, points: 2 + 3,\n"
            "        times: count pairs, bonus: true, supersedes: [one], status: implied,\n"
            "        hits: ['1m'], misses: [{hand: 2m, why: No., points: 3}]}\n"
        )
    )
    two = data.patterns["two"]
    assert (two.code, two.series, two.status, two.bonus) == ("2.10", "pairs", "implied", True)
    assert two.supersedes == ("one",)
    assert two.when is None
    assert two.times is not None
    assert two.times.text == "count pairs"
    assert two.awards["points"].text == "2 + 3"
    assert (two.name.get("en"), two.doc.get("ja")) == ("二", "Two.")
    assert [example.record for example in two.hits] == [{"hand": "1m"}]
    assert (two.misses[0].points, two.misses[0].why.get()) == (3, "No.")


def test_codes_are_ordered_number_by_number() -> None:
    data = read(
        ruleset(
            "patterns:\n"
            "  none: {points: 1, when: win by self_draw}\n"
            "  ten: {code: '10.1', points: 1, when: win by self_draw}\n"
            "  nine: {code: '9.4.2', points: 1, when: win by self_draw}\n"
            "  nine_ten: {code: '9.10', points: 1, when: win by self_draw}\n"
        )
    )
    ordered = sorted(data.patterns.values(), key=lambda pattern: pattern.code_order)
    assert [pattern.id for pattern in ordered] == ["nine", "nine_ten", "ten", "none"]


def test_interpretations_and_total() -> None:
    data = read(
        ruleset(
            "patterns: {}\n"
            "total: {cap: 320, limit_from: 300 + 20, minimum: 5,"
            " empty: {points: 1, name: {en: Chicken, zh-Hant: 雞和}}}\n"
            "interpretations: {own: {question: What?, reading: This., why: Because.}}\n"
        )
    )
    assert data.total.limit_from is not None
    assert data.total.limit_from.text == "300 + 20"
    assert data.total.empty_name.get("zh-Hant") == "雞和"
    (own,) = data.interpretations
    assert (own.id, own.question.get(), own.why.get()) == ("own", "What?", "Because.")


def test_empty_value_may_stand_alone() -> None:
    data = read(ruleset("patterns: {}\ntotal: {empty: 1}"))
    assert data.total.empty is not None
    assert data.total.empty.text == "1"


def test_shapes_with_letters_for_suits() -> None:
    shapes = "shapes: {knitted: {tiles: 147x258y369w, choose: 8}, basic: {sets: 2, pairs: 1}}\n"
    data = read(ruleset("patterns: {}", shapes=shapes))
    # 147 258 369 in six ways over the suits, of nine tiles eight; nothing is counted twice.
    assert len(data.shapes["knitted"].listed) == 6 * 9
    assert data.hand_size == 8


def test_units_stand_beside_points() -> None:
    data = read(
        ruleset(
            "units: [han, fu]\n"
            "patterns:\n"
            "  one: {han: 1, when: win by self_draw}\n"
            "  two: {han: 2, fu: 10, when: win by self_draw}\n"
            "total: {value: if han > 4 then 2000 else fu * 2 + han}\n"
        )
    )
    assert data.units == ("han", "fu")
    assert list(data.patterns["one"].awards) == ["han"]
    assert list(data.patterns["two"].awards) == ["han", "fu"]


def test_where_things_stand_makes_no_difference() -> None:
    text = V33.read_text(encoding="utf-8")
    from_text = read_ruleset_text(text, str(V33)).data
    assert from_text == read_ruleset_file(V33).data
    assert len(from_text.patterns) == 44


def test_line_ends_and_byte_order_mark_make_no_difference() -> None:
    text = ruleset("patterns:\n  one: {points: 1, when: win by self_draw}\n")
    plain = read(text)
    for other in ("\ufeff" + text, text.replace("\n", "\r\n")):
        assert read(other) == plain


# ---- what sentences may say of names ------------------------------------------------------------


def test_a_shape_may_bear_the_name_of_a_pattern_or_term() -> None:
    text = ruleset(
        "terms: {basic: shape is basic}\npatterns:\n  seven: {points: 1, when: basic}\n",
    )
    assert words(text) == []


def test_an_event_may_use_a_term_that_no_pattern_could() -> None:
    text = ruleset(
        "events: {first: {needs: by_east}}\n"
        "terms: {by_east: discarder is dealer}\n"
        "patterns: {one: {points: 1, when: first}}\n"
    )
    assert words(text) == []
    used = text.replace("when: first", "when: by_east")
    assert words(used) == ["E203 'discarder' is not known in a pattern ('by_east' speaks of that)"]


def test_a_payment_may_use_a_term() -> None:
    text = ruleset(
        "terms: {dear: points > 25, cheap: not dear}\npatterns: {}\n",
        settlement="settlement: {win: [{when: cheap, pays: points}, {pays: 25}]}\n",
    )
    assert words(text) == []


def test_a_term_may_rename_a_term_a_fact_an_event_or_a_pattern() -> None:
    text = ruleset(
        "options: {open: {type: bool, default: true}}\n"
        "events: {late: {}}\n"
        "terms: {east: dealer, last: late, allowed: open, again: last, one: self, self: dragon,\n"
        "        two: pattern}\n"
        "patterns:\n"
        "  pattern: {points: 1, when: east and last and allowed and again and some tile is one}\n"
        "  other: {points: 1, when: two}\n"
    )
    assert words(text) == []


def test_a_cycle_through_a_pattern_and_a_term_that_renames_it() -> None:
    text = ruleset("terms: {again: one}\npatterns: {one: {points: 1, when: again}}\n")
    assert words(text) == ["E209 this is defined by itself: 'one' -> 'again' -> 'one'"]


def test_a_broken_name_is_reported_once_wherever_it_is_used() -> None:
    text = ruleset(
        "options: {standard: {type: int}}\n"
        "events: {late: 3}\n"
        "terms: {value: [dragon], wrong: some tile is dragn}\n"
        "patterns:\n"
        "  broken: 3\n"
        "  one: {points: standard, when: late and broken and wrong and some tile is value}\n"
        "  two: {points: 1, when: one, supersedes: [broken]}\n"
        "total: {minimum: standard}\n"
    )
    assert [f"{m.code}:{m.span.line}" for m in mistakes(text) if m.span] == [
        "E303:9",
        "E301:10",
        "E301:11",
        "E204:11",
        "E301:13",
    ]


# ---- bounds -------------------------------------------------------------------------------------


def many(count: int, section: str, entry: str) -> str:
    return f"{section}:\n" + "".join(f"  n{i}: {entry}\n" for i in range(count))


@pytest.mark.parametrize(
    ("section", "entry", "most"),
    [
        ("patterns", "{points: 1, when: win by self_draw}", 1000),
        ("terms", "dragon", 1000),
        ("options", "{type: int, default: 0}", 1000),
        ("events", "{}", 64),
    ],
)
def test_sections_are_bounded(section: str, entry: str, most: int) -> None:
    rest = "" if section == "patterns" else "patterns: {}\n"
    assert words(ruleset(many(most, section, entry) + rest)) == []
    message = f"E308 '{section}' has {most + 1:,} entries; {most:,} at most"
    assert words(ruleset(many(most + 1, section, entry) + rest)) == [message]


def test_a_long_chain_of_names_is_bounded_whatever_its_order() -> None:
    chain = [f"t{i}: not t{i - 1}" for i in range(1, 900)]
    for lines in (chain, chain[::-1]):
        body = "terms:\n  t0: win by self_draw\n  " + "\n  ".join(lines) + "\npatterns: {}\n"
        (found,) = mistakes(ruleset(body))
        assert found.code == "E211"


def test_what_is_just_within_bounds_can_be_scored() -> None:
    chain = "\n  ".join(f"t{i}: not t{i - 1}" for i in range(1, 48))
    body = f"terms:\n  t0: win by self_draw\n  {chain}\n"
    rules = load(ruleset(body + "patterns: {one: {points: 3, when: not t47}}\n"))
    # Forty-eight times turned around, it says what it said.
    assert rules.score("123m456p789s1122z+1z").points == 3
    assert rules.score("123m456p789s1122z+1z", by="discard", seat="S").points == 0


def test_hostile_files_end_quickly() -> None:
    start = time.perf_counter()
    bomb = "shapes: {b: {tiles: " + "1" * 58 + "m, choose: 18, doubled: 9}}\n"
    assert [m.code for m in mistakes(ruleset("patterns: {}", shapes=bomb))] == ["E308"]
    doubled = "\n  ".join(f"t{i}: t{i - 1} and not t{i - 1}" for i in range(1, 500))
    body = f"terms:\n  t0: win by self_draw\n  {doubled}\npatterns: {{}}\n"
    assert [m.code for m in mistakes(ruleset(body))] == ["E211"]
    digits = "1" * 100_000
    long_name = ruleset(f"patterns: {{}}\n{digits[:1000]}x: 3\n")
    assert [m.code for m in mistakes(long_name)] == ["E302"]
    code = ruleset(f"patterns: {{one: {{points: 1, code: '{digits}', when: win by discard}}}}")
    assert [m.code for m in mistakes(code)] == ["E308"]
    assert time.perf_counter() - start < 10


JUNK: list[Any] = [None, True, 5, -1, 0.5, "dealer", "1z", "win by", [], {}, ["one"], {"one": 1}]


def mutate(value: Any, rng: random.Random) -> Any:
    """A value with one part of it dropped, moved or replaced."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        made = dict(value)
        key = rng.choice(list(made))
        way = rng.random()
        if way < 0.1:
            del made[key]
        elif way < 0.2:
            made[rng.choice(["when", "points", "id", "nonsense", key[:-1]])] = made.pop(key)
        else:
            made[key] = mutate(made[key], rng)
        return made
    if isinstance(value, list) and value and rng.random() < 0.7:
        changed = list(value)
        changed[rng.randrange(len(changed))] = mutate(rng.choice(changed), rng)
        return changed
    return rng.choice(JUNK)


RICH: dict[str, Any] = {
    "format": 1,
    "id": "rich",
    "name": {"en": "Rich"},
    "version": "1",
    "tiles": {
        "wall": {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4, "12f": 1},
        "flowers": {"E": "1f", "S": "2f"},
        "dora": ["123456789m"],
    },
    "options": {"one": {"type": "int", "default": 0, "choices": [0, 5]}},
    "events": {"late": {"needs": "win by self_draw or bounded"}},
    "shapes": {"basic": {"sets": 4, "pairs": 1}, "pairs7": {"pairs": 7}},
    "terms": {"value": "dragon | seat_wind", "bounded": "one > 3"},
    "patterns": {
        "first": {"points": 5, "when": "late and some triplet is value", "series": "a"},
        "second": {"points": "one", "times": "count kongs", "supersedes": ["first"]},
        "third": {"points": 3, "when": "first and not second", "hits": ["1m", {"hand": "1m"}]},
    },
    "total": {"cap": 100, "empty": {"points": 1}, "minimum": "one"},
    "liability": {"moves": True},
    "settlement": {"win": [{"when": "payer is liable", "pays": "points"}, {"pays": 1}]},
}


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_whatever_is_wrong_comes_out_as_mistakes(seed: int, times: int) -> None:
    rng = random.Random(seed)
    made: Any = RICH
    for _ in range(times):
        made = mutate(made, rng)
    for found in mistakes(json.dumps(made)):
        assert found.span is not None
        assert found.code in TITLES
        assert render_text([found])


def test_the_rich_ruleset_is_right() -> None:
    assert words(json.dumps(RICH)) == []


# ---- files --------------------------------------------------------------------------------------


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(tmp_path / "none.yaml")
    assert [d.code for d in caught.value.diagnostics] == ["E101"]


def test_messages_name_files_as_they_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house.yaml").write_text("format: 1\nid: house\nextends: base\n", encoding="utf-8")
    (tmp_path / "base.yaml").write_text("format: 1\nid: base\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(Path("house.yaml"))
    assert str(caught.value).startswith("house.yaml:1:1: error[E303]")


def test_read_rulesets_keep_the_text_of_every_file() -> None:
    found = read_ruleset_file(data_folder("rulesets") / "zhongyong-3.3-min5.yaml")
    assert [Path(path).stem for path in found.sources] == ["zhongyong-3.3-min5", "zhongyong-3.3"]
    assert found.data.files == tuple(found.sources)
    assert found.warnings == ()


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_shipped_rulesets_have_nothing_doubtful(name: str) -> None:
    found = read_ruleset_file(data_folder("rulesets") / f"{name}.yaml")
    assert found.data.id == name
    assert found.warnings == ()


def test_a_version_that_is_a_number_is_taken_as_it_is_written() -> None:
    for written in ('"3.10"', "3.10"):
        text = re.sub(r"^version: .*$", f"version: {written}", ruleset("patterns: {}"), flags=re.M)
        assert read_ruleset_text(text).data.version == "3.10"
