"""`lfc run` and `lfc build`: how runs end, traces, schedules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc

EXAMPLES = ROOT / "examples"

FAULT = """MODULE Fault;
VAR a : ARRAY 4 OF INT16; i : INTEGER;
BEGIN
  WHILE i < 9 DO
    a[i] := 1;
    INC(i)
  END
END Fault.
"""
INTERRUPTED = """MODULE Wait;
IMPORT SYSTEM;
BEGIN
  SYSTEM.INT[3]?INTERRUPT
END Wait.
"""
ENDLESS = """MODULE Endless;
VAR n : INTEGER;
PROCESS Tick;
BEGIN
  LOOP
    n := 1 - n;
    RESCHEDULE
  END
END Tick;
BEGIN
  CREATE Tick
END Endless.
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name, text in (("Fault", FAULT), ("Wait", INTERRUPTED), ("Endless", ENDLESS)):
        (tmp_path / f"{name}.lf").write_text(text)
    return tmp_path


def test_output_is_the_programs_alone(here: Path) -> None:
    done = lfc("run", str(EXAMPLES / "prodcons.lf"), cwd=here)
    assert (done.exit, done.err) == (0, "")
    assert done.out == (EXAMPLES / "expected" / "prodcons.out").read_text()


@pytest.mark.parametrize("scheduler", ["rr", "edf", "random"])
@pytest.mark.parametrize("created", ["", "PROCESS P; BEGIN Out.Int(2) END P;\nBEGIN IF x = 2 THEN CREATE P END;"])
def test_a_program_ends_when_its_initialisation_does(here: Path, scheduler: str, created: str) -> None:
    body = created or "BEGIN"
    (here / "Once.lf").write_text(f"MODULE Once; IMPORT Out; VAR x : INTEGER;\n{body} x := 1; Out.Int(x) END Once.\n")
    done = lfc("run", "Once.lf", "--scheduler", scheduler, cwd=here)
    assert (done.exit, done.out, done.err) == (0, "1", "")


def test_input(here: Path) -> None:
    given = (EXAMPLES / "expected" / "echo.in").read_bytes()
    done = lfc("run", str(EXAMPLES / "echo.lf"), cwd=here, stdin=given)
    assert done.exit == 0
    assert done.out == (EXAMPLES / "expected" / "echo.out").read_text()


def test_deadlock_says_who_waits_for_what(here: Path) -> None:
    done = lfc("run", str(EXAMPLES / "philosophers.lf"), cwd=here)
    assert done.exit == 3
    lines = done.err.splitlines()
    assert lines[0] == "deadlock: every process waits for another"
    assert sum("Philosopher[" in line and "`right!get`" in line for line in lines) == 5
    assert sum("(a server)" in line for line in lines) == 5


def test_fault_says_where_and_with_which_values(here: Path) -> None:
    done = lfc("run", "Fault.lf", cwd=here)
    assert done.exit == 4
    assert done.err.splitlines() == [
        "Fault.lf:5:5: fault: index 4 is out of bounds: the array has 4 elements",
        "  5 |     a[i] := 1;",
        "    |     ^^^^",
    ]


@pytest.mark.parametrize(
    ("declarations", "statement", "fault"),
    [
        (
            "PROCESS P; BEGIN P END P;",
            "P",
            "9:18: fault: more than 8 calls of the process in progress; raise MAX after",
        ),
        (
            "PROCESS P; BEGIN p?m END P;",
            "CREATE P",
            "12:18: fault: more than 8 instances of the process at once; raise MAX",
        ),
        ("PORT q : ARRAY 9 OF M;", "NEW(q[i])", "12:18: fault: more than 9 channels at once; raise MAX after the type"),
    ],
)
def test_faults_of_room_say_what_makes_room(here: Path, declarations: str, statement: str, fault: str) -> None:
    (here / "Room.lf").write_text(
        "MODULE Room;\n\n\n\nTYPE M = [m];\nPORT p : M;\nVAR i : INTEGER;\n\n"
        f"{declarations}\nBEGIN\n  NEW(p);\n  WHILE i < 9 DO {statement}; INC(i) END\nEND Room.\n"
    )
    done = lfc("run", "Room.lf", cwd=here)
    assert done.exit == 4 and f"Room.lf:{fault}" in done.err


def test_fault_as_json(here: Path) -> None:
    done = lfc("run", "--json", "Fault.lf", cwd=here)
    document = json.loads(done.err.splitlines()[-1])
    assert document["fault"] == {
        "kind": 1,
        "message": "index 4 is out of bounds: the array has 4 elements",
        "file": "Fault.lf",
        "line": 5,
        "column": 5,
        "values": [4, 4],
    }


def test_only_an_interrupt_could_go_on(here: Path) -> None:
    done = lfc("run", "Wait.lf", cwd=here)
    assert done.exit == 6
    assert "only interrupt 3 could continue" in done.err


def test_limit(here: Path) -> None:
    done = lfc("run", "--max-actions", "10", "Endless.lf", cwd=here)
    assert (done.exit, done.err) == (0, "stopped after 10 actions (--max-actions)\n")


def test_interrupt_key_leaves_a_summary(here: Path) -> None:
    text = ENDLESS.replace("VAR n", "IMPORT Out;\nVAR n").replace(
        "BEGIN\n  LOOP", 'BEGIN\n  Out.String("on"); Out.Ln;\n  LOOP'
    )
    (here / "Endless.lf").write_text(text)
    command = [sys.executable, "-m", "lfc", "run", "Endless.lf"]
    environment = os.environ | {"NO_COLOR": "1"}
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, cwd=here, stdout=pipe, stderr=pipe, text=True, env=environment)
    assert running.stdout is not None and running.stdout.readline() == "on\n"
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "interrupted after" in err and "Tick: ready at Endless.lf:" in err


@pytest.mark.parametrize("form", ["json", "bin"])
@pytest.mark.parametrize("scheduler", ["rr", "edf", "random"])
def test_a_recorded_run_can_be_followed(here: Path, form: str, scheduler: str) -> None:
    file = str(EXAMPLES / "sieve.lf")
    first = lfc("run", file, "--scheduler", scheduler, "--seed", "7", "--record", f"run.{form}", "--trace", cwd=here)
    again = lfc("run", file, "--schedule", f"run.{form}", "--trace", cwd=here)
    assert first.exit == again.exit == 0
    assert first.out == again.out == (EXAMPLES / "expected" / "sieve.out").read_text()
    assert first.err == again.err
    assert len(first.err.splitlines()) > 100


def test_trace_lines(here: Path) -> None:
    done = lfc("run", str(EXAMPLES / "prodcons.lf"), "--trace", "--max-actions", "4", cwd=here)
    lines = [" ".join(line.split()) for line in done.err.splitlines()]
    assert lines == [
        "1 initialisation 2:8 ends q = channel 1, Producer.out = channel 1, Consumer.in = channel 1",
        "2 Producer 7:9 waits at 11:20: out!data(i)",
        "3 Consumer 15:9 receives data from Producer; (in?data(x), 21:7) Consumer.more = TRUE",
        "4 Producer 11:20 waits at 11:20: out!data(i) Producer.i = 1",
        "stopped after 4 actions (--max-actions)",
    ]


def test_a_schedule_of_another_program(here: Path) -> None:
    lfc("run", str(EXAMPLES / "prodcons.lf"), "--record", "run.json", cwd=here)
    done = lfc("run", "Endless.lf", "--schedule", "run.json", cwd=here)
    assert done.exit == 2
    assert "recorded from another program" in done.err
    done = lfc("run", "Endless.lf", "--schedule", "run.json", "--scheduler", "edf", cwd=here)
    assert done.exit == 2 and "--scheduler has no effect: --schedule decides" in done.err


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"LFT1", "cut short"),
        (b"{}", '"format": "lf-trace"'),
        (b"\xff\xfe", "neither a binary trace nor JSON"),
        (b"[" * 100_000, "neither a binary trace nor JSON"),
        (b'{"steps": ' + b"9" * 5000 + b"}", "neither a binary trace nor JSON"),
        (b'{"format": "lf-trace", "version": 1, "steps": [[["run"]]]}', "step 0: `run` has 1 numbers, not 0"),
        (b'{"format": "lf-trace", "version": 1, "steps": [[["run", 300]]]}', "300 is not a number of 1 byte"),
    ],
)
def test_bad_schedules(here: Path, content: bytes, complaint: str) -> None:
    (here / "bad").write_bytes(content)
    done = lfc("run", "Endless.lf", "--schedule", "bad", cwd=here)
    assert done.exit == 2
    assert complaint in done.err


def test_a_schedule_that_does_not_fit(here: Path) -> None:
    (here / "odd.json").write_text('{"format": "lf-trace", "version": 1, "steps": [[["run", 0]], [["run", 0]]]}')
    done = lfc("run", "Endless.lf", "--schedule", "odd.json", cwd=here)
    assert done.exit == 6
    assert "step 2 cannot run as recorded" in done.err


def test_build(here: Path) -> None:
    for emit, name, start in (("ir", "Endless.ll", b"; ModuleID"), ("obj", "Endless.o", b"\x7fELF")):
        done = lfc("build", "Endless.lf", "--emit", emit, cwd=here)
        assert done.exit == 0, done.err
        assert (here / name).read_bytes().startswith(start)
    done = lfc("build", "Fault.lf", cwd=here)
    assert done.exit == 0 and "checks" in done.err and "proven unnecessary" in done.err
    ran = subprocess.run([here / "Fault"], capture_output=True, text=True, check=False)
    assert ran.returncode == 4
    assert ran.stderr == "Fault.lf:5:5: index: fault: index out of bounds (values 4, 4)\n"
    assert lfc("build", "Fault.lf", "-o", "no/such/folder", cwd=here).exit == 2


def test_errors_are_the_front_ends(here: Path) -> None:
    (here / "Bad.lf").write_text("MODULE Bad;\nBEGIN\n  x := 1\nEND Bad.\n")
    for command in ("run", "build"):
        done = lfc(command, "Bad.lf", cwd=here)
        assert done.exit == 1
        assert "Bad.lf:3:3: error LF0301" in done.err


LONG = """MODULE Long;
IMPORT Out;
VAR i : INTEGER;
BEGIN
  FOR i := 1 TO 200000 DO Out.Char(CHR(ORD('a') + i MOD 26)) END
END Long.
"""


def test_one_action_writes_more_than_any_buffer(here: Path) -> None:
    (here / "Long.lf").write_text(LONG)
    expected = "".join(chr(ord("a") + i % 26) for i in range(1, 200001))
    for options in ((), ("--record", "long.bin"), ("--schedule", "long.bin")):
        done = lfc("run", "Long.lf", *options, cwd=here)
        assert (done.exit, done.err) == (0, "")
        assert done.out == expected, (options, len(done.out))
    built = lfc("build", "Long.lf", cwd=here)
    assert built.exit == 0, built.err
    ran = subprocess.run([here / "Long"], capture_output=True, text=True, check=True)
    assert ran.stdout == expected, len(ran.stdout)


def test_values_without_a_sign(here: Path) -> None:
    (here / "Sign.lf").write_text("MODULE Sign; VAR u : UINT32; i : INT8; BEGIN DEC(u, 6); i := INT8(u) END Sign.\n")
    done = lfc("run", "Sign.lf", "--json", cwd=here)
    assert "the value 4294967290 is out of the range of its type (INT8)" in done.err
    assert json.loads(done.err.splitlines()[-1])["fault"]["values"] == [4294967290, 0]


@pytest.mark.parametrize("closing", ["<&-", ">&-"])
def test_closed_streams(here: Path, closing: str) -> None:
    command = f"exec {sys.executable} -m lfc run {EXAMPLES / 'prodcons.lf'} {closing}"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_no_room_for_the_output(here: Path) -> None:
    full = Path("/dev/full")
    if not full.is_char_device():
        pytest.skip("no /dev/full here")
    for command in ("run", "layout"):
        arguments = [sys.executable, "-m", "lfc", command, str(EXAMPLES / "prodcons.lf")]
        with full.open("wb") as output:
            done = subprocess.run(arguments, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr) == (
            2,
            "lfc: standard output cannot be written: No space left on device\n",
        )


def test_a_file_name_of_any_letters(here: Path) -> None:
    name = 'd\u00e9j\u00e0 ??/"\U0001f600"\\.lf'.replace("/", "")
    (here / name).write_text(FAULT)
    done = lfc("build", name, "-o", "built", cwd=here)
    assert done.exit == 0, done.err
    ran = subprocess.run([here / "built"], capture_output=True, check=False)
    assert ran.returncode == 4 and ran.stderr.decode().startswith(f"{name}:5:5: index: fault"), ran.stderr


def test_what_is_no_file_is_not_replaced(here: Path) -> None:
    os.mkfifo(here / "pipe")
    (here / "folder").mkdir()
    (here / "real").write_text("before")
    (here / "link").symlink_to("real")
    with subprocess.Popen(["cat", here / "pipe"], stdout=subprocess.PIPE) as reader:
        done = lfc("build", "Endless.lf", "--emit", "ir", "-o", "pipe", cwd=here)
        text = reader.communicate(timeout=30)[0]
    assert done.exit == 0 and text.startswith(b"; ModuleID") and (here / "pipe").is_fifo()
    done = lfc("build", "Endless.lf", "--emit", "ir", "-o", "link", cwd=here)
    assert done.exit == 0 and (here / "link").is_symlink() and (here / "real").read_text().startswith("; ModuleID")
    done = lfc("build", "Endless.lf", "--emit", "ir", "-o", "folder", cwd=here)
    assert done.exit == 2 and "Is a directory" in done.err
    assert [p.name for p in here.iterdir() if p.name.startswith(".lfc-")] == []


def test_a_cache_that_cannot_be_written_is_no_error(here: Path) -> None:
    (here / "file").write_text("no folder")
    done = lfc("run", str(EXAMPLES / "prodcons.lf"), cwd=here, XDG_CACHE_HOME=str(here / "file"))
    assert (done.exit, done.err) == (0, "")
    assert done.out == (EXAMPLES / "expected" / "prodcons.out").read_text()
