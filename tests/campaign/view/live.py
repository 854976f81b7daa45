"""`lfc view --serve` in Chromium: states explored by hand and by keys, at two widths, with npm's sigma and without it.
The pictures are to be looked at.

    python -m tests.campaign.view.live --tools DIR --pictures DIR [--install]

`--tools`: a folder for npm's packages, which `--install` fetches. Debian's chromium is needed.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

from lfc.doctor.tools import NPM_VERSIONS
from tests.campaign.view.six_pages import EXAMPLES, PLAYWRIGHT

PACKAGES = (PLAYWRIGHT, *(f"{name}@{NPM_VERSIONS[name]}" for name in ("sigma", "graphology")))
SERVED = {"small": ("traffic.lf",), "large": ("philosophers.lf",)}


def look(name: str, how: str, tools: Path, pictures: Path) -> int:
    """`how`: sigma, or part (without it)."""
    env = {**os.environ, "LF_TOOLS": str(tools), "NODE_PATH": str(tools / "node_modules") if how == "sigma" else ""}
    command = [sys.executable, "-m", "lfc", "view", "--serve", *SERVED[name]]
    with subprocess.Popen(command, cwd=EXAMPLES, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        script = Path(__file__).with_name("live.js")
        done = subprocess.run(["node", str(script), address, f"{name}-{how}", str(pictures)], env=env, check=False)
        server.send_signal(signal.SIGINT)
        return done.returncode or server.wait(timeout=60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--only", default="", metavar="NAME", help="small-sigma, small-part, large-sigma or large-part")
    options = parser.parse_args()
    tools, pictures = options.tools.absolute(), options.pictures.absolute()
    if options.install:
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(tools), *PACKAGES], check=True)
    pictures.mkdir(parents=True, exist_ok=True)
    wanted = [(name, how) for name in SERVED for how in ("sigma", "part")]
    sys.exit(max(look(n, h, tools, pictures) for n, h in wanted if options.only in ("", f"{n}-{h}")))


if __name__ == "__main__":
    main()
