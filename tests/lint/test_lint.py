"""`lfc lint`: what it says of tests, against all runs of small programs, one by one by the naive explorer."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.lint.runs import compare
from lfc.lint.script import EXPECT, NotPython, Step, scripts_of
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, successors
from tests.naive.state import State
from tests.support.seeds import seed_of_this_run

ECHO = """MODULE Echo;
IMPORT In, Out;
VAR c : CHAR;
BEGIN
  Out.String("up"); Out.Ln;
  REPEAT
    In.Char(c);
    IF (c >= 'A') & (c < 'Z') THEN Out.Char(CHR(ORD(c) + 1)) END
  UNTIL c = '.';
  Out.String("bye"); Out.Ln
END Echo.
"""
RACE = """MODULE Race;
IMPORT Out;
TYPE L = [go];
PORT p : L;
PROCESS A; BEGIN Out.String("a"); p!go; Out.String("x") END A;
PROCESS B; BEGIN Out.String("b"); p?go; Out.String("y") END B;
BEGIN NEW(p); CREATE A; CREATE B END Race.
"""
TESTS = """import re

WORD = "HAL"


def test_echo(board):
    board.flash("Echo.lf")
    board.expect("up\\n")
    board.send(WORD)
    assert board.expect(re.compile("I.M"))[0] == "IBM"
    board.send(".")
    board.expect("bye")


def test_wrong(board):
    board.flash("Echo.lf")
    board.expect("up\\n")
    board.send("HAL")
    board.expect("IBN")
    board.expect("never told")


def test_early(board):
    board.flash("Echo.lf")
    board.send("A.")
    board.expect("B")


def test_race(board):
    board.flash("Race.lf")
    board.expect("ab")


def test_any_order(board):
    board.flash("Race.lf")
    board.expect(re.compile("ab|ba"))
    board.expect(re.compile("xy|yx"))


def test_without(board):
    board.flash("Race.lf")
    if board.name == "left":
        board.expect("a")


def test_loop(board):
    board.flash("Echo.lf")
    board.expect("up\\n")
    for c in "AB":
        board.send(c)
    for c in ("B", f"{'C'}"):
        board.expect(c)
    while True:
        board.send("x")
"""
EXPECTED = """\
test_boards.py:19: no run prints 'IBN' here; one that comes so far printed 'up\\nIBM'
test_boards.py:25: b'A.' is sent before the program has said anything: what comes before its receiver is on is lost; \
expect a first text before
test_boards.py:31: other schedules or inputs miss 'ab': heard 'b'; it is not printed any more, whatever runs next
test_boards.py:40: test_without has a path that expects and asserts nothing: it passes whatever the board does
test_boards.py:53: test_loop is not followed from here on: a loop or exception whose course is not known
7 tests, 4 findings
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name, text in (("Echo.lf", ECHO), ("Race.lf", RACE), ("test_boards.py", TESTS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_what_is_wrong_with_tests(here: Path) -> None:
    done = lfc("lint", "test_boards.py", cwd=here)
    assert (done.exit, done.out) == (5, EXPECTED)


def test_as_a_document(here: Path) -> None:
    done = lfc("lint", "test_boards.py", "--json", cwd=here)
    kinds = [f["kind"] for f in json.loads(done.out)["findings"]]
    assert kinds == ["never", "early", "flaky", "no-verdict", "not-followed"]


def test_nothing_to_say(here: Path) -> None:
    (here / "test_good.py").write_text(TESTS[: TESTS.index("def test_wrong")])
    done = lfc("lint", "test_good.py", cwd=here)
    assert (done.exit, done.out) == (0, "1 test, 0 findings\n")


def test_too_many_states_are_no_verdict(here: Path) -> None:
    (here / "test_good.py").write_text(TESTS[: TESTS.index("def test_wrong")])
    done = lfc("lint", "test_good.py", "--most", "3", cwd=here)
    assert done.exit == 6
    assert "more than 3 states together (--most N): not all was compared" in done.out


def test_a_file_that_is_no_python_is_refused(here: Path) -> None:
    (here / "test_bad.py").write_text("def test(board:\n")
    done = lfc("lint", "test_bad.py", cwd=here)
    assert done.exit == 2
    assert "test_bad.py:1: " in done.err
    with pytest.raises(NotPython):
        scripts_of("def", "x.py")


def test_a_fault_that_is_expected(here: Path) -> None:
    (here / "Bad.lf").write_text(
        'MODULE Bad;\nIMPORT Out;\nVAR n : 0 .. 3;\nBEGIN Out.Char("a"); n := 3; INC(n) END Bad.\n'
    )
    text = 'def test_f(board):\n    board.flash("Bad.lf")\n    board.expect("a")\n    board.expect_fault("{}")\n'
    (here / "test_f.py").write_text(text.format(""))
    assert lfc("lint", "test_f.py", cwd=here).exit == 0
    (here / "test_f.py").write_text(text.replace("expect_fault", "expect").format("b"))
    assert "no run prints 'b' here" in lfc("lint", "test_f.py", cwd=here).out


# --- against all runs, one by one ------------------------------------------------------------------------------------


def outputs_of(program: str) -> set[str]:
    """What complete runs print. The program has no loops."""
    machine = machine_of_source(Source("P.lf", program))
    found: set[str] = set()
    stack = [(State.initial(machine.program, bounds_of(machine)), "")]
    while stack:
        state, said = stack.pop()
        after = list(successors(state, Conventions()))
        if not after:
            found.add(said)
        for follower, items in after:
            text = "".join(chr(int(str(i[1]))) for i in items if i[0] == "write")
            stack.append((follower, said + text))
    return found


def finds_all(output: str, texts: list[str]) -> int:
    """How many of the texts are found one behind the other."""
    at = 0
    for n, text in enumerate(texts):
        at = output.find(text, at)
        if at < 0:
            return n
        at += len(text)
    return len(texts)


def random_program(rng: random.Random) -> str:
    processes = []
    for p in range(rng.randint(2, 3)):
        words = ["".join(rng.choice("ab") for _ in range(rng.randint(1, 2))) for _ in range(rng.randint(1, 2))]
        body = "; RESCHEDULE; ".join(f"Out.String(t{p}{i})" for i in range(len(words)))
        texts = "".join(f'CONST t{p}{i} = "{w}x";\n' for i, w in enumerate(words))
        processes.append(f"{texts}PROCESS P{p}; BEGIN {body} END P{p};\n")
    made = "; ".join(f"CREATE P{p}" for p in range(len(processes)))
    return f"MODULE P;\nIMPORT Out;\n{''.join(processes)}BEGIN {made} END P.\n"


def test_random_expectations_of_random_programs() -> None:
    rng = random.Random(seed_of_this_run())
    kinds = set()
    for _ in range(12):
        program = random_program(rng)
        outputs = outputs_of(program)
        machine = machine_of_source(Source("P.lf", program))
        for _ in range(4):
            texts = ["".join(rng.choice("abx") for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(1, 2))]
            found = compare(machine, [Step(EXPECT, n, t) for n, t in enumerate(texts)], 20000)
            assert found.complete
            reached = {finds_all(o, texts) for o in outputs}
            for n, outcome in enumerate(found.outcomes):
                assert outcome.met is any(r > n for r in reached), (program, texts)
                assert bool(outcome.missed) is (outcome.met and n in reached), (program, texts, n)
                kinds.add((outcome.met, bool(outcome.missed)))
            assert len(found.outcomes) == min(len(texts), max(reached) + 1)
    assert kinds == {(True, False), (True, True), (False, False)}
