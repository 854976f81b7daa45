"""Ten problems of data under this checker, CBMC (bounded, in C) and SPIN (values enumerated); writes a table.

    python -m bench.checker.beside_cbmc [--cbmc PROGRAM] [--only NAME] [--write FILE]

docs/contributing/measurements/data.md is such a file. CBMC (https://www.cprover.org) is not among the tests' tools:
where it is not found its column is empty.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

from bench.checker.measured import environment, run_measured
from bench.machine import machine_name

DATA = Path(__file__).parent / "data"
SECONDS, MEGABYTES = 10, 3000
LIMITED = ("prlimit", f"--cpu={SECONDS}")  # processor seconds
# By problem: what it is, and the bound for CBMC (rounds of the outer loop), or several.
PROBLEMS = {
    "thermostat": ("thermostat, samples of 16 bits", (50,)),
    "modbus": ("Modbus frame behind a CRC-16, register that is not there", (1,)),
    "average8": ("moving average over 8 samples of 10 bits", (20,)),
    "average50": ("moving average over 50 samples of 10 bits", (60,)),
    "overflow8": ("overflow of a counter at depth 256", (50, 300)),
    "overflow16": ("overflow of a counter at depth 65,536", (50, 70_000)),
    "latch": ("latch that depends on an order", (50,)),
    "ordered": ("two counters of 32 bits, a <= b", (50,)),
    "gauge": ("battery gauge, 32 bits: what is left and what was drawn", (50,)),
    "regulator": ("PI regulator with saturation", (20,)),
}
INNER = 10  # rounds of loops within a round
Cells = tuple[str, str]  # what it says, and seconds


def search(file: str) -> dict[str, object]:
    """In a process of its own: from the machine to the verdict."""
    import time

    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end.load import load_program
    from lfc.mcheck.check import check
    from lfc.mcheck.request.request import request_from

    diagnostics = Diagnostics()
    program = load_program(file, diagnostics, path=(), environments=())
    if program is None or diagnostics.has_errors:
        raise ValueError(f"{file} has errors")
    machine = build_machine(program, diagnostics)
    begin = time.process_time()
    result = check(machine, request_from(data="symbolic", reductions=("auto",)))
    seconds = time.process_time() - begin
    steps = [len(f.steps) for f in result.findings]
    wide = result.symbolic is not None and bool(result.symbolic.wide)
    rounds = [f.rounds for f in result.findings if f.rounds]
    return {"verdict": result.verdict, "wide": wide, "steps": steps, "rounds": rounds, "seconds": seconds}


def ours(name: str) -> Cells:
    command = [sys.executable, "-m", "bench.checker.beside_cbmc", "--search", str(DATA / f"{name}.lf")]
    ran = run_measured(command, Path(__file__).parents[2], environment())
    found = json.loads(ran.output.strip().splitlines()[-1])
    seconds = f"{found['seconds']:.2f}"
    if found["verdict"] == "holds":
        return ("holds, for all runs" + (" (by induction)" if found["wide"] else ""), seconds)
    if found["steps"]:
        rounds = f", {found['rounds'][0].split(' are ')[-1]}" if found["rounds"] else ""
        return (f"{found['verdict']}, replayed in {found['steps'][0]} steps{rounds}", seconds)
    return (str(found["verdict"]), seconds)


def cbmc(program: str, name: str, bound: int) -> Cells:
    command = [program, f"{name}.c", "--unwind", str(INNER), "--unwindset", f"main.0:{bound}", "--bounds-check"]
    command += ["--signed-overflow-check", "--unsigned-overflow-check", "--no-unwinding-assertions", "--slice-formula"]
    ran = run_measured([*LIMITED, *command], DATA, fails=True)
    if "VERIFICATION SUCCESSFUL" in ran.output:
        return (f"no error within {bound:,} rounds", f"{ran.processor_seconds:.2f}")
    if "VERIFICATION FAILED" in ran.output:
        return (f"error (bound {bound:,})", f"{ran.processor_seconds:.2f}")
    return (f"no answer (bound {bound:,})", f"{ran.processor_seconds:.0f}")


def spin(name: str) -> Cells:
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        run_measured(["spin", "-a", str(DATA / f"{name}.pml")], folder)
        flags = ["-O2", "-w", "-DSAFETY", "-DNOFAIR", f"-DMEMLIM={MEGABYTES}"]
        run_measured(["gcc", *flags, "-o", "pan", "pan.c"], folder)
        ran = run_measured([*LIMITED, "./pan", "-m20000000", "-w24"], folder, fails=True)
    seconds = f"{ran.processor_seconds:.2f}"
    errors = re.search(r"errors: (\d+)", ran.output)
    stored = re.search(r"([\d.e+]+) states, stored", ran.output)
    states = f"{float(stored.group(1)):,.0f} states" if stored else ""
    if errors is None or "Search not completed" in ran.output and errors.group(1) == "0":
        return (f"no answer{', ' + states if states else ''}", f"{ran.processor_seconds:.0f}")
    return (f"{'error' if errors.group(1) != '0' else 'holds'}, {states}", seconds)


def row(name: str, program: str | None) -> list[str]:
    title, bounds = PROBLEMS[name]
    own, other = ours(name), spin(name) if shutil.which("spin") else ("", "")
    bounded = [cbmc(program, name, b) for b in bounds] if program else [("", "")]
    said, took = ("<br>".join(parts) for parts in zip(*bounded, strict=True))
    return [title, own[0], own[1], said, took, other[0], other[1]]


def heading() -> list[str]:
    return [
        "# Measurements of undetermined data",
        "",
        f"`python -m bench.checker.beside_cbmc`, {date.today():%d %B %Y}, {machine_name()}.",
        "Processor seconds, of one run: ours from the machine to the verdict, CBMC (6.3.1, MiniSat) its whole run,",
        f"SPIN (6.5.2) without translation and compilation. CBMC and SPIN were stopped after {SECONDS} s of the",
        f"processor, SPIN also at {MEGABYTES} MB. CBMC looks at as many rounds as it is told (its bound), and says",
        "nothing of later ones.",
        "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cbmc", default=shutil.which("cbmc"))
    parser.add_argument("--only")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--search", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:
        print(json.dumps(search(options.search)))
        return
    lines = [*heading(), "| problem | lfc | s | CBMC | s | SPIN | s |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for name in PROBLEMS:
        if options.only in (None, name):
            lines.append(f"| {' | '.join(row(name, options.cbmc))} |")
            print(lines[-1], flush=True)
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
