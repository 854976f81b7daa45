"""`lfc size`: figures that add up, and programs that do not fit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc

PRODCONS = ROOT / "examples" / "prodcons.lf"
LARGE = """MODULE Large;
IMPORT Out;
VAR table : ARRAY SIZE_ OF UINT8;

PROCESS Filler;
VAR own : ARRAY 300 OF UINT8; i : INTEGER;
BEGIN
  FOR i := 0 TO 299 DO own[i] := UINT8(i MOD 256); RESCHEDULE END;
  FOR i := 0 TO 299 DO table[i] := own[i]; Out.Int(i) END
END Filler;

BEGIN
  CREATE Filler
END Large.
"""


@pytest.mark.parametrize("board", ["uno", "stm32vldiscovery"])
def test_users_add_up(board: str) -> None:
    done = lfc("size", PRODCONS, "-b", board, "--json")
    assert done.exit == 0, done.err
    told = json.loads(done.out)
    for memory in ("flash", "ram"):
        assert sum(told[memory]["users"].values()) == told[memory]["used"] < told[memory]["size"]
        assert all(size > 0 for size in told[memory]["users"].values())
    flash, ram = told["flash"], told["ram"]
    assert {"ProdCons.Producer", "ProdCons.Consumer"} <= flash["users"].keys()
    assert flash["modules"]["ProdCons"] == sum(n for u, n in flash["users"].items() if u.startswith("ProdCons."))
    assert {"data", "end"} <= flash["messages"].keys()
    # The worked example of docs/reference/machine.md: 4 + 4 + 1 and the position; 4 + 1 + 1 and the position.
    assert (ram["users"]["ProdCons.Producer"], ram["users"]["ProdCons.Consumer"]) == (10, 7)
    assert ram["state_block"] == 24


def test_other_names_of_the_same_bytes_count_once() -> None:
    """The list of sleepers lies within the policies' bytes."""
    done = lfc("size", ROOT / "examples" / "blink.lf", "-b", "uno", "--json")
    users = json.loads(done.out)["ram"]["users"]
    assert users["console and clock"] == 5 and all(size > 0 for size in users.values())


def test_text() -> None:
    done = lfc("size", PRODCONS, "-b", "uno")
    lines = done.out.splitlines()
    assert done.exit == 0 and lines[0].startswith("flash: ") and lines[0].endswith(" left")
    assert "     10  ProdCons.Producer" in done.out
    assert any(line.startswith("state block: 24 bytes; policy block: ") for line in lines)
    assert "calls through pointers: none" in lines
    assert any(line.startswith("stack: ") and "__vectors > lf_step" in line for line in lines)


@pytest.mark.parametrize(("size", "over"), [(4000, "RAM"), (1724, "RAM")])
def test_more_ram_than_there_is(tmp_path: Path, size: int, over: str) -> None:
    """More than the linker can place; and what it places, but leaves no room for the stack."""
    (tmp_path / "Large.lf").write_text(LARGE.replace("SIZE_", str(size)))
    done = lfc("build", "Large.lf", "-b", "uno", cwd=tmp_path)
    assert done.exit == 1 and done.out == ""
    first, need, *users = done.err.splitlines()
    assert first == "lfc: error: the program does not fit uno"
    assert need.startswith("  it needs ") and f"bytes of {over}, " in need and need.endswith("the 2048 available")
    assert users[0].split() == [str(size), "Large.(variables)"]
    assert any(line.split()[1:] == ["stack"] for line in users)
    assert users[1].split()[1] == "Large.Filler" and int(users[1].split()[0]) >= 300
    assert not list(tmp_path.glob("*.elf"))


def test_more_flash_than_there_is(tmp_path: Path) -> None:
    (tmp_path / "Large.lf").write_text(LARGE.replace("SIZE_", "300"))
    small = 'inherits = "uno"\ntitle = "Small"\nmemory.flash.size = 1024\nmemory.flash.reserved_at_end = 0\n'
    (tmp_path / "small.toml").write_text(small)
    done = lfc("size", "Large.lf", "--board-file", "small.toml", cwd=tmp_path)
    assert done.exit == 1 and "bytes of flash, " in done.err and "RAM" not in done.err
    assert "Large.Filler" in done.err and "Out.Int" in done.err


def test_neither_fits_a_cortex_m(tmp_path: Path) -> None:
    (tmp_path / "Large.lf").write_text(LARGE.replace("SIZE_", "16200"))
    done = lfc("build", "Large.lf", "-b", "microbit", cwd=tmp_path)
    first, need, *users = done.err.splitlines()
    assert done.exit == 1 and first == "lfc: error: the program does not fit microbit"
    assert "bytes of RAM, " in need and need.endswith("the 16384 available")
    assert users[0].split() == ["16200", "Large.(variables)"] and users[1].split()[1] == "Large.Filler"
    small = 'inherits = "microbit"\ntitle = "Small"\nmemory.flash.size = 1024\n'
    (tmp_path / "small.toml").write_text(small)
    (tmp_path / "Large.lf").write_text(LARGE.replace("SIZE_", "300"))
    done = lfc("size", "Large.lf", "--board-file", "small.toml", cwd=tmp_path)
    assert done.exit == 1 and "bytes of flash, " in done.err and "RAM" not in done.err
    users = done.err.splitlines()[2:]
    amounts = [int(line.split()[0]) for line in users]
    assert len(users) == 5 and amounts == sorted(amounts, reverse=True) and any("Out.Int" in line for line in users)


def test_a_board_must_be_named() -> None:
    done = lfc("size", PRODCONS)
    assert done.exit == 2 and "Name it with -b BOARD" in done.err


def test_what_is_known_of_the_way_from_interrupt_to_action(tmp_path: Path) -> None:
    """Three slots: the initialisation, and two processes."""
    text = """MODULE Test;
IMPORT SYSTEM;
PROCESS Listener;
BEGIN SYSTEM.INT[1]?INTERRUPT END Listener;
PROCESS Other;
END Other;
BEGIN CREATE Listener; CREATE Other END Test.
"""
    (tmp_path / "Test.lf").write_text(text)
    done = lfc("size", "Test.lf", "-b", "uno", cwd=tmp_path)
    line = "interrupt 1: delivered when the running action ends; after at most 2 actions of others its process runs"
    longest, last = done.out.splitlines()[-2:]
    assert done.exit == 0 and last.startswith(f"{line}, at most ") and last.endswith(" µs) after the interrupt")
    assert longest.startswith("longest action, with the kernel around it: ")
    data = json.loads(lfc("size", "Test.lf", "-b", "uno", "--json", cwd=tmp_path).out)
    (interrupt,) = data["interrupts"]
    assert 3 * data["cycles"]["longest_pass"] < interrupt["cycles"] and data["cycles"]["unbounded"] == []
    done = lfc("size", "Test.lf", "-b", "uno", "--scheduler", "edf", "--json", cwd=tmp_path)
    (interrupt,) = json.loads(done.out)["interrupts"]
    assert (interrupt["actions_of_others"], interrupt["cycles"]) == (None, None)
    assert interrupt["unbounded"] == "a process with an earlier deadline may always run first"
    done = lfc("size", "Test.lf", "-b", "uno", "--scheduler", "edf", cwd=tmp_path)
    assert done.out.splitlines()[-1].endswith(
        "; no bound is known, because a process with an earlier deadline may always run first"
    )
    done = lfc("size", "Test.lf", "-b", "microbit", "--json", cwd=tmp_path)
    assert json.loads(done.out)["cycles"] is None


@pytest.mark.parametrize("board", ["uno", "microbit", "stm32vldiscovery"])
def test_a_project_optimised_for_size(tmp_path: Path, board: str) -> None:
    """What is checked, built and flashed there is the same smaller image, and it does what the program does."""
    (tmp_path / "hanoi.lf").write_bytes((PRODCONS.parent / "hanoi.lf").read_bytes())

    def size(made_for: str) -> int:
        (tmp_path / "lf.toml").write_text(f'main = "hanoi.lf"\nboard = "{board}"\noptimise = "{made_for}"\n')
        done = lfc("size", "--json", cwd=tmp_path)
        assert done.exit == 0, done.err
        used: int = json.loads(done.out)["flash"]["used"]
        return used

    assert size("speed") > size("size")
    done = lfc("check", "--image", cwd=tmp_path)
    assert done.exit == 0 and "agrees with the program in every state" in done.out
    image = tmp_path / "hanoi.hex"
    assert lfc("build", "-o", image, cwd=tmp_path).exit == 0
    shown = lfc("record", "show", image, cwd=tmp_path)
    assert shown.exit == 0 and "holds" in shown.out
