"""Symmetry: how few states are left where instances and channels can be exchanged; ways go as the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.checker.scaling import clients_and_servers, hanoi, readers_and_writers
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.searching import search_with


def states(text: str, **limits: object) -> int:
    chosen = request_from(keep_going=True).changed(**limits)
    search = search_with(machine_of_source(Source("Program.lf", text)), chosen)
    assert search.run() is Stop.COMPLETE
    found: int = search.statistics.states
    search.close()
    return found


@pytest.mark.parametrize(("poles", "full", "kept"), [(4, 256, 51), (5, 625, 52), (6, 1296, 52), (7, 2401, 52)])
def test_poles_are_all_the_same(poles: int, full: int, kept: int) -> None:
    """Published: 51, 52, 52, 52 of 256 to 2,401. Here there are the states in which the poles are made, one by one."""
    made = 2 * poles + 1
    assert states(hanoi(poles)) == full + made
    assert states(hanoi(poles), reductions=("sym",)) == kept + made


@pytest.mark.parametrize(("count", "kept"), [(10, 28), (50, 128), (254, 638)])
def test_readers_and_writers_are_counted_only(count: int, kept: int) -> None:
    assert states(readers_and_writers(count), reductions=("sym",)) == kept == count * 5 // 2 + 3
    assert states(readers_and_writers(count), reductions=("sym",), threads=2, least_shared=1) == kept


def test_clients_and_servers_with_references() -> None:
    """Published: 63 to 27, 918 to 108."""
    full, kept = states(clients_and_servers(2)), states(clients_and_servers(2), reductions=("sym",))
    assert (full, kept) == (823, 132) and full * 27 > kept * 63
    full, kept = states(clients_and_servers(3)), states(clients_and_servers(3), reductions=("sym",))
    assert (full, kept) == (116_679, 1003) and full * 108 > kept * 918
    assert states(clients_and_servers(4), reductions=("sym",)) == 6162


ORDER = """MODULE Order;
TYPE Ch = [n];
VAR left : UINT8;
PROCESS P(kind : UINT8) MAX 2;
PORT own : Ch;
BEGIN
  NEW(own);
  RESCHEDULE;
  LOOP SELECT WHEN own?n THEN left := kind END END
END P;
PROCESS First; BEGIN CREATE P(1) END First;
PROCESS Second; BEGIN CREATE P(2) END Second;
BEGIN
  CREATE First; CREATE Second
END Order.
"""


def test_the_order_of_creation_does_not_matter() -> None:
    """Each kind of `P`: not there, at its start, with a channel, waiting; and the state before the initialisation."""
    assert states(ORDER) == 34
    assert states(ORDER, reductions=("sym",)) == 4 * 4 + 1


COMPUTED = """MODULE Computed;
VAR i, sum : UINT8;
PROCESS P(me : UINT8);
BEGIN
  RESCHEDULE;
  sum := sum * 3 + me
END P;
BEGIN
  FOR i := 1 TO 3 DO CREATE P(i) END
END Computed.
"""


def test_numbers_are_never_exchanged() -> None:
    """Slots are, but who has which number is not forgotten."""
    assert states(COMPUTED, reductions=("sym",)) == states(COMPUTED)


PAIRS = """MODULE Pairs;
TYPE Line = [ask, done]; Pool = [free(Line)];
PORT pool : Pool;
VAR i, asked : UINT8;

PROCESS Server SERVER;
PORT mine : Line MAX 3;
BEGIN
  NEW(mine);
  LOOP pool!free(mine); mine?ask; INC(asked); ASSERT(asked < 4); mine?done END
END Server;

PROCESS Client;
PORT server : Line;
BEGIN
  LOOP pool?free(server); server!ask; server!done END
END Client;

BEGIN
  NEW(pool);
  FOR i := 1 TO 3 DO CREATE Server; CREATE Client END
END Pairs.
"""


def test_a_way_goes_as_the_program_does(tmp_path: Path) -> None:
    (tmp_path / "Pairs.lf").write_text(PAIRS)
    for reductions in ("none", "sym", "all"):
        found = lfc("check", "Pairs.lf", "--reductions", reductions, "--trace", "way.json", cwd=tmp_path)
        assert found.exit == 4, found.out
        run = lfc("run", "Pairs.lf", "--schedule", "way.json", cwd=tmp_path)
        assert run.exit == 4 and "ASSERT(asked < 4)" in run.out + run.err


def test_the_shortest_way_stays_the_shortest() -> None:
    machine = machine_of_source(Source("Pairs.lf", PAIRS))
    lengths = {len(check(machine, request_from(reductions=r, threads=1)).findings[0].steps) for r in ((), ("sym",))}
    assert len(lengths) == 1


def test_who_is_stuck_is_found_in_the_program() -> None:
    text = PAIRS.replace("INC(asked); ASSERT(asked < 4)", "IF asked < 2 THEN INC(asked) ELSE LOOP RESCHEDULE END END")
    text = text.replace("1 TO 3", "1 TO 2")
    machine = machine_of_source(Source("Pairs.lf", text))
    full = check(machine, request_from(threads=1))
    kept = check(machine, request_from(reductions=("sym",), threads=1))
    assert full.verdict == kept.verdict == "partial-deadlock"
    assert len(full.findings[0].waiting) == len(kept.findings[0].waiting)
    assert kept.states * 3 < full.states


def test_what_it_cannot_do_it_says() -> None:
    machine = machine_of_source(Source("Pairs.lf", PAIRS))
    found = check(machine, request_from(reductions=("sym",), strategy="depth"))
    assert found.reductions[0].why_not == "symmetry needs a breadth-first search"
    alone = machine_of_source(Source("Alone.lf", "MODULE Alone;\nBEGIN RESCHEDULE END Alone.\n"))
    found = check(alone, request_from(reductions=("sym",)))
    assert found.reductions[0].why_not.startswith("no process has two instances")
