"""`lfc mcp`, asked by the client of the package `mcp` over standard input and output."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from lfc.assistant.folder import Folder, NotThere
from lfc.assistant.server import Tools
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.editor.programs import SLIP

FILES = ("philosophers.lf", "prodcons.lf", "traffic.lf", "traffic_env.lf", "blink.lf")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    served = tmp_path / "served"
    served.mkdir()
    for name in FILES:
        shutil.copy(ROOT / "examples" / name, served)
    (served / "Slip.lf").write_text(SLIP)
    (tmp_path / "Secret.lf").write_text("MODULE Secret;\nEND Secret.\n")
    return served


@asynccontextmanager
async def client_of(folder: Path, *options: str) -> AsyncIterator[Any]:
    from mcp import Client, StdioServerParameters

    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "lfc", "mcp", "--root", str(folder), *options],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    async with Client(server) as client:
        yield client


async def ask(client: Any, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return json.loads(result.content[0].text)


async def refused(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)


def test_a_session(here: Path) -> None:
    async def session() -> None:
        async with client_of(here) as client:
            tools = {t.name for t in (await client.list_tools()).tools}
            assert tools == {
                "parse", "format", "explain", "check", "counterexample", "explore", "build", "size", "timing",
            }  # fmt: skip
            found = await ask(client, "parse", file="Slip.lf")
            assert found["exit_code"] == 1
            assert (
                found["diagnostics"]
                == json.loads(lfc("check", "--syntax-only", "--json", "Slip.lf", cwd=here).out)["diagnostics"]
            )
            code = found["diagnostics"][0]["code"]
            assert (await ask(client, "explain", code=code))["text"] == lfc("explain", code).out

            found = await ask(client, "check", file="prodcons.lf")
            assert (found["exit_code"], found["verdict"], found["states"]) == (0, "holds", 308)
            found = await ask(
                client, "check", file="traffic.lf", environments=["traffic_env.lf"], properties=["served"]
            )
            assert [p["name"] for p in found["properties"]] == ["served"] and found["exit_code"] == 0
            found = await ask(client, "counterexample", file="philosophers.lf")
            assert found["exit_code"] == 3 and "wait-for cycle:" in found["text"] and "---get---" in found["text"]

            found = await ask(client, "explore", file="prodcons.lf", commands=["1", "jump Producer.i = 2", "way"])
            assert found["exit_code"] == 0 and found["text"].startswith("step 0, 1 choice\n")
            found = await ask(client, "build", file="blink.lf", board="uno", output="out.elf")
            assert found["exit_code"] == 0 and (here / "out.hex").exists()
            assert (await ask(client, "size", file="blink.lf", board="uno"))["exit_code"] == 0

    anyio.run(session)


def test_what_is_refused(here: Path) -> None:
    """Files outside, links that lead there, options in the place of names, a port without the flag."""
    (here / "Link.lf").symlink_to(here.parent / "Secret.lf")

    async def session() -> None:
        async with client_of(here) as client:
            for name in ("../Secret.lf", str(here.parent / "Secret.lf"), "Link.lf", "--help", "None.lf", ""):
                assert "folder that is served" in (said := await refused(client, "parse", file=name)) or "name" in said
            assert "is not a name" in await refused(client, "explain", code="--json")
            assert "is not a name" in await refused(client, "size", file="blink.lf", board="../x.toml")
            assert "is not for this tool" in await refused(client, "explore", file="prodcons.lf", commands=["t x.json"])
            assert "is not for this tool" in await refused(
                client, "explore", file="prodcons.lf", commands=["1\ntrace x"]
            )
            assert "outside" in await refused(client, "build", file="blink.lf", board="uno", output="../b.elf")
            await refused(client, "flash", file="blink.lf", board="uno", port="/dev/null")

    anyio.run(session)
    assert sorted(p.name for p in here.parent.iterdir()) == ["Secret.lf", "served"]


def test_flashing_goes_through_the_gate(here: Path) -> None:
    """Without a record of a check that holds, nothing is sent, whatever the project's own file says."""
    (here / "lf.toml").write_text('main = "blink.lf"\nboard = "uno"\n')

    async def session() -> None:
        async with client_of(here, "--flash") as client:
            found = await ask(client, "flash", file="blink.lf", board="uno", port="/dev/null")
            assert found["exit_code"] == 9 and found["error"]["stage"] == "check"

    anyio.run(session)


def test_an_environment_is_a_file_or_a_model_of_the_library(here: Path) -> None:
    tools = Tools(Folder(here.resolve()), may_flash=False)
    assert tools.options(["EnvGPIO", "traffic_env.lf"], ["served"], "") == [
        "--env", "EnvGPIO", "--env", "traffic_env.lf", "--property", "served",
    ]  # fmt: skip
    for name in ("../traffic_env.lf", "-x", "a.lf"):
        with pytest.raises(NotThere):
            tools.options([name], None, "")
