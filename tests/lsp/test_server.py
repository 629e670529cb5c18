"""The language server as an editor sees it: a process, spoken to by the protocol."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

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
ROOT = Path(__file__).resolve().parent.parent.parent


class Editor:
    """An editor with one document open."""

    def __init__(self, path: Path) -> None:
        self.uri = path.as_uri()
        self.client = LanguageClient("test", "1")
        self.problems: list[lsp.Diagnostic] = []
        self.messages: list[str] = []
        self.news = asyncio.Event()

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.problems = list(params.diagnostics)
            self.news.set()

        @self.client.feature(lsp.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def shown(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params.message)

    async def start(self, text: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        await self.client.start_io(
            sys.executable, "-m", "ruleengine", "lsp", env=environment, cwd=str(ROOT)
        )
        able = lsp.ClientCapabilities()
        await self.client.initialize_async(lsp.InitializeParams(capabilities=able))
        self.client.initialized(lsp.InitializedParams())
        item = lsp.TextDocumentItem(uri=self.uri, language_id="yaml", version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.hear()

    async def hear(self) -> None:
        await asyncio.wait_for(self.news.wait(), 30)
        self.news.clear()

    async def change(self, text: str) -> None:
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version=2, uri=self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        await self.hear()

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


async def _converse(path: Path) -> None:
    editor = Editor(path)
    await editor.start(HOUSE)
    try:
        await _talk(editor)
    finally:
        await editor.stop()


async def _talk(editor: Editor) -> None:
    codes = [(problem.code, problem.range.start.line) for problem in editor.problems]
    # A pattern that the parent has not, and a subject that is unknown: each on its own line.
    assert codes == [("E405", 7), ("E201", 11)]
    wrong = editor.problems[1]
    assert "winning_tile" in wrong.message
    assert (wrong.range.start.character, wrong.range.end.character) == (29, 40)

    mended = HOUSE.replace("winningtile", "winning_tile").replace("  東一色:\n    points: 5\n", "")
    await editor.change(mended)
    assert editor.problems == []

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
    assert [word.label for word in words] == ["basic", "seven_pairs", "thirteen_orphans"]

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


def test_an_editor_is_served(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    asyncio.run(_converse(path))
