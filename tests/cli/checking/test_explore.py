"""`lfc explore`: choices, undo, breakpoints, jumps, and the way written as a trace that `lfc run` follows."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import ROOT, lfc

PRODCONS = ROOT / "examples" / "prodcons.lf"


def explore(file: Path, tmp_path: Path, *commands: str) -> list[str]:
    done = lfc("explore", file, cwd=tmp_path, stdin=("\n".join(commands) + "\n").encode())
    assert (done.exit, done.err) == (0, "")
    return done.out.splitlines()


def test_steps_are_chosen_and_undone(tmp_path: Path) -> None:
    lines = explore(PRODCONS, tmp_path, "1", "2", "undo 2", "9", "q")
    assert [line for line in lines if line.startswith("step ")] == [
        "step 0, 1 choice",
        "step 1, 2 choices",
        "step 2, 1 choice",
        "step 0, 1 choice",
    ]
    assert "2 steps undone" in lines and "there is no choice 9 here" in lines


def test_a_run_stops_at_a_breakpoint(tmp_path: Path) -> None:
    lines = explore(PRODCONS, tmp_path, "break Producer.i >= 3", "run", "state", "q")
    assert "breakpoint: Producer.i >= 3" in lines
    assert "  Producer.i = 3" in lines


def test_a_jump_goes_a_shortest_way_and_the_way_is_a_trace(tmp_path: Path) -> None:
    lines = explore(PRODCONS, tmp_path, "jump Consumer.x = 2", "trace way.json", "q")
    assert [line for line in lines if line.startswith("step ")] == ["step 0, 1 choice", "step 7, 2 choices"]
    done = lfc("run", "--schedule", "way.json", PRODCONS, cwd=tmp_path)
    assert done.out.startswith("0")


def test_a_fault_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "F.lf").write_text("MODULE F; VAR n : INTEGER; BEGIN n := 1; ASSERT(n = 2) END F.\n")
    lines = explore(tmp_path / "F.lf", tmp_path, "1", "q")
    assert any("the assertion failed" in line for line in lines)
    assert "the program stops there; the state is still the one before" in lines


def test_what_is_no_command_or_condition_is_said(tmp_path: Path) -> None:
    lines = explore(PRODCONS, tmp_path, "frob", "break Producer", "undo x", "jump nobody = 1", "help")
    assert "unknown command `frob`; `help` lists them" in lines
    assert any("is not a condition" in line for line in lines)
    assert "`x` is not a number of steps" in lines
    assert any("no variable `nobody`" in line for line in lines)
    assert any("no such state among the " in line for line in lines)


def test_with_an_environment_and_with_a_board(tmp_path: Path) -> None:
    traffic = ROOT / "examples" / "traffic.lf"
    done = lfc("explore", traffic, "--env", traffic.with_name("traffic_env.lf"), cwd=tmp_path, stdin=b"r 12\ns\nq\n")
    assert done.exit == 0 and "TrafficEnv.Lamps.value = " in done.out
    blink = ROOT / "examples" / "gpio_blink.lf"
    done = lfc("explore", blink, "-b", "uno", cwd=tmp_path, stdin=b"r 3\nq\n")
    assert done.exit == 0 and "port 24H := 32" in done.out  # DDRB
