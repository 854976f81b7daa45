"""Single passes of an image, one by one and from whole memory: in simavr, and on the core without its watches."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from lfc.doctor.probe import require_tool
from lfc.isa.library import CORES
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.check_image import shares_of
from lfc.mcheck.image.cortexm import CortexmProcessor
from lfc.mcheck.image.riscv import RiscvProcessor
from lfc.mcheck.model.description import Numbers
from tests.mcheck.image.images import Built

HERE = Path(__file__).resolve().parent
MOST_ORDERS = 4


@dataclass(frozen=True, slots=True)
class Done:
    cycles: int | None  # None: it did not come back
    memory: str  # digest of policy block and state block
    devices: str


def compile_runner(folder: Path) -> Path:
    require_tool("simavr/sim_avr.h")
    made = folder / "passes"
    include = ["-I", str(CORES), "-I", "/usr/include/simavr"]
    sources = [str(HERE / "avr" / "passes.c"), str(CORES / "avr.c")]
    subprocess.run(["gcc", "-O2", "-Wall", *include, *sources, "-o", str(made), "-lsimavr"], check=True)
    return made


def compile_thumb_runner(folder: Path) -> Path:
    """Of the core alone, without another simulator."""
    made = folder / "passes-thumb"
    core = [str(f) for f in sorted(CORES.glob("thumb*.c"))]
    sources = [str(HERE / "thumb" / "passes.c"), *core]
    subprocess.run(["gcc", "-O2", "-Wall", "-I", str(CORES), *sources, "-o", str(made)], check=True)
    return made


def compile_riscv_runner(folder: Path) -> Path:
    made = folder / "passes-riscv"
    core = [str(f) for f in sorted(CORES.glob("riscv*.c"))]
    sources = ["-DOF_RISCV", str(HERE / "thumb" / "passes.c"), *core]
    subprocess.run(["gcc", "-O2", "-Wall", "-I", str(CORES), *sources, "-o", str(made)], check=True)
    return made


def run_passes(runner: Path, where: str, b: Built, flash: bytes, memories: list[dict[int, bytes]]) -> list[Done]:
    """`where`: simavr, core. Each pass begins with the memory after the start-up, but for the bytes given."""
    assert b.first is not None
    data, stack, stop = b.first.start()
    processor = b.first.processor
    low = processor.index("lf_memory")
    high = low + b.firmware.generated.policies.size + b.machine.block_size
    step = processor.word("lf_step")
    lines = "\n".join(" ".join(f"{at} {piece.hex()}" for at, piece in m.items()) for m in memories)
    with tempfile.TemporaryDirectory() as folder:
        code, ram = Path(folder) / "flash", Path(folder) / "ram"
        code.write_bytes(flash)
        ram.write_bytes(data)
        if isinstance(processor, CortexmProcessor | RiscvProcessor):
            places = b.first.places
            arguments = [processor.core, code, b.board.flash.start, step, stop, stack, ram, low, high]
            arguments += [places.place.index(Place.STATUS), processor.console()["ready"]]
            arguments += [number for start, size, _ in places.regions[:-1] for number in (start, size)]
        else:
            arguments = [where, b.board.cpu.chip, code, step, stop, stack - 1, ram, low, high]
        done = subprocess.run(
            [str(runner), *map(str, arguments)], input=lines + "\n", capture_output=True, text=True, check=True
        )
    found = []
    for line in done.stdout.splitlines():
        cycles, memory, count, devices = line.split()
        found.append(Done(None if cycles == "-" else int(cycles), memory, f"{count} {devices}"))
    assert len(found) == len(memories)
    return found


def memory_of(
    b: Built, block: bytes, cursor: int, order: tuple[int, ...] = (), sleepers: bytes = b""
) -> dict[int, bytes]:
    policies = b.firmware.generated.policies
    assert b.first is not None
    low = b.first.processor.index("lf_memory")
    policy = bytearray(policies.size)
    policy[policies.cursor_at] = cursor
    if policies.arrivals_room:
        policy[policies.arrivals_at : policies.arrivals_at + 1 + len(order)] = bytes([len(order), *order])
    if sleepers:
        policy[policies.sleepers_at : policies.sleepers_at + len(sleepers)] = sleepers
    return {low: bytes(policy), low + policies.size: block}


def all_memories(b: Built) -> Iterator[dict[int, bytes]]:
    """Of every reached state, with every cursor and every order of arrival (of more than four, two orders)."""
    machine, policies = b.machine, b.firmware.generated.policies
    assert not policies.sleepers_room and not machine.layout.interrupts
    shares, numbers = shares_of(machine), Numbers(machine)
    first = int(not machine.bodies[0].can_wait and machine.slots > 1)
    initial = b.search.model.initial
    for block in b.search.all_blocks():
        waiting = []
        for slot in range(machine.slots):
            position = machine.position_at(block, slot)
            if position is not None and shares[numbers.of[id(position)]]:
                waiting.append(slot)
        orders = (
            list(permutations(waiting)) if len(waiting) <= MOST_ORDERS else [tuple(waiting), tuple(reversed(waiting))]
        )
        for order in orders:
            for cursor in [0xFF] if block == initial else range(first, machine.slots):
                yield memory_of(b, block, cursor, order)
