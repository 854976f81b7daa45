"""Images of systems in the simulator beside the composition: right ones agree, and each kind of wrong one is found."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from lfc.boards.emulators.quiet import MEMORY
from lfc.hil.systems.composition import CannotFollow, Composition
from lfc.hil.systems.follow import SystemFollower
from lfc.hil.systems.views import View
from lfc.hil.visited import explore
from lfc.systems import protocol, serial_line
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.systems.following import follower, noisy
from tests.systems.loading import NODE, RING, machine_of

EXAMPLE = ROOT / "examples" / "systems" / "ring.toml"
NEXT = "n := (n + 1) MOD 4"


def written(folder: Path, node: str = NODE, system: str = RING) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "Node.lf").write_text(node)
    (folder / "ring.toml").write_text(system)
    return folder / "ring.toml"


def changed(folder: Path, text: str, into: str) -> SystemFollower:
    """The ring, and images of a ring with another node. (Errors are told by places, so these stay the same.)"""
    assert NODE.count(text) == 1
    return follower(written(folder / "right"), written(folder / "wrong", NODE.replace(text, into)))


@pytest.mark.slow
def test_a_ring_agrees() -> None:
    run = follower(EXAMPLE)
    told = run.run(0.1)
    assert (told.verdict, told.lines, told.states) == ("agrees", [], 122)
    assert all(n > 100 for n in told.steps.values()) and all(n > 1000 for n in told.actions.values())
    visited = explore(machine_of(EXAMPLE))  # another way to the states: the checker's engine
    assert len(visited) == 237 and all(block in visited for block in run.composition.blocks)
    assert run.run(None, told.actions["left"] + told.actions["right"] + 500).verdict == "agrees"
    assert 0 <= run.actions - sum(told.actions.values()) - 500 < 20


@pytest.mark.slow
def test_a_flipped_bit_is_found() -> None:
    run = follower(EXAMPLE)
    assert run.run(0.05).verdict == "agrees"
    watched, simulation = run.watched["left"], run.network.members["left"].simulation
    [at] = [o for v, o in watched.of.machine.layout.variables.items() if (v.owner.name, v.name) == ("left", "rounds")]
    at += simulation.symbols[MEMORY].target_address + watched.of.generated.policies.size
    simulation.processor.fill(at, bytes([simulation.processor.ram(at, 1)[0] ^ 0x40]))
    told = run.run(0.05)
    assert told.verdict == "differs" and any("left.rounds: " in line for line in told.lines)


@pytest.mark.slow
def test_the_ends_of_links_too_where_the_protocol_is_in_the_composition(tmp_path: Path) -> None:
    """Frames that are lost are steps of the composition as well."""
    system = written(tmp_path, system=RING.replace("[line]", '[line]\nmodel = "protocol"'))
    run = follower(system, network=noisy(1, 200))
    told = run.run(0.5)
    assert (told.verdict, told.lines) == ("agrees", [])
    assert {m for w in run.watched.values() for m in w.of.modules} == {"left", "right", "left_links", "right_links"}
    assert sum(told.steps.values()) > 500


@pytest.mark.slow
def test_another_program_is_found(tmp_path: Path) -> None:
    told = changed(tmp_path, NEXT, "n := (n + 3) MOD 4").run(0.1)
    assert told.verdict == "differs"
    assert told.lines[0].startswith("right, action ")
    assert told.lines[1:] == ["  right.Pass.n: 0 on the board, 2 in the composition"]


FAULTS: list[tuple[ModuleType, str, str, str]] = [
    (protocol, "RECEIVER", "IF bit = expected THEN Give; expected := ~expected END", "Give; expected := bit"),
    (serial_line, "TEXT", "IF check = 0 THEN", "IF TRUE THEN"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("module", "where", "text", "into"), FAULTS, ids=["twice", "damaged"])
def test_a_wrong_protocol_is_found(
    tmp_path: Path, module: ModuleType, where: str, text: str, into: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message that comes twice, or one that is damaged, over a line that damages bytes."""
    body: str = getattr(module, where)
    assert body.count(text) == 1
    system = written(tmp_path)
    monkeypatch.setattr(module, where, body.replace(text, into))
    told = follower(system, network=noisy(3, 30)).run(4.0)
    assert told.verdict == "differs" and "the board does what the composition does not" in told.lines[0]


@pytest.mark.slow
def test_faults(tmp_path: Path) -> None:
    """One that the composition has too, and one that only the board has."""
    node = NODE.replace(NEXT, f"ASSERT(n < 3); {NEXT}")
    both = follower(written(tmp_path / "both", node))
    told = both.run(0.1)
    assert (told.verdict, told.lines) == ("fault", []) and told.fault is not None and told.fault[0] == "right"
    told = follower(written(tmp_path / "one"), written(tmp_path / "other", node)).run(0.1)
    assert told.verdict == "differs" and told.fault is None  # the places of the text have moved: seen before it faults
    assert told.lines[0].endswith("the board does what the composition does not")


def test_a_board_that_has_not_begun_agrees_with_nothing() -> None:
    """In less than a step of the simulator none does anything."""
    done = lfc("hil", "conform", EXAMPLE, "--emulated", "--seconds", "0.0001")
    first, *boards, compared, _ = done.err.splitlines()
    assert (done.exit, first) == (6, f"no verdict: {EXAMPLE} cannot be followed after 0 actions")
    assert boards == [f"{n}: it has not come to the end of its initialisation" for n in ("left", "right")]
    assert compared.startswith("compared: 0 steps ")


def refused(system: Path, most: int = 1000) -> str:
    """Two boards that run ahead as they like: nothing is made for them."""
    whole = machine_of(system)
    views = {name: View(whole, frozenset([name])) for name in ("left", "right")}
    with pytest.raises(CannotFollow) as why:
        composition = Composition(whole, views, most)
        composition.after(composition.first, "left", composition.allowed(composition.first, "left")[0])
    return str(why.value)


def test_what_cannot_be_followed(tmp_path: Path) -> None:
    assert refused(EXAMPLE, 3) == "more than 3 states of the composition are needed (--states)"
    waits = NODE.replace("  CREATE Pass\n", "  RESCHEDULE;\n  CREATE Pass\n")
    assert "the initialisation of a board waits" in refused(written(tmp_path / "a", waits))
    reads = NODE.replace("IMPORT Out", "IMPORT Clock, Out").replace(
        "  LOOP\n", "  rounds := UINT8(Clock.Now() MOD 4);\n  LOOP\n"
    )
    assert "has too many values to try all" in refused(written(tmp_path / "b", reads))


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    done = lfc("hil", "conform", EXAMPLE, "--emulated", "--steps", "500", cwd=tmp_path)
    agrees, compared, passed = done.err.splitlines()
    assert done.exit == 0 and done.out.startswith("right: 1\nleft: 2\n") and agrees.startswith("agrees: 5")
    assert compared.endswith(" of the boards' programs, their variables and where their processes are")
    assert passed.endswith(" looked at")
    done = lfc("hil", "conform", EXAMPLE, "--emulated", "--seconds", "0.1", "--states", "20", cwd=tmp_path)
    assert done.exit == 6 and "more than 20 states of the composition are needed" in done.err


@pytest.mark.parametrize(("words", "message"), [
    (("--seconds", "1"), "The boards of a system are followed in the built-in simulator: say --emulated."),
    (("--emulated", "-b", "uno"), "A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one."),
    (("--emulated", "--ahead", "4"), "--ahead is not for systems."),
    (("-p", "/dev/none"), "--port is not for systems."),
])  # fmt: skip
def test_wrong_uses_are_told(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    done = lfc("hil", "conform", EXAMPLE, *words, cwd=tmp_path)
    assert done.exit == 2 and message in done.err
