"""The language server as an editor sees it: a process, spoken to by the protocol."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from ruleengine import load
from ruleengine.data import data_folder
from ruleengine.lsp import features
from ruleengine.lsp.complete import completions
from ruleengine.lsp.document import Document, Place
from ruleengine.testing.report import examine

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: {en: House}
version: "1"
patterns:
  seven_pairs: {points: 40}
  東一色:
    points: 5
  all_winds:
    points: 100
    when: concealed_hand and winningtile is 1z
    hits: ["111222333z11m44z+4z"]
"""
START = "format: 1\nid: house\nextends: zhongyong-3.3\nname: H\npatterns:\n"
ROOT = Path(__file__).resolve().parent.parent.parent


class Editor:
    """An editor with one document open."""

    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.client = LanguageClient("test", "1")
        self.problems: list[lsp.Diagnostic] = []
        self.messages: list[str] = []
        self.watched: list[Any] = []
        self.news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.problems = list(params.diagnostics)
            self.news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)

        @self.client.feature(lsp.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
        def registered(params: lsp.RegistrationParams) -> None:
            self.watched += [(one.method, one.register_options) for one in params.registrations]

    async def start(self, text: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        await self.client.start_io(
            sys.executable, "-m", "ruleengine", "lsp", env=environment, cwd=str(ROOT)
        )
        files = lsp.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        able = lsp.ClientCapabilities(
            workspace=lsp.WorkspaceClientCapabilities(did_change_watched_files=files)
        )
        await self.client.initialize_async(lsp.InitializeParams(capabilities=able))
        self.client.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(uri=self.uri, language_id="yaml", version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.hear()

    async def hear(self) -> None:
        await asyncio.wait_for(self.news.wait(), 120)
        self.news.clear()

    async def hears_more(self) -> bool:
        """Whether anything is published in the next seconds."""
        try:
            await asyncio.wait_for(self.news.wait(), 3)
        except TimeoutError:
            return False
        self.news.clear()
        return True

    async def change(self, text: str) -> None:
        self.send(text)
        await self.hear()

    def send(self, text: str) -> None:
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version=2, uri=self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def at(self, text: str, word: str, nth: int = 0) -> dict[str, Any]:
        """Where a word stands, as the protocol counts."""
        lines = text.splitlines()
        line = [at for at, content in enumerate(lines) if word in content][nth]
        before = lines[line][: lines[line].index(word)]
        character = len(before.encode("utf-16-le")) // 2 + 1
        return {
            "text_document": lsp.TextDocumentIdentifier(self.uri),
            "position": lsp.Position(line, character),
        }

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]


async def _talk(editor: Editor) -> None:
    codes = [(problem.code, problem.range.start.line) for problem in editor.problems]
    # A pattern that the parent has not, and a subject that is unknown: each on its own line.
    assert codes == [("E405", 7), ("E201", 11)]
    wrong = editor.problems[1]
    assert "winning_tile" in wrong.message
    assert (wrong.range.start.character, wrong.range.end.character) == (29, 40)

    mended = HOUSE.replace("winningtile", "winning_tile").replace("  東一色:\n    points: 5\n", "")
    await editor.change(mended)
    # Nothing is wrong; the name is English alone, the new pattern has one example.
    codes = [(problem.code, problem.range.start.line) for problem in editor.problems]
    assert codes == [("W503", 3), ("W505", 7)]

    hover = await editor.client.text_document_hover_async(
        lsp.HoverParams(**editor.at(mended, "concealed_hand"))
    )
    assert hover is not None
    assert isinstance(hover.contents, lsp.MarkupContent)
    assert "points: `5`" in hover.contents.value
    assert "zhongyong-3.3.yaml" in hover.contents.value

    place = await editor.client.text_document_definition_async(
        lsp.DefinitionParams(**editor.at(mended, "concealed_hand"))
    )
    assert isinstance(place, lsp.Location)
    assert place.uri.endswith("zhongyong-3.3.yaml")

    asked = mended.replace("when: concealed_hand and winning_tile is 1z", "when: shape is ")
    await editor.change(asked)
    line = asked.splitlines().index("    when: shape is ")
    words = await editor.client.text_document_completion_async(
        lsp.CompletionParams(
            lsp.TextDocumentIdentifier(editor.uri), lsp.Position(line, len("    when: shape is "))
        )
    )
    assert isinstance(words, list)
    # The sentence is unfinished, so the document cannot be read; its shapes are known still.
    assert [word.label for word in words][:3] == ["basic", "seven_pairs", "thirteen_orphans"]

    await editor.change(mended)
    lenses = await editor.client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(editor.uri))
    )
    assert lenses is not None
    titles = [lens.command.title for lens in lenses if lens.command]
    assert "run 1 hits, 0 misses" in titles
    told = await editor.client.workspace_execute_command_async(
        lsp.ExecuteCommandParams("yaku.runExamples", [editor.uri, "all_winds"])
    )
    # The hand waits for 4z, and the pattern asks for 1z: its example does not hold.
    assert isinstance(told, dict)
    assert told["passed"] == 0
    assert len(told["failed"]) == 1


def run(path: Path, talk: Callable[[Editor], Coroutine[Any, Any, None]], text: str) -> None:
    """Open a text in an editor and talk to the server about it."""

    async def converse() -> None:
        editor = Editor(path)
        await editor.start(text)
        try:
            await asyncio.wait_for(talk(editor), 200)
        finally:
            await editor.stop()

    path.write_text(text, encoding="utf-8")
    asyncio.run(converse())


def test_an_editor_is_served(tmp_path: Path) -> None:
    run(tmp_path / "house.yaml", _talk, HOUSE)


def test_quick_changes_are_answered_once_and_by_the_last(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        heard = 0
        for number in range(60):
            wrong = "winningtile" if number < 59 else "winning_tile"
            text = f"{START}  new: {{points: {number}, when: {wrong} is 1z}}\n"
            editor.send(text)
        while await editor.hears_more():
            heard += 1
        assert "E201" not in [problem.code for problem in editor.problems]
        assert heard <= 5

    run(tmp_path / "house.yaml", talk, START)


def test_places_are_counted_in_units_of_utf_16(tmp_path: Path) -> None:
    line = "  new: {doc: 🀄🀄 𠮷, points: 5, when: dealer and winningtile is 1z}"

    async def talk(editor: Editor) -> None:
        (wrong,) = editor.problems
        before = line[: line.index("winningtile")]
        start = len(before) + 3
        assert (wrong.range.start.character, wrong.range.end.character) == (start, start + 11)
        hover = await editor.client.text_document_hover_async(
            lsp.HoverParams(**editor.at(f"{START}{line}\n", "dealer"))
        )
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        assert hover.contents.value == "**dealer**: the winner is East"

    run(tmp_path / "house.yaml", talk, f"{START}{line}\n")


def test_places_in_a_parent_are_counted_so_too(tmp_path: Path) -> None:
    parent = (
        "format: 1\nid: parent\nextends: zhongyong-3.3\nname: P\npatterns:\n"
        "  old: {doc: 🀄🀄🀄, points: 5, when: one_kong}\n"
    )
    (tmp_path / "parent.yaml").write_text(parent, encoding="utf-8")
    text = (
        "format: 1\nid: house\nextends: parent\nname: H\nremove: [patterns.one_kong]\n"
        "patterns:\n  new: {points: 1, when: old}\n"
    )

    async def talk(editor: Editor) -> None:
        (wrong,) = editor.problems
        assert wrong.range.start.line == 4
        assert wrong.related_information
        place = wrong.related_information[0].location
        assert place.uri.endswith("parent.yaml")
        line = parent.splitlines()[5]
        assert place.range.start.character == line.index("one_kong") + 3
        found = await editor.client.text_document_definition_async(
            lsp.DefinitionParams(**editor.at(text, "old}"))
        )
        assert isinstance(found, lsp.Location)
        assert (found.uri.endswith("parent.yaml"), found.range.start.line) == (True, 5)

    run(tmp_path / "house.yaml", talk, text)


def test_a_document_that_never_could_be_read_knows_its_parent(tmp_path: Path) -> None:
    text = f"{START}  new: {{points: 3, when: concealed_hand and , and }}\n"

    async def talk(editor: Editor) -> None:
        assert editor.problems
        params = lsp.CompletionParams(
            lsp.TextDocumentIdentifier(editor.uri), lsp.Position(4, text.index("and ,"))
        )
        found = await editor.client.text_document_completion_async(params)
        assert isinstance(found, list)

    run(tmp_path / "house.yaml", talk, text)


def test_other_yaml_is_left_alone_and_a_closed_document_forgotten(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        assert editor.problems == []
        await editor.change(START + "  new: {points: nonsense, when: dealer}\n")
        assert [problem.code for problem in editor.problems] == ["E201"]
        editor.client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(editor.uri))
        )
        await editor.hear()
        assert editor.problems == []

    run(tmp_path / "compose.yaml", talk, "services:\n  web: {image: x, image: y}\n")


STRANGE = {
    "nothing": "",
    "half_a_sentence": START + "  new: {points: 3, when: count",
    "tabs": "format: 1\n\tid: x\npatterns:\n\t- x\n",
    "no_yaml": "format: [1\n{{{{ : : '\n\x00\x01",
    "lone_half": 'format: 1\nname: "\\ud83c"\n',
    "deep": "format: 1\npatterns: " + "[" * 5000,
    "wide": START + "".join(f"  p{n}: {{points: x{n}, when: y{n}}}\n" for n in range(990)),
    "long_line": START + f"  new: {{doc: {'萬' * 19_000}, points: 1, when: nonsense}}\n",
    "folded": START + "  new:\n    points: 1\n    when: >-\n" + "      dealer or\n" * 150,
    "its_own_parent": "format: 1\nid: house\nextends: house\nname: H\n",
    "too_large": START + "# x\n" * 270_000,
}


async def _ask_everywhere(editor: Editor, text: str) -> None:
    """Ask whatever an editor asks at some places of a text and beyond its end."""
    lines = text.split("\n")
    client = editor.client
    document = lsp.TextDocumentIdentifier(editor.uri)
    for row in sorted({0, 1, 5, len(lines) // 2, len(lines) - 1, len(lines) + 3}):
        width = len(lines[row]) if row < len(lines) else 3
        for column in sorted({0, 3, width // 2, width, width + 5}):
            where = document, lsp.Position(row, column)
            await client.text_document_hover_async(lsp.HoverParams(*where))
            await client.text_document_completion_async(lsp.CompletionParams(*where))
            await client.text_document_definition_async(lsp.DefinitionParams(*where))
    await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    for arguments in ([editor.uri, "new"], [editor.uri, "nope"], [editor.uri, 5]):
        await client.workspace_execute_command_async(
            lsp.ExecuteCommandParams("yaku.runExamples", arguments)
        )


def test_nothing_that_is_typed_breaks_the_server(tmp_path: Path) -> None:
    """After each strange text it still answers rightly."""

    async def talk(editor: Editor) -> None:
        for name, text in STRANGE.items():
            await editor.change(text)
            await _ask_everywhere(editor, text)
            await editor.change(START + "  new: {points: 1, when: nonsense}\n")
            assert [problem.code for problem in editor.problems] == ["E201"], name

    run(tmp_path / "house.yaml", talk, STRANGE["half_a_sentence"])


def test_an_editor_may_ask_of_documents_that_are_not_there(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        for uri in ((tmp_path / "nowhere.yaml").as_uri(), "untitled:Untitled-1"):
            document = lsp.TextDocumentIdentifier(uri)
            where = document, lsp.Position(0, 3)
            client = editor.client
            assert await client.text_document_hover_async(lsp.HoverParams(*where)) is None
            assert await client.text_document_completion_async(lsp.CompletionParams(*where)) is None
            assert await client.text_document_definition_async(lsp.DefinitionParams(*where)) is None
            assert await client.text_document_code_lens_async(lsp.CodeLensParams(document)) is None
            told = await client.workspace_execute_command_async(
                lsp.ExecuteCommandParams("yaku.runExamples", [uri, "new"])
            )
            assert told == {"passed": 0, "failed": [], "problem": "this document is not open"}

    run(tmp_path / "house.yaml", talk, START)


def place_of(document: Document, word: str, nth: int = 0) -> Place:
    """The place of the first letter of a word that a text has several times."""
    at = -1
    for _ in range(nth + 1):
        at = document.text.index(word, at + 1)
    before = document.text[:at].split("\n")
    return document.place(len(before), len(before[-1]) + 1)


SHAPES = """\
format: 1
id: shapes
name: S
version: "1"
tiles: {wall: {"123456789m": 4}}
shapes:
  basic: {sets: 4, pairs: 1}
  sevens: {pairs: 7}
patterns:
  sevens: {points: 9, when: dealer}
  other: {points: 1, when: shape is basic | sevens and sevens}
settlement: {win: [{when: win by self_draw, pays: points}]}
"""


@pytest.mark.parametrize(
    ("nth", "what", "line"),
    [(0, "shape, 0 sets, 7 pairs", 8), (1, "points: `9`", 10), (2, "shape,", 8), (3, "`9`", 10)],
)
def test_a_shape_and_a_pattern_of_one_name_are_told_apart(nth: int, what: str, line: int) -> None:
    document = Document(SHAPES, "shapes.yaml")
    place = place_of(document, "sevens", nth)
    told = features.hover(document, place)
    assert told is not None
    assert what in told
    found = features.definition(document, place, ())
    assert found is not None
    assert found.line == line


def test_what_a_variant_changes_and_removes_leads_to_its_parent() -> None:
    text = START.replace("patterns:", "remove: [patterns.seven_pairs.misses]\npatterns:")
    text += "  all_triplets: {points: 40}\n  new: {points: 1, when: dealer}\n"
    document = Document(text, "house.yaml")
    parent = str(data_folder("rulesets") / "zhongyong-3.3.yaml")
    lines = Path(parent).read_text("utf-8").split("\n")

    def goes_to(word: str, nth: int = 0) -> tuple[str, str]:
        found = features.definition(document, place_of(document, word, nth), ())
        assert found is not None
        there = lines if found.path == parent else document.lines
        return found.path, there[found.line - 1].split(":")[0].strip()

    assert goes_to("all_triplets") == (parent, "all_triplets")
    assert goes_to("points: 40") == (parent, "points")
    assert goes_to("patterns.seven") == (parent, "patterns")
    assert goes_to("seven_pairs") == (parent, "seven_pairs")
    assert goes_to("misses") == (parent, "misses")
    assert goes_to("new") == ("house.yaml", "new")


BROKEN = START.replace("patterns:", "terms:\n  mine: dragon | seat_wind\npatterns:") + (
    "  all_triplets: {points: 40, when: count triplets = nonsense}\n"
    "  whole: {points: 3, when: some set is mine, hits: [123m456m789p23s55z+4s]}\n"
    "  half: {points: 2, when: some set has , hits: [x, y]}\n"
)


def test_of_a_broken_file_the_rest_is_known() -> None:
    document = Document(BROKEN, "house.yaml")
    assert document.read is None
    told = features.hover(document, place_of(document, "all_triplets"))
    assert told is not None
    # The parent says 30.
    assert "points: `40`" in told
    at = BROKEN.splitlines().index("  half: {points: 2, when: some set has , hits: [x, y]}")
    column = BROKEN.splitlines()[at].index("has ") + 5
    offered = [one.word for one in completions(document, at + 1, column, ())]
    assert {"mine", "dragon"} <= set(offered)
    lenses = {lens.pattern: (lens.hits, lens.misses) for lens in features.lenses(document)}
    parent = load("zhongyong-3.3").data.patterns["all_triplets"]
    assert lenses == {
        "all_triplets": (len(parent.hits), len(parent.misses)), "whole": (1, 0), "half": (2, 0)
    }  # fmt: skip


@pytest.mark.parametrize("broken", ["extends: nowhere", "format: 9", "id: [x]"])
def test_of_a_file_that_is_no_ruleset_nothing_is_made_up(broken: str) -> None:
    key = broken.split(":")[0]
    lines = [broken if line.startswith(f"{key}:") else line for line in START.splitlines()]
    text = "\n".join([*lines, "  new: {points: 1, when: dealer}", ""])
    document = Document(text, "house.yaml")
    assert document.read is None
    assert document.data is None or "new" not in document.data.patterns


async def run_examples(editor: Editor, pattern: str) -> Any:
    return await editor.client.workspace_execute_command_async(
        lsp.ExecuteCommandParams("yaku.runExamples", [editor.uri, pattern])
    )


def test_examples_come_to_what_the_command_tells(tmp_path: Path) -> None:
    # Inherited: what a variant makes them worth does not bind, whether they count does.
    parent = HOUSE[: HOUSE.index("patterns:")].replace("id: house", "id: parent") + (
        "patterns:\n  new:\n    points: 5\n    when: dealer\n    hits:\n"
        '      - {hand: "123m456m789p23s55p+4s", seat: E, points: 400}\n'
        '      - {hand: "123m456m789p23s55p+4s", seat: S}\n'
    )
    (tmp_path / "parent.yaml").write_text(parent, encoding="utf-8")
    text = (
        "format: 1\nid: house\nextends: parent\nname: H\npatterns:\n"
        "  all_sequences: {points: 6}\n  new: {points: 7}\n"
        '  mine: {points: 1, when: dealer, hits: [{hand: "123m456m789p23s55p+4s", points: 3}]}\n'
    )

    async def agrees(editor: Editor) -> None:
        for pattern in ("all_sequences", "new", "mine"):
            told = await run_examples(editor, pattern)
            path = str(tmp_path / "house.yaml")
            cases = examine(Path(path)).outcomes
            here = [outcome for outcome in cases if outcome.case.pattern == pattern]
            failed = [outcome for outcome in here if not outcome.passed]
            assert told["passed"] == len(here) - len(failed)
            problems = [str(line).split(": ", 1)[1] for line in told["failed"]]
            assert problems == [outcome.problem for outcome in failed]

    async def talk(editor: Editor) -> None:
        await agrees(editor)
        assert (await run_examples(editor, "all_sequences"))["failed"] == []
        (line,) = (await run_examples(editor, "new"))["failed"]
        assert line.startswith("parent.yaml, line 12: does not count new: ")
        (line,) = (await run_examples(editor, "mine"))["failed"]
        assert line.startswith("line 8: ")

        # The parent is saved with a sentence that both its examples fit: so the next answer tells.
        path = tmp_path / "parent.yaml"
        path.write_text(parent.replace("when: dealer", "when: dealer or seat is S"), "utf-8")
        await agrees(editor)
        assert (await run_examples(editor, "new"))["failed"] == []

        # It is saved in error: what is wrong with the open variant is told without being asked.
        path.write_text(parent.replace("when: dealer", "when: deeler"), "utf-8")
        editor.news.clear()
        saved = lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(path.as_uri()))
        editor.client.text_document_did_save(saved)
        await editor.hear()
        assert [problem.code for problem in editor.problems] == ["E201"]

        # It is deleted outside of the editor, which was asked to tell of such files.
        ((method, options),) = editor.watched
        assert method == lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        assert [one["globPattern"] for one in _plain(options)["watchers"]] == ["**/*.yaml"]
        path.unlink()
        gone = lsp.FileEvent(path.as_uri(), lsp.FileChangeType.Deleted)
        editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([gone]))
        await editor.hear()
        assert [problem.code for problem in editor.problems] == ["E401"]

    run(tmp_path / "house.yaml", talk, text)


def test_examples_that_cannot_be_run_are_not_told_as_holding(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        told = await run_examples(editor, "seven_pair")
        problem = "there is no pattern 'seven_pair' in house.yaml; did you mean 'seven_pairs'?"
        assert told == {"passed": 0, "failed": [], "problem": problem}
        await editor.change(START + "  new: {points: 1, when: nonsense}\n")
        told = await run_examples(editor, "seven_pairs")
        problem = "house.yaml cannot be used as it is, so the examples of seven_pairs were not run"
        assert told == {"passed": 0, "failed": [], "problem": problem}
        while len(editor.messages) < 2:
            await asyncio.sleep(0.05)
        assert editor.messages[1] == problem

    run(tmp_path / "house.yaml", talk, START + "  new: {points: 1, when: dealer}\n")


def _plain(options: Any) -> Any:
    """Options of a registration as JSON; the client gives them as they came."""
    return json.loads(json.dumps(options, default=lambda one: one._asdict()))


URI = "file:///nowhere/house.yaml"
LEAVING: list[tuple[str, int | None, Any]] = [
    ("initialize", 1, {"processId": None, "rootUri": None, "capabilities": {}}),
    (
        "textDocument/didOpen",
        None,
        {"textDocument": {"uri": URI, "languageId": "yaml", "version": 1, "text": "a: 1"}},
    ),
    # The server waits for what may follow this change.
    (
        "textDocument/didChange",
        None,
        {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "b: 1"}]},
    ),
]
"""What an editor says before it leaves."""


def _message(method: str, number: int | None, params: Any) -> bytes:
    content: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        content["id"] = number
    if params is not None:
        content["params"] = params
    body = json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


@pytest.mark.parametrize(
    "ending", [[("shutdown", 2, None), ("exit", None, None)], []], ids=["asked", "gone"]
)
def test_an_editor_that_leaves_ends_the_server_well(
    ending: list[tuple[str, int | None, Any]],
) -> None:
    said = b"".join(_message(*one) for one in [*LEAVING, *ending])
    ended = subprocess.run(
        [sys.executable, "-m", "ruleengine", "lsp"],
        input=said,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0
    assert b"mistake in yaku" not in ended.stderr
    assert b"Traceback" not in ended.stderr
    assert b'"id": 1' in ended.stdout
