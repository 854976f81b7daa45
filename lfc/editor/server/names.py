"""Requests about the name under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from lfc.editor.analysis.names import name_of
from lfc.editor.features import navigation, rename
from lfc.editor.features.hover import hover
from lfc.editor.verification.lenses import joined, verdict_at

if TYPE_CHECKING:
    from lfc.editor.analysis.analyse import Analysis
    from lfc.editor.analysis.names import Named
    from lfc.editor.server.main import Server

REQUEST_FAILED = -32803  # of the protocol: it was right, and cannot be done


def register(server: Server) -> None:
    register_reading(server)
    register_rename(server)


def register_reading(server: Server) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def told(params: lsp.HoverParams) -> lsp.Hover | None:
        uri, checker = params.text_document.uri, server.checker
        analysis = session.analysis(uri)
        if analysis is None:
            return None
        claimed = verdict_at(analysis, checker.verdicts, session.buffers, params.position, checker.busy(uri))
        return joined(claimed, hover(analysis, params.position, checker.longest_pass))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        analysis = session.analysis(params.text_document.uri)
        return None if analysis is None else navigation.definition(analysis, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_TYPE_DEFINITION)
    def type_definition(params: lsp.TypeDefinitionParams) -> lsp.Location | None:
        analysis = session.analysis(params.text_document.uri)
        return None if analysis is None else navigation.type_definition(analysis, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = named_at(server, params)
        if found is None:
            return []
        path, named = found
        around = session.analyses_with(path, name_of(named.entity))
        return navigation.references(named, around, params.context.include_declaration)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        analysis = session.analysis(params.text_document.uri)
        return [] if analysis is None else navigation.highlights(analysis, params.position)


def named_at(server: Server, params: lsp.ReferenceParams) -> tuple[str, Named] | None:
    analysis = server.session.analysis(params.text_document.uri)
    named = None if analysis is None else analysis.names.at(analysis.lines.offset(params.position))
    return None if analysis is None or named is None else (analysis.source.path, named)


def register_rename(server: Server) -> None:
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        analysis = session.analysis(params.text_document.uri)
        try:
            return None if analysis is None else rename.prepare(analysis, params.position)
        except rename.Refused as why:
            raise failed(why) from None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        analysis = session.analysis(params.text_document.uri)
        if analysis is None:
            return None
        path = analysis.source.path

        def around(name: str) -> list[Analysis]:
            return list(session.analyses_with(path, name))

        try:
            uses = rename.rename(analysis, params.position, params.new_name, around, session.buffers.sources())
        except rename.Refused as why:
            raise failed(why) from None
        return rename.edit_of(uses, params.new_name)


def failed(why: Exception) -> JsonRpcException:
    return JsonRpcException(message=str(why), code=REQUEST_FAILED)
