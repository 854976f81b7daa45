"""Programs composed with environments: the engine, the compiled actions and the naive explorer see the same states."""

from __future__ import annotations

import re

import pytest

from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.running import HostRun
from tests.differential.stepwise import ROUNDS
from tests.generate.environments import generate_environment
from tests.generate.general.program import Profile
from tests.generate.general.program import generate as generate_program
from tests.mcheck.state_graph import explore
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions, Exploration, is_server
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State
from tests.support.compositions import composed
from tests.support.polling import DEVICE, PROGRAM


def compare(text: str, environment: str, most_states: int = 3000) -> Exploration | None:
    """All three explorers; what the naive one found, None if there are too many states."""
    machine = composed(text, environment)
    start = State.initial(machine.program, bounds_of(machine), with_environment=True)
    naive = explore_naively(machine.program, Conventions(most_states=most_states, rounds=ROUNDS), start)
    if not naive.complete:
        return None
    blocks = {encode(s, machine) for s in naive.states}
    wanted = (len(blocks), len(naive.transitions), len(naive.faults) + len(naive.assertions), len(naive.ends))
    if not any(
        type(c.event).__name__ in ("Sleep", "AfterEvent")
        for b in machine.composed_bodies
        for p in b.points
        for c in p.clauses
    ):
        run = HostRun(generate(machine, HOST), 1)
        run.host.rounds = ROUNDS
        found = explore(run)
        assert set(found.states) == blocks
        assert (len(found.states), found.transitions, len(found.faults), len(found.ended)) == wanted
    for remember in (True, False):
        search = Search(machine, request_from(keep_going=True, remember=remember, rounds=ROUNDS))
        assert search.run() is Stop.COMPLETE
        assert set(search.all_blocks()) == blocks
        s = search.statistics
        assert (s.states, s.transitions, s.faults, s.ends) == wanted
        assert s.deadlocks == len(naive.deadlocks)
        stuck = [n for n, slots in naive.stuck.items() if any(not is_server(naive.states[n], slot) for slot in slots)]
        assert (search.find_stuck() is None) == (not stuck)
        search.close()
    return naive


POLL = PROGRAM.format(name="Main", status="40H", data="41H")
REGISTERS = DEVICE.format(name="Device", program="Main")


def test_the_program_of_the_reference() -> None:
    found = compare(POLL, REGISTERS)
    assert found is not None and found.kinds == set()


def test_its_device_is_not_always_ready() -> None:
    found = compare(POLL.replace("UNTIL status = 1", "UNTIL status < 2"), REGISTERS)
    assert found is not None and found.kinds == {"assertion"}


def env(body: str, declarations: str = "") -> str:
    return f"ENVIRONMENT MODULE Env; IMPORT SYSTEM, Main; {declarations} BEGIN {body} END Env."


def main(body: str, declarations: str = "") -> str:
    return f"MODULE Main; IMPORT SYSTEM; {declarations} BEGIN {body} END Main."


ECHO = "PROCESS Echo; BEGIN LOOP SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.IOPORT!VALUE(5) END END Echo;"

PORTS = """TYPE L* = [m]; PORT p*, q*, r* : L;
PROCESS Look*(VAR there : BOOLEAN); BEGIN there := p # r END Look;
PROCESS Put; BEGIN p!m END Put; PROCESS Get; BEGIN p?m END Get;"""
EARLY = "VAR v : UINT32; PROCESS W SERVER; BEGIN LOOP SYSTEM.IOPORT?PORTOUT(8, 1, v); (* then *) END END W;"


@pytest.mark.parametrize(
    ("text", "environment", "kinds"),
    [
        (main("x := PORTIN(1)", "VAR x : UINT8;"), env("CREATE Echo", ECHO), set()),
        (main("x := PORTIN(2)", "VAR x : UINT8;"), env("CREATE Echo", ECHO), {"fault"}),  # nobody waits for it
        (main("x := PORTIN(1)", "VAR x : UINT8;"), env("", ""), {"fault"}),
        (  # no value is given
            main("x := PORTIN(1)", "VAR x : UINT8;"),
            env("CREATE Mute", "PROCESS Mute; BEGIN SYSTEM.IOPORT?PORTIN(8, 1) END Mute;"),
            {"fault"},
        ),
        (  # it does not fit
            main("x := PORTIN(1)", "VAR x : UINT8;"),
            env("CREATE W", "PROCESS W; BEGIN SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.IOPORT!VALUE(256) END W;"),
            {"fault"},
        ),
        (  # nobody has asked
            main("PORTOUT(1, 2)"),
            env(
                "CREATE W",
                "VAR v : UINT32; PROCESS W; BEGIN SYSTEM.IOPORT?PORTOUT(8, 1, v); SYSTEM.IOPORT!VALUE(2) END W;",
            ),
            {"fault"},
        ),
        (  # a register at a fixed address, and two devices that may answer
            main("r := r + 1; ASSERT(x < 2); x := r", "VAR r AT 20H : UINT8; x : UINT8;"),
            env(
                "FOR i := 1 TO 2 DO CREATE W(i) END",
                "VAR i : INTEGER; seen : UINT32; PROCESS W(n : INTEGER);\n"
                "BEGIN LOOP SELECT WHEN SYSTEM.IOPORT?PORTIN(8, 20H) THEN SYSTEM.IOPORT!VALUE(UINT32(n))\n"
                "WHEN SYSTEM.IOPORT?PORTOUT(8, 20H, seen) & (seen < 3) THEN RESCHEDULE END END END W;",
            ),
            {"fault"},  # each rests at its RESCHEDULE when the program reads again, and runs on; nobody takes a 3
        ),
        (  # an interrupt raised by a timer, and one that nobody waits for
            main("LOOP SYSTEM.INT[3]?INTERRUPT; INC(n); IF n > 3 THEN n := 0 END END", "VAR n : UINT8;"),
            env(
                "CREATE Timer",
                "PROCESS Timer; BEGIN LOOP RESCHEDULE; SYSTEM.INT[3]!INTERRUPT; SYSTEM.INT[4]!INTERRUPT END END Timer;",
            ),
            set(),
        ),
        (  # with an environment an interrupt is nothing that comes by itself
            main("SYSTEM.INT[3]?INTERRUPT"),
            env("CREATE Echo", ECHO),
            {"deadlock"},
        ),
        (  # the answer raises an interrupt on its way, which a waiting process of the program takes
            main(
                "CREATE Handler; RESCHEDULE; PORTOUT(7, 1); RESCHEDULE; ASSERT(n < 2); PORTOUT(7, 1)",
                "VAR n : UINT8; PROCESS Handler SERVER; BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; INC(n) END END Handler;",
            ),
            env(
                "CREATE Kick",
                "VAR v : UINT32; PROCESS Kick; BEGIN LOOP SYSTEM.IOPORT?PORTOUT(8, 7, v); SYSTEM.INT[1]!INTERRUPT END\n"
                "END Kick;",
            ),
            set(),  # it runs on after its interrupt, and waits for the second access
        ),
        (  # a driver's device: it raises an interrupt, and then answers; two of them, in either order
            main(
                "LOOP SYSTEM.INT[1]?INTERRUPT; x := PORTIN(7); y := PORTIN(8); ASSERT(x + y < 6) END",
                "VAR x, y : UINT8;",
            ),
            env(
                "CREATE One; CREATE Two",
                "VAR i : UINT32;\n"
                "PROCESS One; BEGIN LOOP SYSTEM.INT[1]!INTERRUPT; SYSTEM.IOPORT?PORTIN(8, 7); i := (i + 1) MOD 3;\n"
                "SYSTEM.IOPORT!VALUE(i) END END One;\n"
                "PROCESS Two; BEGIN LOOP SYSTEM.INT[1]!INTERRUPT; SYSTEM.IOPORT?PORTIN(8, 8); i := (i + 1) MOD 4;\n"
                "SYSTEM.IOPORT!VALUE(i) END END Two;",
            ),
            set(),
        ),
        (  # it only ever raises interrupts: it can go on for ever, and never answers
            main("x := PORTIN(7)", "VAR x : UINT8;"),
            env(
                "CREATE Busy",
                "PROCESS Busy; BEGIN LOOP SELECT WHEN SYSTEM.INT[1]!INTERRUPT THEN\n"
                "WHEN SYSTEM.IOPORT?PORTIN(8, 7) THEN SYSTEM.IOPORT!VALUE(1) END END END Busy;",
            ),
            {"fault"},
        ),
        (  # it is ready, but what it does first is to answer whom nobody has asked
            main("x := PORTIN(7)", "VAR x : UINT8;"),
            env(
                "CREATE Early",
                "PROCESS Early; BEGIN RESCHEDULE; SYSTEM.IOPORT!VALUE(1); SYSTEM.IOPORT?PORTIN(8, 7);\n"
                "SYSTEM.IOPORT!VALUE(1) END Early;",
            ),
            {"fault"},
        ),
        (  # what has no receive of an access does not run on: `Ticks` could go on for ever
            main("x := PORTIN(7)", "VAR x : UINT8;"),
            env(
                "CREATE Ticks; CREATE Late",
                "PROCESS Ticks; BEGIN LOOP RESCHEDULE END END Ticks;\n"
                "PROCESS Late; BEGIN CHOICE RESCHEDULE | RESCHEDULE; RESCHEDULE END; SYSTEM.IOPORT?PORTIN(8, 7);\n"
                "SYSTEM.IOPORT!VALUE(1) END Late;",
            ),
            set(),
        ),
        (  # an access of the environment itself finds nobody who would run on for it
            main("x := PORTIN(7)", "VAR x : UINT8;"),
            env(
                "CREATE Inner; CREATE Outer",
                "VAR y : UINT8;\n"
                "PROCESS Inner; BEGIN LOOP RESCHEDULE; SYSTEM.IOPORT?PORTIN(8, 8); SYSTEM.IOPORT!VALUE(1) END\n"
                "END Inner;\n"
                "PROCESS Outer; BEGIN SYSTEM.IOPORT?PORTIN(8, 7); y := PORTIN(8); SYSTEM.IOPORT!VALUE(1) END Outer;",
            ),
            {"fault"},
        ),
        (  # a device and the world around it talk over a channel of their own; each side has its channels
            main(
                "NEW(p); CREATE P; LOOP p?m; x := PORTIN(1) END",
                "TYPE C = [m]; PORT p : C; VAR x : UINT8; PROCESS P; BEGIN LOOP p!m END END P;",
            ),
            env(
                "NEW(q); CREATE Dev; CREATE World",
                "TYPE C = [v(UINT32)]; PORT q : C; VAR held : UINT32;\n"
                "PROCESS Dev; BEGIN LOOP SELECT WHEN SYSTEM.IOPORT?PORTIN(8, 1) THEN SYSTEM.IOPORT!VALUE(held)\n"
                "WHEN q?v(held) THEN END END END Dev;\n"
                "PROCESS World; VAR n : UINT32; BEGIN LOOP q!v(n); n := (n + 1) MOD 3 END END World;",
            ),
            set(),  # the device may have taken a value and not wait yet: then it runs on
        ),
        (  # a SELECT that raises an interrupt or talks
            main(
                "NEW(p); CREATE T; LOOP SELECT WHEN SYSTEM.INT[2]?INTERRUPT THEN INC(n); n := n MOD 4 WHEN p?m THEN\n"
                "END END",
                "TYPE C* = [m]; PORT p* : C; VAR n : UINT8; PROCESS T; BEGIN RESCHEDULE END T;",
            ),
            env(
                "CREATE Either",
                "PROCESS Either; BEGIN RESCHEDULE; LOOP SELECT WHEN SYSTEM.INT[2]!INTERRUPT THEN WHEN Main.p?m THEN\n"
                "END; Main.p!m END END Either;",
            ),
            set(),
        ),
        (  # it sends on a port of the program's that is made after the first access
            main("PORTOUT(1, 2); NEW(p); CREATE Get", PORTS),
            env("CREATE W", EARLY.replace("(* then *)", "Main.p!m")),
            {"fault"},
        ),
        (  # it was made before
            main("NEW(p); PORTOUT(1, 2); CREATE Get", PORTS),
            env("CREATE W", EARLY.replace("(* then *)", "Main.p!m")),
            set(),
        ),
        (  # both ports are unset when it has them compared
            main("NEW(q); PORTOUT(1, 2); NEW(p); CREATE Get; CREATE Put; CREATE Get; CREATE Put", PORTS),
            env("CREATE W", "VAR made : BOOLEAN;" + EARLY.replace("(* then *)", "Main.Look(made)")),
            set(),
        ),
        (  # both ports are unset when it compares them
            main("NEW(q); PORTOUT(1, 2); NEW(p); CREATE Get; CREATE Put; CREATE Get; CREATE Put", PORTS),
            env("CREATE W", "VAR made : BOOLEAN;" + EARLY.replace("(* then *)", "made := Main.p # Main.r")),
            set(),
        ),
        (  # an environment process that never comes to rest
            main("x := PORTIN(1)", "VAR x : UINT8;"),
            env(
                "CREATE W",
                "VAR t : BOOLEAN; PROCESS W; BEGIN SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.IOPORT!VALUE(1);\n"
                "LOOP CHOICE t := TRUE | EXIT END END; RESCHEDULE END W;",
            ),
            None,
        ),
    ],
)
def test_accesses(text: str, environment: str, kinds: set[str] | None) -> None:
    if kinds is None:
        return  # each round has two branches: too many ways for the bound
    found = compare(text, environment)
    assert found is not None and found.kinds == kinds


def compare_random(seed: int, most_states: int = 1500) -> set[str] | None:
    """A random program in random surroundings; None if there are too many states."""
    profile = Profile(size=1, small=True, inputs=True, interrupts=seed % 2 == 0, time=False)
    text = generate_program(seed, profile).text
    named = sorted({int(n) for n in re.findall(r"SYSTEM\.INT\[(\d+)\]", text)})
    found = compare(text, generate_environment(seed, named), most_states)
    return None if found is None else found.kinds


def test_random_programs_in_random_surroundings() -> None:
    kinds = [k for k in (compare_random(seed, 600) for seed in range(3000, 3024)) if k is not None]
    assert len(kinds) >= 10
    assert set() in kinds and any("fault" in k for k in kinds)
