"""Section 7 of docs/reference/machine.md: what it shows is what the tool says and what the compiled program does."""

from __future__ import annotations

import re

from lfc.actions.show import layout_text
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.run.running import HostRun, Status
from tests.actions.machines import machine_of_file
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "machine.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## 7. A worked example") : PAGE.index("## 8. Fine print")]


def fence(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_layout() -> None:
    machine = machine_of_file(ROOT / "examples" / "prodcons.lf")
    assert machine is not None
    assert fence("console") == layout_text(machine)


def test_positions() -> None:
    machine = machine_of_file(ROOT / "examples" / "prodcons.lf")
    assert machine is not None
    words = {"start": "start", "after": "after the communication", "clause": "at clause", "waiting": "waiting"}
    rows = re.findall(r"^\| (\d+) \| `(.+?)` \| (.+?), line (\d+) \|$", SECTION, re.MULTILINE)
    assert rows == [
        (
            str(p.number),
            p.body.name,
            words[p.kind] + ("" if p.clause is None else f" {p.clause}"),
            str(p.span.line),
        )
        for p in machine.positions
    ]


def test_blocks() -> None:
    machine = machine_of_file(ROOT / "examples" / "prodcons.lf")
    assert machine is not None
    run = HostRun(generate(machine, HOST), level=0)
    shown = [line.split("  ")[0] for line in fence("text").splitlines()]
    assert len(shown) >= 5
    assert shown[0] == run.block.hex(" ", 4)
    for line in shown[1:]:
        assert run.step() is Status.RAN
        assert line == run.block.hex(" ", 4)
