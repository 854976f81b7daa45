"""Images of systems: built by name, and run in the built-in simulator with their lines connected."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.kept_machine import Wanted, machine_of
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.network import Network, Unframed, crc16, is_frame
from lfc.diagnostics.model import Diagnostics
from lfc.image.firmware import build_firmware
from lfc.systems import protocol
from lfc.systems.boards import images_of
from lfc.systems.description import system_of, system_source
from tests.cli.checking.projects import lfc
from tests.cli.lfc import lfc as lfc_alone
from tests.conftest import ROOT
from tests.systems.following import Noisy
from tests.systems.kinds import write_kinds

SYSTEMS = ROOT / "examples" / "systems"


def boards_of(system: Path) -> dict[str, tuple[Board, bytes]]:
    made, diagnostics = {}, Diagnostics()
    for image in images_of(str(system), diagnostics) or ():
        board = load_board(image.board)
        machine = machine_of(Wanted(image.program, board=board, with_environment=False), diagnostics)
        assert machine is not None, [d.message for d in diagnostics.items]
        made[image.name] = board, build_firmware(board, machine, "rr").image.elf
    return made


def test_frames_and_text() -> None:
    assert crc16(b"123456789") == 0x29B1  # the check value of CRC-16/CCITT-FALSE
    content = bytes([0x7E, 1])
    stuffed = b"".join(
        bytes([b]) if b not in (0x7D, 0x7E) else bytes([0x7D, b ^ 0x20])
        for b in content + crc16(content).to_bytes(2, "big")
    )
    assert is_frame(stuffed) and not is_frame(stuffed[:-1]) and not is_frame(stuffed[:-1] + bytes([stuffed[-1] ^ 1]))
    console = Unframed()
    assert console.feed(b"a\n~" + stuffed + b"~b" + b"~" + stuffed[:-1] + b"~" + stuffed + b"~c") == 2
    assert console.take() == b"a\nb~" + stuffed[:-1] + b"c"
    assert console.feed(b"d ~ e ~" + stuffed + b"~\n") == 1  # what is between two signs and no frame is text
    assert console.take() == b"d ~ e \n"


@pytest.mark.slow
def test_a_token_goes_around_over_a_bad_line() -> None:
    """Three boards, one of them a Cortex-M, and one byte in fifty is damaged: no token is lost, twice, or overtaken."""
    said: list[tuple[str, int]] = []
    network = Noisy(boards_of(SYSTEMS / "three.toml"), lambda name, text: said.extend((name, c) for c in text))
    network.disturb(1, 50)
    assert network.run(1.8, False) == "time"
    tokens = [(name, c - ord("0")) for name, c in said if c in b"0123"]
    names = [("second", "third", "first")[i % 3] for i in range(len(tokens))]
    assert tokens == [(name, (i + 1) % 4) for i, name in enumerate(names)]
    assert len(tokens) > 10 and network.damaged > 30


@pytest.mark.slow
@pytest.mark.parametrize("different", [True, False], ids=["as it is", "all wait for the same time"])
def test_boards_that_begin_at_once_get_through(
    different: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three boards send at the same moment on one line. With one patience for all they would collide for ever."""
    for name in ("Elect.lf", "election.toml"):  # elsewhere, since programs are kept by the names of their files
        (tmp_path / name).write_text((SYSTEMS / name).read_text())
    if not different:
        monkeypatch.setattr(protocol, "patience", lambda links, line, _: {link.name: line.retry for link in links})
    said: list[str] = []
    network = Network(boards_of(tmp_path / "election.toml"), lambda name, text: said.append(text.decode()))
    assert network.run(1.5, False) == "time"
    assert "".join(said) == ("leader 3\n" * 3 if different else "")


def test_how_long_links_wait() -> None:
    """1 byte of values: a frame of 12 bytes at most and an answer of 8, 21 ms, and 2 ms by which a board is late."""
    system = system_of(system_source(str(SYSTEMS / "election.toml")))
    assert protocol.patience(system.links, system.line, 1) == {"a": 100, "b": 146, "c": 192}
    assert protocol.patience(system.links[:1], system.line, 1) == {"a": 100}  # two boards have a wire each way


@pytest.mark.slow
def test_values_of_all_kinds_arrive(tmp_path: Path) -> None:
    done = lfc_alone("run", write_kinds(tmp_path), "--seconds", "0.5", "--clock", "virtual", cwd=tmp_path)
    assert (done.exit, done.out) == (0, "r: all seen\n")
    assert done.err == "stopped: time limit reached (--seconds)\n6 frames passed between the boards\n"
    (tmp_path / "Looker.lf").write_text((tmp_path / "Looker.lf").read_text().replace("a = -2", "a = 2"))
    done = lfc_alone("run", "kinds.toml", "--seconds", "0.5", "--clock", "virtual", cwd=tmp_path)
    assert done.exit == 4 and done.err.startswith("r: ") and "Looker.lf:10:3: fault: the assertion failed" in done.err


def test_images_have_the_names_of_their_boards(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    done = lfc("build", SYSTEMS / "ring.toml", "-o", "out", cwd=tmp_path)
    assert done.exit == 0 and sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        *("left.elf", "left.hex", "left.map", "right.elf", "right.hex", "right.map")
    ]
    one = lfc("build", f"{SYSTEMS / 'ring.toml'}:left", "-o", "one", cwd=tmp_path)
    assert one.exit == 0 and (tmp_path / "one.hex").read_bytes() == (tmp_path / "out" / "left.hex").read_bytes()
    again = lfc("build", f"{SYSTEMS / 'ring.toml'}:right", "-D", "first=TRUE", "-o", "two", cwd=tmp_path)
    other = (tmp_path / "out" / "right.elf").read_bytes()
    assert again.exit == 0 and (tmp_path / "two.elf").read_bytes() != other


def test_wrong_uses_are_told(tmp_path: Path) -> None:
    ring = SYSTEMS / "ring.toml"
    wrong = {
        (
            "build",
            ring,
            "-b",
            "uno",
        ): "A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one.",
        ("run", ring, "--pins"): "--pins is not for systems.",
        ("run", ring, "--scheduler", "random"): "A board's scheduler is rr or edf.",
        ("check", ring, "--time", "discrete"): "Links take no time in this model",
    }
    for command, message in wrong.items():
        done = lfc(*command, cwd=tmp_path)
        assert done.exit == 2 and message in done.err, done.err
    (tmp_path / "Node.lf").write_text((SYSTEMS / "Node.lf").read_text())
    (tmp_path / "ring.toml").write_text(ring.read_text().replace('board = "uno"', ""))
    done = lfc("build", "ring.toml", cwd=tmp_path)
    assert done.exit == 1 and "board `left` has no `board`" in done.err
