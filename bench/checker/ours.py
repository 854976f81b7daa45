"""A model under this checker: searched in a child process, and `lfc check` timed from its source.

    python -m bench.checker.ours FILE

prints the measures of one search as JSON.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from pathlib import Path

from bench.checker.measured import Measured, environment, run_measured
from bench.checker.models import Model

ROOT = Path(__file__).resolve().parent.parent.parent


def resident(which: str) -> int:
    found = re.search(rf"{which}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found.group(1)) * 1024


def search(file: str) -> dict[str, float]:
    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end.load import load_program
    from lfc.mcheck.request.request import request_from
    from lfc.mcheck.search.search import Search, Stop

    diagnostics = Diagnostics()
    program = load_program(file, diagnostics, path=(), environments=())
    if program is None or diagnostics.has_errors:
        raise ValueError(f"{file} has errors")
    searching = Search(build_machine(program, diagnostics), request_from(keep_going=True))
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts here
    before = resident("VmRSS")
    start = time.process_time()
    if searching.run() is not Stop.COMPLETE:
        raise RuntimeError("the search did not come to its end")
    seconds = time.process_time() - start
    s = searching.statistics
    return {
        "states": s.states,
        "transitions": s.transitions,
        "seconds": seconds,
        "store_bytes": s.table_bytes + s.node_bytes + s.value_bytes,
        "resident_bytes": resident("VmHWM") - before,
    }


def measure(model: Model, repeats: int) -> Measured:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / f"{model.name}.lf"
        file.write_text(model.lf())
        searches = []
        for _ in range(repeats):
            ran = run_measured([sys.executable, "-m", "bench.checker.ours", str(file)], ROOT)
            searches.append(json.loads(ran.output))
        check = [sys.executable, "-m", "lfc", "check", str(file)]
        warm = min(run_measured(check, ROOT).seconds for _ in range(repeats))
        changed = []
        for number in range(repeats):  # a text that was never seen: a constant more
            unseen = model.lf().replace("CONST", f"CONST Unseen{folder.name.replace('_', 'x')}{number} = 0;", 1)
            file.write_text(unseen)
            changed.append(
                run_measured(check, ROOT, environment(XDG_CACHE_HOME=cache_without_programs(folder))).seconds
            )
        best = min(searches, key=lambda s: s["seconds"])
        return Measured(
            int(best["states"]),
            int(best["transitions"]),
            best["seconds"],
            int(best["store_bytes"]),
            int(best["resident_bytes"]),
            {"cold": min(changed), "warm": warm},
        )


def cache_without_programs(folder: Path) -> str:
    """A cache that holds what an installation holds (the engine, the kernel), and no program."""
    import shutil

    from lfc.base.cache import FORMAT, cache_folder

    kept = Path(cache_folder())
    new = folder / "cache"
    shutil.rmtree(new, ignore_errors=True)
    (new / "lfc" / FORMAT).mkdir(parents=True)
    for file in kept.iterdir():
        if not file.name.endswith((".host.o", ".program", ".behind")):
            (new / "lfc" / FORMAT / file.name).symlink_to(file)
    return str(new)


if __name__ == "__main__":
    print(json.dumps(search(sys.argv[1])))
