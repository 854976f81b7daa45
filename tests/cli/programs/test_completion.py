"""Completion: the scripts in real shells, and what they ask `lfc`."""

from __future__ import annotations

import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

from lfc.cli.main import COMMANDS
from lfc.cli.main import lfc as program
from lfc.cli.programs.completion import OF_ARGUMENTS, OF_OPTIONS, REDUCTIONS, REDUCTIONS_ALONE, SHELLS, completer_of
from tests.cli.lfc import FROM_THE_START, ROOT, lfc
from tests.cli.programs.start import HEAVY, processor_seconds

NOTHING_TO_COMPLETE = {
    "[NAME]",
    "50ppm",
    "COMMAND",
    "EVENT",
    "MAH",
    "HOST:N,...",
    "INTERRUPT",
    "URL",
    "HASH",
    "CONDITION",
    "F",
    "N=2..5",
    "NAME,...",
    "PORT,...",
    "[-- OPTIONS OF lfc check]",
    "[QUERY]",
    *(
        "N",
        "S",
        "MB",
        "MS",
        "LEVEL",
        "TIME",
        "NAME",
        "ID",
        "WHAT",
        "FORMULA",
        "ADDRESS=VALUE",
        "NAME=VALUE",
        "'PORT in A..B'",
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With files to complete, and an `lfc` as it would be installed."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "lfc"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m lfc "$@"\n')
    command.chmod(0o755)
    for name in ("Pump.lf", "Two words.lf", "Pump.hex", "notes.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "models").mkdir()
    return tmp_path


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        "HOME": str(folder),
        "TERM": "dumb",
    }


def in_bash(folder: Path, *words: str) -> list[str]:
    """What bash has in COMPREPLY with the cursor after these words."""
    script = f"""
        . <(lfc completion bash)
        COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}
        _lfc_completion lfc {shlex.quote(words[-1])} {shlex.quote(words[-2])}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.split("\n") if line]


def test_bash_completes_commands(folder: Path) -> None:
    assert in_bash(folder, "lfc", "") == list(COMMANDS)
    assert in_bash(folder, "lfc", "ex") == ["explore", "export", "explain"]
    assert in_bash(folder, "lfc", "hil", "") == ["conform", "replay", "test"]
    assert in_bash(folder, "lfc", "no-such") == []


def test_bash_completes_options(folder: Path) -> None:
    assert in_bash(folder, "lfc", "check", "--sea") == ["--search", "--searches"]
    assert in_bash(folder, "lfc", "check", "Pump.lf", "--prop") == ["--property"]
    assert "--help" in in_bash(folder, "lfc", "doctor", "-")


def test_bash_completes_values(folder: Path) -> None:
    assert in_bash(folder, "lfc", "check", "--search", "b") == ["breadth", "best"]
    assert in_bash(folder, "lfc", "check", "--search", "=", "b") == ["breadth", "best"]  # as bash splits --search=b
    assert in_bash(folder, "lfc", "check", "--search", "=") == [
        *("breadth", "depth", "best", "astar", "modular", "random", "swarm")
    ]
    assert in_bash(folder, "lfc", "check", "--search=b") == ["--search=breadth", "--search=best"]  # told not to split
    assert in_bash(folder, "lfc", "build", "Pump.lf", "-b", "m") == ["mega2560", "microbit", "microbit2"]
    assert in_bash(folder, "lfc", "check", "--time", "") == ["free", "ordered", "discrete"]
    assert in_bash(folder, "lfc", "check", "--reductions", "por,d") == ["por,dead"]
    assert in_bash(folder, "lfc", "check", "--reductions", "a") == ["auto", "all"]
    assert in_bash(folder, "lfc", "explain", "LF030") == [f"LF030{n}" for n in range(1, 10)]
    assert in_bash(folder, "lfc", "completion", "") == list(SHELLS)


def test_bash_completes_files(folder: Path) -> None:
    every = ["Pump.lf", "Two words.lf", "bin", "models"]
    assert sorted(in_bash(folder, "lfc", "check", "")) == every
    assert sorted(in_bash(folder, "lfc", "check", "--env", "")) == every
    assert in_bash(folder, "lfc", "check", "Pump.lf", "--env", "=", "Pu") == ["Pump.lf"]
    assert sorted(in_bash(folder, "lfc", "flash", "P")) == ["Pump.hex", "Pump.lf"]
    assert in_bash(folder, "lfc", "check", "--trace", "n") == ["notes.txt"]
    assert sorted(in_bash(folder, "lfc", "check", "--path", "")) == ["bin", "models"]
    assert in_bash(folder, "lfc", "check", str(folder / "Pu")) == [str(folder / "Pump.lf")]


def typed(shell: list[str], folder: Path, *steps: tuple[str, str]) -> None:
    """Somebody types into a shell on a terminal: each text, and what is to be seen after it."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(shell[0], shell, environment(folder) | {"PS1": "ready> "})
    try:
        for text, wanted in steps:
            os.write(terminal, text.encode())
            shown, until = "", time.monotonic() + 30
            while wanted not in shown.replace("\r", "").replace("\b", ""):
                assert time.monotonic() < until, f"no {wanted!r} in {shown!r}"
                if select.select([terminal], [], [], 0.2)[0]:
                    shown += os.read(terminal, 4096).decode(errors="replace")
    finally:
        os.close(terminal)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


TYPED = (
    ("lfc check Pu\t", "check Pump.lf"),
    (" --search=bre\t", "--search=breadth"),
    (" --trace no\t", "--trace notes.txt"),
    (" -b meg\t", "-b mega2560"),
)


def test_bash_completes_on_a_terminal(folder: Path) -> None:
    (folder / "rc").write_text("PS1='ready> '; bind 'set enable-bracketed-paste off'; . <(lfc completion bash)\n")
    shell = ["bash", "--noprofile", "--rcfile", str(folder / "rc"), "-i"]
    typed(shell, folder, ("", "ready> "), *TYPED)


def test_zsh_completes_on_a_terminal(folder: Path) -> None:
    load = (
        "autoload -U compinit; compinit -u -D; unsetopt zle_bracketed_paste; . <(lfc completion zsh); echo load''ed\n"
    )
    typed(["zsh", "-f", "-i"], folder, ("", "ready> "), (load, "loaded"), *TYPED)


def test_fish_completes(folder: Path) -> None:
    def in_fish(line: str) -> list[str]:
        done = subprocess.run(
            ["fish", "--no-config", "-c", f"lfc completion fish | source; complete -C {shlex.quote(line)}"],
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr == ""
        return [found.split("\t")[0] for found in done.stdout.splitlines()]

    assert sorted(in_fish("lfc ex")) == ["explain", "explore", "export"]
    assert sorted(in_fish("lfc check --sea")) == ["--search", "--searches"]
    assert sorted(in_fish("lfc check --search b")) == ["best", "breadth"]
    assert sorted(in_fish("lfc check --search=b")) == ["--search=best", "--search=breadth"]
    assert sorted(in_fish("lfc build Pump.lf -b m")) == ["mega2560", "microbit", "microbit2"]
    assert sorted(in_fish("lfc check ")) == ["Pump.lf", "Two words.lf", "bin/", "models/"]
    assert in_fish("lfc check --trace=n") == ["--trace=notes.txt"]
    assert sorted(in_fish("lfc check --path ")) == ["bin/", "models/"]


def test_a_completion_imports_little(folder: Path) -> None:
    ask = "import sys; sys.argv = ['lfc', 'check', {!r}]; from lfc.cli.main import main\ntry: main()\n"
    ask += "except SystemExit: print(*sys.modules, file=sys.stderr)"
    for word in ("--se", "", "--search=b"):
        asked = subprocess.run(
            [sys.executable, "-c", ask.format(word)],
            env=environment(folder) | {"_LFC_COMPLETE": "bash"},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert asked.stdout
        imported = asked.stderr.split()
        assert [m for m in HEAVY if any(i == m or i.startswith(m + ".") for i in imported)] == []


@pytest.mark.parametrize("words", [["check", "--se"], ["check", "-b", "m"]])
def test_a_completion_takes_less_than_three_tenths_of_a_second(words: list[str]) -> None:
    best = 1.0
    for _ in range(5):
        before = processor_seconds()
        assert lfc(*words, _LFC_COMPLETE="bash", PYTHONHASHSEED=FROM_THE_START).out
        best = min(best, processor_seconds() - before)
    assert 0 < best < 0.3


def test_completion_says_nothing_when_it_does_not_know() -> None:
    for words in (["no-such", ""], ["check", "--no-such", ""], ["--json", "--sarif", "ch"]):
        asked = lfc(*words, _LFC_COMPLETE="zsh")
        assert asked.err == "" and asked.exit in (0, 2)
    assert lfc("ch", _LFC_COMPLETE="tcsh").out == ""


def test_the_script_is_that_of_the_shell() -> None:
    for shell, sign in zip(SHELLS, ("complete -o nosort", "#compdef lfc", "complete --no-files"), strict=True):
        printed = lfc("completion", shell)
        assert printed.exit == 0 and sign in printed.out
    refused = lfc("completion", "tcsh")
    assert refused.exit == 2 and "'bash', 'zsh', 'fish'" in refused.err


def commands_of(command: click.Command) -> list[click.Command]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        inner = [command.get_command(context, name) for name in command.list_commands(context)]
        return [command, *(c for i in inner if i is not None for c in commands_of(i))]
    return [command]


def test_of_every_parameter_it_is_known_what_there_is() -> None:
    """A new metavar must be put into a table, or be said to have nothing to complete."""
    unknown = [
        (command.name, parameter.opts)
        for command in commands_of(program)
        for parameter in command.params
        if not isinstance(parameter.type, click.Choice)
        and parameter.metavar is not None
        and parameter.metavar not in NOTHING_TO_COMPLETE
        and completer_of(command, parameter) is None
    ]
    assert unknown == []
    met = {p.metavar for c in commands_of(program) for p in c.params}
    assert {*OF_OPTIONS, *OF_ARGUMENTS} - met == set()


def test_the_reductions_are_those_that_there_are() -> None:
    from lfc.mcheck.reduction import registry
    from lfc.mcheck.request.request import AUTO

    assert REDUCTIONS == registry.REDUCTIONS and REDUCTIONS_ALONE == (AUTO, "none", "all")
