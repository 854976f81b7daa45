"""The layout of processes in `lfc view` beside those of elkjs: crossings, overlaps, and how large a box is drawn.

    python -m tests.campaign.view.layouts --tools DIR [--install]

`--tools`: a folder with npm's elkjs; with `--install` it is fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from lfc.view.arrange import arranged
from lfc.view.picture import picture_of
from lfc.view.runs import run_of_scheduler
from tests.view.programs import machine_named

ELK = "elkjs@0.12"
STEPS = 400
PICTURES = (
    ("philosophers", ()),
    ("philosophers", (("N", "30"),)),
    ("buffer", ()),
    ("leader", ()),
    ("sieve", ()),
)


def graphs() -> dict[str, object]:
    """Who is joined with whom, and where `lfc view` puts them."""
    found: dict[str, object] = {}
    for name, definitions in PICTURES:
        machine = machine_named(name, *definitions)
        neighbours = picture_of(machine, run_of_scheduler(machine, STEPS).blocks).neighbours()
        joined = {who: sorted(others) for who, others in neighbours.items()}
        called = name + "".join(f" {n}={v}" for n, v in definitions)
        found[called] = {"neighbours": joined, "own": arranged(neighbours)}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    options = parser.parse_args()
    tools = options.tools.absolute()
    if options.install:
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(tools), ELK], check=True)
    script = Path(__file__).with_name("layouts.js")
    env = {**os.environ, "LF_TOOLS": str(tools)}
    text = json.dumps(graphs())
    sys.exit(subprocess.run(["node", str(script)], env=env, input=text, text=True, check=False).returncode)


if __name__ == "__main__":
    main()
