"""Coverage: what a part is seen as, and what is proved that it can never be."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleengine
from ruleengine.testing.report import Examined, examine

HEAD = "format: 1\nid: house\nextends: zhongyong-3.3\nversion: '1'\n"


def part(folder: Path, when: str, examples: str, text: str) -> tuple[set[str], set[str]]:
    """What one part of a new pattern is seen as, and what is impossible."""
    tested = covered(folder, when, examples)
    assert tested.covered is not None
    (found,) = [x for x in tested.covered if x.home.path[1] == "new" and x.text == text]
    return set(found.seen), set(found.impossible)


def covered(folder: Path, when: str, examples: str, more: str = "") -> Examined:
    """Coverage of a ruleset of one pattern, with no examples but its own."""
    path = folder / "house.yaml"
    text = (
        "format: 1\nid: house\nname: House\nversion: '1'\ntiles:\n"
        '  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}\n'
        "shapes: {basic: {sets: 4, pairs: 1}, seven_pairs: {pairs: 7}}\n"
        "settlement: {win: [{pays: points}]}\n"
        f"{more}patterns:\n  new:\n    points: 1\n    when: {when}\n{examples}"
    )
    path.write_text(text, encoding="utf-8")
    return examine(path, coverage=True)


SEQUENCES = '    hits: ["123m456m789p23s55p+4s"]\n'
CLAIMED = '    misses: ["23m456p789s11z[345s]+1m"]\n'


def test_what_an_example_shows(tmp_path: Path) -> None:
    when = "count sequences = 4 and no set is claimed"
    assert part(tmp_path, when, SEQUENCES, "no set is claimed")[0] == {"true", "deciding"}
    both = part(tmp_path, when, SEQUENCES + CLAIMED, "no set is claimed")[0]
    assert both == {"true", "false", "deciding"}


def test_a_part_with_not_inside_is_seen_as_it_is_written(tmp_path: Path) -> None:
    """Neither example is won on an honor, and a winning group is never a kong."""
    when = "no set is claimed and winning_tile is not honor and winning_group is not kong"
    seen, never = part(tmp_path, when, SEQUENCES + CLAIMED, "winning_tile is not honor")
    assert (seen, never) == ({"true", "deciding"}, set())
    seen, never = part(tmp_path, when, SEQUENCES + CLAIMED, "winning_group is not kong")
    assert (seen, never) == ({"true", "deciding"}, {"false"})


def test_a_part_beside_a_false_one_does_not_decide(tmp_path: Path) -> None:
    when = "count sequences = 4 and no set is claimed"
    misses = '    misses: ["123m456m789p555s2z+2z"]\n'
    assert part(tmp_path, when, misses, "no set is claimed")[0] == {"true"}
    assert part(tmp_path, when, misses, "count sequences = 4")[0] == {"false", "deciding"}


def test_a_part_of_or_decides_where_the_others_are_false(tmp_path: Path) -> None:
    when = "shape is seven_pairs or some tile is dragon"
    misses = '    misses: ["123m456m789p555s2z+2z"]\n'
    assert part(tmp_path, when, misses, "some tile is dragon")[0] == {"false", "deciding"}
    hits = '    hits: ["2233m5577p1199s4z+4z"]\n'
    assert part(tmp_path, when, hits, "some tile is dragon")[0] == {"false"}


@pytest.mark.parametrize("default", ["true", "false"])
def test_what_another_value_of_an_option_shows_is_missing(tmp_path: Path, default: str) -> None:
    """Of 'no set is claimed or kuitan' the first part decides where kuitan is false only."""
    options = f"options: {{kuitan: {{type: bool, default: {default}}}}}\n"
    when = "count kongs = 0 and (no set is claimed or kuitan)"
    tested = covered(tmp_path, when, "", options)
    assert tested.covered is not None
    found = {x.text: x for x in tested.covered if x.home.path[1] == "new"}
    assert [x.impossible for x in found.values()] == [frozenset()] * len(found)
    assert found["no set is claimed"].missing == ("true", "false", "deciding")
    example = '    misses: [{hand: "23m456p789s11z[345s]+1m", options: {kuitan: false}}]\n'
    tested = covered(tmp_path, when, example, options)
    assert tested.covered is not None
    (found_now,) = [x for x in tested.covered if x.text == "no set is claimed"]
    assert found_now.missing == ("true",)


def test_what_can_never_be_seen_is_proved(tmp_path: Path) -> None:
    when = "count sequences = 4 and (no set is claimed or count sequences >= 4)"
    seen, impossible = part(tmp_path, when, SEQUENCES, "no set is claimed")
    assert seen == {"true"}
    assert impossible == {"deciding"}


def test_missing_aspects_lower_the_coverage(tmp_path: Path) -> None:
    tested = covered(tmp_path, "count sequences = 4", SEQUENCES)
    assert tested.reached == (2, 3)
    assert tested.coverage == pytest.approx(66.67, abs=0.01)
    assert tested.passed(60)
    assert not tested.passed(70)
    (found,) = tested.covered or ()
    assert found.missing == ("false",)
    assert tested.places[0].column == 11


def test_terms_are_covered_once_where_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HEAD + "terms: {no_meld: no set is claimed and count kongs = 0}\n", "utf-8")
    tested = examine(path, coverage=True)
    parts = [x for x in tested.covered or () if x.home.path == ("terms", "no_meld")]
    assert sorted(x.text for x in parts) == [
        "count kongs = 0",
        "no set is claimed",
        "no set is claimed and count kongs = 0",
    ]


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_shipped_rulesets_hold_and_are_covered(name: str) -> None:
    tested = examine(ruleengine.data.data_folder("rulesets") / f"{name}.yaml", coverage=True)
    assert [f"{x.case.span.line}: {x.problem}" for x in tested.failed] == []
    assert [(x.home.path, x.text, x.missing) for x in tested.covered or () if x.missing] == []
    assert len(tested.outcomes) > 150


def test_a_variant_answers_for_its_own_sentences(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(f"{HEAD}name: House\npatterns: {{one_kong: {{points: 6}}}}\n", "utf-8")
    tested = examine(path, coverage=True)
    assert (tested.covered, tested.coverage) == ((), 100.0)
    path.write_text(
        f"{HEAD}name: House\npatterns:\n  one_kong: {{when: count kongs = 1 and not dealer}}\n",
        encoding="utf-8",
    )
    tested = examine(path, coverage=True)
    assert tested.covered is not None
    whole = "count kongs = 1 and not dealer"
    texts = ("count kongs = 1", "not dealer", "dealer")
    assert {x.text for x in tested.covered} <= {whole, *texts}
    assert {place.path for place in tested.places} == {str(path)}
