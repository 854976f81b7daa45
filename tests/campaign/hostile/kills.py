"""The campaign of kills: `lfc check` of a project, with records and checkpoints, is killed at a random moment. The full
quota:

    python -m tests.campaign.hostile.kills --count 100 --seed 1

What was there before is there, every record can be read, and the check that goes on says what one says that was not
disturbed.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NoReturn

from lfc.cli.main import script
from lfc.records.record import BadRecord
from lfc.records.store import load_stored
from tests.cli.lfc import lfc
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


def killed(folder: Path, seconds: float, after_saved: bool) -> bool:
    """False: it had ended before. A process is forked that has loaded `lfc`: until then there is nothing to lose.
    `after_saved`: the time begins when there is a checkpoint."""
    child = os.fork()
    if child == 0:
        check_alone(folder)
    os.setpgid(child, child)  # both do: whoever comes first
    while after_saved and not (folder / "saved").exists() and is_there(child):
        time.sleep(0.001)
    time.sleep(seconds)
    was_there = is_there(child)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return was_there


def is_there(child: int) -> bool:
    """It runs on. One that has ended stays until it is waited for."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None


def check_alone(folder: Path) -> NoReturn:
    os.setpgid(0, 0)
    os.chdir(folder)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    atexit._clear()  # else one that ends removes the folder, as its parent does at the end
    sys.argv[1:] = [*CHECK, *SAVES]
    try:
        script()
    finally:
        os._exit(1)


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
        whole = time.monotonic() - begin
        right = {key: first[key] for key in ("verdict", "states", "transitions")}
        for number in range(options.count):
            (folder / "saved").unlink(missing_ok=True)
            after_saved = number % 2 == 1
            was_killed = killed(folder, chance.uniform(0.0, 0.5 if after_saved else 1.0) * whole, after_saved)
            saved = (folder / "saved").exists()
            wrong = what_is_wrong(folder, right)
            bad += bool(wrong)
            ends[wrong or ("ended before" if not was_killed else "resumed" if saved else "begun anew")] += 1
    print(f"{right}: {dict(ends)}")
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
