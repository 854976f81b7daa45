"""The server over stdio, as an editor sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import metadata
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp

from lfc.cli.common.exits import Exit
from lfc.cli.main import run
from tests.editor.client import CONFIG, Client, Document, start
from tests.editor.programs import SLIP

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(scope="module", loop_scope="module", config=CONFIG)  # type: ignore[untyped-decorator]
async def client(lsp_client: Client, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    await start(lsp_client, tmp_path_factory.mktemp("workspace"))
    yield
    await lsp_client.shutdown_session()


async def test_an_error_is_shown_and_its_fix_applied(client: Client, tmp_path: Path) -> None:
    document = Document(client, tmp_path / "slip.lf", SLIP)
    (found,) = await document.diagnostics()
    assert (found.code, found.severity, found.source) == ("LF0602", lsp.DiagnosticSeverity.Error, "lfc")
    assert found.message == "Msg has no message `dta`; did you mean `data`?"
    assert found.range == lsp.Range(lsp.Position(10, 23), lsp.Position(10, 26))
    assert found.related_information is not None
    (related,) = found.related_information
    assert (related.message, related.location.range.start) == ("`data` is declared here", lsp.Position(3, 12))

    told = await client.text_document_code_action_async(
        lsp.CodeActionParams(document.identifier, found.range, lsp.CodeActionContext([found]))
    )
    assert told is not None
    fix, explain = told
    assert isinstance(fix, lsp.CodeAction) and explain.title == "Explain LF0602"
    assert (fix.title, fix.kind, fix.is_preferred) == ("Change to `data`", lsp.CodeActionKind.QuickFix, True)
    assert fix.edit is not None and fix.edit.changes is not None
    assert {uri: list(edits) for uri, edits in fix.edit.changes.items()} == {
        document.uri: [lsp.TextEdit(found.range, "data")]
    }
    page = await client.workspace_execute_command_async(lsp.ExecuteCommandParams("lf.explain", ["LF0602"]))
    assert isinstance(page, str) and page.startswith("# LF0602")

    document.change(SLIP.replace("dta", "data"))
    assert await document.diagnostics() == []


async def test_a_text_is_put_into_its_layout(client: Client, tmp_path: Path) -> None:
    document = Document(client, tmp_path / "add.lf", "MODULE Add;VAR x*:INTEGER;BEGIN x:=1+2 END Add.")
    await document.diagnostics()
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    told = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document.identifier, options))
    assert told is not None
    (edit,) = told
    assert edit.new_text == "MODULE Add;\nVAR x* : INTEGER;\nBEGIN\n  x := 1 + 2\nEND Add.\n"
    document.change(edit.new_text)
    again = await client.text_document_formatting_async(lsp.DocumentFormattingParams(document.identifier, options))
    assert not again


async def test_a_module_is_read_from_the_buffer_that_is_open(client: Client, tmp_path: Path) -> None:
    """The file says otherwise: it is not saved yet. Whoever imports it is looked at again."""
    (tmp_path / "Part.lf").write_text("MODULE Part;\nCONST old* = 1;\nEND Part.\n")
    main = "MODULE Main;\nIMPORT Out, Part;\nBEGIN\n  Out.Int(Part.new)\nEND Main.\n"
    document = Document(client, tmp_path / "Main.lf", main)
    (found,) = await document.diagnostics()
    assert found.message.startswith("module `Part` has no `new`")
    Document(client, tmp_path / "Part.lf", "MODULE Part;\nCONST new* = 1;\nEND Part.\n")
    while client.diagnostics[document.uri]:
        await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)


async def test_the_server_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    assert run(["lsp"]) == Exit.ENVIRONMENT
    assert "pygls is not installed; install it with: " in capsys.readouterr().err
