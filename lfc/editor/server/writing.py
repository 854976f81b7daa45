"""Requests while one types: completion, parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from lfc.editor.features import completion, signature

if TYPE_CHECKING:
    from lfc.editor.server.main import Server


def register(server: Server) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=completion.TRIGGERS))
    def completed(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        analysis = session.analysis(params.text_document.uri)
        if analysis is None:
            return []
        return completion.completion(analysis, params.position, takes_snippets(server))

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lsp.SignatureHelpOptions(trigger_characters=signature.TRIGGERS))
    def parameters(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        analysis = session.analysis(params.text_document.uri)
        return None if analysis is None else signature.signature_help(analysis, params.position)


def takes_snippets(server: Server) -> bool:
    text = server.client_capabilities.text_document
    item = text.completion.completion_item if text is not None and text.completion is not None else None
    return bool(item is not None and item.snippet_support)
