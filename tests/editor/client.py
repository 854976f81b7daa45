"""A client of the server over stdio, for tests that need the protocol itself; others call the rooms."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient


class Client(LanguageClient):
    """Knows of which version the diagnostics are."""

    def __init__(self) -> None:
        super().__init__()
        self.versions: dict[str, int | None] = {}
        self.verdicts: dict[str, dict[str, str]] = {}  # by uri, then by claim

        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params.diagnostics
            self.versions[params.uri] = params.version

        def told(params: Any) -> None:
            self.verdicts[params.uri] = {item.id: item.status for item in params.items}

        def message(params: lsp.ShowMessageParams) -> None:
            self.messages.append(params)

        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
        self.feature("lf/verdicts")(told)
        self.feature(lsp.WINDOW_SHOW_MESSAGE)(message)


CONFIG = ClientServerConfig([sys.executable, "-m", "lfc.cli.main", "lsp"], Client)
PATIENCE = 60.0  # seconds, on a machine with much else to do


async def start(client: Client, folder: Path) -> lsp.InitializeResult:
    found = await client.initialize_session(
        lsp.InitializeParams(
            capabilities=lsp.ClientCapabilities(),
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
        )
    )
    assert isinstance(found, lsp.InitializeResult)
    return found


class Document:
    """One open file: what the client has sent, and what it was told."""

    def __init__(self, client: Client, file: Path, text: str | None = None) -> None:
        self.client, self.uri = client, file.as_uri()
        self.text = file.read_text(encoding="utf-8") if text is None else text
        self.version = 1
        item = lsp.TextDocumentItem(self.uri, "lf", self.version, self.text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    @property
    def identifier(self) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        self.text = text
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        """Of the text as it is now."""
        return await asyncio.wait_for(self._told(), PATIENCE)

    async def hover(self, offset: int) -> str:
        """Of a text whose characters are all within UTF-16's first plane."""
        before = self.text[:offset]
        at = lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)
        found = await self.client.text_document_hover_async(lsp.HoverParams(self.identifier, at))
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    def save(self) -> None:
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(self.identifier))

    async def verdicts(self, **wanted: str) -> dict[str, str]:
        """Once they are these, by the beginning of the claim."""
        return await asyncio.wait_for(self._verdicts(wanted), PATIENCE)

    async def _verdicts(self, wanted: dict[str, str]) -> dict[str, str]:
        while True:
            known = self.client.verdicts.get(self.uri, {})
            if all(any(c.startswith(k) and s == v for c, s in known.items()) for k, v in wanted.items()):
                return known
            await self.client.wait_for_notification("lf/verdicts")

    async def lenses(self) -> list[str]:
        told = await self.client.text_document_code_lens_async(lsp.CodeLensParams(self.identifier))
        return [lens.command.title for lens in told or () if lens.command is not None]

    async def execute(self, command: str, *arguments: object) -> Any:
        params = lsp.ExecuteCommandParams(command, [self.uri, *arguments])
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), PATIENCE)

    async def _told(self) -> list[lsp.Diagnostic]:
        while self.client.versions.get(self.uri) != self.version:
            await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return list(self.client.diagnostics[self.uri])

    def position(self, words: str, behind: int = 0) -> lsp.Position:
        """Where these words stand, once in the text."""
        assert self.text.count(words) == 1, f"{words!r} is there {self.text.count(words)} times"
        before = self.text[: self.text.index(words) + behind]
        line = before.count("\n")
        return lsp.Position(line, len(before) - (before.rfind("\n") + 1))
