"""Interrupts, time and register writes of a traced board: the host follows them, and a replay does without them."""

from __future__ import annotations

from lfc.base.source import Source
from lfc.hil.conform import Conduct, conform
from lfc.hil.follow import replay
from lfc.hil.host_side import HostSide
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import session_with, traced

# Timer 0 overflows, while others sleep.
PROGRAM = """MODULE Beats;
IMPORT SYSTEM, Clock, Out;
CONST TIMSK0 = 6EH; TCCR0B = 45H;
VAR n, m : INTEGER;

PROCESS Beat;
BEGIN
  PORTOUT(TCCR0B, 4); PORTOUT(TIMSK0, 1);
  WHILE n < 4 DO
    SYSTEM.INT[16]?INTERRUPT;
    INC(n);
    IF ODD(n) THEN Clock.Sleep(20) END
  END;
  PORTOUT(TIMSK0, 0);
  Out.Int(n)
END Beat;

PROCESS Other;
BEGIN
  WHILE m < 5 DO Clock.Sleep(3); INC(m) END
END Other;

BEGIN CREATE Beat; CREATE Other END Beats.
"""


def test_interrupts_of_a_timer() -> None:
    machine = machine_of_source(Source("Beats.lf", PROGRAM))
    firmware, host = traced("uno", machine), HostSide(machine, "rr")
    with session_with("uno", "simavr", machine, firmware.image.elf) as session:
        result = conform(session, host, firmware.generated.sites, Conduct(2000, 30), keep=True)
    assert (result.verdict, result.end) == ("agrees", "ended"), (result.reason, result.difference)
    items = [item for step in result.trace for item in step]
    takers = [i.operands[1] for i in items if i.name == "interrupt"]
    assert len(takers) >= 4
    assert sum(i.name == "wake" for i in items) >= 7 and sum(i.name == "out" for i in items) >= 3
    again = HostSide(machine, "rr")
    with session_with("uno", "simavr", machine, firmware.image.elf) as session:
        followed = replay(session, again, firmware.generated.sites, result.trace)
    assert (followed.verdict, followed.steps) == ("followed", result.steps), (followed.reason, followed.difference)
    assert again.block == host.block
