"""Texts that come and go, diagnostics, fixes, the layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from lfc.editor.analysis.addresses import path_of
from lfc.editor.analysis.positions import Lines
from lfc.editor.features.diagnostics import EXPLAIN, code_actions
from lfc.editor.features.formatting import formatting

if TYPE_CHECKING:
    from lfc.editor.server.main import Server

ACTIONS = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll])


def register(server: Server) -> None:
    session, publisher = server.session, server.publisher

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        publisher.changed(session.open(document.uri, document.text, document.version).path)
        server.checker.supervisor.warm_up()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        buffer = session.buffers.of(params.text_document.uri)
        text = "" if buffer is None else buffer.text
        for change in params.content_changes:
            text = with_change(text, change)
        path = session.put(params.text_document.uri, text, params.text_document.version).path
        server.checker.changed(path)
        publisher.changed(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        session.close(params.text_document.uri)
        server.checker.close(params.text_document.uri)
        publisher.changed(path_of(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        session.forget()
        publisher.schedule()

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, ACTIONS)
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else code_actions(analysis, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def layout(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else formatting(analysis)

    @server.command(EXPLAIN)
    def explain(code: str) -> str:
        from lfc.diagnostics.explain import normal_code, page

        return page(normal_code(code)) or f"There is no diagnostic {code}."


def with_change(text: str, change: lsp.TextDocumentContentChangeEvent) -> str:
    """Of an editor that sends what changed, although whole texts were asked for, too."""
    if isinstance(change, lsp.TextDocumentContentChangePartial):
        lines = Lines(text)
        start = lines.offset(change.range.start)
        return text[:start] + change.text + text[max(start, lines.offset(change.range.end)) :]
    return change.text
