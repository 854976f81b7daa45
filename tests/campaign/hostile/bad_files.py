"""The campaign of damaged files: whatever reads one refuses it with one of its own errors, or takes it. The full quota:

    python -m tests.campaign.hostile.bad_files --count 2000 --seed 1

Images of damaged code are also checked in every state. No traceback, no crash, nothing longer than ten seconds.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

import click

from lfc.base.source import Source
from lfc.boards.descriptions.board import BoardError, load_board, load_board_file
from lfc.certificates.certify import certify
from lfc.certificates.files import BadCertificate, read_certificate
from lfc.certificates.verify import verify
from lfc.cli.common.project import _read
from lfc.cli.devices.hil_online import read_run
from lfc.cli.results.evidence import requirements_in
from lfc.image.digest import flash_digest
from lfc.image.firmware import build_firmware
from lfc.image.read_files import read_image_file
from lfc.mcheck.image.check_image import ImageCheck, NotChecked
from lfc.mcheck.queries.ctl import Checker
from lfc.mcheck.queries.formula import BadQuery, parse
from lfc.mcheck.queries.stored_graph import (
    END,
    MAGIC,
    NotAGraph,
    StoredEdge,
    StoredGraph,
    StoredState,
    read_graph,
)
from lfc.packages.manifest import BadPackage, read_manifest
from lfc.records.policy import BadPolicy, read_policy
from lfc.records.record import BadRecord, CheckRecord
from lfc.records.statement import statement_of
from lfc.records.store import load_stored
from lfc.systems.description import BadSystem, system_of, system_source
from lfc.testing.places import BadPlaces, read_places
from lfc.toolchain.failure import ImageError
from lfc.toolchain.formats import in_format
from lfc.trace.files import Trace, read_trace
from lfc.trace.items import BadItems, Item
from tests.campaign.hostile import apart
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of_source
from tests.mcheck.image.images import MOST_CYCLES, Built, built
from tests.support.seeds import add_count_and_seed, parsed

OWN = (
    *(ImageError, BadRecord, BadItems, BadCertificate, BadPlaces, BoardError, NotChecked, click.UsageError, OSError),
    *(BadPolicy, BadSystem, BadPackage, NotAGraph, BadQuery),
)
T = TypeVar("T")
TAKEN, REFUSED, TRACEBACK = range(3)
CODE = {f"code of {board}": board for board in ("uno", "microbit", "hifive1")}
LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short = ALWAYS i < 4;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""
PROJECT = 'main = "Light.lf"\nboard = "uno"\nwith = ["a.c"]\nrequire = "proof"\ntrusted = "keys"\n'
POLICY = """keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE ci"]
require = "no-error-found"
at-least-states = 10
boards = ["uno"]
properties = ["short"]
assumptions = ["fairness: P weak"]
least-toolchain = "0.1.0"
max-age-days = 90
rollback = "refuse"
"""
REQUIREMENTS = "[DOCUMENT]\nTITLE: D\n\n[REQUIREMENT]\nUID: A-1\nSTATEMENT: >>>\nIt is so.\n<<<\n"
SYSTEM = """[boards.left]
run = "Node.lf"
board = "uno"
const = { first = true }
[boards.right]
run = "Node.lf"
board = "uno"
[links.there]
from = "left.out"
to = "right.in[1]"
[line]
rate = 9600
[properties]
exclusive = "ALWAYS ~(left.inside & right.inside)"
"""
COMMIT, HASH = "0" * 40, "0" * 64
PACKAGES = f"""[package]
name = "drivers"
checks = ["Light.lf"]
[dependencies]
near = {{ path = "../near" }}
far = {{ git = "https://example.org/far.git", commit = "{COMMIT}", hash = "sha256:{HASH}" }}
"""
RUN = b'{"version": 1, "events": ["in?go", "out!level(3)"]}'
PLACES = '[one]\nboard = "uno"\nport = "/dev/ttyACM0"\n\n[two]\nboard = "mega2560"\nemulated = true\n'


@dataclass(frozen=True)
class Kind:
    """A kind of file: one that is right, and what reads it."""

    suffix: str
    content: bytes
    read: Callable[[Path], object]


def kinds(folder: Path, record: CheckRecord) -> dict[str, Kind]:
    board, machine = load_board("uno"), machine_of_source(Source("Light.lf", LIGHT))
    pico = load_board("pico")
    firmware = build_firmware(board, machine)
    certify(machine, "short", []).write(folder / "right")
    steps = [[Item("run", (0,)), Item("digest", (7,))], [Item("write", (65,))]]
    trace = Trace("00" * 16, "Light.lf", steps)

    def image(path: Path) -> object:
        made = read_image_file(path, board.flash.start)
        return flash_digest(made.flash), made.tables

    def a_certificate(path: Path) -> object:
        return verify(machine, read_certificate(path))

    def a_record(path: Path) -> object:
        return load_stored(path).record.objections()

    def a_graph(path: Path) -> object:
        return Checker(read_graph(str(path))).satisfying(parse("AG (i < 3)"))

    def a_policy(path: Path) -> object:
        return read_policy(path)[0].objections(record, datetime(2026, 11, 1, tzinfo=UTC), [{"at": record.checked_at}])

    def packages(path: Path) -> object:
        path.replace(folder / "lf.toml")
        return read_manifest(folder)

    StoredGraph(
        "Light.lf",
        "00" * 32,
        [StoredState({"i": 0, "a": [1, 2]}, {"P": {"line": 3, "ready": True}}), StoredState({"i": 1}, {}, END)],
        [StoredEdge(0, 1, "P")],
    ).write(str(folder / "graph"))
    of_pico = build_firmware(pico, machine).image.flash
    return {
        "elf": Kind(".elf", firmware.image.elf, image),
        "hex": Kind(".hex", in_format("hex", firmware.image.flash, 0, None), image),
        "bin": Kind(".bin", in_format("bin", firmware.image.flash, 0, None), image),
        "uf2": Kind(".uf2", in_format("uf2", of_pico, pico.flash.start, pico.uf2_family), image),
        "record": Kind(".json", statement_of(record), a_record),
        "trace": Kind(".trace", trace.to_binary(), read_trace),
        "trace in JSON": Kind(".json", trace.to_json().encode(), read_trace),
        "certificate": Kind(".json", (folder / "right").read_bytes(), a_certificate),
        "project": Kind(".toml", PROJECT.encode(), lambda path: _read(path, path.parent, path.parent)),
        "board": Kind(".toml", b'inherits = "uno"\ntitle = "Mine"\n[pins]\nled = "PB5"\n', load_board_file),
        "policy": Kind(".toml", POLICY.encode(), a_policy),
        "requirements": Kind(".sdoc", REQUIREMENTS.encode(), lambda path: requirements_in(str(path))),
        "system": Kind(".toml", SYSTEM.encode(), lambda path: system_of(system_source(str(path)))),
        "packages": Kind(".toml", PACKAGES.encode(), packages),
        "run": Kind(".json", RUN, lambda path: read_run(str(path))),
        "graph": Kind(".graph", (folder / "graph").read_bytes(), a_graph),
        "graph inside": Kind(".graph", unpacked((folder / "graph").read_bytes()), lambda path: a_graph(packed(path))),
        "places": Kind(".toml", PLACES.encode(), read_places),
    }


def unpacked(content: bytes) -> bytes:
    return zlib.decompress(content[len(MAGIC) :])


def packed(path: Path) -> Path:
    path.write_bytes(MAGIC + zlib.compress(path.read_bytes()))
    return path


ODD = (b"\\ud800", b"\xff\xfe", b"\0", b"\x1b[2J", b"9" * 5000, b"-1", b"1e999", b"NaN")
DEEP = (b"[" * 20_000, b'{"":' * 20_000)
ODD_IN_TOML = (b"x = " + b"[" * 20_000, b"x = " + b"{y = " * 5_000, b"nan", b"[[a]]\n", b"\n[a.b]\n", b'"""')


def mutant(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(changed) + 1)
        match chance.randrange(6):
            case 0 | 1 if at < len(changed):
                changed[at] = changed[at] ^ 1 << chance.randrange(8)
            case 2 if at < len(changed) - 4:
                word = chance.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, chance.randrange(1 << 32)))
                changed[at : at + 4] = word.to_bytes(4, "little")
            case 3:
                del changed[at : at + chance.randrange(1, 40)]
            case 4:
                changed[at:at] = changed[chance.randrange(len(changed) + 1) :][: chance.randrange(1, 60)]
            case _:
                changed[at:at] = chance.choice((*ODD, *DEEP, *ODD_IN_TOML))
    return bytes(changed[: chance.randrange(len(changed) + 1)] if chance.random() < 0.05 else changed)


def code_of(work: Callable[[], object]) -> int:
    try:
        work()
    except OWN:
        return REFUSED
    except Exception:
        traceback.print_exc()
        return TRACEBACK
    return TAKEN


def ends_of_files(name: str, kind: Kind, count: int, seed: int, folder: Path) -> Counter[str]:
    chance, ends = random.Random(f"{name} {seed}"), Counter[str]()
    path = folder / f"file{kind.suffix}"
    path.write_bytes(kind.content)
    kind.read(path)  # the right one is taken
    for number in range(count):
        path.write_bytes(mutant(kind.content, chance))
        begin = time.process_time()
        how = {TAKEN: "taken", REFUSED: "refused"}.get(code_of(lambda: kind.read(path)), "traceback")
        how = "hang" if time.process_time() - begin > apart.SECONDS else how
        ends[how] += 1
        tell(name, seed, number, how, path)
    return ends


def ends_of_code(board: str, count: int, seed: int, folder: Path) -> Counter[str]:
    """Images of damaged code, checked in every state."""
    chance, ends = random.Random(f"{board} {seed}"), Counter[str]()
    with built(ROOT / "examples" / "mutex.lf", board) as b:
        b.check()
        images = [damaged_code(b.flash, chance) for _ in range(count)]
        each = apart.ends_of(count, lambda number: code_of(partial(check_alone, b, images[number])))
        for number, end in enumerate(each):
            how = end if isinstance(end, str) else {TAKEN: "taken", REFUSED: "refused"}.get(end, "traceback")
            ends[how] += 1
            (folder / "code").write_bytes(images[number])
            tell(f"code of {board}", seed, number, how, folder / "code")
    return ends


def damaged_code(flash: bytes, chance: random.Random) -> bytes:
    changed = bytearray(flash)
    for _ in range(chance.choice((1, 1, 4, 40))):
        at = chance.randrange(0, len(changed) - 2, 2)
        changed[at : at + 2] = chance.randrange(1 << 16).to_bytes(2, "little")
    return bytes(changed)


def check_alone(b: Built, flash: bytes) -> None:
    """What is code is found in this very image."""
    check = ImageCheck(b.search, b.image(flash), most_cycles=MOST_CYCLES)
    check.run()
    check.result()


def tell(name: str, seed: int, number: int, how: str, path: Path) -> None:
    if how in ("taken", "refused"):
        return
    print(f"{name} {seed}, number {number}: {how}", flush=True)
    if kept := os.environ.get("LF_KEEP"):
        (Path(kept) / f"{name}-{seed}-{number}{path.suffix}").write_bytes(path.read_bytes())


def chosen(all_of_them: dict[str, T], names: list[str]) -> dict[str, T]:
    return {name: one for name, one in all_of_them.items() if not names or name in names}


def main() -> None:
    from tests.records.made import RECORD

    parser, bad = add_count_and_seed(__doc__, 2000), 0
    parser.add_argument("--kind", action="append", default=[], help="these alone; for example: policy, 'code of uno'")
    options = parsed(parser)
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        there = kinds(folder, RECORD)
        if unknown := set(options.kind) - {*there, *CODE}:
            parser.error(f"no kind is {', '.join(sorted(unknown))}; there are {', '.join([*there, *CODE])}")
        for name, kind in chosen(there, options.kind).items():
            ends = ends_of_files(name, kind, options.count, options.seed, folder)
            bad += ends.total() - ends["taken"] - ends["refused"]
            print(f"{name}: {dict(ends)}", flush=True)
        for name, board in chosen(CODE, options.kind).items():
            ends = ends_of_code(board, options.count // 10, options.seed, folder)
            bad += ends.total() - ends["taken"] - ends["refused"]
            print(f"{name}: {dict(ends)}", flush=True)
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
