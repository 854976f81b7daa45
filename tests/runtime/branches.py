"""Which branches of the runtime's C were taken, as gcov counts them.

The functions of the kernel's headers lie in several objects: a branch is taken if it is in one of them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.runtime.building import RUNTIME, run

# Real functions, not inlined: so that each branch is there once, however often it is called.
COUNTED = ["-O0", "-g0", "--coverage", "-fprofile-abs-path"]
COUNTED_IN_TESTS = [*COUNTED, "-DLF_INLINE=static __attribute__((noinline, unused))"]
COUNTED_KERNEL = [*COUNTED, "-DLF_INLINE=__attribute__((noinline))"]

Branch = tuple[str, str, int, int]  # file, function, line, number within the line


@dataclass(slots=True)
class Branches:
    counts: dict[Branch, int] = field(default_factory=lambda: defaultdict(int))

    def add_objects(self, objects: Iterable[Path]) -> None:
        for made in objects:
            for line in run(["gcov", "--json-format", "--stdout", "--branch-probabilities", str(made)]).splitlines():
                if line.strip():
                    self._add_report(json.loads(line))

    def _add_report(self, report: dict[str, list[dict[str, object]]]) -> None:
        for entry in report["files"]:
            file = Path(str(entry["file"])).resolve()
            if not file.is_relative_to(RUNTIME):
                continue
            lines = entry["lines"]
            assert isinstance(lines, list)
            for line in lines:
                for number, branch in enumerate(line["branches"]):
                    key = (str(file.relative_to(RUNTIME)), str(line["function_name"]), int(line["line_number"]), number)
                    self.counts[key] += int(branch["count"])

    def files(self) -> list[str]:
        return sorted({file for file, _, _, _ in self.counts})

    def of(self, file: str) -> tuple[int, int]:
        """Taken, and all."""
        found = [n for (f, _, _, _), n in self.counts.items() if f == file]
        return sum(n > 0 for n in found), len(found)

    def share(self, file: str) -> float:
        taken, total = self.of(file)
        return taken / total if total else 0.0

    def untaken(self, file: str) -> list[str]:
        """Lines with branches that were never taken, with their text."""
        text = (RUNTIME / file).read_text(encoding="utf-8").splitlines()
        missed: dict[tuple[int, str], list[int]] = {}
        for (f, function, line, number), n in sorted(self.counts.items()):
            if f == file and n == 0:
                missed.setdefault((line, function), []).append(number)
        return [
            f"{file}:{line}: {function}: branch {', '.join(map(str, numbers))}: {text[line - 1].strip()}"
            for (line, function), numbers in sorted(missed.items())
        ]

    def report(self) -> str:
        lines = []
        for file in self.files():
            taken, total = self.of(file)
            lines.append(f"{file}: {taken} of {total} branches, {100 * self.share(file):.1f} %")
            lines += [f"  {line}" for line in self.untaken(file)]
        return "\n".join(lines)
