"""A hover over a process tells the most cycles that it runs without a pause on the board: those of `lfc timing`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

from tests.cli.lfc import lfc
from tests.editor.client import CONFIG, Client, Document, start

pytestmark = pytest.mark.asyncio(loop_scope="module")
PROGRAM = """MODULE Blinks;
IMPORT Out;
VAR n : 0 .. 9;

PROCESS Counts;
BEGIN
  LOOP
    n := (n + 3) MOD 10;
    IF n = 6 THEN Out.Char('!') END;
    RESCHEDULE
  END
END Counts;

BEGIN CREATE Counts
END Blinks.
"""


@pytest_lsp.fixture(scope="module", loop_scope="module", config=CONFIG)  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    assert isinstance(lsp_client, Client)
    await start(lsp_client, tmp_path_factory.mktemp("workspace"))
    yield
    await lsp_client.shutdown_session()


async def hovered(client: Client, document: Document) -> str:
    line = document.text.splitlines().index("PROCESS Counts;")
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(document.uri), lsp.Position(line, 9))
    found = await client.text_document_hover_async(asked)
    assert found is not None and isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value


async def test_the_longest_pass_is_that_of_lfc_timing(client: Client, tmp_path: Path) -> None:
    (tmp_path / "lf.toml").write_text('main = "Blinks.lf"\nboard = "uno"\n')
    (tmp_path / "Blinks.lf").write_text(PROGRAM)
    passes = json.loads(lfc("timing", "--json", cwd=tmp_path).out)["passes"]
    expected = max(p["cycles"] for p in passes if p["process"] == "Blinks.Counts")
    document = Document(client, tmp_path / "Blinks.lf")
    assert "cycles" not in await hovered(client, document)
    document.save()
    for _ in range(300):
        if "cycles" in (told := await hovered(client, document)):
            break
        await asyncio.sleep(0.2)
    assert told.splitlines()[-1] == f"at most {expected} cycles ({expected / 16:.1f} µs) without a pause on `uno`"
    document.change(PROGRAM.replace("n + 3", "n + 7"))
    assert "cycles" not in await hovered(client, document)
    document.change(PROGRAM)
    assert "cycles" in await hovered(client, document)
