"""`lfc check`: checks programs, in the text and in every state."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.checking.check_files import write_certificate, write_chart, write_trace
from lfc.cli.checking.check_request import request_of, request_options
from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, chosen_board, chosen_faults, fault_options, refuse_given
from lfc.cli.common.image import image_option, refuse_image_without
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import environments_of_project, file_and_board, refuse_board_of_system, refuse_timed_links
from lfc.cli.common.recording import Recording, record_check, refuse_bad_key, shown_path
from lfc.cli.common.sections import Sectioned
from lfc.cli.common.sources import WRAPS, definitions, source_options, wraps_option
from lfc.cli.common.world import META as WORLD
from lfc.cli.common.world import closed_machine

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.diagnostics.model import Diagnostics
    from lfc.mcheck.request.request import Request
    from lfc.mcheck.result.result import CheckResult
    from lfc.records.store import Stored

EXITS = {
    "holds": Exit.OK,
    "assertion": Exit.FAULT,
    "fault": Exit.FAULT,
    "deadlock": Exit.DEADLOCK,
    "partial-deadlock": Exit.DEADLOCK,
    "property": Exit.PROPERTY,
    "inconclusive": Exit.INCONCLUSIVE,
    "image": Exit.IMAGE,
}
OF_THE_RECORD = {
    "key": "--sign",
    "scheduler": "--scheduler",
    "faults": "--faults",
    "on_fault": "--on-fault",
    "safe": "--safe",
    "c_files": "--with",
}


class Check(Sectioned):
    sections = {
        "The environment": (
            "world_level",
            "world_budget",
            "seconds",
            "clock_wrap",
            "closes",
            "rate",
            "data",
            "inputs",
            "assume",
            "env",
        ),
        "What is checked": (
            "properties",
            "only",
            "wraps",
            "levels",
            "fairness",
            "fair",
            "deadlocks",
            "towards",
            "keep_going",
            "cycle_search",
        ),
        "The search": (
            "search",
            "reductions",
            "store",
            "depth",
            "contexts",
            "seed",
            "steps",
            "searches",
            "states",
            "memory",
            "spill",
            "threads",
            "compact",
            "distributed",
            "hosts",
            "checkpoint",
            "checkpoint_every",
            "resume",
            "unauthenticated",
        ),
        "Output": (
            "report",
            "all_steps",
            "trace_file",
            "chart",
            "certificate",
            "coverage",
            "junit",
            "summary",
            "color",
            "json",
            "sarif",
            "max_errors",
        ),
        "The board's image": (
            "board",
            "board_file",
            "image",
            "record",
            "key",
            "scheduler",
            "faults",
            "on_fault",
            "safe",
            "c_files",
            "drift",
            "interrupts",
        ),
    }


@click.command("check", cls=Check, short_help="Check programs.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--syntax-only", is_flag=True, help="Syntax, types and static checks only; no state search.")
@click.option("--levels", is_flag=True, help="Tell up to which level of CHOICE each claim holds, and how many faults.")
@request_options
@click.option(
    "--trace", "trace_file", metavar="FILE", help="Write the first counterexample as a trace (for lfc run --schedule)."
)
@click.option("--full", "all_steps", is_flag=True, help="Show every step of a counterexample of more than 200 lines.")
@click.option("--certificate", metavar="FILE", help="Write a certificate that the property holds.")
@click.option(
    "--msc",
    "chart",
    metavar="FILE",
    help="Write the first violation as a chart (- prints it; .svg, .mmd).",
)
@click.option(
    "--coverage",
    metavar="FILE",
    help="With --image: what became of each byte of the flash (JSON), or of each line (.info: lcov, .xml: Cobertura).",
)
@click.option("--junit", metavar="FILE", help="Write the results as JUnit XML, for CI.")
@click.option("--summary", metavar="FILE", help="Write a page in Markdown, with a chart of the first counterexample.")
@click.option(
    "--record/--no-record", default=True, help="With a board: write a record of the check, for `lfc flash` (default)."
)
@click.option("--sign", "key", metavar="KEY", help="Sign the record with an SSH key.")
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the recorded image (rr)."
)
@click.option(
    "--drift",
    metavar="50ppm",
    help="With --time board: how far the board's clock may be off.",
)
@click.option(
    "--interrupts",
    type=click.Choice(["boundaries", "everywhere"]),
    default="boundaries",
    help="With --time board: everywhere: every enabled interrupt breaks in before each instruction, and is executed.",
)
@fault_options
@with_option
@image_option
@board_options
@wraps_option
@source_options
@output_options
@click.pass_context
def command(context: click.Context, /, files: tuple[str, ...], syntax_only: bool, levels: bool, **given: Any) -> None:
    """Check programs, each named by the file of its main module (`-`: standard input).

    Every state that a program can reach is visited: failed assertions, faults, deadlocks and partial deadlocks are
    found, each with a shortest counterexample. With a board, the library's drivers for that board are part of the
    program, and the result is recorded for the image that `lfc build` makes with the same options. In a project, FILE
    defaults to the project's program, and the board to its board.
    """
    output = current_output()
    if not files:  # the project's program may have some
        given["c_files"] = sources_to_link(None, given["c_files"])
    of_project = not files
    if not files:
        program_file, given["board"] = file_and_board(None, given["board"], given["board_file"])
        files, given["env"] = (program_file,), environments_of_project(given["env"])
    refuse_with_wraps(context, given)
    if levels:
        raise click.exceptions.Exit(levels_of(context, files, given))
    target = chosen_board(given["board"], given["board_file"])
    if is_board_time(context) and not syntax_only:
        from lfc.cli.checking.board_time import check_board_time, refuse_others

        refuse_others(context)
        raise click.exceptions.Exit(check_board_time(only_one(files), target, given))
    refuse_without_board_time(given)
    if target is None or syntax_only or not given["record"]:
        refuse_given(context, OF_THE_RECORD, "is about the record of a check: name a board with -b BOARD")
    if syntax_only:
        check_texts(files, target, given["path"], given["env"])
        return
    only_one(files)
    if target is not None:
        refuse_board_of_system(files[0], target.name)
    if output.form == "sarif" and given["chart"] == "-":
        raise click.UsageError("--msc - and --sarif both write to standard output: name a file for the chart.")
    if given["hosts"] is not None:
        from lfc.cli.checking.distributed import start_on_hosts

        raise click.exceptions.Exit(start_on_hosts(given["hosts"]))
    if of_project and any(Path(p).is_absolute() for p in given["path"]):  # folders of packages are
        from lfc.cli.checking.dependencies import check_dependencies

        check_dependencies()
    if given["distributed"]:
        from lfc.cli.checking.distributed import among_others

        raise click.exceptions.Exit(among_others(lambda: check_one(files[0], target, given)))
    raise click.exceptions.Exit(check_one(files[0], target, given))


def refuse_with_wraps(context: click.Context, given: Mapping[str, Any]) -> None:
    """What is about the image, in which arithmetic wraps, or read by who does not know that it was counted."""
    if WRAPS not in definitions():
        return
    refused = {
        "--image": given["image"] is not None,
        "--certificate": given["certificate"],
        "--time board": is_board_time(context),
    }
    for option, is_given in refused.items():
        if is_given:
            raise click.UsageError(f"--wraps fault and {option} exclude each other: check once with each.")


def is_board_time(context: click.Context) -> bool:
    return bool(context.meta.get(WORLD, {}).get("time") == "board")


def refuse_without_board_time(given: Mapping[str, Any]) -> None:
    if given["drift"] is not None:
        raise click.UsageError("--drift is about the board's clock: add --time board.")
    if given["interrupts"] != "boundaries":
        raise click.UsageError(
            "--interrupts everywhere executes an image under its board's scheduler: add --time board."
        )


def only_one(files: tuple[str, ...]) -> str:
    if len(files) != 1:
        raise click.UsageError("Only one program at a time can be checked; --syntax-only takes several.")
    return files[0]


def check_one(file: str, target: Board | None, given: Mapping[str, Any]) -> Exit:
    output = current_output()
    recorded = target is not None and given["record"]
    request = request_of(given, output.form == "json", given["certificate"] is not None, recorded)
    if given["image"] is not None:
        timed = request.world.time != "free"
        refuse_image_without(target, given["image"], request.search.strategy, timed)
    if given["coverage"] is not None and given["image"] is None:
        raise click.UsageError("--coverage is about the image that is executed: add --image.")
    if given["key"] is not None:
        refuse_bad_key(given["key"])
    program = Program(file, target, given["path"], given["env"])
    return explore(program, request, files_of(given, target if recorded else None))


def levels_of(context: click.Context, files: tuple[str, ...], given: Mapping[str, Any]) -> Exit:
    from lfc.cli.checking.levels import check_levels

    told = {"files", "levels", "path", "env", "only", "record"}
    others = [p for p in context.command.params if p.name not in told and p.expose_value]
    for option in others:
        if context.get_parameter_source(str(option.name)) == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{option.opts[-1]} and --levels exclude each other; lfc check --level LEVEL takes it."
            )
    if len(files) != 1:
        raise click.UsageError("Only one program at a time can be checked.")
    return check_levels(files[0], given["path"], given["env"], given["only"])


def check_texts(files: tuple[str, ...], target: Board | None, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    from lfc.actions.kept_machine import Wanted, diagnose
    from lfc.diagnostics.model import Diagnostics

    output, diagnostics = current_output(), Diagnostics()
    for file in files:
        found = Diagnostics()
        diagnose(Wanted(file, path, env, target, definitions=tuple(definitions().items())), found)
        diagnostics.take_over(found)
    output.finish(diagnostics)
    if output.form == "text" and not diagnostics.items:
        print(f"{len(files)} program{'s' * (len(files) != 1)}: no errors, no warnings", file=sys.stderr)


@dataclass(slots=True)
class Program:
    """Which is checked, and for which board."""

    file: str
    board: Board | None
    path: tuple[str, ...]
    env: tuple[str, ...]


@dataclass(slots=True)
class Files:
    """What is written beside the report."""

    trace: str | None
    chart: str | None
    certificate: str | None
    record: Recording | None
    image: ImageWanted | None = None  # this is read, and executed
    all_steps: bool = False  # in the report itself
    junit: str | None = None
    summary: str | None = None
    coverage: str | None = None


@dataclass(slots=True)
class ImageWanted:
    scheduler: str
    faults: tuple[str, str, tuple[str, ...]]
    c_files: tuple[str, ...]
    file: str  # empty: as it is built


def files_of(given: Mapping[str, Any], target: Board | None) -> Files:
    """`target`: the board of the record, if there is to be one."""
    scheduler, c_files = given["scheduler"], given["c_files"]
    faults = given["faults"], given["on_fault"], given["safe"]
    recording = None
    if target is not None:
        recording = Recording(target, scheduler, *faults, c_files, given["key"])
        chosen_faults(target, *faults)  # refuses what makes no sense
    wanted = None if given["image"] is None else ImageWanted(scheduler, faults, c_files, given["image"])
    more = given["all_steps"], given["junit"], given["summary"], given["coverage"]
    return Files(given["trace_file"], given["chart"], given["certificate"], recording, wanted, *more)


def explore(program: Program, request: Request, written: Files) -> Exit:
    from lfc.diagnostics.model import Diagnostics

    warnings = Diagnostics()
    if request.search.distributed:
        from lfc.cli.checking.distributed import loaded_by_all

        machine, request = loaded_by_all(lambda: load(program, request, written, warnings))
    else:
        machine, request = load(program, request, written, warnings)
    current_output().show_warnings(warnings)
    result = checked(machine, request)
    if result.not_saved:
        file = request.checkpoint.file
        print(f"The last checkpoint could not be written to {file}: {result.not_saved}", file=sys.stderr)
    write_files(written, program, machine, request, result)
    stored = None
    if written.record is not None:
        stored = record_check(program.file, machine, written.record, request, program.path, program.env, result)
    write_reports(written, machine, request, result, stored)
    print_result(machine, request, result, written, stored, warnings)
    return exit_of(result)


def exit_of(result: CheckResult) -> Exit:
    """What was found before Ctrl-C counts; else the search was only interrupted."""
    stopped = result.interrupted and result.verdict == "inconclusive"
    return Exit.INTERRUPTED if stopped else EXITS[result.verdict]


def load(program: Program, request: Request, written: Files, warnings: Diagnostics) -> tuple[Machine, Request]:
    """The machine that is checked, and the request as it is about that."""
    from lfc.cli.common.machine import load_machine
    from lfc.mcheck.model.fairness import NotUnderstood, assumed_fairness
    from lfc.mcheck.model.kept_model import model_stage

    env, board = program.env, program.board
    machine = load_machine(
        program.file,
        program.path,
        env,
        with_environment=bool(env),
        board=board,
        diagnostics=warnings,
        stage=model_stage(request.world),
    )
    if request.world.time != "free":
        refuse_timed_links(program.file)
    if board is None:
        machine, world = closed_machine(machine, request.world, program.file, program.path)
        request = request.changed(world=world)
    refuse_unknown_properties(machine, request.claims.properties)
    try:
        assumed_fairness(machine, request.claims.fairness, request.claims.fair)
    except NotUnderstood as error:
        raise click.UsageError(as_sentence(error)) from None
    if written.image is not None and board is not None:
        from lfc.cli.common.image import chosen_image

        w, alone = written.image, machine
        if machine.monitors:
            raise click.UsageError("--image excludes --monitor: monitors watch the program, not its image.")
        if machine.environment is not None:  # the image is that of `lfc build`
            alone = load_machine(program.file, program.path, (), with_environment=False, board=board)
        request = request.changed(image=chosen_image(board, alone, w.scheduler, w.faults, w.c_files, w.file))
    return machine, request


def checked(machine: Machine, request: Request) -> CheckResult:
    from lfc.mcheck.check import check
    from lfc.mcheck.progress import ProgressLine, ProgressLog

    on_terminal = sys.stderr.isatty()
    line = ProgressLine(sys.stderr) if on_terminal else ProgressLog(sys.stderr)
    shows = not on_terminal or current_output().form == "text"
    try:
        return check(machine, request, line.show if shows else None)
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from None
    finally:
        line.clear()


def refusal_of(error: Exception) -> click.ClickException | None:
    """What is said of a check that is not possible; None: it should have been."""
    from lfc.mcheck.ltl.bdd import TooLarge
    from lfc.mcheck.model.clocks import ClockNotKept, TooManySleepers
    from lfc.mcheck.model.input_ranges import NotUnderstood
    from lfc.mcheck.reduction.slicing.dependence import UnknownClaim
    from lfc.mcheck.request.bounds import NotModular
    from lfc.mcheck.request.property import TooMany
    from lfc.mcheck.search.checkpoint import CheckpointError
    from lfc.mcheck.search.distributed.distributed import NotAlike, NotDistributed
    from lfc.mcheck.search.strategies.breadth_first import SpillError
    from lfc.mcheck.undetermined import NotSymbolic

    match error:
        case UnknownClaim() | NotUnderstood():
            return click.UsageError(as_sentence(error))
        case CheckpointError() | SpillError():
            return click.ClickException(f"{error}.")
        case NotSymbolic():
            return click.ClickException(f"Data cannot be left undetermined: {error}.")
        case NotModular():
            return click.ClickException(f"A modular search is not possible: {error}.")
        case NotDistributed() | NotAlike():
            return click.ClickException(f"A distributed search is not possible: {error}.")
        case ClockNotKept() | TooMany() | TooManySleepers():
            return click.ClickException(f"This cannot be checked: {error}.")
        case TooLarge():
            return click.ClickException("The automaton of a property would be too large; split the property.")
    return None


def as_sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."


def write_files(written: Files, program: Program, machine: Machine, request: Request, result: CheckResult) -> None:
    first = result.findings[0] if result.findings else None
    if written.trace is not None and first is not None:
        if first.rounds:
            print(f"No trace file was written: {first.rounds}.", file=sys.stderr)
        elif first.machine is None:
            write_trace(written.trace, program.file, machine, result)
        else:
            print("The counterexample is for the slice only; no trace file was written.", file=sys.stderr)
    if written.chart is not None and first is not None:
        write_chart(written.chart, first.machine or machine, first)
    if written.certificate is not None:
        if result.verdict == "holds":
            write_certificate(written.certificate, machine, request)
        else:
            why = f"the verdict is `{result.verdict}`"
            print(f"No certificate was written: {why}.", file=sys.stderr)


def write_reports(
    written: Files, machine: Machine, request: Request, result: CheckResult, stored: Stored | None
) -> None:
    """For CI and code hosts."""
    if written.junit is None and written.summary is None and written.coverage is None:
        return
    from lfc.cli.common.trace_files import write_text

    if written.coverage is not None and request.image is not None:
        if result.image is None:
            print("No coverage was written: the image was not executed.", file=sys.stderr)
        else:
            from lfc.mcheck.image.coverage import as_form, runs_of

            runs = runs_of(request.image, result.image)
            write_text(written.coverage, as_form(Path(written.coverage).suffix, runs, request.image.board.name))
    if written.junit is not None:
        from lfc.mcheck.report.junit import as_junit, cases_of

        main = machine.program.main
        write_text(written.junit, as_junit("lfc check", main.name, cases_of(machine, result), result.seconds))
    if written.summary is not None:
        from lfc.mcheck.report.markdown import as_markdown

        image, record = (stored.record.image, shown_path(stored.path)) if stored is not None else ("", "")
        write_text(written.summary, as_markdown(machine, result, image, record))


def print_result(
    machine: Machine,
    request: Request,
    result: CheckResult,
    written: Files,
    stored: Stored | None,
    warnings: Diagnostics,
) -> None:
    output = current_output()
    where: dict[str, object] = {}
    if stored is not None:
        where = {"image": stored.record.image, "record": shown_path(stored.path)}
    if output.form == "json":
        from lfc.diagnostics.render_json import diagnostics_as_data
        from lfc.mcheck.report.json_document import as_json

        told = where or ({"image": None, "record": None} if written.record is not None else {})
        if request.image is not None:
            from lfc.mcheck.image.report import as_data

            done = result.image
            told["image_check"] = None if done is None else as_data(request.image, done)
            told["other_bytes"] = result.other_bytes or None
        told["diagnostics"] = diagnostics_as_data(warnings)["diagnostics"]
        output.document(as_json(machine, result, told))
    elif output.form == "sarif":
        from lfc.mcheck.report.sarif import as_sarif

        output.document(as_sarif(machine, result, exit_of(result), warnings, request.image, where))
    else:
        from lfc.mcheck.report.text import tell

        print(shown(tell(machine, result, request.details.report, written.all_steps)))
        if request.image is not None:
            from lfc.cli.common.image import image_result

            print(*map(shown, image_result(request.image, result.image, request.details.report)), sep="\n")
        if stored is not None:
            print(f"record: {shown_path(stored.path)} (image {stored.record.image[:16]})")


def shown(text: str) -> str:
    """Sources and boards have a part in it: what a terminal would obey is shown."""
    plain = text.replace("\n", "")
    if plain.isascii() and plain.isprintable():
        return text
    from lfc.diagnostics.visible import visible_lines

    return visible_lines(text)


def refuse_unknown_properties(machine: Machine, names: tuple[str, ...]) -> None:
    there = [p.name for module in machine.program.modules for p in module.properties]
    for name in names:
        if name not in there:
            raise click.UsageError(f"There is no property `{name}`; there are: {', '.join(there) or 'none'}.")
