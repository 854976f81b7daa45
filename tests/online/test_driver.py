"""On-line testing: no program fails against itself, whatever crosses; wrong answers are found, and made short."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from lfc.online.alphabet import NoMessage, Reading, as_bytes
from lfc.online.boxes import program_box
from lfc.online.driver import BoxEnded, Conduct, Driver, Run, Verdict
from lfc.online.shrink import shrunk
from lfc.online.specification import SILENCE, Specification
from tests.cli.checking.projects import lfc
from tests.conftest import ROOT
from tests.mcheck.refinement.reference import TooLarge
from tests.online.boxes import GraphBox, programs, specification

ONLINE = ROOT / "examples" / "online"
FAULTS = 20
ENOUGH = 30.0  # seconds; what is right never waits so long here


def test_messages_on_the_line() -> None:
    assert as_bytes("in?set(3)") == b"set 3\n" and as_bytes("out!both(-1, blue)") == b"both -1 blue\n"
    assert as_bytes("l[1]!ok") == b"ok\n"
    assert [as_bytes(f"l?byte({c})") for c in ("'a'", "0AX", "0FFX", "','")] == [b"a", b"\n", b"\xff", b","]
    reading = Reading(False)
    assert reading.feed(b"ok\r\nlev") == [b"ok\n"] and reading.feed(b"el 3\n") == [b"level 3\n"]
    assert Reading(True).feed(b"a\n") == [b"a", b"\n"]
    with pytest.raises(NoMessage):
        reading.feed(b"x" * 5000)


def test_no_program_fails_against_itself() -> None:
    """What it does by chance, late and across inputs, is in its own specification."""
    tested, seen = 0, set()
    for seed in range(2, 40, 2):
        texts = programs(seed)
        if texts is None:
            continue
        try:
            spec, graph = specification(texts[0])
        except TooLarge:
            continue
        for chance in range(2):
            conduct = Conduct("cover" if chance else "random", 60, 1e-6, chance)
            run = Driver(spec, GraphBox(graph, chance), conduct, False).go()
            assert run.verdict is not Verdict.FAIL, (seed, chance, run, texts[0])
            seen |= {e if e == SILENCE else e.partition("(")[0] for e in run.events}
        tested += 1
    assert tested > 10 and {SILENCE, "a!m", "b!p", "a?m", "b?q"} <= seen


def test_another_program_fails_where_it_sends_what_is_not_allowed() -> None:
    """And never where all that it sends is."""
    verdicts = []
    for seed in range(2, 50, 2):
        texts = programs(seed)
        if texts is None:
            continue
        try:
            spec, _ = specification(texts[0])
            _, graph = specification(texts[1])
        except TooLarge:
            continue
        sends = {e for edges in graph.edges for e, _ in edges if e is not None and "!" in e}
        run = Driver(spec, GraphBox(graph, 1), Conduct("cover", 80, 1e-6, 1), False).go()
        verdicts.append(run.verdict)
        if run.verdict is Verdict.FAIL:
            assert run.reason == SILENCE or as_text(run.reason) in {as_bytes(e) for e in sends}
    assert verdicts.count(Verdict.FAIL) > 5 and verdicts.count(Verdict.PASS) > 5


def as_text(reason: str) -> bytes:
    return reason.strip("'").encode() + b"\n"


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("lamp") / "lamp"
    subprocess.run(["cc", "-O1", "-o", str(program), str(ONLINE / "lamp.c")], check=True)
    return program


@pytest.fixture(scope="module")
def lamp_specification() -> Specification:
    from lfc.cli.devices.hil_online import Wanted, specification_of

    wanted = Wanted(str(ONLINE / "Lamp.lf"), None, None, 1, None, None, 5000, ())
    return specification_of(wanted)[0]


def run_of(lamp: Path, fault: int, spec: Specification, conduct: Conduct, script: Sequence[str] | None = None) -> Run:
    with program_box([str(lamp), str(fault)]) as box:
        return Driver(spec, box, conduct, False).go(script)


@pytest.mark.slow
def test_twenty_faults_in_c_are_found(lamp: Path, lamp_specification: Specification) -> None:
    """And the right one passes: it answers every command, so the test need not wait for silence."""
    right = run_of(lamp, 0, lamp_specification, Conduct("cover", 3000, ENOUGH, 1, 0.0))
    assert (right.verdict, len(right.events)) == (Verdict.PASS, 3000), right.reason
    found = {}
    for fault in range(1, FAULTS + 1):
        for seed in range(1, 6):
            run = run_of(lamp, fault, lamp_specification, Conduct("random", 10_000, 1.0, seed, 0.0))
            if run.verdict is Verdict.FAIL:
                found[fault] = run.reason
                break
    assert sorted(found) == list(range(1, FAULTS + 1)) and found[1] == SILENCE and found[3] == "'hello'"


def test_a_run_that_fails_is_made_short(lamp: Path, lamp_specification: Specification) -> None:
    conduct = Conduct("cover", 2000, 1.0, 1, 0.0)
    run = run_of(lamp, 8, lamp_specification, conduct)
    assert run.verdict is Verdict.FAIL and len(run.events) > 20
    short = shrunk(run, lambda events: run_of(lamp, 8, lamp_specification, conduct, events), 60)
    assert short.events == ["in?set(3)", "out!ok", "in?up"] and (short.reason, short.allowed) == (
        "'ok'",
        ["out!refused"],
    )


def test_the_command(lamp: Path, tmp_path: Path) -> None:
    spec = str(ONLINE / "Lamp.lf")
    common = ("hil", "test", "--online", spec, "--quiet", "900ms", "--command")
    done = lfc(*common, f"{lamp} 8", "--save", "runs", "--json", cwd=tmp_path)
    assert done.exit == 5, done.err
    told = json.loads(done.err[done.err.index("{") :])
    assert told["verdict"] == "fail" and told["allowed"] == ["out!refused"] and told["events"][-1] == "in?up"
    saved = json.loads((tmp_path / "runs" / "shrunk.json").read_text())
    assert saved["events"] == told["events"] and saved["seed"] == 1
    again = lfc(*common, f"{lamp} 8", "--replay", "runs/shrunk.json", cwd=tmp_path)
    assert again.exit == 5 and "fail: 'ok' where the specification allows out!refused" in again.err
    right = lfc(*common, str(lamp), "--replay", "runs/shrunk.json", cwd=tmp_path)
    assert right.exit == 0 and right.err.startswith("pass: ")
    gone = lfc(*common, "true", cwd=tmp_path)
    assert gone.exit == 6 and gone.err.startswith("no verdict: the program has ended")


def test_a_program_that_reads_nothing_ends_the_test() -> None:
    with program_box(["sleep", "1000"]) as box:
        box.patience = 0.2
        with pytest.raises(BoxEnded, match="the program has read nothing of what was sent for 0.2 seconds"):
            for _ in range(100):
                box.write(b"x" * 10_000)


def test_what_comes_while_it_is_written_to_is_kept() -> None:
    """`cat` reads on only when what it says is taken."""
    sent, come = b"x" * 500_000, b""
    with program_box(["cat"]) as box:
        box.write(sent)
        while len(come) < len(sent) and (more := box.read(ENOUGH)):
            come += more
    assert come == sent


def test_inputs_that_are_not_given_again_are_told(lamp: Path, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(json.dumps({"version": 1, "events": ["in?nosuch", "in?toggle", "out!ok"]}))
    spec = str(ONLINE / "Lamp.lf")
    done = lfc("hil", "test", "--online", spec, "--command", str(lamp), "--replay", "old.json", cwd=tmp_path)
    assert done.exit == 0 and "1 input not given again: the specification takes no such input there" in done.err


def test_wrong_uses_are_told(tmp_path: Path) -> None:
    spec = str(ONLINE / "Lamp.lf")
    (tmp_path / "Shut.lf").write_text("MODULE Shut;\nEND Shut.\n")
    (tmp_path / "bad.json").write_text('{"version": 1}')
    wrong = {
        ("--online", spec): "What is tested? Name its port with -p PORT, or a program with --command.",
        ("--online", spec, "--command", "/nowhere"): "/nowhere cannot be started: No such file or directory.",
        ("--online", spec, "--command", "'true"): "--command cannot be read: No closing quotation.",
        ("--online", spec, "--command", "true", "-b", "uno"): "-b and --online exclude each other.",
        ("--online", spec, "--command", "true", "--quiet", "5"): "`5` is no time: write 200ms or 1.5s",
        ("--online", spec, "--command", "true", "--replay", "bad.json"): "bad.json is no run that",
        ("--online", "Shut.lf", "--command", "true"): "Shut.lf exports no port: there is nothing to test.",
        ("--steps", "5"): "--steps is about a black box: add --online SPEC.",
    }
    for options, message in wrong.items():
        done = lfc("hil", "test", *options, cwd=tmp_path)
        assert done.exit == 2 and message in done.err, done.err
    assert lfc("hil", "test", "--online", spec, "-p", "/dev/there-is-none", cwd=tmp_path).exit == 9
