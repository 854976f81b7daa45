"""The campaign of kills: `lfc check` of a project, with records and checkpoints, is killed at a random moment. The full
quota:

    python -m tests.campaign.hostile.kills --count 100 --seed 1

What was there before is there, every record can be read, and the check that goes on says what one says that was not
disturbed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from lfc.records.record import BadRecord
from lfc.records.store import load_stored
from tests.cli.lfc import lfc, python_path
from tests.support.seeds import count_and_seed

MANY = """MODULE Many;
VAR i, n : INTEGER;
PROCESS Walker; VAR x : INTEGER;
BEGIN
  FOR x := 1 TO 6 DO RESCHEDULE END;
  n := n + 1
END Walker;
BEGIN FOR i := 1 TO 4 DO CREATE Walker END END Many.
"""
CHECK = ("check", "Many.lf", "-b", "uno", "--record", "--json", "--reductions", "none")
SAVES = ("--checkpoint", "saved", "--checkpoint-every", "0.05")


def killed(folder: Path, seconds: float) -> bool:
    """False: it had ended before."""
    command = [sys.executable, "-m", "lfc", *CHECK, *SAVES]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet, start_new_session=True)
    time.sleep(seconds)
    was_there = process.poll() is None
    if was_there:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return was_there


def what_is_wrong(folder: Path, right: dict[str, object]) -> str:
    for record in (folder / ".lf" / "records").glob("*.json"):
        try:
            load_stored(record)
        except BadRecord as error:
            return f"{record.name}: {error}"
    resumed = ("--resume", "saved") if (folder / "saved").exists() else ()
    done = lfc(*CHECK, *resumed, cwd=folder)
    if "Traceback" in done.err or done.exit != 0:
        return f"exit {done.exit}: {done.err[-300:]}"
    told = json.loads(done.out)
    wrong = [key for key in right if told.get(key) != right[key]]
    return f"other than undisturbed: {', '.join(wrong)}" if wrong else ""


def main() -> None:
    options, bad = count_and_seed(__doc__, 100), 0
    chance, ends = random.Random(options.seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "Many.lf").write_text(MANY)
        (folder / "lf.toml").write_text('main = "Many.lf"\nboard = "uno"\n')
        begin = time.monotonic()
        first = json.loads(lfc(*CHECK, cwd=folder).out)
        whole = 2 * (time.monotonic() - begin)  # a process of its own starts, too
        right = {key: first[key] for key in ("verdict", "states", "transitions")}
        for _ in range(options.count):
            (folder / "saved").unlink(missing_ok=True)
            was_killed = killed(folder, chance.uniform(0.2, 1.0) * whole)
            saved = (folder / "saved").exists()
            wrong = what_is_wrong(folder, right)
            bad += bool(wrong)
            ends[wrong or ("ended before" if not was_killed else "resumed" if saved else "begun anew")] += 1
    print(f"{right}: {dict(ends)}")
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
