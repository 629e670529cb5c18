"""Speaks the Language Server Protocol: documents and places in, answers of `features` out."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ruleengine import __version__
from ruleengine.diagnostics import source_lines
from ruleengine.lsp import features
from ruleengine.lsp.complete import completions
from ruleengine.lsp.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.diagnostics import Diagnostic, Span
    from ruleengine.testing.run import Outcome

RUN_EXAMPLES = "yaku.runExamples"
PAUSE = 0.2
"""Seconds without a change after which a document is read."""
MOST_TOLD = 20
"""Examples that do not hold of which a message tells."""
MOST_SHOWN = 200
"""Problems of one document that are sent."""
WATCHED = "**/*.yaml"
"""The files whose changes the editor is asked to tell."""
_FILES = ""
"""What stands for all files among the addresses of documents whose changes are waited for."""
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}


class RulesetServer(LanguageServer):
    """The server of one editor; `folders` are searched for rulesets that others extend, `options`
    has the values that options have where examples are run."""

    def __init__(
        self, folders: tuple[Path, ...] = (), options: features.OptionsOf = lambda data: {}
    ) -> None:
        super().__init__("yaku", __version__)
        self.folders = folders
        self.options = options
        self._documents: dict[str, Document] = {}
        self._open: set[str] = set()
        self._changes: dict[str, int] = {}

    def document(self, uri: str) -> Document | None:
        """The document of an address, read anew where its text changed or a file that it extends;
        None where the editor has none open there and no file can be read.

        Where a file did, what is wrong with the document now is sent.
        """
        try:
            text = self.workspace.get_text_document(uri).source
        except (OSError, ValueError):
            return None
        known = self._documents.get(uri)
        same = known is not None and known.text == text
        if known is not None and same and known.is_current:
            return known
        document = self._documents[uri] = Document(text, _path(uri), self.folders, known)
        if same and uri in self._open:
            self._send(uri, document)
        return document

    def opened(self, uri: str) -> None:
        """Send what is wrong with a document that was opened."""
        self._open.add(uri)
        self.publish(uri)

    async def publish_soon(self, uri: str) -> None:
        """Send what is wrong with a document once its author pauses: of quick changes the last."""
        if await self._is_last(uri):
            self.publish(uri)

    async def look_again(self) -> None:
        """Send what is wrong with each open document that extends a file that changed, once no
        more files do."""
        if await self._is_last(_FILES):
            for uri in sorted(self._open):
                self.document(uri)

    async def _is_last(self, of: str) -> bool:
        """Wait for a pause in the changes of something. Returns whether this is the last one."""
        change = self._changes[of] = self._changes.get(of, 0) + 1
        try:
            await asyncio.sleep(PAUSE)
        except asyncio.CancelledError:
            # The editor has left in the meantime.
            return False
        return self._changes.get(of) == change

    def watch(self) -> None:
        """Ask the editor to tell of rulesets that change outside of it, where it can."""
        able = self.client_capabilities.workspace
        watching = able.did_change_watched_files if able else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [lsp.FileSystemWatcher(glob_pattern=WATCHED)]
        if watching.relative_pattern_support:
            uris = [from_fs_path(str(folder.absolute())) for folder in self.folders]
            patterns = [lsp.RelativePattern(uri, WATCHED) for uri in uris if uri is not None]
            watchers += [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
        self.client_register_capability(
            lsp.RegistrationParams(
                [
                    lsp.Registration(
                        id="yaku.files",
                        method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                        register_options=lsp.DidChangeWatchedFilesRegistrationOptions(watchers),
                    )
                ]
            )
        )

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._open.discard(uri)
        self._documents.pop(uri, None)
        self._changes.pop(uri, None)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=[])
        )

    def publish(self, uri: str) -> None:
        """Send what is wrong with a document; of an inherited line at the `extends` line."""
        document = self.document(uri)
        if document is not None:
            self._send(uri, document)

    def _send(self, uri: str, document: Document) -> None:
        found = [self._diagnostic(problem, document) for problem in document.findings[:MOST_SHOWN]]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found)
        )

    def _diagnostic(self, problem: Diagnostic, document: Document) -> lsp.Diagnostic:
        span = problem.span
        elsewhere = span is not None and span.path != document.path
        message = problem.message if problem.help is None else f"{problem.message}\n{problem.help}"
        related = [
            lsp.DiagnosticRelatedInformation(self._location(label.span, document), label.text)
            for label in problem.labels
        ]
        if elsewhere and span is not None:
            related.append(lsp.DiagnosticRelatedInformation(self._location(span, document), "here"))
            span = document.span_of("extends")
        return lsp.Diagnostic(
            range=_whole_line(1) if span is None else _range(span, document.lines),
            message=message,
            severity=_SEVERITIES[problem.severity],
            code=problem.code,
            source="yaku",
            related_information=related,
        )

    def _location(self, span: Span, document: Document) -> lsp.Location:
        lines = document.lines
        if span.path != document.path:
            lines = source_lines(document.sources.get(span.path, ""))
        uri = from_fs_path(str(Path(span.path).absolute())) or span.path
        return lsp.Location(uri=uri, range=_range(span, lines))


def _failure(outcome: Outcome, document: Document) -> str:
    """An example that does not hold, at its line, and in its file where that is another."""
    at = outcome.case.span
    file = "" if at.path == document.path else f"{Path(at.path).name}, "
    return f"{file}line {at.line}: {outcome.problem}"


def _path(uri: str) -> str:
    return to_fs_path(uri) or uri


def _units(text: str) -> int:
    """Characters as the protocol counts them: in units of UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _position(line: int, column: int, lines: Sequence[str]) -> lsp.Position:
    before = lines[line - 1][: column - 1] if 0 < line <= len(lines) else " " * (column - 1)
    return lsp.Position(line=line - 1, character=_units(before))


def _range(span: Span, lines: Sequence[str]) -> lsp.Range:
    return lsp.Range(
        start=_position(span.line, span.column, lines),
        end=_position(span.end_line, span.end_column, lines),
    )


def _whole_line(line: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line, 0))


def _column(document: Document, position: lsp.Position) -> int:
    """The column, from 1 and in characters, of a position of the protocol."""
    if position.line >= len(document.lines):
        return 1
    units = 0
    for at, sign in enumerate(document.lines[position.line]):
        if units >= position.character:
            return at + 1
        units += _units(sign)
    return len(document.lines[position.line]) + 1


def make_server(
    folders: tuple[Path, ...] = (), options: features.OptionsOf = lambda data: {}
) -> RulesetServer:
    """A server with all that it can do."""
    server = RulesetServer(folders, options)

    @server.feature(lsp.INITIALIZED)
    def ready(params: lsp.InitializedParams) -> None:
        server.watch()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.opened(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        await server.publish_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        await server.look_again()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        await server.look_again()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        position = params.position
        place = document.place(position.line + 1, _column(document, position))
        words = features.hover(document, place)
        if words is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, words))

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", "|", ":"])
    )
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        position = params.position
        column = _column(document, position)
        found = completions(document, position.line + 1, column, server.folders)
        return [
            lsp.CompletionItem(label=one.word, detail=one.detail, documentation=one.doc)
            for one in found
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        document = server.document(params.text_document.uri)
        if document is None:
            return None
        position = params.position
        place = document.place(position.line + 1, _column(document, position))
        folders = (*server.folders, Path(document.path).parent)
        span = features.definition(document, place, folders)
        return None if span is None else server._location(span, document)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        uri = params.text_document.uri
        document = server.document(uri)
        if document is None:
            return None
        return [
            lsp.CodeLens(
                range=_range(lens.span, document.lines),
                command=lsp.Command(
                    title=f"run {lens.hits} hits, {lens.misses} misses",
                    command=RUN_EXAMPLES,
                    arguments=[uri, lens.pattern],
                ),
            )
            for lens in features.lenses(document)
        ]

    @server.command(RUN_EXAMPLES)
    def run_examples(uri: Any, pattern: Any) -> dict[str, Any]:
        document = server.document(str(uri))
        if document is None:
            return {"passed": 0, "failed": [], "problem": "this document is not open"}
        outcomes = features.run_examples(document, str(pattern), server.options)
        if isinstance(outcomes, str):
            server.window_show_message(
                lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=outcomes)
            )
            return {"passed": 0, "failed": [], "problem": outcomes}
        failed = [outcome for outcome in outcomes if not outcome.passed]
        words = f"{pattern}: {len(outcomes) - len(failed)} of {len(outcomes)} examples hold"
        kind = lsp.MessageType.Warning if failed else lsp.MessageType.Info
        lines = [_failure(outcome, document) for outcome in failed[:MOST_TOLD]]
        if len(failed) > MOST_TOLD:
            lines.append(f"... and {len(failed) - MOST_TOLD:,} more")
        server.window_show_message(
            lsp.ShowMessageParams(type=kind, message="\n".join([words, *lines]))
        )
        return {"passed": len(outcomes) - len(failed), "failed": lines}

    return server
