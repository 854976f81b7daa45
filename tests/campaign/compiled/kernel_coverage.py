"""Which branches of the kernel generated programs reach. The full quota:

    python -m tests.campaign.compiled.kernel_coverage --count 400 --seed 1

Each program is linked with a kernel whose functions are not inlined and count their branches. It runs beside the naive
evaluator under three schedulers, and its random run is followed from its record: so what is counted was also right.
Prints, for each file of the runtime, how many branches were taken, and which were not.
"""

from __future__ import annotations

import argparse
import ctypes
import tempfile
from _ctypes import dlclose
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import llvmlite.binding as llvm

from lfc.base.source import Source
from lfc.codegen.module.generated import Generated
from lfc.codegen.module.target import HOST as HERE
from lfc.codegen.program import generate as compile_machine
from lfc.run.native import initialise_llvm, target_machine
from lfc.run.running import ENTRY_POINTS, HostRun, Mode, Status
from tests.differential.stepwise import ROUNDS, Rejected, go_beside_evaluator, machine_of_source
from tests.generate.general.program import Profile, generate
from tests.runtime.branches import COUNTED_IN_TESTS, COUNTED_KERNEL, Branches
from tests.runtime.building import HOST, RUNTIME, compile_object, run
from tests.support.seeds import add_seed, parsed

MODES = {"edf": (Mode.RANDOM, Mode.ROUND_ROBIN, Mode.EARLIEST), "rr": (Mode.RANDOM, Mode.ROUND_ROBIN)}
LARGE = 16  # the size of every tenth program: more than 255 positions, or frames that lie further in than 255 bytes
STEPS = 150


class CountedKernel:
    """The kernel and the host's policies, compiled once; their counters gather in files beside the objects."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.objects = [
            compile_object("gcc", RUNTIME / "kernel/kernel.c", folder / "kernel.o", COUNTED_KERNEL),
            compile_object("gcc", RUNTIME / HOST, folder / "host.o", COUNTED_IN_TESTS),
        ]

    @contextmanager
    def linked(self, generated: Generated) -> Iterator[Mapping[str, int]]:
        """The entry points of the program; at the end its counts are added to the files."""
        initialise_llvm()
        module = llvm.parse_assembly(generated.ir)
        program, library = self.folder / "program.o", self.folder / "program.so"
        program.write_bytes(target_machine(0, relocatable=True).emit_object(module))
        objects = [str(o) for o in (program, *self.objects)]
        run(["gcc", "-shared", "--coverage", "-Wl,-Bsymbolic", *objects, "-o", str(library)])
        loaded = ctypes.CDLL(str(library))
        try:
            yield {name: ctypes.addressof(ctypes.c_char.in_dll(loaded, name)) for name in ENTRY_POINTS}
        finally:
            dlclose(loaded._handle)
            library.unlink()

    def branches(self) -> Branches:
        found = Branches()
        found.add_objects(self.objects)
        return found


def replay(generated: Generated, code: Mapping[str, int], seed: int) -> None:
    """A random run, then the same from its record: the same block after each step, up to the same end."""
    first = HostRun(generated, 0, Mode.RANDOM, seed, code)
    first.host.interrupts, first.host.rounds = 1, ROUNDS
    first.feed(bytes([48 + seed % 10]) * (seed % 7))
    items, blocks = [], []
    for _ in range(STEPS):
        status = first.step()
        if status is not Status.RAN:
            break
        items.append(first.items)
        blocks.append(first.block)
        first.host.now += seed % 3
    again = HostRun(generated, 0, Mode.FOLLOW, seed, code)
    again.host.rounds = ROUNDS
    again.follow(b"".join(items))
    for number, block in enumerate(blocks):
        status = again.step()
        assert (status, again.items) == (Status.RAN, items[number]), f"{seed}: step {number}: {status}"
        assert again.block == block, f"{seed}: step {number}: another block"
    assert again.step() is Status.FINISHED, seed


def run_one(kernel: CountedKernel, seed: int) -> list[str]:
    """How the runs ended; a difference is an AssertionError."""
    ends = []
    large = seed % 10 == 9
    text = generate(seed, Profile(size=LARGE) if large else None).text
    try:
        machine = machine_of_source(Source(f"{seed}.lf", text))
    except Rejected:
        assert large, seed  # such a program may need more than there is room for
        return ["too large"]
    scheduler = "rr" if seed % 4 == 3 else "edf"
    generated = compile_machine(machine, HERE, scheduler)
    with kernel.linked(generated) as code:
        for mode in MODES[scheduler]:
            outcome = go_beside_evaluator(HostRun(generated, 0, mode, seed, code), mode, seed, STEPS)
            assert outcome.difference is None, f"{seed}: {mode.name}: {outcome.difference}"
            ends.append(outcome.status.name)
        replay(generated, code, seed)
    return ends


def campaign(seed: int, count: int, folder: Path) -> tuple[Branches, Counter[str]]:
    kernel = CountedKernel(folder)
    ends: Counter[str] = Counter()
    for number in range(count):
        ends.update(run_one(kernel, seed * 1_000_000 + number))
    return kernel.branches(), ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    add_seed(parser)
    options = parsed(parser)
    with tempfile.TemporaryDirectory(prefix="lf-coverage-") as folder:
        branches, ends = campaign(options.seed, options.count, Path(folder))
    print(branches.report())
    print(f"{options.count} programs from seed {options.seed}; runs: {dict(ends.most_common())}")


if __name__ == "__main__":
    main()
