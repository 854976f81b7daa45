"""What is wrong with a system file is said where it is: LF0911."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics
from lfc.systems.compose import load_any
from tests.cli.checking.projects import lfc
from tests.systems.loading import NODE, RING, found

BOTH = "out!token(n);\n    rounds := n"
WRONG = [
    ("[boards", "[board", "unknown key `board`; a system file has boards, links, line, properties", 3),
    ('run = "Node.lf"\nboard = "uno"\nconst', 'file = "Node.lf"\nconst', "unknown key `file`", 4),
    ('run = "Node.lf"\nboard = "uno"\nconst', "const", "board `left` has no `run`", 3),
    ("boards.left", "boards.Clock", "a board cannot be named `Clock`: the library has a module of this name", 3),
    ("boards.left", "boards.links", "a board cannot be named `links`: `SYSTEM:links` is the protocol of the links", 3),
    ("boards.left", "boards.END", "a board cannot be named `END`: this is a keyword of LF", 3),
    ('"right.in"', '"middle.in"', "link `there`: there is no board `middle`; there are left, right", 14),
    ('"right.in"', '"right"', "leads from a port of a board to another", 14),
    ('"right.in"', '"right.inn"', "the program of board `right` exports no port `inn`", 14),
    ('"right.in"', '"right.in[0]"', "`in` is one port", 14),
    ('"right.in"', '"left.in"', "link `there` leads from a board to itself", 13),
    ('from = "right.out"\nto = "left.in"', 'from = "left.out"\nto = "right.in"', "`there` and `back` both take", 16),
    ("rate = 9600", "rate = 0", "`rate` of the line is a whole number from 1 to 4000000", 21),
    ("rate = 9600", 'model = "queue"', "`model` of the line is one of buffer, protocol", 21),
    ("rate = 9600", 'faults = "loss"', "`faults` of the line is a list of some of loss, silence", 21),
    ('to = "right.in"', 'to = "right.in"\nmessages = ["tokn"]', "left.out has no message `tokn`", 15),
    ('"right.in"', f'"right.in[{"9" * 5000}]"', "leads from a port of a board to another", 14),
    ("first = true", f"first = 0x{'f' * 5000}", "the constant `first` is a number", 6),
    ("[line]", "[line", "this is not valid TOML", 1),
    ("[boards.left]", "[boards.left.x]", "unknown key `x`; board `left` has run, board, const, faults", 3),
]


@pytest.mark.parametrize(("text", "instead", "message", "line"), WRONG, ids=range(len(WRONG)))
def test_wrong_files(tmp_path: Path, text: str, instead: str, message: str, line: int) -> None:
    assert text in RING
    [one] = found(tmp_path, RING.replace(text, instead, 1)).items
    assert one.code == "LF0911" and message in one.message and one.span.line == line
    assert one.span.source.path == str(tmp_path / "ring.toml")


def test_ports_that_do_not_fit(tmp_path: Path) -> None:
    other = (
        NODE.replace("token(UINT8)", "token(UINT16)")
        .replace("n : UINT8", "n : UINT16")
        .replace("MODULE Node", "MODULE Wide")
    )
    (tmp_path / "Wide.lf").write_text(
        other.replace("END Node", "END Wide").replace("rounds := n", "rounds := UINT8(n)")
    )
    wide = RING.replace('[boards.right]\nrun = "Node.lf"', '[boards.right]\nrun = "Wide.lf"')
    [one] = found(tmp_path, wide).items
    assert one.message == "link `there`: `token` carries (UINT8) at left.out, and (UINT16) at right.in"


def test_what_cannot_go_over_a_line(tmp_path: Path) -> None:
    port = NODE.replace("[token(UINT8)]", "[token(UINT8), ask(Token)]")
    [one] = found(tmp_path, RING, port).items
    assert "`ask` carries `Token`, which cannot go over a line" in one.message


def test_two_selects_do_not_meet(tmp_path: Path) -> None:
    """A link that carries several messages waits for them in a SELECT."""
    both = NODE.replace("[token(UINT8)]", "[token(UINT8), idle]")
    both = both.replace(BOTH, "SELECT WHEN out!token(n) THEN ELSE END;\n    rounds := n")
    [one] = found(tmp_path, RING, both).items
    assert "`token` is sent in a SELECT (line 25): two SELECTs do not meet" in one.message


@pytest.mark.parametrize("module", ["UART", "In"])
def test_the_line_is_taken(tmp_path: Path, module: str) -> None:
    [one] = found(tmp_path, RING, NODE.replace("IMPORT Out", f"IMPORT Out, {module}")).items
    assert one.message == f"the program of board `left` uses `{module}`, and its serial line carries links"


def test_errors_of_programs_are_those_of_their_files(tmp_path: Path) -> None:
    errors = found(tmp_path, RING, NODE.replace("inside := TRUE", "inside := 3")).items
    assert {(d.code, Path(d.span.source.path).name, d.span.line) for d in errors} == {("LF0401", "Node.lf", 11)}


def test_a_warning_is_told_once(tmp_path: Path) -> None:
    """Two boards run this module."""
    (tmp_path / "Node.lf").write_text(NODE.replace("VAR n : UINT8", "VAR n, unused : UINT8"))
    (tmp_path / "ring.toml").write_text(RING)
    diagnostics = Diagnostics()
    assert load_any(str(tmp_path / "ring.toml"), diagnostics) is not None
    [one] = diagnostics.items
    assert one.code == "LF0708" and one.span.line == 17


def test_a_constant_that_there_is_not(tmp_path: Path) -> None:
    [one] = found(tmp_path, RING.replace("first = true", "frist = true")).items
    assert one.code == "LF0910" and "module `left` has no constant `frist`" in one.message


def test_no_file(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert load_any(str(tmp_path / "none.toml"), diagnostics) is None
    [one] = diagnostics.items
    assert one.code == "LF0903" and "No such file" in one.message


@pytest.mark.parametrize("command", ["check", "flash", "timing", "size", "evidence"])
def test_the_whole_is_no_program_of_one_board(tmp_path: Path, command: str) -> None:
    """All of its boards on one would be an image that nobody means."""
    (tmp_path / "Node.lf").write_text(NODE)
    (tmp_path / "ring.toml").write_text(RING)
    done = lfc(command, "ring.toml", "-b", "uno", cwd=tmp_path)
    assert done.exit == 2 and "`SYSTEM.toml:NAME` is the program of one" in done.err, done.err
