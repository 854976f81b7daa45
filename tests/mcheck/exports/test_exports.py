"""Exports: guarded commands have the states and transitions of the engine, SPIN finds as many, BTOR2 is bad when a
fault comes.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.exports.btor2 import btor2
from lfc.mcheck.exports.guarded import Guarded, guarded_commands
from lfc.mcheck.exports.paths import NotExported
from lfc.mcheck.exports.pins import pins
from lfc.mcheck.exports.promela import promela
from lfc.mcheck.exports.terms import FOLD, Const, Op, Term, Var
from lfc.mcheck.request.request import request_from
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of_source
from tests.mcheck.exports.unrolled import steps_to_bad
from tests.support.seeds import seed_of_this_run

MEETINGS = """MODULE Meetings;
TYPE L = [m(UINT8), k];
PORT p : L;
VAR n : 0 .. 5; s : INTEGER; a : ARRAY 2 OF INTEGER;
PROCESS P(c : L; i : INTEGER);
VAR j : INTEGER;
BEGIN
  FOR j := 1 TO 2 DO c!m(UINT8(j + i)); a[i] := a[i] + j END;
  c!k
END P;
PROCESS Q;
VAR x : UINT8; d : INTEGER;
BEGIN
  d := 0;
  WHILE d < 2 DO
    SELECT
      WHEN p?m(x) & (x < 4) THEN s := s + x
      WHEN p?k THEN INC(d)
    END
  END;
  n := s MOD 6;
  ASSERT(n # WRONG)
END Q;
BEGIN
  NEW(p); CREATE P(p, 0); CREATE P(p, 1); CREATE Q
END Meetings.
"""


def exported(text: str) -> tuple[Guarded, tuple[int, int], bool]:
    """With the engine's states and transitions, and whether there is a fault."""
    machine = machine_of_source(Source("Program.lf", text))
    found = check(machine, request_from(reductions="none", keep_going=True))
    faults = any(f.kind.value in ("assertion", "fault") for f in found.findings)
    return guarded_commands(machine), (found.states, found.transitions), faults


def evaluated(t: Term, state: dict[str, int]) -> int:
    match t:
        case Const():
            return t.value
        case Var():
            return state[t.name]
        case Op(op="~"):
            return 1 - evaluated(t.args[0], state)
        case Op(op="&"):
            return int(all(evaluated(a, state) for a in t.args))
        case Op(op="OR"):
            return int(any(evaluated(a, state) for a in t.args))
        case Op(op="IF"):
            return evaluated(t.args[1] if evaluated(t.args[0], state) else t.args[2], state)
    return int(FOLD[t.op](evaluated(t.args[0], state), evaluated(t.args[1], state)))


def counted(program: Guarded) -> tuple[int, int]:
    """States without the one of faults, and transitions, by trying every command in every state."""
    names = list(program.initial)
    first = tuple(program.initial.values())
    found, work, transitions = {first}, [first], 0
    while work:
        state = dict(zip(names, work.pop(), strict=True))
        for c in program.commands:
            if not state["fault"] and evaluated(c.guard, state):
                transitions += 1
                after = tuple((state | {n: evaluated(t, state) for n, t in c.updates.items()}).values())
                if after not in found:
                    found.add(after)
                    work.append(after)
    return sum(not dict(zip(names, s, strict=True))["fault"] for s in found), transitions


def spin(text: str, folder: Path) -> tuple[int, int, int]:
    """States, transitions and errors."""
    (folder / "m.pml").write_text(text)
    subprocess.run(["spin", "-a", "m.pml"], cwd=folder, check=True, capture_output=True)
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    build = [compiler, "-O1", "-w", "-DVECTORSZ=8192", "-DNOREDUCE", "-o", "pan", "pan.c"]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    done = subprocess.run(["./pan", "-E", "-c0", "-n"], cwd=folder, check=False, capture_output=True, text=True)
    parts = [re.search(p, done.stdout) for p in (r"(\d+) states, stored", r"(\d+) transitions", r"errors: (\d+)")]
    states, transitions, errors = (int(m[1]) for m in parts if m is not None)
    return states, transitions, errors


@pytest.mark.parametrize("wrong", [7, 2])
def test_spin_finds_as_many_states_and_transitions(wrong: int, tmp_path: Path) -> None:
    """It counts the first state as a transition, and a fault is one more state."""
    program, (states, transitions), faults = exported(MEETINGS.replace("WRONG", str(wrong)))
    assert faults is (wrong == 2)
    assert counted(program) == (states, transitions)
    found = spin(promela(program, "Meetings.lf"), tmp_path)
    assert found[0] == states + faults
    assert (found[1] == transitions + 1, found[2] > 0) == (True, faults)


@pytest.mark.parametrize("name", ["mutex", "peterson2", "prodcons", "pingpong"])
def test_examples(name: str) -> None:
    program, counts, _ = exported((ROOT / "examples" / f"{name}.lf").read_text())
    assert counted(program) == counts


FALLS = """MODULE Falls;
TYPE L = [m(INT8)];
PORT p : L;
VAR x : INT8; y : INTEGER;
PROCESS P; BEGIN p!m(-7); p!m(5) END P;
BEGIN
  NEW(p); CREATE P;
  p?m(x);
  y := x DIV 2 + x MOD 4;
  ASSERT(y = -3);
  p?m(x);
  ASSERT(x - 5 # 0)
END Falls.
"""


def test_btor2_is_bad_after_as_many_steps_as_the_counterexample_has() -> None:
    machine = machine_of_source(Source("Falls.lf", FALLS))
    steps = len(check(machine, request_from(reductions="none")).findings[0].steps)
    program = guarded_commands(machine)
    assert steps_to_bad(btor2(program, "Falls.lf"), 9) == steps == 5
    right = FALLS.replace("x - 5 # 0", "x - 5 = 0")
    assert steps_to_bad(btor2(exported(right)[0], "Falls.lf"), 7) is None


def test_a_module_of_ltsmin_has_as_many_states(tmp_path: Path) -> None:
    """Beside what stands in for its headers: counted in C, with the rows of its matrix."""
    program, (states, transitions), _ = exported(MEETINGS.replace("WRONG", "2"))
    here = Path(__file__).parent / "ltsmin"
    include = tmp_path / "ltsmin"
    include.mkdir()
    for header in ("dlopen-api.h", "pins.h", "pins-util.h", "ltsmin-standard.h"):
        (include / header).write_text((here / "stand_in.txt").read_text())
    (tmp_path / "model.c").write_text(pins(program, "Meetings.lf"))
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None
    (tmp_path / "count.c").write_text((here / "count.txt").read_text())
    build = [compiler, "-std=c11", "-Wall", "-Wno-unused-function", "-Werror", "-I.", "-o", "count", "count.c"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    counted_in_c = subprocess.run(["./count"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert counted_in_c == f"{states} {transitions} 0\n"


def random_program(rng: random.Random) -> str:
    """Two or three processes that send, receive, select, poll and compute."""

    def number() -> str:
        return rng.choice(["x", "g", "h", str(rng.randint(0, 3)), "x + 1", "g - h", "a[x MOD 2]", "(h - 2) DIV 2"])

    def condition() -> str:
        one = f"{rng.choice('xgh')} {rng.choice(['<', '=', '#', '>='])} {rng.randint(0, 3)}"
        return rng.choice([one, f"({one}) & (a[x MOD 2] < 2)", f"({one}) OR (g = h)", f"~({one})"])

    def statement(depth: int) -> str:
        kind = rng.randint(0, 8 if depth else 6)
        port, message = rng.choice("pq"), rng.choice(["m", "k"])
        if kind == 0:
            return f"{port}!m(({number()}) MOD 4)" if message == "m" else f"{port}!k"
        if kind == 1:
            return f"{port}?m(x)" if message == "m" else f"{port}?m({rng.randint(0, 3)})"
        if kind == 2:
            other = rng.choice([f"WHEN {port}?k THEN h := 1", f"WHEN q!k & ({condition()}) THEN", "ELSE g := 0"])
            return f"SELECT WHEN p?m(x) & ({condition()}) THEN g := x {other} END"
        if kind in (3, 4):
            target = rng.choice(["x", "g", "h", "a[x MOD 2]"])
            value = f"({number()}) MOD 4"
            return f"{target} := {f'UINT8({value})' if target == 'h' else value}"
        if kind == 5:
            return rng.choice(["RESCHEDULE", f"ASSERT({condition()})", "CHOICE g := 1 | h := 2 END"])
        if kind == 6:
            return rng.choice(["INC(g, x MOD 2)", "h := UINT8(g) + 250"])
        if kind == 7:
            return f"IF {condition()} THEN {statement(depth - 1)} ELSE {statement(depth - 1)} END"
        return f"FOR VAR i := 0 TO 1 DO a[i] := i; {statement(depth - 1)} END"

    processes = []
    for i in range(rng.randint(2, 3)):
        body = "; ".join(statement(2) for _ in range(rng.randint(2, 4)))
        processes.append(f"PROCESS P{i};\nVAR x : 0 .. 3;\nBEGIN {body} END P{i};\n")
    made = "; ".join(f"CREATE P{i}" for i in range(len(processes)))
    head = "TYPE L = [m(0 .. 3), k];\nPORT p, q : L;\nVAR g : INTEGER; h : UINT8; a : ARRAY 2 OF INTEGER;\n"
    return f"MODULE R;\n{head}{''.join(processes)}BEGIN NEW(p); NEW(q); {made} END R.\n"


def test_random_programs() -> None:
    rng = random.Random(seed_of_this_run())
    compared = 0
    for _ in range(8):
        text = random_program(rng)
        try:
            program, counts, _ = exported(text)
        except NotExported as error:
            assert "guard" not in str(error)
            continue
        assert counted(program) == counts, text
        compared += 1
    assert compared > 4


def test_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "Falls.lf").write_text(FALLS)
    done = lfc("export", "Falls.lf", "--as", "promela", "-o", "f.pml", cwd=tmp_path)
    assert (done.exit, done.out) == (0, "")
    assert (tmp_path / "f.pml").read_text().startswith("/* Falls.lf, exported from its actions.")
    (tmp_path / "Time.lf").write_text("MODULE Time;\nIMPORT Clock;\nBEGIN Clock.Sleep(1) END Time.\n")
    refused = lfc("export", "Time.lf", "--as", "btor2", cwd=tmp_path)
    assert refused.exit == 2
    assert "Time.lf is not exported: it waits for time, an interrupt or the console." in refused.err
