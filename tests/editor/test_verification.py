"""Verdicts while one writes: from a save to the lenses, and never one of a text that is no more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from pytest_lsp import LanguageClient

from tests.conftest import ROOT
from tests.editor.client import CONFIG, Client, Document, start
from tests.editor.programs import ENDLESS, MIXED

pytestmark = pytest.mark.asyncio(loop_scope="module")
TRAFFIC = ROOT / "examples" / "traffic.lf"


@pytest_lsp.fixture(scope="module", loop_scope="module", config=CONFIG)  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    assert isinstance(lsp_client, Client)
    await start(lsp_client, tmp_path_factory.mktemp("workspace"))
    yield
    await lsp_client.shutdown_session()


async def test_a_save_checks_and_an_edit_forgets(client: Client, tmp_path: Path) -> None:
    for name in ("traffic.lf", "traffic_env.lf"):
        (tmp_path / name).write_bytes(TRAFFIC.with_name(name).read_bytes())
    document = Document(client, tmp_path / "traffic.lf")
    text = document.text
    known = await document.verdicts(property="unknown")
    assert known == {"deadlock": "unknown", "property:neverTwoGreens": "unknown", "property:served": "unknown"}
    document.save()
    known = await document.verdicts(property="holds", deadlock="holds")
    assert known == {"deadlock": "holds", "property:neverTwoGreens": "holds", "property:served": "holds"}
    lenses = await document.lenses()
    assert re.fullmatch(r"\u2713 holds \u00b7 146 states \u00b7 checked at ..:..:.. \u00b7 1 assumed", lenses[0]), (
        lenses[0]
    )
    assert sum("195 states" in lens for lens in lenses) == 1

    document.change(text.replace("cars", "cabs"))
    assert {lens[:39] for lens in await document.lenses()} == {"? unknown: changed since it was checked"}
    await document.verdicts(deadlock="unknown", property="unknown")
    document.change(text)  # what was checked is there again
    assert (await document.lenses())[0] == lenses[0]

    (tmp_path / "traffic_env.lf").write_text("(* another *)\n" + (tmp_path / "traffic_env.lf").read_text())
    assert {lens[:39] for lens in await document.lenses()} == {"? unknown: changed since it was checked"}


async def test_each_claim_has_its_own_verdict(client: Client, tmp_path: Path) -> None:
    document = Document(client, tmp_path / "Mixed.lf", MIXED)
    items = await document.execute("lf.check")
    assert {item["id"]: item["status"] for item in items} == {
        "deadlock": "violated",
        "property:low": "violated",
        "property:fine": "holds",
        "assert:9:37": "violated",
        "assert:13:16": "holds",
    }
    found = await document.execute("lf.counterexample", "property:low")
    assert found["message"] == "`low` does not hold"
    last = found["steps"][-1]
    assert (last["who"], last["changed"]) == ("Left", {"x": "2"})
    assert last["where"]["range"]["start"]["line"] == 8
    assert await document.execute("lf.counterexample", "property:fine") is None
    low = await document.hover(MIXED.index("low"))
    assert low.startswith("\u2717 `low` does not hold") and "```text" in low and "Left" in low
    assert (await document.hover(MIXED.index("fine"))).startswith("\u2713 holds")
    assert await document.hover(MIXED.index("MODULE")) == ""
    document.change(MIXED.replace("x = 4", "x = 3"))
    assert await document.execute("lf.counterexample", "property:low") is None  # of a text that is no more
    items = await document.execute("lf.check", "assert:9:37")
    assert {i["id"]: i["status"] for i in items if i["kind"] == "assert"} == {
        "assert:9:37": "holds",
        "assert:13:16": "unknown",
    }


async def test_as_the_clock_stands_no_property_holds(client: Client, tmp_path: Path) -> None:
    text = """MODULE Measures;
IMPORT Clock;
VAR t : UINT32; bad : BOOLEAN;
PROPERTY never = ALWAYS ~bad;
BEGIN
  LOOP
    Clock.Sleep(3);
    bad := Clock.Now - t > 30
  END
END Measures.
"""
    document = Document(client, tmp_path / "Measures.lf", text)  # its deadlocks do not depend on the clock
    items = await document.execute("lf.check")
    assert {item["id"]: item["status"] for item in items} == {"deadlock": "holds", "property:never": "unknown"}


async def test_a_check_is_cancelled_by_command_and_by_an_edit(client: Client, tmp_path: Path) -> None:
    document = Document(client, tmp_path / "Endless.lf", ENDLESS)
    await document.diagnostics()
    for stop in ("command", "edit"):
        task = asyncio.ensure_future(document.execute("lf.check"))
        while (await document.lenses())[0] != "checking ...":
            await asyncio.sleep(0)
        if stop == "command":
            assert await document.execute("lf.cancel") is True
        else:
            document.change(ENDLESS.replace("100000", "100001"))
        items = await task
        assert {item["status"] for item in items} == {"unknown"}
        assert (await document.lenses())[0] != "checking ..."
    assert await document.execute("lf.cancel") is False


async def test_a_save_has_a_budget(client: Client, tmp_path: Path) -> None:
    document = Document(client, tmp_path / "Endless.lf", ENDLESS)
    document.save()
    while not (await document.lenses())[0].startswith("? unknown: no verdict within 2 s"):
        await asyncio.sleep(0.05)
