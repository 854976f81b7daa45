"""What a trace costs, measured: bytes on the line and cycles of an action, on the uno; and that it is another image."""

from __future__ import annotations

import json
from pathlib import Path

from lfc.base.source import Source
from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.hil.conform import Conduct, conform
from lfc.hil.host_side import HostSide
from lfc.image.firmware import build_firmware
from lfc.link.tracing import SHORTEST_FRAME, trace_cost
from tests.boards.conftest import BuildC
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import session_with, traced

STEPS = 100
PROGRAM = f"""MODULE Steps;
VAR i : INTEGER;
BEGIN
  FOR i := 1 TO {STEPS} DO RESCHEDULE END
END Steps.
"""
CRC = """
typedef unsigned char lf_byte;
#define LF_APART __attribute__((noinline))
%s
static uint8_t block[256];
static volatile uint16_t size;
void lf_main(void)
{
    size = lf_crc_of(block, size);
    lf_port_halt();
}
"""


def test_the_shortest_frame() -> None:
    """Of `run` and `digest`; some have a byte more or less of console text, wants and the like: none here."""
    machine = machine_of_source(Source("Steps.lf", PROGRAM))
    firmware, host = traced("uno", machine), HostSide(machine, "rr")
    with session_with("uno", "simavr", machine, firmware.image.elf) as session:
        before = session.bytes
        result = conform(session, host, firmware.generated.sites, Conduct())
        each = (session.bytes - before) / result.steps
    assert (result.verdict, result.steps) == ("agrees", STEPS + 1)
    assert SHORTEST_FRAME <= each <= SHORTEST_FRAME + 1


def test_the_cycles_of_the_digest(uno: Board, build_c: BuildC) -> None:
    frames = (ROOT / "runtime" / "policies" / "frames.h").read_text()
    crc = frames[frames.index("static uint16_t lf_crc(") : frames.index("/* --- to the host")]
    cycles = []
    for size in (1, 201):
        source = (CRC % crc).replace("static volatile uint16_t size", f"static volatile uint16_t size = {size}")
        outcome = run_in_simavr(uno, build_c(source).elf, seconds=1)
        assert outcome.end == "halted" and outcome.cycles is not None
        cycles.append(outcome.cycles)
    said = trace_cost(uno, 200).digest_cycles
    assert 0.8 * said <= cycles[1] - cycles[0] <= said


def test_a_traced_image_is_another_one(uno: Board, tmp_path: Path) -> None:
    machine = machine_of_source(Source("Steps.lf", PROGRAM))
    assert build_firmware(uno, machine).digest != build_firmware(uno, machine, trace=True).digest
    program = str(ROOT / "examples" / "prodcons.lf")
    done = lfc("build", "--trace", program, "-b", "uno", cwd=tmp_path)
    assert done.exit == 0 and (tmp_path / "prodcons.traced.elf").exists()
    assert "an action without a partner sends 11 bytes, 15277 cycles on the line" in done.err
    assert "the image differs from the untraced one" in done.err
    told = [lfc("build", *trace, program, "-b", "uno", "--json", cwd=tmp_path).out for trace in ([], ["--trace"])]
    plain, with_trace = (json.loads(text) for text in told)
    assert (plain["traced"], with_trace["traced"]) == (False, True) and plain["image"] != with_trace["image"]


def test_a_traced_image_needs_a_board(tmp_path: Path) -> None:
    done = lfc("build", "--trace", str(ROOT / "examples" / "prodcons.lf"), cwd=tmp_path)
    assert done.exit == 2 and "--trace is for boards" in done.err
