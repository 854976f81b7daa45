"""The sessions of a page: its programs are saved, its commands are run, and print what the page says.

A block `lf` that is a module is saved under its name, and a block `toml` whose first line is a comment with a name of
a file under that; the lines of a block `console` that begin with `$ ` are run, in a folder that has the examples,
with `lfc` on the path.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.lfc import fork_server, without_notices
from tests.conftest import ROOT

PAGES = [
    "coming-from/arduino",
    "coming-from/freertos",
    "coming-from/spin",
    "coming-from/tinygo",
    "tutorial/first-steps",
    "tutorial/a-lamp-that-cannot-hang",
    "tutorial/find-the-bug-that-the-tests-did-not",
    "how-to/add-your-board",
    "how-to/debounce-a-button",
    "how-to/first-hour-esp32c3",
    "how-to/share-a-bus",
    "how-to/black-boxes",
    "how-to/systems",
    "how-to/parse-a-line",
    "how-to/use-in-ci",
    "how-to/check-a-program",
    "how-to/configurations",
    "how-to/data-in-the-checker",
    "how-to/faults",
    "how-to/field-logger",
    "how-to/external",
    "how-to/greenhouse",
    "how-to/hardware-in-the-loop",
    "how-to/motor-drive",
    "how-to/model-the-world",
    "how-to/published-faults",
    "how-to/read-a-counterexample",
    "how-to/refinement",
    "how-to/response-times",
    "how-to/shared-variables-that-tear",
    "how-to/state-graphs",
    "how-to/when-a-check-does-not-end",
    "reference/buses",
    "reference/properties",
    "reference/values",
]
CLIENT = ROOT / "tests" / "cli" / "fork_client.py"
BLOCK = re.compile(r"^```(console|lf|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands_of(text: str) -> list[str]:
    """The commands of all console blocks."""
    blocks = [body for kind, body in BLOCK.findall(text) if kind == "console"]
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


PROGRESS = re.compile(
    r"^searching( for [\w ]+)?: [^\n]*\n", re.MULTILINE
)  # on a machine that is slow, or has much to do


def new_clone(folder: Path) -> Path:
    """What a reader of a page stands in."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    lfc = folder / "bin" / "lfc"
    lfc.parent.mkdir()
    lfc.write_text(f'#!/bin/sh\nexec {sys.executable} -ISE {CLIENT} {fork_server().address} "$@"\n')
    lfc.chmod(0o755)
    return folder


def run(command: str, clone: Path) -> str:
    path = os.pathsep.join([str(clone / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    return PROGRESS.sub("", without_notices(done.stdout)[0])


def as_run(text: str, clone: Path) -> str:
    """The page with what its commands print now."""

    def do(block: re.Match[str]) -> str:
        kind, body = block.groups()
        if kind == "lf":
            if module := re.match(r"MODULE (\w+);", body):
                (clone / f"{module[1]}.lf").write_text(body, encoding="utf-8")
            return block[0]
        if kind == "toml":
            if file := re.match(r"# (\w+\.toml)\n", body):
                (clone / file[1]).write_text(body, encoding="utf-8")
            return block[0]
        printed = [f"$ {command}\n{run(command, clone)}" for command in commands_of(block[0])]
        return f"```console\n{''.join(printed)}```"

    return BLOCK.sub(do, text)
