"""A project's folder comes from anybody: no code of it runs while it is checked or built."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT

PROGRAM = "MODULE Acts; PROCESS Act EXTERNAL; BEGIN Act END Acts.\n"
SOURCE = "#include <stdint.h>\nvoid Acts_Act(void) { *(volatile uint8_t *)0x25 = 1; }\n"
SPY = "import pathlib\npathlib.Path('RAN').touch()\nraise SystemExit(1)\n"
PLANTED = ("ziglang/__init__.py", "ziglang/__main__.py", "click.py", "llvmlite.py", "tomllib.py", "subprocess.py")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The C source is new to the cache each time: the compiler is started."""
    (tmp_path / "lf.toml").write_text('main = "Acts.lf"\nboard = "uno"\nwith = ["act.c"]\n')
    (tmp_path / "Acts.lf").write_text(PROGRAM)
    (tmp_path / "act.c").write_text(SOURCE)
    return tmp_path


def lfc_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As from a shell: only what was there before is in Python's path, and what Python itself puts there."""
    command = [sys.executable, "-m", "lfc", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("command", ["check", "build", "size"])
def test_modules_of_the_folder_are_not_run(command: str, project: Path) -> None:
    for name in PLANTED:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(SPY)
    done = lfc_in(project, command)
    assert not (project / "RAN").exists(), done.stderr
    assert done.returncode == 0, done.stderr


def test_the_compiler_is_started_without_the_folder(project: Path) -> None:
    """Also by whoever has the folder in Python's path himself, such as a test of the project."""
    (project / "ziglang").mkdir()
    (project / "ziglang" / "__main__.py").write_text(SPY)
    code = "import sys; sys.path.pop(0); from lfc.cli.main import run; sys.exit(run(['check']))"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not (project / "RAN").exists(), done.stderr


@pytest.mark.parametrize("folder", ["", "./", "WHOLE/"])
@pytest.mark.parametrize(("name", "code"), [("@options.c", 1), ("-o.c", 0)])
def test_a_source_is_no_option_of_the_compiler(folder: str, name: str, code: int, project: Path) -> None:
    (project / "options.c").write_text("-DX=1 act.c -o RAN\n")  # where the compiler would look for options
    (project / name).write_text(SOURCE)
    named = folder.replace("WHOLE", str(project)) + name
    (project / "lf.toml").write_text(f'main = "Acts.lf"\nboard = "uno"\nwith = ["{named}"]\n')
    done = lfc_in(project, "build")
    assert done.returncode == code and not (project / "RAN").exists(), done.stderr
    assert code == 0 or "begins with @, so the compiler would read options from it" in done.stderr


def test_a_board_runs_no_command(project: Path) -> None:
    """Not even where an emulator is started for it."""
    (project / "evil.toml").write_text(
        'inherits = "uno"\n'
        'emulator.qemu = ["qemu-system-avr", "-M", "uno", "-chardev", "socket,id=x,path=RAN,server=on,wait=off"]\n'
    )
    (project / "Plain.lf").write_text("MODULE Plain; BEGIN END Plain.\n")
    more = ("--emulator", "qemu", "--seconds", "1")
    done = lfc_in(project, "run", "Plain.lf", "--board-file", "evil.toml", *more)
    assert done.returncode == 2 and not (project / "RAN").exists(), done.stderr
    assert "evil.toml: `emulator.qemu`: must be " in done.stderr
