"""`yaku diff`: operands, options, forms, exit status."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from ruleengine.data import data_folder
from tests.cli.conftest import Yaku

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: {en: House}
version: "1"
patterns:
  seven_pairs: {points: 40}
"""
ONLY = "--only-structure"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def valid(value: object) -> None:
    text = (data_folder("grammar") / "diff.schema.json").read_text(encoding="utf-8")
    Draft202012Validator(json.loads(text)).validate(value)


@pytest.fixture
def files(yaku: Yaku) -> tuple[Path, Path]:
    """A house ruleset, and the same with other points, in the working folder."""
    old, new = Path("house.yaml"), Path("new.yaml")
    old.write_text(HOUSE, encoding="utf-8")
    new.write_text(HOUSE.replace("40", "50"), encoding="utf-8")
    return old, new


# ---- what it finds -----------------------------------------------------------------


def test_two_versions(yaku: Yaku) -> None:
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY)
    assert run.status == 0
    assert run.lines[1] == "Changes: 1 of scores, 1 of payments, 14 of words"
    assert "  100 → 80" in run.lines
    assert "  30 → 25" in run.lines
    assert run.lines[-1] == "Only what the rulesets say was compared; no hand was looked at."


def test_a_hand_shows_what_changes(yaku: Yaku, files: tuple[Path, Path]) -> None:
    run = yaku("diff", "house.yaml", "new.yaml", "--json", "--budget", "5", "--jobs", "1")
    assert run.status == 0
    found = run.json
    valid(found)
    [change] = found["changes"]
    old, new = (
        {one["id"]: one["points"] for one in change["witness"][side]["patterns"]}
        for side in ("old", "new")
    )
    assert (old["seven_pairs"], new["seven_pairs"]) == (40, 50)
    assert change["witness"]["new"]["points"] - change["witness"]["old"]["points"] == 10
    assert "[" not in change["witness"]["record"]["hand"]


def test_the_same_file_laid_out_otherwise(yaku: Yaku, files: tuple[Path, Path]) -> None:
    other = "# ours\npatterns: {seven_pairs: {points: (40)}}\n" + "".join(
        f"{line}\n" for line in reversed(HOUSE.splitlines()[:5])
    )
    Path("other.yaml").write_text(other, encoding="utf-8")
    run = yaku("diff", "house.yaml", "other.yaml", "--fail-on", "text")
    assert run.status == 0
    assert run.lines[1] == "No difference but layout, order and comments."


def test_options_in_place_of_the_defaults(yaku: Yaku) -> None:
    run = yaku("diff", "zhongyong-3.3", "zhongyong-3.3-min5", ONLY, "--json", "--set", "minimum=5")
    assert run.json["old"]["options"]["minimum"] == 5
    assert run.json["changes"][0]["kind"] == "option-default-changed"
    run = yaku("diff", "zhongyong-3.3", "zhongyong-3.3-min5", "--set", "minimun=5")
    assert run.status == 2
    assert "none of these rulesets has an option 'minimun'" in run.err
    assert "did you mean 'minimum'?" in run.err
    run = yaku("diff", "zhongyong-3.3", "zhongyong-3.3-min5", ONLY, "--set", "minimum=4")
    assert run.status == 2
    assert "minimum" in run.err


def test_settings_of_a_table_do_not_change_a_comparison(yaku: Yaku) -> None:
    Path("yaku.toml").write_text(
        'rules = "zhongyong-3.3"\n[options]\nminimum = 5\n', encoding="utf-8"
    )
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "--json")
    assert run.json["old"]["options"]["minimum"] == 0


def test_a_language(yaku: Yaku) -> None:
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "--lang", "zh-Hant")
    assert "清一色 (pure_one_suit)：分數" in run.out


def test_three_rulesets(yaku: Yaku, files: tuple[Path, Path]) -> None:
    theirs = HOUSE.replace("seven_pairs: {points: 40}", "seven_pairs: {points: 60}")
    Path("theirs.yaml").write_text(theirs, encoding="utf-8")
    run = yaku("diff", "house.yaml", "new.yaml", "theirs.yaml", ONLY)
    assert run.status == 0
    assert "  both change the same value" in run.lines
    run = yaku(
        "diff", "house.yaml", "new.yaml", "theirs.yaml", ONLY, "--fail-on", "score", "--json"
    )
    assert run.status == 1
    valid(run.json)
    assert run.json["crossings"][0]["ours"]["new"] == "50"
    assert run.json["crossings"][0]["theirs"]["new"] == "60"
    run = yaku("diff", "house.yaml", "new.yaml", "new.yaml", ONLY, "--fail-on", "score", "--json")
    assert run.status == 0
    assert [one["new"] for one in run.json["same"]] == ["50"]


# ---- findings ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "status"), [("score", 1), ("payment", 1), ("text", 1), ("none", 0)]
)
def test_a_change_of_score_fails_where_it_is_asked_to(
    yaku: Yaku, files: tuple[Path, Path], level: str, status: int
) -> None:
    run = yaku("diff", "house.yaml", "new.yaml", ONLY, "--fail-on", level)
    assert run.status == status
    assert ("Changes that are not accepted: 1" in run.lines) is bool(status)


@pytest.mark.parametrize(("level", "status"), [("score", 0), ("payment", 0), ("text", 1)])
def test_a_change_of_words_fails_only_where_words_matter(
    yaku: Yaku, files: tuple[Path, Path], level: str, status: int
) -> None:
    Path("words.yaml").write_text(HOUSE.replace("House", "Our house"), encoding="utf-8")
    assert yaku("diff", "house.yaml", "words.yaml", ONLY, "--fail-on", level).status == status


def test_a_change_needs_a_new_version(yaku: Yaku, files: tuple[Path, Path]) -> None:
    run = yaku("diff", "house.yaml", "new.yaml", ONLY, "--require-bump")
    assert run.status == 1
    assert run.lines[-1] == "The version is still 1, though scores or payments changed."
    text = files[1].read_text(encoding="utf-8").replace('version: "1"', 'version: "2"')
    files[1].write_text(text, encoding="utf-8")
    assert yaku("diff", "house.yaml", "new.yaml", ONLY, "--require-bump").status == 0
    files[1].write_text(HOUSE.replace("House", "Our house"), encoding="utf-8")
    assert yaku("diff", "house.yaml", "new.yaml", ONLY, "--require-bump").status == 0


def test_accepted_changes_do_not_fail(yaku: Yaku, files: tuple[Path, Path]) -> None:
    run = yaku("diff", "house.yaml", "new.yaml", ONLY, "--json")
    Path("before.json").write_text(run.out, encoding="utf-8")
    [change] = run.json["changes"]
    accepted = f"accepted:\n  - fingerprint: {change['fingerprint']}\n    why: voted\n"
    Path("accepted.yaml").write_text(accepted, encoding="utf-8")
    for name in ("accepted.yaml", "before.json"):
        run = yaku("diff", "house.yaml", "new.yaml", ONLY, "--fail-on", "score", "--accept", name)
        assert run.status == 0
        assert "accepted" in run.out
    files[1].write_text(HOUSE.replace("40", "55"), encoding="utf-8")
    arguments = ("house.yaml", "new.yaml", ONLY, "--fail-on", "score", "--accept", "accepted.yaml")
    run = yaku("diff", *arguments)
    assert run.status == 1
    told = f"Accepted, but no such change is there any more: {change['fingerprint']}"
    assert run.lines[-1] == told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("accepted: yes\n", "has a list under 'accepted'"),
        ("fine: []\n", "has a list under 'accepted'"),
        ("accepted: [{why: x}]\n", "is its fingerprint"),
        ("accepted: [[]]\n", "is its fingerprint"),
        ("accepted: [\n", "E124"),
    ],
)
def test_a_wrong_file_of_accepted_changes(yaku: Yaku, text: str, said: str) -> None:
    Path("accepted.yaml").write_text(text, encoding="utf-8")
    run = yaku("diff", "zhongyong-3.3", "zhongyong-3.3", ONLY, "--accept", "accepted.yaml")
    assert run.status == 2
    assert said in run.err
    assert "accepted.yaml:1" in run.err


# ---- forms -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("out.md", "<!-- yaku diff -->"),
        ("out.html", "<!DOCTYPE html>"),
        ("out.json", '{"old": '),
        ("out.txt", "Zung Jung 3.2"),
    ],
)
def test_a_file_says_by_its_ending_what_is_written(yaku: Yaku, name: str, start: str) -> None:
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "-o", name)
    assert run.status == 0
    assert run.out == ""
    text = Path(name).read_text(encoding="utf-8")
    assert text.startswith(start)
    assert "Pure One-Suit" in text
    assert os.listdir() == [name]


def test_what_is_compared_is_not_written_over(yaku: Yaku, files: tuple[Path, Path]) -> None:
    Path("old.txt").write_text(HOUSE, encoding="utf-8")
    run = yaku("diff", "old.txt", "new.yaml", ONLY, "-o", "old.txt")
    assert (run.status, run.out) == (2, "")
    assert "old.txt is read here, and writing to it would destroy it" in run.err
    assert Path("old.txt").read_text(encoding="utf-8") == HOUSE


def test_markdown_and_json_on_standard_output(yaku: Yaku) -> None:
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "--markdown")
    assert run.out.startswith("<!-- yaku diff -->\n### Change of rules")
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "--json")
    valid(run.json)
    assert run.json["hands"] is None


def test_ascii(yaku: Yaku) -> None:
    run = yaku("diff", "zhongyong-3.2", "zhongyong-3.3", ONLY, "--ascii")
    assert run.out.isascii()
    assert "100 -> 80" in run.out


# ---- wrong usage -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "OLD NEW [THEIRS] is missing"),
        (("zhongyong-3.3",), "diff takes two rulesets or three, not 1 ruleset"),
        (("a", "b", "c", "d"), "diff takes two rulesets or three, not 4 rulesets"),
        (("zhongyong-3.3", "zhongyong-3.4"), "there is no ruleset 'zhongyong-3.4'"),
        (("zhongyong-3.3", "none.yaml"), "none.yaml cannot be used"),
        (("zhongyong-3.3", "zhongyong-3.2", "--fail-on", "grave"), "there is no level 'grave'"),
        (("zhongyong-3.3", "zhongyong-3.2", "--budget", "-1"), "--budget is a number of seconds"),
        (("zhongyong-3.3", "zhongyong-3.2", "--budget", "nan"), "--budget is a number of seconds"),
        (("zhongyong-3.3", "zhongyong-3.2", "--jobs", "0"), "--jobs is a number of processes"),
        (("zhongyong-3.3", "zhongyong-3.2", "--json", "--markdown"), "do not go together"),
        (("zhongyong-3.3", "zhongyong-3.2", "-o", "x.pdf"), "x.pdf does not say what to write"),
        (("zhongyong-3.3", "zhongyong-3.2", ONLY, "-o", "no/x.md"), "no/x.md: no such file"),
        (("zhongyong-3.3", "zhongyong-3.2", ONLY, "--accept", "no"), "there is no such file"),
        (("a", "b", "--git-driver"), "--git-driver takes the seven or nine arguments"),
        (("a", "b", "--textconv"), "--textconv takes one file"),
        (
            ("a", "b", ONLY, "--seed", "2", "--jobs", "1"),
            "--seed and --jobs do nothing with --only-structure: it looks at no hand",
        ),
        (("a", "b", "-o", "x.html", "--ascii"), "--ascii does nothing with HTML"),
        (("a", "b", "--markdown", "--ascii"), "--ascii does nothing with Markdown"),
        (("a", "b", "--json", "-o", "x.md"), "--json and a file that ends in .md do not go"),
    ],
)
def test_wrong_usage(yaku: Yaku, arguments: tuple[str, ...], said: str) -> None:
    run = yaku("diff", *arguments)
    assert run.status == 2
    assert said in run.err
    assert "Traceback" not in run.err
    assert run.out == "" or "--json" in arguments


# ---- no option is ignored ------------------------------------------------------------


THEIRS = HOUSE.replace("House", "Their house").replace("40", "60")
WAYS: dict[str, tuple[str, ...]] = {
    "two": ("house.yaml", "new.yaml"),
    "three": ("house.yaml", "new.yaml", "theirs.yaml"),
    "two, only structure": ("house.yaml", "new.yaml", ONLY),
    "three, only structure": ("house.yaml", "new.yaml", "theirs.yaml", ONLY),
    "git driver": (
        "--git-driver", ONLY, "house.yaml", "house.yaml", "a" * 40, "100644", "new.yaml", "b" * 40,
        "100644",
    ),
    "textconv": ("--textconv", "house.yaml"),
}  # fmt: skip
QUICK = ("--budget", "0")
SHOWN = frozenset(WAYS) - {"textconv"}
COMPARED = SHOWN - {"git driver"}
HANDS = frozenset({"two", "three"})

OPTIONS: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "--only-structure": ((ONLY,), frozenset({"two", "three"})),
    "--fail-on": (("--fail-on", "score"), COMPARED),
    "--require-bump": (("--require-bump",), COMPARED),
    "--accept": (("--accept", "accepted.yaml"), SHOWN),
    "--budget": (("--budget", "0"), HANDS),
    "--seed": (("--seed", "7"), HANDS),
    "--jobs": (("--jobs", "1"), frozenset({"two"})),
    "--texts": (("--texts",), SHOWN),
    "--markdown": (("--markdown",), COMPARED),
    "--output": (("--output", "out.md"), COMPARED),
    "--git-driver": ((), frozenset({"git driver"})),
    "--textconv": ((), frozenset({"textconv"})),
    "--set": (("--set", "minimum=5"), SHOWN),
    "--lang": (("--lang", "ja"), SHOWN),
    "--json": (("--json",), COMPARED),
    "--ascii": (("--ascii",), SHOWN),
}
"""Every option with an example of it, and the ways of calling the command in which it does what its
name says; in the others it is refused."""


PLAIN: dict[str, tuple[int, str]] = {}
"""The status and the output of each way of calling the command without further options."""


def test_no_option_is_missing_here(yaku: Yaku) -> None:
    from typing import get_type_hints

    from ruleengine.cli.diff import diff

    hints = get_type_hints(diff, include_extras=True)
    made = {
        name: [one for one in hint.__metadata__[0].param_decls if one.startswith("--")]
        for name, hint in hints.items()
        if name not in ("operands", "return")
    }
    names = {(flags or [f"--{name.replace('_', '-')}"])[0] for name, flags in made.items()}
    assert names == set(OPTIONS)


@pytest.fixture
def branches(files: tuple[Path, Path]) -> None:
    """Another branch of the house, changes that were accepted, and words that changed."""
    words = HOUSE.replace("40", "50") + "source: {en: A vote}\n"
    files[1].write_text(words, encoding="utf-8")
    Path("theirs.yaml").write_text(THEIRS, encoding="utf-8")
    Path("accepted.yaml").write_text("accepted: [c00000000000]\n", encoding="utf-8")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_shows_or_is_refused(yaku: Yaku, branches: None, option: str, way: str) -> None:
    """What an option asks for is another output or status than without it, or is refused."""
    given, does = OPTIONS[option]
    arguments = WAYS[way]
    if not given or (ONLY in given and ONLY in arguments):
        return
    if option in ("--budget", "--seed", "--jobs") and way in does:
        return  # Each has a test of its own below: what they change is not the output.
    quick = QUICK if way in HANDS else ()
    run = yaku("diff", *arguments, *(quick if ONLY not in given else ()), *given)
    assert "Traceback" not in run.err
    if way not in does:
        assert run.status == 2
        assert f"{option} does nothing with " in run.err
        assert run.out == "" or option == "--json"
        return
    assert run.status in (0, 1)
    if way not in PLAIN:
        plain = yaku("diff", *arguments, *quick)
        PLAIN[way] = plain.status, plain.out
    written = Path("out.md").read_text(encoding="utf-8") if option == "--output" else ""
    assert (run.status, run.out, written) != (*PLAIN[way], "")


FORMS: dict[str, tuple[str, ...]] = {
    "text": ("--output", "out.txt"),
    "Markdown": ("--markdown",),
    "HTML": ("--output", "out.html"),
    "JSON": ("--json",),
}
IN_FORMS: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {
    "--texts": (("--texts",), frozenset({"text", "Markdown"})),
    "--ascii": (("--ascii",), frozenset({"text", "JSON"})),
    "--lang": (("--lang", "ja"), frozenset(FORMS)),
}
"""Options about how things are shown, and the forms of the output in which they show."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("option", IN_FORMS)
def test_an_option_shows_in_a_form_or_is_refused(
    yaku: Yaku, branches: None, option: str, form: str
) -> None:
    given, does = IN_FORMS[option]
    for way in ("two, only structure", "three, only structure"):
        outputs: list[str] = []
        for more in (given, ()):
            run = yaku("diff", *WAYS[way], *FORMS[form], *more)
            if more and form not in does:
                assert run.status == 2
                assert f"{option} does nothing with {form}" in run.err
                break
            name = FORMS[form][-1]
            outputs.append(Path(name).read_text("utf-8") if name.startswith("out.") else run.out)
        assert outputs == [] or outputs[0] != outputs[1]


def test_what_budget_seed_and_jobs_are_is_handed_on(
    yaku: Yaku, branches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seed and the number of processes reach what draws and what shares out."""
    import ruleengine.compare.run as two
    import ruleengine.compare.three_way as three

    seen: list[dict[str, object]] = []
    for module, name in ((two, "compare"), (three, "three_way")):
        really = getattr(module, name)

        def noted(*reads: object, _really: object = really, **given: object) -> object:
            seen.append(given)
            return _really(*reads, **given)  # type: ignore[operator]

        monkeypatch.setattr(module, name, noted)
    yaku("diff", *WAYS["two"], "--budget", "0", "--seed", "7", "--jobs", "3")
    yaku("diff", *WAYS["three"], "--budget", "0", "--seed", "8")
    assert [(one["budget"], one["seed"]) for one in seen] == [(0.0, 7), (0.0, 8)]
    assert seen[0]["jobs"] == 3


def test_two_branches_by_what_they_say(yaku: Yaku, branches: None) -> None:
    """Without a hand: what each changes, which of it is of the same thing, and that it is so."""
    ours = HOUSE.replace("points: 40", "points: 40, when: shape is seven_pairs and self_draw")
    ours = ours.replace("and self_draw", "and win by self_draw")
    Path("ours.yaml").write_text(ours + "  all_sequences: {points: 7}\n", encoding="utf-8")
    run = yaku("diff", "house.yaml", "ours.yaml", "theirs.yaml", ONLY, "--json")
    valid(run.json)
    assert (run.json["looked"], run.json["left_out"]) == (False, [])
    [crossing] = run.json["crossings"]
    assert (crossing["touch"], crossing["record"]) == ("thing", None)
    assert crossing["ours"]["at"] == "patterns.seven_pairs.when"
    assert crossing["theirs"]["at"] == "patterns.seven_pairs.points"
    assert [one["at"] for one in run.json["only_ours"]] == ["patterns.all_sequences.points"]
    assert [one["at"] for one in run.json["only_theirs"]] == ["name"]
    run = yaku("diff", "house.yaml", "ours.yaml", "theirs.yaml", ONLY)
    assert "  both change something of the same thing" in run.lines
    assert run.lines[-1] == "Only what the rulesets say was compared; no hand was looked at."


def test_what_fails_of_two_branches(yaku: Yaku, branches: None) -> None:
    """Changes that meet, by level; a branch that keeps its version; what is accepted."""
    three = WAYS["three, only structure"]
    for level in ("score", "payment", "text"):
        run = yaku("diff", *three, "--fail-on", level)
        assert run.status == 1
        assert run.lines[-1] == "Changes that meet and are not accepted: 1"
    run = yaku("diff", *three, "--json", "--fail-on", "score")
    valid(run.json)
    crossing = run.json["crossings"][0]
    marks = [crossing[name]["fingerprint"] for name in ("ours", "theirs")]
    assert run.json["findings"]["crossings"] == [dict(zip(("ours", "theirs"), marks, strict=True))]
    for accepted, status in ((marks[:1], 1), (marks, 0)):
        Path("accepted.yaml").write_text(f"accepted: {json.dumps(accepted)}\n", encoding="utf-8")
        run = yaku("diff", *three, "--fail-on", "score", "--accept", "accepted.yaml")
        assert run.status == status
    run = yaku("diff", *three, "--require-bump")
    assert run.status == 1
    assert run.lines[-2:] == [
        "ours: The version is still 1, though scores or payments changed.",
        "theirs: The version is still 1, though scores or payments changed.",
    ]
    for name, text in (("new.yaml", HOUSE.replace("40", "50")), ("theirs.yaml", THEIRS)):
        Path(name).write_text(text.replace('version: "1"', f'version: "{name}"'), encoding="utf-8")
    assert yaku("diff", *three, "--require-bump").status == 0
    # A change of words that meets another one is a finding only where words matter.
    for name in ("new.yaml", "theirs.yaml"):
        text = HOUSE.replace("House", f"The house of {name}")
        Path(name).write_text(text, encoding="utf-8")
    assert [yaku("diff", *three, "--fail-on", x).status for x in ("score", "text")] == [0, 1]


# ---- git ---------------------------------------------------------------------------


def git(*arguments: str) -> str:
    name = ("-c", "user.name=T", "-c", "user.email=t@t.example", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *name, *arguments], capture_output=True, text=True, encoding="utf-8", check=True
    )
    return done.stdout


@pytest.fixture
def repository(files: tuple[Path, Path]) -> Path:
    """A repository with the house ruleset and one that extends it, twice committed, then staged,
    then changed again."""
    git("init", "-q")
    files[1].unlink()
    Path("sub").mkdir()
    house, club = Path("sub/house.yaml"), Path("sub/club.yaml")
    house.write_text(HOUSE, encoding="utf-8")
    club.write_text(
        'format: 1\nid: club\nextends: house\nname: Club\nversion: "1"\n', encoding="utf-8"
    )
    git("add", "-A")
    git("commit", "-qm", "one")
    for points in ("45", "50"):
        house.write_text(HOUSE.replace("40", points), encoding="utf-8")
        git("add", "-A")
        if points == "45":
            git("commit", "-qm", "two")
    house.write_text(HOUSE.replace("40", "55"), encoding="utf-8")
    return house


def values(run: object) -> list[tuple[str, str]]:
    return [(one["old"], one["new"]) for one in run.json["changes"]]  # type: ignore[attr-defined]


@needs_git
def test_revisions(yaku: Yaku, repository: Path) -> None:
    for old, new, expected in (
        ("HEAD~1:sub/house.yaml", "HEAD:sub/house.yaml", ("40", "45")),
        ("HEAD:sub/house.yaml", ":sub/house.yaml", ("45", "50")),
        (":sub/house.yaml", "sub/house.yaml", ("50", "55")),
        ("main:./sub/house.yaml", "sub/house.yaml", ("45", "55")),
    ):
        assert values(yaku("diff", old, new, ONLY, "--json")) == [expected]


@needs_git
def test_what_a_file_extends_is_read_at_the_same_revision(yaku: Yaku, repository: Path) -> None:
    run = yaku("diff", "HEAD~1:sub/club.yaml", "sub/club.yaml", ONLY, "--json")
    assert values(run) == [("40", "55")]
    place = run.json["changes"][0]["old_place"]
    assert (place["file"], place["line"]) == ("HEAD~1:sub/house.yaml", 7)
    run = yaku("diff", ":sub/club.yaml", "HEAD:sub/club.yaml", ONLY, "--json")
    assert values(run) == [("50", "45")]


@needs_git
def test_from_a_folder_inside(
    yaku: Yaku, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("sub")
    assert values(yaku("diff", "HEAD:./house.yaml", "house.yaml", ONLY, "--json")) == [("45", "55")]
    run = yaku("diff", "HEAD:club.yaml", "club.yaml", ONLY)
    assert run.status == 2
    assert "there is no file 'club.yaml' at 'HEAD'" in run.err
    assert "did you mean 'HEAD:./club.yaml'?" in run.err


@needs_git
@pytest.mark.parametrize(
    ("operand", "said"),
    [
        ("nowhere:sub/house.yaml", "there is no revision 'nowhere'"),
        ("HEAD:sub/none.yaml", "there is no file 'sub/none.yaml' at 'HEAD'"),
        (":none.yaml", "there is no file 'none.yaml' among what is staged"),
        ("HEAD:../../etc/passwd", "leads out of the git repository"),
        ("HEAD:/etc/passwd", "leads out of the git repository"),
        ("HEAD:sub/../../x.yaml", "leads out of the git repository"),
        ("HEAD:sub", "is a folder, not a file"),
        ("HEAD:", "names no file"),
        ("HEAD:link.yaml", "is a link, not a file"),
        ("HEAD:broken.yaml", "HEAD:broken.yaml:1:1"),
        ("HEAD:orphan.yaml", "there is no ruleset 'later' to extend"),
    ],
)
def test_what_git_cannot_give(yaku: Yaku, repository: Path, operand: str, said: str) -> None:
    Path("broken.yaml").write_text("format: 1\n", encoding="utf-8")
    orphan = HOUSE.replace("zhongyong-3.3", "later")
    Path("orphan.yaml").write_text(orphan, encoding="utf-8")
    if sys.platform != "win32":
        Path("link.yaml").symlink_to("/etc/passwd")
    git("add", "-A")
    git("commit", "-qm", "more")
    Path("later.yaml").write_text(HOUSE.replace("id: house", "id: later"), encoding="utf-8")
    run = yaku("diff", operand, "zhongyong-3.3", ONLY)
    assert run.status == 2
    assert said in run.err
    assert "Traceback" not in run.err


def test_an_option_is_no_revision(yaku: Yaku) -> None:
    run = yaku("diff", ONLY, "--", "--upload-pack=x:y.yaml", "zhongyong-3.3")
    assert run.status == 2
    assert "Traceback" not in run.err


def test_outside_of_a_repository(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    run = yaku("diff", "HEAD:house.yaml", "zhongyong-3.3")
    assert run.status == 2
    if shutil.which("git"):
        assert "the working folder is in no git repository" in run.err


def test_without_git(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    run = yaku("diff", "HEAD:house.yaml", "zhongyong-3.3", "--json")
    assert run.status == 2
    assert run.json["error"]["code"] == "U106"
    assert "git is needed to read a revision" in run.err


def test_a_file_with_a_colon_is_a_file(yaku: Yaku) -> None:
    if sys.platform == "win32":
        pytest.skip("a file name has no colon there")
    Path("my:house.yaml").write_text(HOUSE, encoding="utf-8")
    assert yaku("diff", "my:house.yaml", "my:house.yaml", ONLY).status == 0


# ---- what git calls ----------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A command `yaku` for git, which is not on the path of a test."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shim = folder / "yaku"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ruleengine "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setenv("PYTHONUTF8", "1")
    return "yaku"


@needs_git
@pytest.mark.skipif(sys.platform == "win32", reason="the command is written for sh")
def test_git_shows_changes_in_words(yaku: Yaku, repository: Path, command: str) -> None:
    Path(".gitattributes").write_text("*.yaml diff=yaku\n", encoding="utf-8")
    Path("other.yaml").write_text("a: 1\n", encoding="utf-8")
    git("add", "-A")
    git("config", "diff.yaku.command", "yaku diff --only-structure --git-driver")
    shown = git("diff", "--cached")
    assert "yaku diff sub/house.yaml" in shown
    assert "45 → 50" not in shown, "it was staged with 55 since"
    assert "  45 → 55" in shown
    assert "a new file" in shown
    log = git("log", "-p", "--ext-diff", "--format=%s")
    assert log.startswith("two\n")
    assert "  40 → 45" in log
    git("commit", "-qm", "three")
    Path("other.yaml").write_text("a: 2\n", encoding="utf-8")
    shown = git("diff")
    assert "not compared as rulesets" in shown
    assert "-a: 1\n+a: 2\n" in shown
    git("mv", "sub/house.yaml", "sub/home.yaml")
    assert "sub/home.yaml" in git("diff", "-M", "HEAD")


@needs_git
@pytest.mark.skipif(sys.platform == "win32", reason="the command is written for sh")
def test_git_compares_values_itself(yaku: Yaku, repository: Path, command: str) -> None:
    Path(".gitattributes").write_text("*.yaml diff=yaku\n", encoding="utf-8")
    git("config", "diff.yaku.textconv", "yaku diff --textconv")
    log = git("log", "-p", "--format=%s", "-1")
    assert "-patterns.seven_pairs.points: 40\n+patterns.seven_pairs.points: 45\n" in log


def test_a_text_of_values(yaku: Yaku, files: tuple[Path, Path]) -> None:
    run = yaku("diff", "--textconv", "house.yaml")
    assert run.status == 0
    assert "patterns.seven_pairs.points: 40" in run.lines
    assert "patterns.pure_one_suit.points: 80" in run.lines
    assert run.lines == sorted(run.lines, key=lambda line: run.lines.index(line))
    Path("broken.yaml").write_text("a: [\n", encoding="utf-8")
    run = yaku("diff", "--textconv", "broken.yaml")
    assert (run.status, run.out) == (0, "a: [\n")


def driven(yaku: Yaku, old: bytes, new: bytes) -> list[str]:
    Path("old").write_bytes(old)
    Path("new").write_bytes(new)
    hashes = ("a" * 40, "100644")
    run = yaku("diff", ONLY, "--git-driver", "x.yaml", "old", *hashes, "new", *hashes)
    assert (run.status, run.err) == (0, "")
    return run.lines


def test_nothing_in_a_file_can_stop_git(yaku: Yaku) -> None:
    good = HOUSE.encode()
    for other in (b"", b"\xff\xfe\x00", b"a: [", b"- 1\n", b"x" * 1_100_000):
        lines = driven(yaku, good, other)
        assert lines[0].startswith("yaku diff x.yaml aaaaaaa -> x.yaml")
        assert lines[1].startswith("  not compared as rulesets: ")
        Path("one.yaml").write_bytes(other)
        run = yaku("diff", "--textconv", "one.yaml")
        assert run.status == 0
        assert run.out == other.decode("utf-8", "replace")
    lines = driven(yaku, good, HOUSE.replace("40", "41").encode())
    assert "  40 → 41" in lines


def test_git_says_what_is_new_gone_or_not_merged(yaku: Yaku, files: tuple[Path, Path]) -> None:
    nothing = (os.devnull, "0" * 40, "000000")
    there = ("house.yaml", "b" * 40, "100644")
    run = yaku("diff", "--git-driver", "house.yaml", *nothing, *there)
    assert run.lines == ["yaku diff house.yaml - -> house.yaml bbbbbbb", "  a new file"]
    run = yaku("diff", "--git-driver", "house.yaml", *there, *nothing)
    assert run.lines[1] == "  the file is gone"
    assert yaku("diff", "--git-driver", "house.yaml").lines == ["house.yaml: unmerged"]
