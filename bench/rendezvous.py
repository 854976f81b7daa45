"""What a rendezvous costs on the host: two processes in a ping-pong, at full optimisation.

    python -m bench.rendezvous

A round trip is two rendezvous of one-byte messages; each is four actions' worth of kernel: attempt, wait, meet, resume.
"""

from __future__ import annotations

import time

from bench.machine import machine_name
from lfc.base.source import Source
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode, Status

PINGPONG = """MODULE PingPong;
TYPE Ball = [ball(UINT8)];
PORT there, back : Ball;
VAR rounds : UINT32;

PROCESS Ping;
VAR n : UINT8;
BEGIN
  LOOP there!ball(n); back?ball(n); INC(rounds) END
END Ping;

PROCESS Pong;
VAR n : UINT8;
BEGIN
  LOOP there?ball(n); INC(n); back!ball(n) END
END Pong;

BEGIN
  NEW(there); NEW(back); CREATE Ping; CREATE Pong
END PingPong.
"""
STEPS = 3_000_000
REPEATS = 5


def nanoseconds(mode: Mode = Mode.ROUND_ROBIN) -> float:
    """The best of several runs, for each rendezvous."""
    from lfc.actions.build import build_machine

    diagnostics = Diagnostics()
    program = check_source(Source("PingPong.lf", PINGPONG), diagnostics)
    assert program is not None and not diagnostics.has_errors
    machine = build_machine(program, diagnostics)
    run = HostRun(generate(machine, host_target(), "edf" if mode is Mode.EARLIEST else "rr"), 3, mode)
    offset = next(o for v, o in machine.layout.variables.items() if v.name == "rounds")
    best = float("inf")
    for _ in range(REPEATS):
        before = int.from_bytes(run.block[offset : offset + 4], "little")
        start = time.perf_counter()
        done, status = run.run(STEPS)
        seconds = time.perf_counter() - start
        assert (done, status) == (STEPS, Status.RAN)
        rounds = int.from_bytes(run.block[offset : offset + 4], "little") - before
        best = min(best, seconds / (2 * rounds) * 1e9)
    return best


def main() -> None:
    print(machine_name())
    for name, mode in (("round-robin", Mode.ROUND_ROBIN), ("earliest deadline first", Mode.EARLIEST)):
        print(f"{name}: {nanoseconds(mode):.1f} ns a rendezvous")


if __name__ == "__main__":
    main()
