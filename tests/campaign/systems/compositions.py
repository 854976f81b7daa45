"""Random systems of two boards: the composition has the states, transitions and verdict of one program with all
processes and the links written out; and what holds with links as buffers holds with the protocol over a line
that loses frames, where no line falls silent and where that of a board may.

    python -m tests.campaign.systems.compositions [--count N] [--seed FIRST]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.systems.compose import load_any
from tests.support.seeds import count_and_seed
from tests.systems.two_boards import TwoBoards, two_boards

MOST = 400_000  # states; of more, protocols are not compared
SILENT = ("", "a", "ab")  # whose lines may fall silent
PROTOCOL = '[line]\nmodel = "protocol"\n'


@dataclass(slots=True)
class Result:
    compared: int = 0
    protocols: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def campaign(first: int, count: int, protocols: int) -> Result:
    """`protocols`: of so many, with one link each, the protocol is compared too."""
    result = Result()
    for seed in range(first, first + count):
        compare(seed, two_boards(seed), result)
    for seed in range(first, first + protocols):
        compare_protocol(seed, two_boards(seed, most_links=1), SILENT[seed % len(SILENT)], result)
    return result


def compare(seed: int, boards: TwoBoards, result: Result) -> None:
    with TemporaryDirectory(prefix="lfc-") as made_here:
        folder = write(Path(made_here), boards)
        whole, one = (verdict(folder / name) for name in ("two.toml", "One.lf"))
    result.compared += 1
    result.verdicts[whole[0]] += 1
    if whole != one:
        result.failures.append(f"seed {seed}: {whole}, as one program {one}\n{boards.one}")


def compare_protocol(seed: int, boards: TwoBoards, silent: str, result: Result) -> None:
    with TemporaryDirectory(prefix="lfc-") as made_here:
        folder = write(Path(made_here), boards)
        (folder / "two.toml").write_text(boards.system(silent=silent))
        buffer = verdict(folder / "two.toml")
        (folder / "two.toml").write_text(boards.system(PROTOCOL, silent))
        protocol = verdict(folder / "two.toml", MOST)
    if protocol[0] == "inconclusive":
        return
    result.protocols += 1
    if first_of(protocol[0]) != first_of(buffer[0]):
        result.failures.append(
            f"seed {seed}, silent {silent!r}: {buffer[0]}, with the protocol {protocol[0]}\n{boards.one}"
        )


def first_of(kinds: str) -> str:
    """Partial deadlocks are not looked for behind a failed assertion."""
    return kinds.partition(", ")[0]


def told(verdict: str) -> str:
    """A line on which frames are sent again and again does not stand still: what is a deadlock with buffers is a
    partial one with the protocol."""
    return verdict.replace("partial-deadlock", "deadlock")


def write(folder: Path, boards: TwoBoards) -> Path:
    for name, text in boards.modules.items():
        (folder / f"Of_{name}.lf").write_text(text)
    (folder / "One.lf").write_text(boards.one)
    (folder / "two.toml").write_text(boards.system())
    return folder


def machine_of(file: Path) -> Machine:
    diagnostics = Diagnostics()
    program = load_any(str(file), diagnostics)
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return build_machine(program, diagnostics)


def verdict(file: Path, most: int = 0) -> tuple[str, int, int]:
    """With all kinds of errors, since which of several is found first is an affair of the search."""
    request = request_from(reductions="none", keep_going=True, states=most, threads=1)
    result = check(machine_of(file), request)
    if result.verdict == "inconclusive":
        return "inconclusive", 0, 0
    found = sorted({told(f.kind) for f in result.findings})
    return ", ".join(found) or "holds", result.states, result.transitions


def main() -> int:
    options = count_and_seed(__doc__, 300)
    result = campaign(options.seed, options.count, options.count // 3)
    print(f"{result.compared} systems: {dict(result.verdicts)}; {result.protocols} with the protocol")
    print(*result.failures, sep="\n")
    return bool(result.failures)


if __name__ == "__main__":
    raise SystemExit(main())
