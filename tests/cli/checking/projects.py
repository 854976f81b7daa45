"""Commands in a project's folder, keys, and a port that is not there."""

from __future__ import annotations

import subprocess
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from lfc.cli.main import run
from tests.cli.lfc import Outcome

NOWHERE = ("-p", "/dev/there-is-none")


def lfc(*arguments: str | Path, cwd: Path) -> Outcome:
    """Within this process: there are many."""
    out, err = StringIO(), StringIO()
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err):
        code = run([str(a) for a in arguments])
    return Outcome(int(code), out.getvalue(), err.getvalue())


def make_keys(folder: Path, *names: str) -> None:
    for name in names:
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(folder / name)]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
