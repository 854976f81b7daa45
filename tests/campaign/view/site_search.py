"""The documentation's site, built and searched in Chromium without a server and without a network.

    python -m tests.campaign.view.site_search --tools DIR

`--tools`: a folder with npm's playwright-core, as `six_pages --install` makes it. Debian's chromium is needed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import ROOT

WORD, PAGE = "debounce", "Debounce a button"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    options = parser.parse_args()
    env = {**os.environ, "LF_TOOLS": str(options.tools.absolute()), "NO_MKDOCS_2_WARNING": "1"}
    with tempfile.TemporaryDirectory() as site:
        build = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", site]
        subprocess.run(build, cwd=ROOT, env=env, check=True)
        script, page = Path(__file__).with_name("search.js"), Path(site) / "tutorial" / "first-steps.html"
        sys.exit(subprocess.run(["node", str(script), str(page), WORD, PAGE], env=env, check=False).returncode)


if __name__ == "__main__":
    main()
