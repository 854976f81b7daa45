"""The debugger with clients that others have written; their sessions are written down for the tests.

    python -m tests.campaign.debugger.clients emacs [--record]
    python -m tests.campaign.debugger.clients library --tools DIR [--install] [--record]

`emacs` is dap-mode: Debian's emacs-nox and elpa-dap-mode. `library` is @vscode/debugadapter-testsupport, from npm, in
the folder DIR. `--record` puts the sessions into `tests/debugger/recorded`, which each run of the tests plays again.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import ROOT
from tests.debugger.programs import COUNTING, PHILOSOPHERS, PRODCONS
from tests.debugger.recorded import FOLDER, RECORDED

HERE = Path(__file__).parent
LIBRARY = "@vscode/debugadapter-testsupport@1.68.0"
PATIENCE = 900  # seconds
EMACS_SAYS = """\
start: line 1, init
continue: line 7, init
  Changed by this step: n = 1   (was 0)
  Modules: n = 1   (was 0), last = 0
threads: initialisation
step in: line 7, init
next: line 7, init
  Changed by this step: n = 3   (was 2), last = 7   (was 0)
  Modules: n = 3   (was 2), last = 7   (was 0)
step back: line 7, init
  Changed by this step: n = 2   (was 1)
  Modules: n = 2   (was 1), last = 0
evaluate: 2   (was 1)
to the error: line 9, assertion here
reverse: line 1, init
disconnected
"""


def fill(folder: Path) -> None:
    for file in (PRODCONS, PHILOSOPHERS):
        shutil.copy(file, folder)
    (folder / "Counting.lf").write_text(COUNTING, encoding="utf-8")


def starter(folder: Path, sessions: Path) -> Path:
    """A script that starts the debugger, with the recorder before it."""
    python = [sys.executable, "-m"]
    command = [*python, "tests.campaign.debugger.recorder", str(sessions), *python, "lfc.cli.main", "dap"]
    script = folder / "debugger.sh"
    script.write_text(f"#!/bin/sh\ncd {shlex.quote(str(ROOT))} && exec {shlex.join(command)}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def emacs(folder: Path, script: Path, _: Path) -> bool:
    env = os.environ | {"HOME": str(folder), "LF_DEBUGGER": str(script), "LF_PROGRAM": str(folder / "Counting.lf")}
    command = ["emacs", "--batch", "-l", str(HERE / "emacs.el")]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)
    print(done.stdout, end="")
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
    return done.returncode == 0 and done.stdout == EMACS_SAYS


def library(folder: Path, script: Path, tools: Path) -> bool:
    env = os.environ | {"LF_TOOLS": str(tools), "LF_STARTER": str(script)}
    done = subprocess.run(["node", str(HERE / "library.js"), str(folder)], env=env, timeout=PATIENCE, check=False)
    return done.returncode == 0


CLIENTS = {"emacs": emacs, "library": library}


def keep(name: str, folder: Path, sessions: Path) -> None:
    for old in RECORDED.glob(f"{name}-*.jsonl"):
        old.unlink()
    for file in sorted(sessions.iterdir()):
        text = file.read_text(encoding="utf-8").replace(str(folder), FOLDER)
        (RECORDED / f"{name}-{file.name}").write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("client", choices=sorted(CLIENTS))
    parser.add_argument("--tools", type=Path, default=Path())
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if options.install:
        options.tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--ignore-scripts", "--prefix", str(options.tools), LIBRARY], check=True)
    with tempfile.TemporaryDirectory() as name:
        folder, sessions = Path(name) / "programs", Path(name) / "sessions"
        folder.mkdir()
        sessions.mkdir()
        fill(folder)
        if not CLIENTS[options.client](folder, starter(Path(name), sessions), options.tools.absolute()):
            sys.exit(1)
        if options.record:
            keep(options.client, folder, sessions)


if __name__ == "__main__":
    main()
