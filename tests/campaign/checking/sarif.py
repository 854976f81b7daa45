"""What `--sarif` writes, judged by Microsoft's SARIF Multitool: by the schema, and by its rules of what viewers and
code hosts expect.

    python -m tests.campaign.checking.sarif --tools DIR [--install] [--count 100]

`--tools`: a folder with npm's @microsoft/sarif-multitool (100 MB); with `--install` it is fetched. Documents are
those of checks of the examples and of errors in the corpus.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cli.lfc import ROOT, lfc

PACKAGE = "@microsoft/sarif-multitool@5.7.0"
ALLOWED = {"SARIF2005"}  # an address of the tool, which has none
TOLD = re.compile(r"(?:error|warning) ([A-Z]+\d+)")


def commands(count: int) -> list[list[str]]:
    """As many of each kind."""
    examples = sorted((ROOT / "examples").glob("*.lf"))
    wrong = sorted((ROOT / "tests" / "corpus" / "wrong").glob("*.lf"))
    checks = [["check", str(f.relative_to(ROOT)), "--time", "10"] for f in examples if not f.stem.endswith("_env")]
    errors = [["check", str(f.relative_to(ROOT)), "--syntax-only"] for f in wrong]
    return checks[: count // 2] + errors[: count - count // 2]


def judged(tool: Path, documents: list[Path]) -> list[str]:
    """Complaints, line by line."""
    done = subprocess.run([tool, "validate", *documents], capture_output=True, text=True, check=False)
    assert f"{len(documents)} files scanned" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
    lines = [line for line in done.stdout.splitlines() if TOLD.search(line)]
    return [line for line in lines if not set(TOLD.findall(line)) <= ALLOWED]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    if given.install:
        given.tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", given.tools, PACKAGE], check=True)
    tool = given.tools / "node_modules" / ".bin" / "sarif-multitool"
    with tempfile.TemporaryDirectory() as folder:
        documents = []
        for number, command in enumerate(commands(given.count)):
            documents.append(Path(folder) / f"{number}.sarif")
            documents[-1].write_text(lfc("--sarif", *command).out)
        complaints = judged(tool, documents)
        damaged = Path(folder) / "damaged.sarif"
        damaged.write_text(documents[0].read_text().replace('"ruleId"', '"ruleid"'))
        noticed = judged(tool, [damaged])
    print(f"{len(documents)} documents, {len(complaints)} complaints", *complaints, sep="\n")
    if not noticed:
        print("a damaged document is not noticed")
    return 1 if complaints or not noticed else 0


if __name__ == "__main__":
    sys.exit(main())
