"""Runs the checks of a sweep, each in a process of its own, as many at once as there are cores; a verdict that is known
is not made again.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from lfc.base.cache import read_entry, write_entry
from lfc.base.toolchain_files import identity
from lfc.sweep.matrix import Configuration

VERDICTS = {0: "holds", 6: "inconclusive"}
FOUND = (3, 4, 5)


class CannotCheck(Exception):
    """What `lfc check` said of a configuration that it refuses, and its exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Checks:
    """What is the same in all of a sweep."""

    file: str
    options: tuple[str, ...]  # of `lfc check`
    texts: str  # a digest of the program's


@dataclass(frozen=True, slots=True)
class Cell:
    configuration: Configuration
    claim: str
    verdict: str
    code: int
    message: str
    states: int
    seconds: float
    known: bool = False  # from the cache

    @property
    def command(self) -> str:
        values = self.configuration.values
        return " ".join(f"{n} {v}" if n.startswith("--") else f"-D '{n}={v}'" for n, v in values)


def run_all(
    checks: Checks,
    cells: Sequence[tuple[Configuration, str]],
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> list[Cell]:
    """In the order of `cells`. Raises CannotCheck."""
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(one, checks, c, claim): (c, claim) for c, claim in cells}
        try:
            for n, future in enumerate(as_completed(futures), 1):
                future.result()
                if progress is not None:
                    progress(n, len(futures))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    done = {futures[f]: f.result() for f in futures}
    return [done[cell] for cell in cells]


def one(checks: Checks, configuration: Configuration, claim: str) -> Cell:
    key = json.dumps([identity(), checks.texts, checks.options, configuration.values, claim])
    name = f"sweep-{hashlib.sha256(key.encode()).hexdigest()}"
    found = read_entry(name)
    if found is not None:
        known = json.loads(found)
        return Cell(configuration, claim, **known, known=True)
    made = checked(checks, configuration, claim)
    if made.verdict != "inconclusive":
        fields = {k: getattr(made, k) for k in ("verdict", "code", "message", "states", "seconds")}
        write_entry(name, json.dumps(fields).encode())
    return made


def checked(checks: Checks, configuration: Configuration, claim: str) -> Cell:
    defined = [x for n, v in configuration.values for x in ((n, v) if n.startswith("--") else ("-D", f"{n}={v}"))]
    command = [sys.executable, "-m", "lfc", "check", checks.file, "--json", "--for", claim, *defined, *checks.options]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    text = done.stdout.decode("utf-8", "replace")
    try:
        told = json.loads(text)
    except ValueError:
        told = {}
    if done.returncode not in (*VERDICTS, *FOUND) or "verdict" not in told:
        raise CannotCheck(reason(told, done.stderr.decode("utf-8", "replace")), done.returncode)
    message = next((e["message"] for e in told.get("errors", [])), "")
    verdict = told["verdict"]
    return Cell(configuration, claim, verdict, done.returncode, message, told.get("states") or 0, told["seconds"])


def reason(told: dict[str, object], said: str) -> str:
    diagnostics = told.get("diagnostics")
    if isinstance(diagnostics, list):
        for d in diagnostics:
            if d.get("severity") == "error":
                return f"{d['code']} {d['message']}"
    failure = told.get("failure")
    if isinstance(failure, dict) and failure.get("messages"):
        return str(failure["messages"][0])
    lines = said.strip().splitlines()
    return lines[-1] if lines else "it gave no reason"
