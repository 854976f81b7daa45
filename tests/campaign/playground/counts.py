"""The playground in Chromium: of 40 programs it counts the states and transitions that the engine counts.

    python -m tests.campaign.playground.counts --tools DIR [--install] [--count 40]

`--tools`: a folder with npm's playwright-core and pyodide; with `--install` they are fetched. Debian's chromium is
needed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.model.clocks import ClockNotKept
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Data
from lfc.semantics.analyse import analyse
from release.playground import examples, make
from tests.conftest import ROOT
from tests.naive.senders import senders

PACKAGES = ("playwright-core@1.65", "pyodide@314")
LEAST_STATES, MOST_STATES, MOST_TRANSITIONS = 2, 5000, 20_000
COUNTS = re.compile(r"(\d+) states, (\d+) transitions")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


def candidates() -> Iterator[tuple[str, str]]:
    found = examples()
    yield from found.items()
    for name in ("philosophers", "philosophers_ok"):
        for n in (2, 3):
            yield f"{name} of {n}", found[name].replace("N = 5", f"N = {n}")
    for n in (3, 4, 5):
        yield f"{n} senders", senders(n)
    for file in sorted((ROOT / "tests" / "corpus" / "right").glob("*.lf")):
        yield file.stem, file.read_text(encoding="utf-8")


def counts_of(text: str) -> tuple[int, int] | None:
    """The engine's, value by value and without reductions; None: it is no program of one text, or too large."""
    diagnostics = Diagnostics()
    program = analyse(Source("Program.lf", text), diagnostics)
    if program is None or diagnostics.has_errors or "ENVIRONMENT MODULE" in text or "SYSTEM" in text:
        return None
    machine = build_machine(program, diagnostics)
    request = request_from(
        threads=1, reductions=(), keep_going=True, states=MOST_STATES, seconds=3, data=Data.EXPLICIT, inputs="all"
    )
    try:
        found = check(machine, request.changed(properties=(), allow_deadlocks=False))
    except ClockNotKept:
        return None
    if (
        found.verdict == "inconclusive"
        or not LEAST_STATES < found.states < MOST_STATES
        or found.transitions > MOST_TRANSITIONS
    ):
        return None
    return found.states, found.transitions


def said_in_the_page(tools: Path, wanted: dict[str, str]) -> tuple[dict[str, str], dict[str, object]]:
    with tempfile.TemporaryDirectory() as name:
        folder, programs = Path(name) / "site", Path(name) / "programs.json"
        make(folder, tools / "node_modules" / "pyodide")
        programs.write_text(json.dumps(wanted), encoding="utf-8")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        script, url = Path(__file__).with_name("page.js"), f"http://127.0.0.1:{server.server_port}/"
        try:
            done = subprocess.run(
                ["node", str(script), url, str(programs), str(tools / "playground.png")],
                env={**os.environ, "LF_TOOLS": str(tools)},
                stdout=subprocess.PIPE,
                text=True,
                check=True,
            )
        finally:
            server.shutdown()
    *told, last = map(json.loads, done.stdout.splitlines())
    return {t["name"]: t["said"] for t in told}, last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args()
    tools = options.tools.absolute()
    if options.install:
        tools.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", str(tools), *PACKAGES], check=True)
    expected: dict[str, tuple[int, int]] = {}
    texts: dict[str, str] = {}
    for name, text in candidates():
        counts = counts_of(text) if len(texts) < options.count else None
        if counts is not None:
            texts[name], expected[name] = text, counts
    told, last = said_in_the_page(tools, texts)
    wrong = 0
    for name, counts in expected.items():
        found = COUNTS.search(told[name])
        if found is None or (int(found[1]), int(found[2])) != counts:
            wrong += 1
            print(f"{name}: the engine counts {counts}, the page says: {told[name].splitlines()[:3]}")
    print(f"{len(expected)} programs, {wrong} differ; the first verdict after {last['first']} ms")
    for line in last["wrong"] if isinstance(last["wrong"], list) else ():
        print(line)
    sys.exit(1 if wrong or last["wrong"] or len(expected) < options.count else 0)


if __name__ == "__main__":
    main()
