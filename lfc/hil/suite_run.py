"""A suite driven on a board: the host decides, the board follows, and only what the program allows passes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from lfc.codegen.module.generated import FaultSite
from lfc.hil.coverage import Covered
from lfc.hil.follow import replay
from lfc.hil.host_side import HostSide, difference_lines, items_text
from lfc.hil.session import BoardSession
from lfc.hil.suite import Test
from lfc.trace.items import Item

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
OF_REPLAY = {"followed": PASS, "diverged": FAIL, "differs": FAIL}  # all else: nothing is known


@dataclass(slots=True)
class TestResult:
    verdict: str
    steps: int
    told: list[str] = field(default_factory=list)

    __test__ = False


def run_test(
    covered: Covered, test: Test, session: BoardSession, host: HostSide, sites: list[FaultSite], file: str
) -> TestResult:
    """After the handshake. What the board tells of each step must be what the graph has: outputs and state."""
    host.run.block = covered.blocks[0]
    host.steps = 0
    strange: list[str] = []
    number = iter(test.edges)

    def on_step(items: list[Item], block: bytes) -> None:
        edge = next(number)
        expected = covered.blocks[edge.target] if edge.target is not None else None
        if not strange and (items != edge.items or block != expected):
            strange.append(f"step {host.steps}: the program allows {items_text(tuple(edge.items))}")
            strange.append(f"  but the board did {items_text(tuple(items))}")

    result = replay(session, host, sites, [e.items for e in test.edges], on_step)
    verdict = OF_REPLAY.get(result.verdict, INCONCLUSIVE)
    told = difference_lines(result.difference, file) if result.difference is not None else [result.reason]
    last = test.edges[-1]
    if verdict == PASS and strange:
        verdict, told = FAIL, strange
    elif verdict == PASS and (last.target is None) != (result.end == "fault"):
        verdict, told = FAIL, [f"the last step ends {'without the' if last.target is None else 'in a'} fault"]
    elif verdict == PASS and last.target in covered.ends and result.end == "goes on":
        verdict, told = FAIL, ["the board continues where the program has ended or all processes wait"]
    return TestResult(verdict, result.steps, [] if verdict == PASS else [t for t in told if t])


def run_suite(
    covered: Covered,
    tests: list[Test],
    opened: Callable[[], AbstractContextManager[BoardSession]],
    host: HostSide,
    sites: list[FaultSite],
    file: str,
    on_result: Callable[[int, TestResult], None] = lambda number, result: None,
) -> list[TestResult]:
    """Each test on a board that has just been started."""
    results = []
    for number, test in enumerate(tests, 1):
        with opened() as session:
            result = run_test(covered, test, session, host, sites, file)
        results.append(result)
        on_result(number, result)
    return results


def verdict_of(results: list[TestResult]) -> str:
    verdicts = {r.verdict for r in results}
    return FAIL if FAIL in verdicts else INCONCLUSIVE if INCONCLUSIVE in verdicts else PASS
