"""The bill of materials of an image: what another's reader makes of it, and whether it is what was linked."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.model.bom import Bom
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from lfc.base.library_folder import LIBRARY
from lfc.boards.descriptions.board import load_board
from lfc.image.digest import flash_digest
from lfc.link.port import runtime_folder
from lfc.toolchain.elf import read_load_segments
from tests.cli.lfc import lfc

MAIN = """(* SPDX-License-Identifier: BSD-2-Clause *)
MODULE Meter;
IMPORT Out, Scale;
VAR n : INT32;
PROCESS Read(VAR n : INT32) EXTERNAL;
BEGIN
  Read(n); n := Scale.Of(n); Out.Int(n DIV 7)
END Meter.
"""
SCALE = """MODULE Scale;
PROCEDURE Of*(n : INT32) : INT32;
BEGIN
  RETURN n DIV 2
END Of;
END Scale.
"""
DRIVER = """/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "Meter.h"
void Meter_Read(int32_t *n) { *n = 700; }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "Meter.lf").write_text(MAIN)
    (tmp_path / "Scale.lf").write_text(SCALE)
    (tmp_path / "meter.c").write_text(DRIVER)
    return tmp_path


def built(folder: Path, board: str = "uno", *more: str) -> dict[str, Any]:
    done = lfc("header", "Meter.lf", cwd=folder)
    assert done.exit == 0, done.err
    done = lfc("build", "Meter.lf", "-b", board, "--with", "meter.c", "--sbom", "m.json", *more, cwd=folder)
    assert done.exit == 0, done.err
    found: dict[str, Any] = json.loads((folder / "m.json").read_text())
    return found


def part(bill: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [c for c in bill["components"] if c["name"] == name]
    return dict(found)


def sha256(content: bytes) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}]


def test_others_read_it(project: Path) -> None:
    bill = built(project)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill)) is None
    reader: Any = Bom  # of which the type checker does not know that it reads
    read = reader.from_json(json.loads(json.dumps(bill)))
    assert {c.name for c in read.components} >= {
        "Meter.lf",
        "Scale.lf",
        "meter.c",
        "Out.lf",
        "lf-kernel",
        "lf-port-avr",
    }
    bill["components"][0]["typ"] = "library"
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill)) is not None


def test_digests_are_those_of_the_files(project: Path) -> None:
    bill = built(project)
    assert part(bill, "Scale.lf")["hashes"] == sha256(SCALE.encode())
    assert part(bill, "meter.c")["hashes"] == sha256(DRIVER.encode())
    (out,) = part(bill, "Out.lf")["components"]
    assert out["hashes"] == sha256((LIBRARY / "Out.lf").read_bytes())
    firmware = bill["metadata"]["component"]
    for file in firmware["components"]:
        assert file["hashes"] == sha256((project / file["name"]).read_bytes()), file["name"]
    assert {f["name"] for f in firmware["components"]} == {"Meter.elf", "Meter.hex", "Meter.map"}
    image = {s.load_address: s.content for s in read_load_segments((project / "Meter.elf").read_bytes())}
    told = {p["name"]: p["value"] for p in firmware["properties"]}
    assert told["lf:flash-sha256"] == flash_digest(image)
    assert told["lf:board"] == load_board("uno").name


def test_licences_are_those_that_sources_name(project: Path) -> None:
    bill = built(project)
    licence = {c["name"]: [x["expression"] for x in c.get("licenses", [])] for c in bill["components"]}
    assert licence["Meter.lf"] == ["BSD-2-Clause"]
    assert licence["meter.c"] == ["MIT OR Apache-2.0"]
    assert licence["Scale.lf"] == []
    assert licence["lf-kernel"] == licence["Out.lf"] == ["Apache-2.0 WITH LLVM-exception"]


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_of_a_port_it_has_what_is_linked(project: Path, board: str) -> None:
    """What each assembler source of the port defines is a symbol of the ELF file, or is not."""
    told = objects(built(project, board))
    there = symbols(project / "Meter.elf")
    ports = runtime_folder() / "ports" / load_board(board).cpu.architecture
    for source in ports.rglob("*.S"):
        text = source.read_text()
        names = set(re.findall(r"^\s*\.globl[ \t]+(\w+)", text, re.MULTILINE))
        defined = names & set(re.findall(r"^(\w+):", text, re.MULTILINE))
        linked = bool({d for d in defined if not d.startswith("__vector")} & there)  # of these start.S has some, too
        assert (str(source.relative_to(runtime_folder())) in told) == linked, source
    assert told


def symbols(elf: Path) -> set[str]:
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {s.name for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"}


def objects(bill: dict[str, Any]) -> set[str]:
    (port,) = [c for c in bill["components"] if c["name"].startswith("lf-port-")]
    return {f["name"] for f in port["components"] if f["name"].endswith(".S")}


def test_the_same_program_elsewhere_has_the_same_bill(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for file in project.iterdir():
        (elsewhere / file.name).write_bytes(file.read_bytes())
    assert built(project) == built(elsewhere)
    traced = built(elsewhere, "uno", "--trace")
    assert traced["serialNumber"] != built(project)["serialNumber"]
    (policies,) = [c for c in traced["components"] if c["name"] == "lf-policies"]
    assert "policies/traced.c" in {f["name"] for f in policies["components"]}


def test_it_is_for_boards(project: Path) -> None:
    done = lfc("build", "Scale.lf", "--sbom", "m.json", cwd=project)
    assert done.exit == 2 and "--sbom is for boards" in done.err
    assert not (project / "m.json").exists()


@pytest.mark.parametrize("file", ["Meter.lf", "Scale.lf", "meter.c", "Meter.hex"])
def test_it_overwrites_nothing_else(project: Path, file: str) -> None:
    assert lfc("header", "Meter.lf", cwd=project).exit == 0
    before = {f: f.read_bytes() for f in project.iterdir()}
    done = lfc("build", "Meter.lf", "-b", "uno", "--with", "meter.c", "--sbom", file, cwd=project)
    assert done.exit == 2 and "would overwrite" in done.err
    assert {f: f.read_bytes() for f in project.iterdir()} == before
