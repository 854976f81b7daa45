"""`lfc check`: verdicts, exit codes, traces that replay."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from intelhex import IntelHex

from tests.cli.lfc import ROOT, lfc

PARTIAL = """MODULE Partial;
TYPE C = [a, b];
PORT p, q : C;
VAR n : INTEGER;
PROCESS One;
BEGIN
  p!a;
  q?b
END One;
PROCESS Two;
BEGIN
  q!b;
  p?a
END Two;
PROCESS Tick;
BEGIN
  LOOP n := 1 - n; RESCHEDULE END
END Tick;
BEGIN
  NEW(p); NEW(q); CREATE One; CREATE Two; CREATE Tick
END Partial.
"""
LOST = """MODULE Lost;
VAR n : INTEGER;
PROCESS Add;
VAR x : INTEGER;
BEGIN
  x := n;
  RESCHEDULE;
  n := x + 1;
  IF x = 1 THEN ASSERT(n = 3) END
END Add;
BEGIN
  CREATE Add;
  CREATE Add
END Lost.
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Partial.lf").write_text(PARTIAL)
    (tmp_path / "Lost.lf").write_text(LOST)
    return tmp_path


def test_holds(here: Path) -> None:
    done = lfc("check", str(ROOT / "examples" / "prodcons.lf"), cwd=here)
    assert done.exit == 0
    assert done.out.startswith(
        "holds: no failed assertion, fault, deadlock or partial deadlock in any state\n308 states"
    )


def test_partial_deadlock_names_the_cycle(here: Path) -> None:
    done = lfc("check", "Partial.lf", cwd=here)
    assert done.exit == 3
    lines = done.out.splitlines()
    assert lines[0].startswith("Partial.lf:7:3: partial deadlock: One, Two wait forever")
    assert "  One waits at Partial.lf:7:3 for `p!a`" in lines
    assert lines[lines.index("wait-for cycle:") :][:3] == [
        "wait-for cycle:",
        "  One waits for Two to receive a on channel 1 (`p!a`, Partial.lf:7:3)",
        "  Two waits for One to receive b on channel 2 (`q!b`, Partial.lf:12:3)",
    ]


LOCKS = """MODULE Locks;
IMPORT Clock;
TYPE Lock = [get, put];
PORT a, b : Lock;
PROCESS Mutex(p : Lock) SERVER; BEGIN LOOP p?get; p?put END END Mutex;
PROCESS User(x, y : Lock); BEGIN x!get; y!get; y!put; x!put END User;
PROCESS Ticker; BEGIN LOOP Clock.Sleep(10) END END Ticker;
BEGIN
  NEW(a); NEW(b);
  CREATE Mutex(a); CREATE Mutex(b); CREATE User(a, b); CREATE User(b, a); CREATE Ticker
END Locks.
"""


def test_a_circle_through_servers_that_do_not_wait_yet(here: Path) -> None:
    """The shortest way ends before the locks have come to where they wait to be given back."""
    (here / "Locks.lf").write_text(LOCKS)
    lines = lfc("check", "Locks.lf", cwd=here).out.splitlines()
    at = lines.index("wait-for cycle, once all of them wait:")
    assert lines[at + 1 : at + 6] == [
        "  User[0] waits for Mutex[1] to receive get on channel 2 (`y!get`, Locks.lf:6:41)",
        "  Mutex[1] waits for User[1] to send put on channel 2 (`p?put`, Locks.lf:5:51)",
        "  User[1] waits for Mutex[0] to receive get on channel 1 (`y!get`, Locks.lf:6:41)",
        "  Mutex[0] waits for User[0] to send put on channel 1 (`p?put`, Locks.lf:5:51)",
        "",
    ]


def test_json_and_a_trace_that_replays(here: Path) -> None:
    done = lfc("check", "--json", "--trace", "way.json", "Lost.lf", cwd=here)
    assert done.exit == 4
    document = json.loads(done.out)
    assert document["verdict"] == "assertion"
    assert (document["errors"][0]["file"], document["errors"][0]["line"]) == ("Lost.lf", 9)
    again = lfc("run", "Lost.lf", "--schedule", "way.json", cwd=here)
    assert again.exit == 4
    assert again.err.startswith("Lost.lf:9:17: fault: the assertion failed")


def test_a_deadlock_that_replays(here: Path) -> None:
    file = str(ROOT / "examples" / "philosophers.lf")
    done = lfc("check", "--trace", "way.bin", file, cwd=here)
    assert done.exit == 3
    assert "shortest counterexample, 21 steps" in done.out
    lines = done.out.splitlines()
    circle = lines[lines.index("wait-for cycle:") + 1 :][:10]
    for i in range(5):  # not to and fro between two: whoever waits for a fork waits for who has it
        k = (i + 1) % 5
        eats = f"  Philosopher[{i}] waits for Fork[{k}] to receive get on channel {k + 1} (`right!get`, {file}:18:5)"
        owes = f"  Fork[{i}] waits for Philosopher[{i}] to send put on channel {i + 1} (`hand?put`, {file}:11:18)"
        assert eats in circle and owes in circle
    again = lfc("run", "--schedule", "way.bin", "--trace", file, cwd=here)
    lines = again.err.splitlines()
    assert again.exit == 3
    assert lines[21] == "deadlock: every process waits for another" and len(lines) == 21 + 1 + 10


def test_a_circle_as_data(here: Path) -> None:
    document = json.loads(lfc("check", "--json", "Partial.lf", cwd=here).out)
    one, two = document["errors"][0]["waits"]
    assert one == {
        "process": "One",
        "slot": 1,
        "for": "Two",
        "for_slot": 2,
        "attempts": "send",
        "message": "a",
        "channel": 1,
        "file": "Partial.lf",
        "line": 7,
        "column": 3,
    }
    assert (two["process"], two["for"], two["message"], two["channel"], two["line"]) == ("Two", "One", "b", 2, 12)


def test_a_report_and_its_document(here: Path) -> None:
    (here / "Lazy.lf").write_text(
        "MODULE Lazy; VAR n : UINT8; BEGIN\n  RESCHEDULE;\n  IF n = 1 THEN\n    n := 2\n  END\nEND Lazy.\n"
    )
    done = lfc("check", "Lazy.lf", cwd=here)
    assert done.out.splitlines()[2:] == ["never reached: 1 source line (list them with --report)"]
    done = lfc("check", "--report", "Lazy.lf", cwd=here)
    assert done.out.splitlines()[3:5] == ["never reached:", "  `n := 2`, Lazy.lf:4:5"]
    document = json.loads(lfc("check", "--json", "Lazy.lf", cwd=here).out)
    lines = [{"file": "Lazy.lf", "line": 4, "column": 5}]
    assert document["unreached"] == {
        "complete": True,
        "processes": [],
        "clauses": [],
        "messages": [],
        "lines": lines,
        "actions": [],
    }
    assert document["bounds"] == {"instances": [], "channels": {"most": 0, "room": 0}, "block_bytes": 2, "queues": None}
    assert [v["name"] for v in document["values"]] == ["initialisation", "n"]


@pytest.mark.parametrize(
    ("program", "limits", "verdict"),
    [("Lost.lf", (), "assertion"), ("Taken.lf", (), "property"), ("Taken.lf", ("--states", "1"), "inconclusive")],
)
def test_where_there_is_no_certificate_it_is_said(
    here: Path, program: str, limits: tuple[str, ...], verdict: str
) -> None:
    (here / "Taken.lf").write_text(
        "MODULE Taken; VAR n : UINT8; PROPERTY p = ALWAYS (n < 2);\n"
        "BEGIN n := 1; RESCHEDULE; n := 2; RESCHEDULE; n := 3 END Taken.\n"
    )
    done = lfc("check", program, "--certificate", "way.cert", *limits, cwd=here)
    assert done.err == f"No certificate was written: the verdict is `{verdict}`.\n"
    assert not (here / "way.cert").exists()


@pytest.mark.parametrize(("option", "reason"), [("--states", "--states"), ("--time", "--time")])
def test_a_limit_is_no_success(here: Path, option: str, reason: str) -> None:
    value = "1000" if option == "--states" else "0.0001"
    done = lfc("check", option, value, str(ROOT / "examples" / "leader.lf"), cwd=here)
    assert done.exit == 6
    assert done.out.startswith("inconclusive: ") and reason in done.out.splitlines()[0]


def test_an_image_that_does_something_else(tmp_path: Path) -> None:
    """A bit of an instruction that is executed, in the file that would be flashed."""
    made = lfc("build", ROOT / "examples" / "mutex.lf", "-b", "uno", "-o", tmp_path / "m.elf")
    assert made.exit == 0
    good = lfc(
        "check", ROOT / "examples" / "mutex.lf", "-b", "uno", "--image", tmp_path / "m.hex", "--json", cwd=tmp_path
    )
    told = json.loads(good.out)
    assert good.exit == 0 and told["image_check"]["verdict"] == "agrees"
    assert told["image_check"]["states"] == told["states"]
    pieces = IntelHex(str(tmp_path / "m.hex"))
    words = {a: pieces[a] | pieces[a + 1] << 8 for a in range(0xA0, 0x400, 2)}
    constants = {a for a, word in words.items() if word & 0xF0F0 == 0xE080 and word != 0xE080}  # LDI r24, but not 0
    at = next(a for a, word in words.items() if word == 0x9380 and a - 2 in constants)  # STS k, r24
    pieces[at + 1] ^= 0x02  # LDS r24, k
    pieces.write_hex_file(str(tmp_path / "bad.hex"), write_start_addr=False)
    bad = lfc(
        "check", ROOT / "examples" / "mutex.lf", "-b", "uno", "--image", tmp_path / "bad.hex", "--json", cwd=tmp_path
    )
    told = json.loads(bad.out)
    assert bad.exit == 10 and told["verdict"] == "image"
    assert told["image_check"]["mismatches"][0]["block"]


PATCHED: dict[str, Callable[[bytearray], tuple[int, bytes]]] = {  # where, and what stands there then
    "interrupts stay off": lambda flash: (bytes(flash).index(b"\x78\x94"), b"\x00\x00"),  # SEI
    "a vector of no interrupt of ours": lambda flash: (0x30, b"\x00\x00"),
    "a constant behind the code": lambda flash: (len(flash) - 1, bytes([flash[-1] ^ 1])),
    "more behind the end": lambda flash: (len(flash) + 6, b"\x08\x95"),
    "an instruction that nothing reaches": lambda flash: (0x34, b"\x08\x95"),
}


@pytest.mark.parametrize("name", PATCHED)
def test_an_image_with_other_bytes_never_passes(name: str, tmp_path: Path) -> None:
    """What is executed in the states shows nothing of these."""
    program = ROOT / "examples" / "mutex.lf"
    assert lfc("build", program, "-b", "uno", "-o", tmp_path / "m.elf").exit == 0
    pieces = IntelHex(str(tmp_path / "m.hex"))
    at, new = PATCHED[name](bytearray(pieces.tobinarray()))
    for n, byte in enumerate(new):
        pieces[at + n] = byte
    pieces.write_hex_file(str(tmp_path / "bad.hex"), write_start_addr=False)
    done = lfc("check", program, "-b", "uno", "--image", tmp_path / "bad.hex", "--json", cwd=tmp_path)
    told = json.loads(done.out)
    assert done.exit == 10 and told["verdict"] == "image", name
    assert "bad.hex is not the image that `lfc build` makes: " in told["other_bytes"]
    assert f" at {at:04X}H" in told["other_bytes"]


def test_image_refuses_what_it_cannot_check(tmp_path: Path) -> None:
    file = ROOT / "examples" / "pingpong.lf"
    assert lfc("check", file, "--image").exit == 2
    refused = lfc("check", file, "-b", "microbit", "--image", "--scheduler", "edf", cwd=tmp_path)
    assert refused.exit == 2 and "the edf scheduler" in refused.err


def test_the_image_of_another_program_or_board(tmp_path: Path) -> None:
    (tmp_path / "A.lf").write_text("MODULE A;\nVAR x : UINT8;\nBEGIN\n  x := 1\nEND A.\n")
    (tmp_path / "B.lf").write_text("MODULE B;\nVAR x : UINT8;\nBEGIN\n  x := 2\nEND B.\n")
    assert lfc("build", "B.lf", "-b", "uno", cwd=tmp_path).exit == 0
    done = lfc("check", "A.lf", "-b", "uno", "--image", "B.elf", cwd=tmp_path)
    assert done.exit == 10 and done.out.startswith("differs: the image does not behave as the program does")
    done = lfc("check", "A.lf", "-b", "microbit", "--image", "B.elf", cwd=tmp_path)
    assert done.exit == 2 and "B.elf was built for the board uno, not for microbit" in done.err


@pytest.mark.parametrize(("board", "form"), [("microbit", "hex"), ("stm32vldiscovery", "bin"), ("pico", "uf2")])
def test_an_image_is_read_as_the_flasher_reads_it(board: str, form: str, tmp_path: Path) -> None:
    file = ROOT / "examples" / "pingpong.lf"
    assert lfc("build", file, "-b", board, "-o", tmp_path / "p.elf").exit == 0
    told = json.loads(lfc("check", file, "-b", board, "--image", tmp_path / f"p.{form}", "--json", cwd=tmp_path).out)
    assert told["image_check"]["verdict"] == "agrees" and told["image_check"]["executions"] > 0


WRAPS = """MODULE Wraps;
VAR raw : UINT16; x : INTEGER;
PROPERTY low = ALWAYS x < 70000;
BEGIN
  raw := 1000;
  x := raw * 5000
END Wraps.
"""


def test_warnings_of_the_compiler_are_told(tmp_path: Path) -> None:
    """Beside the verdict, whatever it is; what is only noted is not."""
    file = tmp_path / "Wraps.lf"
    meant = WRAPS.replace("raw * 5000", "INTEGER(raw) * 5")
    file.write_text(meant.replace("x : INTEGER", "x, y : INTEGER"))
    done = lfc("check", file)
    assert done.exit == 0 and done.out.startswith("holds: ")
    assert "Wraps.lf:2:22: warning LF0708: " in done.err and "no errors, 1 warning\n" in done.err
    done = lfc("check", file, "--json")
    assert done.err == "" and [d["code"] for d in json.loads(done.out)["diagnostics"]] == ["LF0708"]
    file.write_text(WRAPS)  # a wrap that nobody has written is an error
    done = lfc("check", file)
    assert done.exit == 1 and "Wraps.lf:6:8: error LF0726: " in done.err
    file.write_text(meant)
    assert lfc("check", file).err == ""
    assert json.loads(lfc("check", file, "--json").out)["diagnostics"] == []


@pytest.mark.parametrize("command", ["check", "build"])
def test_a_pin_that_the_board_does_not_have(command: str, tmp_path: Path) -> None:
    file = tmp_path / "Pins.lf"
    file.write_text("MODULE Pins;\nIMPORT GPIO;\nBEGIN\n  GPIO.Set(13, TRUE)\nEND Pins.\n")
    done = lfc(command, file, "-b", "uno", cwd=tmp_path)
    assert done.exit == 1 and "Pins.lf:4:12: error LF0727: uno has no pin 13" in done.err
    assert lfc(command, file, "-b", "pico", cwd=tmp_path).exit == 0
