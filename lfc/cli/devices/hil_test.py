"""`lfc hil test`: test sequences from the state graph, driven on a board; and what they catch of mutants."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, refuse_given, required_board
from lfc.cli.common.output import output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import search_option
from lfc.cli.common.trace_files import write_text, write_trace_file
from lfc.cli.devices.hil import Loop, finish, line_options, opened, prepare
from lfc.cli.devices.hil_online import online_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.hil.coverage import Covered
    from lfc.hil.mutation import Judged
    from lfc.hil.suite import Test
    from lfc.hil.suite_run import TestResult

FOR_BLACK_BOXES = {
    **{"program": "--command", "baud": "--baud", "inputs": "--inputs", "quiet": "--quiet", "steps": "--steps"},
    "replay": "--replay",
}
NOT_FOR_BLACK_BOXES = {
    **{
        "module": "--module",
        "file": "FILE",
        "board": "-b",
        "board_file": "--board-file",
        "emulated": "--emulated",
        "cover": "--cover",
    },
    **{
        "scheduler": "--scheduler",
        "mutants": "--mutants",
        "junit": "--junit",
        "attest": "--attest",
        "c_files": "--with",
    },
    "emulator": "--emulator",
}
CODES = {"pass": Exit.OK, "fail": Exit.PROPERTY, "inconclusive": Exit.INCONCLUSIVE}


@click.command("test")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@line_options
@click.option(
    "--cover",
    type=click.Choice(["actions", "transitions", "communications", "classes"]),
    default="transitions",
    help="Every action, transition of a process, or communication, or the limits of every class of values "
    "(transitions).",
)
@click.option("--module", metavar="NAME", help="Cover one module, in the program around it.")
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the board's image (rr)."
)
@click.option("--most", type=click.IntRange(min=1), default=5000, metavar="N", help="Explore N states (5000).")
@click.option(
    "--mutants", type=click.IntRange(min=1), metavar="N", help="Report how many of N mutants the tests catch."
)
@click.option("--seed", type=int, default=1, metavar="N", help="Seed for choosing the mutants (1).")
@click.option("--junit", type=click.Path(dir_okay=False), metavar="FILE", help="Write the results as JUnit XML.")
@click.option(
    "--attest", type=click.Path(dir_okay=False), metavar="FILE", help="Write the results as an in-toto statement."
)
@click.option("--save", type=click.Path(file_okay=False), metavar="FOLDER", help="Write each test as a trace.")
@with_option
@online_options
@search_option
@output_options
@click.pass_context
def test_command(
    context: click.Context,
    /,
    file: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    cover: str,
    module: str | None,
    scheduler: str,
    most: int,
    mutants: int | None,
    seed: int,
    junit: str | None,
    attest: str | None,
    save: str | None,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
    online: str | None,
    **black_box: Any,
) -> None:
    """Test a board with sequences that cover the program.

    The tests are generated from the program's states, and each begins at a reset. The board runs the image
    that `lfc build --trace` makes, and replays them. Exits with 0 if all pass, 5 if one fails, 6 without a verdict.
    With --online, any firmware is tested against a specification while it runs.
    """
    if online is not None:
        raise click.exceptions.Exit(black_box_of(context, online, port, save, most, seed, path, black_box))
    refuse_given(context, FOR_BLACK_BOXES, "is about a black box: add --online SPEC")
    from lfc.hil.suite import suite_for
    from lfc.hil.suite_run import run_suite, verdict_of
    from lfc.hil.walks import graph_to_cover

    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    target = required_board(name, board_file)
    loop = prepare(program, target, scheduler, port, emulated, emulator, path, c_files)
    covered = classes_of(loop.machine, most) if cover == "classes" else graph_to_cover(loop.machine, cover, most)
    if module is not None:
        covered = of_module(covered, cover, module)
    tests = suite_for(covered)
    if not tests:
        print(f"nothing to test: the program has no {cover}", file=sys.stderr)
        raise click.exceptions.Exit(Exit.OK)
    if save is not None:
        save_tests(save, program, loop, tests)
    sites = loop.firmware.generated.sites
    print(*suite_lines(covered, tests, cover), sep="\n", file=sys.stderr)
    began = time.monotonic()
    results = run_suite(covered, tests, lambda: opened(loop), loop.host, sites, program, tell_failure)
    verdict = verdict_of(results)
    if junit is not None:
        write_junit(junit, loop, results, time.monotonic() - began)
    if attest is not None:
        write_statement(attest, loop, results, cover)
    done = sum(r.verdict == "pass" for r in results)
    lines = [f"{verdict}: {done} of {len(tests)} tests on {loop.place} (image {loop.firmware.digest[:16]})"]
    data: dict[str, object] = {
        "verdict": verdict,
        "cover": cover,
        "goals": len(covered.goals),
        "states": len(covered.blocks),
        "complete": covered.complete,
        "place": loop.place,
        "tests": [{"verdict": r.verdict, "steps": r.steps, "told": r.told} for r in results],
    }
    if mutants is not None:
        judged = judged_mutants(loop, covered, tests, mutants, seed, path)
        lines += mutant_lines(judged)
        data["mutants"] = [
            {
                "kind": j.mutant.kind,
                "file": j.mutant.file,
                "line": j.mutant.line,
                "told": j.mutant.told,
                "fate": j.fate,
                "by": j.by,
            }
            for j in judged
        ]
    finish(lines, loop, CODES[verdict], data)


def classes_of(machine: Machine, most: int) -> Covered:
    from lfc.hil.boundaries import NoClasses, classes_to_cover

    try:
        return classes_to_cover(machine, most)
    except NoClasses as why:
        raise click.UsageError(f"--cover classes: values cannot be left undetermined: {why}") from None


def black_box_of(
    context: click.Context,
    specification: str,
    port: str | None,
    save: str | None,
    most: int,
    seed: int,
    path: tuple[str, ...],
    given: dict[str, Any],
) -> Exit:
    from lfc.cli.devices.hil_online import Wanted, test_online
    from lfc.online.driver import Conduct

    refuse_given(context, NOT_FOR_BLACK_BOXES, "and --online exclude each other")
    wanted = Wanted(specification, port, given["program"], given["baud"], given["replay"], save, most, path)
    return test_online(wanted, Conduct(given["inputs"], given["steps"], given["quiet"], seed))


def of_module(covered: Covered, cover: str, module: str) -> Covered:
    from lfc.hil.coverage import only_of_module

    names = [m.name for m in covered.machine.program.modules]
    if module not in names:
        raise click.UsageError(f"--module: the program has no module `{module}`; there are: {', '.join(names)}.")
    return only_of_module(covered, cover, module)


def suite_lines(covered: Covered, tests: list[Test], cover: str) -> list[str]:
    from lfc.hil.coverage import goal_text

    steps = sum(len(t.edges) for t in tests)
    together = 0
    for test in tests:
        together |= test.goals
    states = f"{len(covered.blocks)} states"
    if cover == "classes":
        return [f"{len(tests)} test{'s' * (len(tests) != 1)}, {steps} steps: {together.bit_count()} limits of classes"]
    if not covered.complete:
        states = f"the first {len(covered.blocks) - covered.walked} states and walks beyond them"
    lines = [
        f"{len(tests)} test{'s' * (len(tests) != 1)}, {steps} steps: "
        f"{together.bit_count()} of {len(covered.goals)} {cover} in {states}"
    ]
    missing = [g for bit, g in enumerate(covered.goals) if not together >> bit & 1]
    return lines + [f"  not covered: {goal_text(covered.machine, cover, g)}" for g in missing]


def tell_failure(number: int, result: TestResult) -> None:
    if result.verdict != "pass":
        print(f"test {number}: {result.verdict} after {result.steps} steps", file=sys.stderr)
        print(*(f"  {line}" for line in result.told), sep="\n", file=sys.stderr)


def write_junit(file: str, loop: Loop, results: list[TestResult], seconds: float) -> None:
    from lfc.mcheck.report.junit import ERROR, FAILED, PASSED, Case, as_junit

    states = {"pass": PASSED, "fail": FAILED}
    cases = []
    for number, r in enumerate(results, 1):
        after = f"{r.verdict} after {r.steps} steps"
        message = "" if r.verdict == "pass" else f"{after}: {r.told[0]}" if r.told else after
        cases.append(Case(f"test {number}", states.get(r.verdict, ERROR), message, "\n".join(r.told)))
    write_text(file, as_junit(f"lfc hil test on {loop.place}", loop.machine.program.main.name, cases, seconds))


def write_statement(file: str, loop: Loop, results: list[TestResult], cover: str) -> None:
    from lfc.records.predicates import suite_results

    told = [(f"test {number}", r.verdict) for number, r in enumerate(results, 1)]
    config = [loop.place, f"--cover {cover}", f"--scheduler {loop.scheduler}"]
    made = suite_results(loop.firmware.digest, f"{loop.machine.program.main.name} (traced)", config, told)
    write_text(file, made.decode())


def save_tests(folder: str, program: str, loop: Loop, tests: list[Test]) -> None:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be created: {error.strerror}") from None
    for number, test in enumerate(tests, 1):
        write_trace_file(str(Path(folder) / f"test{number}.json"), program, loop.machine, [e.items for e in test.edges])


def judged_mutants(
    loop: Loop, covered: Covered, tests: list[Test], count: int, seed: int, path: tuple[str, ...]
) -> list[Judged]:
    from lfc.external.calls import external_calls
    from lfc.front_end.chip_modules import chip_modules
    from lfc.hil.mutants import mutants_of_program, shuffled
    from lfc.hil.mutation import judge_all

    if external_calls(loop.machine):
        raise click.UsageError("--mutants is not for programs with EXTERNAL processes: C does not run on this machine.")
    mutants = shuffled(mutants_of_program(loop.machine.program), seed)
    chip = chip_modules(loop.board)
    found = judge_all(mutants, loop.machine, covered, tests, path, chip, count)
    return sorted(found, key=lambda j: (j.mutant.file, j.mutant.line, j.mutant.told))


def mutant_lines(judged: list[Judged]) -> list[str]:
    fates = ("caught", "survived", "equivalent", "not known")
    counts = {fate: sum(j.fate == fate for j in judged) for fate in fates}
    told = [f"{counts[fate]} {fate}" for fate in fates if counts[fate] or fate in ("caught", "survived")]
    by = {way: sum(j.by == way for j in judged) for way in ("decisions", "outputs", "fault", "state")}
    shown = ", ".join(f"{number} by {way}" for way, number in by.items() if number)
    lines = [f"{len(judged)} mutants: {', '.join(told)}" + (f" ({shown})" if shown else "")]
    return lines + [
        f"  {j.mutant.file}:{j.mutant.line}: {j.fate}: {j.mutant.told}"
        for j in judged
        if j.fate in ("survived", "not known")
    ]
