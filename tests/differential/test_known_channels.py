"""Programs whose initialisation does something before and between its NEWs: which numbers are known, and that each run
makes the numbers that the naive evaluator makes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.run.running import Mode
from tests.differential.stepwise import compile_text, run_beside_evaluator
from tests.mcheck.image.images import built

DECLARATIONS = """MODULE Program;
IMPORT SYSTEM;
TYPE L = [a(UINT8)];
PORT p, q, r, spare : L; many, others : ARRAY 3 OF L; once : ARRAY 2 OF L; copies : ARRAY 2 OF L;
VAR sum, n : UINT8; i, k : INTEGER; s : SET; numbers : ARRAY 4 OF UINT8; right : BOOLEAN;

PROCESS Inner(n : UINT8; VAR to : UINT8);
BEGIN
  IF n = 0 THEN RETURN END;
  to := n; Inner(n - 1, to)
END Inner;

PROCESS Count(VAR to : UINT8);
VAR own : INTEGER;
BEGIN FOR own := 1 TO 3 DO INC(to) END; Inner(2, numbers[0]) END Count;

PROCESS Takes(line : L);
BEGIN IF line = p THEN INC(sum) END END Takes;

PROCESS Moves;
BEGIN i := 2 END Moves;

PROCESS Made;
BEGIN NEW(spare) END Made;

PROCESS Local;
PORT own : L;
BEGIN NEW(own) END Local;

PROCESS Copies;
BEGIN copies[0] := once[0] END Copies;

PROCESS Polls;
BEGIN SELECT WHEN r?a(n) THEN sum := 9 ELSE sum := 1 END END Polls;

PROCESS Waits;
BEGIN RESCHEDULE END Waits;

PROCESS Sends;
BEGIN p!a(7); q!a(8) END Sends;

PROCESS Put(line : L; what : UINT8);
BEGIN line!a(what) END Put;

PROCESS Gets;
VAR x : UINT8;
BEGIN p?a(x); ASSERT(x = 7); q?a(x); ASSERT(x = 8); right := p # q END Gets;

BEGIN
"""
END = "; CREATE Sends; CREATE Gets\nEND Program.\n"

# What is passed over, and how many channels it makes.
PASSED = {
    "assignment": ("sum := 4; numbers[1] := sum", 0),
    "set": ("INCL(s, 3); EXCL(s, 4)", 0),
    "step": ("INC(sum); DEC(k, 4)", 0),
    "assertion": ("ASSERT(sum < 200)", 0),
    "console": ("SYSTEM.WRITE('x')", 0),
    "device": ("PORTOUT(40H, sum)", 0),
    "branch": ("IF ORD(right) = 0 THEN n := 2 ELSIF sum = 3 THEN n := 4 ELSE n := 5 END", 0),
    "case": ("CASE sum OF 0 : n := 1 | 1..200 : n := 2 ELSE n := 3 END", 0),
    "while": ("WHILE n < 3 DO INC(n) END", 0),
    "repeat": ("REPEAT INC(n) UNTIL n > 3", 0),
    "loop": ("LOOP INC(n); IF n > 5 THEN EXIT END END", 0),
    "for": ("FOR i := 0 TO 3 DO numbers[i] := 2 END", 0),
    "call": ("Count(sum)", 0),
    "creation": ("CREATE Put(spare, 7) DEADLINE 5", 0),
    "element": ("NEW(many[2])", 1),
    "elements": ("NEW(many[1]); NEW(many[0])", 2),
    "elements in a loop": ("FOR i := 0 TO 2 DO NEW(many[i]) END", 3),
    "index with a sum": ("FOR i := 1 TO 3 DO NEW(many[i - 1]) END", 3),
    "backwards": ("FOR i := 2 TO 0 BY -1 DO NEW(many[i]) END", 3),
    "by two": ("FOR i := 0 TO 2 BY 2 DO NEW(many[i]) END", 2),
    "two arrays": ("FOR i := 0 TO 2 DO NEW(many[i]); sum := 1; NEW(others[2 - i]) END", 6),
    "loops in loops": ("FOR i := 0 TO 1 DO FOR k := 0 TO 0 DO NEW(many[i + k]) END; Count(n) END", 2),
    "no round": ("FOR i := 1 TO 0 DO NEW(many[i]) END", 0),
}

# These end the way: nothing that is made behind them is known.
ENDS = {
    "new in a branch": "IF sum = 0 THEN NEW(spare) END",
    "new in no branch": "IF sum = 1 THEN NEW(spare) END",
    "new in a call": "Made",
    "channel that is free again": "Local; Local",
    "port assigned": "copies[0] := once[1]",
    "port assigned in a call": "Copies",
    "array assigned": "copies := once",
    "index not known": "n := 1; NEW(many[n])",
    "made in a loop": "FOR i := 0 TO 1 DO NEW(spare) END",
    "loop variable changed": "FOR i := 0 TO 1 DO i := i + 1; NEW(many[i]) END",
    "loop variable changed in a call": "FOR i := 0 TO 2 DO Moves; NEW(many[i]) END",
    "bounds not known": "n := 2; FOR i := 0 TO n DO NEW(many[i]) END",
    "made again": "NEW(many[0]); NEW(many[0])",
    "index out of bounds": "FOR i := 1 TO 3 DO NEW(many[i]) END",
    "while": "WHILE n < 3 DO NEW(many[n]); INC(n) END",
    "poll": "SELECT WHEN Clock.After(0) THEN n := 2 ELSE n := 1 END",
    "poll in a call": "NEW(r); Polls",
    "return": "IF sum = 1 THEN RETURN END",
    "return that is taken": "CREATE Sends; IF sum = 0 THEN RETURN END",
    "reschedule": "RESCHEDULE",
    "reschedule beside others": "CREATE Sends; RESCHEDULE",
    "call that waits beside others": "CREATE Sends; Waits",
}

# These read p before it is made, so that its number is known there only; and how many channels they make.
NAMED = {
    "compared": ("IF p = q THEN INC(sum) END", 0),
    "compared in a call": ("Takes(r)", 0),
    "passed": ("Takes(p)", 0),
    "created": ("CREATE Put(p, 7)", 0),
}


REGISTER = {"uno": "40H", "microbit": "50000508H"}
NAMES = [*PASSED, *ENDS, *NAMED]


def program(*starts: str) -> str:
    text = DECLARATIONS + ";\n  ".join(starts)
    return (text.replace("IMPORT SYSTEM;", "IMPORT SYSTEM, Clock;") if "Clock" in text else text) + END


def text_of(name: str) -> str:
    return {**PASSED, **NAMED}[name][0] if name not in ENDS else ENDS[name]


def known_ports(machine: Machine) -> dict[str, int]:
    return {v.name: n for v, n in machine.constant_ports.items() if v.name in ("p", "q")}


@pytest.mark.parametrize("name", PASSED)
def test_what_is_passed_over(name: str) -> None:
    start, made = PASSED[name]
    assert known_ports(compile_text(program(start, "NEW(p)", "NEW(q)")).machine) == {"p": made + 1, "q": made + 2}
    assert known_ports(compile_text(program("NEW(p)", start, "NEW(q)")).machine) == {"p": 1, "q": made + 2}


@pytest.mark.parametrize("name", ENDS)
def test_what_is_not(name: str) -> None:
    start = ENDS[name]
    assert known_ports(compile_text(program(start, "NEW(p)", "NEW(q)")).machine) == {}
    assert known_ports(compile_text(program("NEW(p)", start, "NEW(q)")).machine) == {"p": 1}


@pytest.mark.parametrize("name", NAMED)
def test_who_reads_a_port_before_it_is_made(name: str) -> None:
    start, made = NAMED[name]
    machine = compile_text(program(start, "NEW(p)", "NEW(q)")).machine
    assert "p" not in known_ports(machine)
    assert {n.offset for n in machine.known_news.values()} == {made + 1, made + 2}
    assert known_ports(compile_text(program("NEW(p)", start, "NEW(r)")).machine) == {"p": 1}


def test_numbers_of_elements() -> None:
    """Of a loop, the number is computed from the index if it lies on a line."""

    def news(name: str) -> set[tuple[int, int]]:
        return {(n.scale, n.offset) for n in compile_text(program(PASSED[name][0])).machine.known_news.values()}

    assert news("elements") == {(0, 1), (0, 2)}
    assert news("elements in a loop") == {(1, 1)}
    assert news("index with a sum") == {(1, 1)}
    assert news("backwards") == {(-1, 3)}
    assert news("by two") == set()
    assert news("two arrays") == {(2, 1), (-2, 6)}
    assert news("no round") == set()


def test_as_many_channels_as_there_can_be() -> None:
    text = "MODULE Program;\nTYPE L = [a];\nPORT p : L MAX 1; m : ARRAY 3 OF L MAX 2; VAR i : INTEGER;\nBEGIN\n"
    text += "  NEW(p); FOR i := 0 TO 2 DO NEW(m[i]) END\nEND Program.\n"
    generated = compile_text(text)
    assert len(generated.machine.known_news) == 1, "the last of the loop is a fault"
    assert run(text) == {"FAULT"}


@pytest.mark.parametrize("name", NAMES)
def test_each_beside_the_evaluator(name: str) -> None:
    start = text_of(name)
    for text in (program(start, "NEW(p)", "NEW(q)"), program("NEW(p)", start, "NEW(q)")):
        run(text)


@pytest.mark.parametrize("seed", range(12))
def test_several_beside_the_evaluator(seed: int) -> None:
    rng = random.Random(seed)
    chosen = [text_of(name) for name in rng.sample(NAMES, 3)]
    parts = [*chosen[:2], "NEW(p)", chosen[2], "NEW(q)"]
    run(program(*parts))


def run(text: str) -> set[str]:
    """How its runs end; none differs."""
    generated = compile_text(text)
    ends = set()
    for level in (0, 2):
        for mode in (Mode.RANDOM, Mode.ROUND_ROBIN):
            outcome = run_beside_evaluator(generated, level, mode, 1)
            assert outcome.difference is None, f"{text}\n{outcome.difference}"
            ends.add(outcome.status.name)
    return ends


ON_BOARDS = [(name, "uno") for name in (*PASSED, *NAMED)] + [
    (name, "microbit") for name in ("device", "call", "elements in a loop", "two arrays", "compared in a call")
]


@pytest.mark.parametrize(("name", "board"), ON_BOARDS)
def test_each_as_an_image(name: str, board: str, tmp_path: Path) -> None:
    file = tmp_path / "Program.lf"
    file.write_text(program(text_of(name), "NEW(p)", "NEW(q)").replace("40H", REGISTER[board]))
    with built(file, board) as image:
        result = image.check()
        assert (result.mismatches, result.stopped) == ([], "")
