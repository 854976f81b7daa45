"""Requests about a whole text: its outline, colours, hints, folds; symbols of the workspace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from lfc.editor.analysis.addresses import uri_of
from lfc.editor.features.folding import folding_ranges
from lfc.editor.features.inlay_hints import inlay_hints
from lfc.editor.features.semantic_tokens import LEGEND, semantic_tokens
from lfc.editor.features.symbols import document_symbols

if TYPE_CHECKING:
    from lfc.editor.server.main import Server

MOST_SYMBOLS = 500


def register(server: Server) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else document_symbols(analysis)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def all_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for path in session.files(next(iter(session.buffers.all), "<none>")):
            analysis = session.analysis_of(path)
            if analysis is not None:
                found += matching(document_symbols(analysis), params.query.lower(), uri_of(path))
        return found[:MOST_SYMBOLS]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        analysis = session.analysis(params.text_document.uri)
        return lsp.SemanticTokens([] if analysis is None else semantic_tokens(analysis))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else inlay_hints(analysis, params.range)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else folding_ranges(analysis)


def matching(symbols: Iterable[lsp.DocumentSymbol], query: str, uri: str) -> Iterator[lsp.WorkspaceSymbol]:
    for s in symbols:
        if query in s.name.lower():
            yield lsp.WorkspaceSymbol(lsp.Location(uri, s.selection_range), s.name, s.kind)
        yield from matching(s.children or (), query, uri)
