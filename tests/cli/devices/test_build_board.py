"""`lfc build -b`: the files of a firmware, what is said about it, and what is refused."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from intelhex import IntelHex

from lfc.boards.emulators.simavr import flash_content
from lfc.toolchain.elf import read_load_segments, read_sizes
from tests.cli.lfc import ROOT, lfc

BLINK = ROOT / "examples" / "blink.lf"


def test_files_and_summary(tmp_path: Path) -> None:
    done = lfc("build", BLINK, "-b", "uno", cwd=tmp_path)
    assert (done.exit, done.out) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["blink.elf", "blink.hex", "blink.map"]
    elf = (tmp_path / "blink.elf").read_bytes()
    sizes = read_sizes(elf)
    assert done.err == (
        f"blink.elf, blink.map, blink.hex: flash {sizes.flash} of 32256 bytes, RAM {sizes.ram} of 2048\n"
    )
    flashed = IntelHex(StringIO((tmp_path / "blink.hex").read_text()))
    for segment in read_load_segments(elf):
        assert flashed.gets(segment.load_address, len(segment.content)) == segment.content
    assert "lf_step" in (tmp_path / "blink.map").read_text()


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_the_same_program_gives_the_same_bytes(tmp_path: Path, board: str) -> None:
    """In another folder, process, language and time zone, with another order of Python's sets, and compiled anew."""
    made = []
    for name, environment in (
        ("one", {"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "UTC"}),
        ("the other", {"PYTHONHASHSEED": "2", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo", "XDG_CACHE_HOME": "new"}),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "blink.lf").write_bytes(BLINK.read_bytes())
        if "XDG_CACHE_HOME" in environment:
            environment["XDG_CACHE_HOME"] = str(tmp_path / "new")
        assert lfc("build", "blink.lf", "-b", board, cwd=folder, **environment).exit == 0  # type: ignore[arg-type]
        made.append({p.name: p.read_bytes() for p in folder.iterdir()})
    assert made[0] == made[1] and len(made[0]) >= 4
    assert str(tmp_path).encode() not in made[0]["blink.elf"]
    assert any((tmp_path / "new").rglob("*.ll"))  # it was compiled


@pytest.mark.parametrize("name", ["out/light", "out/light.elf", "out/light.hex"])
def test_output_names_all_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "out").mkdir()
    done = lfc("build", BLINK, "-b", "uno", "-o", name, "--json", cwd=tmp_path)
    assert done.exit == 0, done.err
    told = json.loads(done.out)
    assert told["files"] == ["out/light.elf", "out/light.map", "out/light.hex"]
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"light.elf", "light.map", "light.hex"}
    assert told["flash"]["size"] == 32256 and 0 < told["ram"]["used"] < told["ram"]["size"] == 2048


def test_schedulers_differ(tmp_path: Path) -> None:
    for scheduler in ("rr", "edf"):
        assert lfc("build", BLINK, "-b", "uno", "--scheduler", scheduler, "-o", scheduler, cwd=tmp_path).exit == 0
    ram = [read_sizes((tmp_path / f"{s}.elf").read_bytes()).ram for s in ("rr", "edf")]
    assert ram[1] == ram[0] + (4 + 4) * 3  # of each of three slots its deadline, and how long it is


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text('inherits = "uno"\ntitle = "Slow"\nlink.outputs = ["bin", "hex"]\n')
    done = lfc("build", BLINK, "--board-file", "slow.toml", "-o", "b", cwd=tmp_path)
    assert done.exit == 0, done.err
    assert {"b.elf", "b.map", "b.bin", "b.hex"} <= {p.name for p in tmp_path.iterdir()}
    assert (tmp_path / "b.bin").read_bytes() == flash_content((tmp_path / "b.elf").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-b", "unno"], "did you mean `uno`?"),
        (["--board-file", "none.toml"], "none.toml: cannot be read"),
        (["-b", "uno", "--board-file", "none.toml"], "exclude each other"),
        (["-b", "uno", "-o", "-"], "cannot go to standard output"),
        (["-b", "uno", "--emit", "asm"], "not for boards"),
        (["-b", "uno", "-o", "no/where"], "cannot be written"),
    ],
)
def test_wrong_command_lines(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = lfc("build", BLINK, *arguments, cwd=tmp_path)
    assert done.exit == 2 and message in done.err
    assert list(tmp_path.iterdir()) == []


WRONG_BOARDS = [
    (
        "uno",
        "[console]\nbaud = 1500000",
        "the console's baud rate cannot be reached with this clock",
        "16000000, console.baud = 1500000",
    ),
    (
        "uno",
        "[cpu]\nclock = 16000300",
        "a millisecond is no whole number of counts of the timer",
        "cpu.clock = 16000300",
    ),
    (
        "bluepill",
        "[cpu]\nclock = 71000000",
        "the clock must be 2 to 16 times the crystal's",
        "71000000, cpu.crystal = 8000000",
    ),
    ("microbit", "[console]\nbaud = 2000000", "the console's baud rate cannot be reached", "console.baud = 2000000"),
]


@pytest.mark.parametrize(("kind", "said", "why", "values"), WRONG_BOARDS)
def test_what_a_port_cannot_do_is_told_of_the_board(
    kind: str, said: str, why: str, values: str, tmp_path: Path
) -> None:
    """And not of the C that found it out."""
    (tmp_path / "mine.toml").write_text(f'inherits = "{kind}"\ntitle = "Mine"\n{said}\n')
    (tmp_path / "A.lf").write_text("MODULE A;\nEND A.\n")
    done = lfc("build", "A.lf", "--board-file", "mine.toml", cwd=tmp_path)
    assert done.exit == 1
    assert f"error: the board mine cannot be as it is described: {why}\n  its description says " in done.err
    assert f"{values}; change that in the board's file" in done.err
    assert "static assertion" not in done.err and ".c:" not in done.err
