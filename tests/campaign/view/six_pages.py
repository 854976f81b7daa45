"""The pages of `lfc view` in Chromium, at two widths, light and dark. The pictures are to be looked at.

    python -m tests.campaign.view.six_pages --tools DIR --pictures DIR [--install] [PAGE...]

`--tools`: a folder for npm's playwright-core; with `--install` it is fetched. Debian's chromium is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.cli.lfc import lfc
from tests.conftest import ROOT

PLAYWRIGHT = "playwright-core@1.65"
MOST_BYTES = 2_000_000
EXAMPLES = ROOT / "examples"
CHECKS: dict[str, tuple[str, ...]] = {
    "philosophers-5": ("philosophers.lf",),
    "philosophers-30": ("philosophers.lf", "-D", "N=30", "--search", "best", "--towards", "deadlock"),
    "trickle": ("models/trickle.lf", "-D", "MOTES=3"),
    "lasso": ("traffic.lf", "--env", "traffic_env.lf", "--fairness", "none"),
    "pipeline": ("buffer.lf",),
}


def make(folder: Path, wanted: list[str]) -> list[Path]:
    pages = []
    for name, (file, *options) in CHECKS.items():
        if not wanted or name in wanted:
            pages.append(view(folder / f"{name}.html", file, *options))
    if not wanted or "board" in wanted:
        pages.append(view(folder / "board.html", "prodcons.lf", *traces_that_differ(folder)))
    return pages


def view(page: Path, *arguments: str) -> Path:
    done = lfc("view", *arguments, "-o", page, cwd=EXAMPLES)
    if done.exit != 0:
        raise SystemExit(f"{page.name}: {done.err}")
    print(done.out, end="")
    if page.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{page.name} has {page.stat().st_size} bytes")
    return page


def traces_that_differ(folder: Path) -> list[str]:
    """What an emulated board did, and the same with one block that was other."""
    recorded, damaged = folder / "recorded.json", folder / "board.json"
    lfc("hil", "conform", "prodcons.lf", "-b", "uno", "--emulated", "--steps", "40", "--record", recorded, cwd=EXAMPLES)
    document = json.loads(recorded.read_text())
    digest = next(item for item in document["steps"][17] if item[0] == "digest")
    digest[1] ^= 0x40
    damaged.write_text(json.dumps(document))
    return ["--trace", str(recorded), "--beside", str(damaged)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"only these: {', '.join([*CHECKS, 'board'])}")
    options = parser.parse_args()
    tools, pictures = options.tools.absolute(), options.pictures.absolute()
    if options.install:
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(tools), PLAYWRIGHT], check=True)
    pictures.mkdir(parents=True, exist_ok=True)
    pages = make(pictures, options.pages)
    script = Path(__file__).with_name("look.js")
    env = {**os.environ, "LF_TOOLS": str(tools)}
    sys.exit(subprocess.run(["node", str(script), str(pictures), *map(str, pages)], env=env, check=False).returncode)


if __name__ == "__main__":
    main()
