"""`lfc check`: checks programs, in the text and in every state."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from lfc.cli.checking.check_files import write_certificate, write_chart, write_trace
from lfc.cli.common.bounded import bound_options, choose_bounds
from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, chosen_board, chosen_faults, fault_options, refuse_given
from lfc.cli.common.image import image_option, refuse_image_without
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.recording import Recording, record_check, refuse_bad_key, shown_path
from lfc.cli.common.sections import Sectioned
from lfc.cli.common.sources import source_options
from lfc.cli.common.world import chosen_world, closed_machine, time_option, world_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.check import CheckOptions

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
        "The world": ("seconds", "clock_wrap", "closes", "rate", "inputs", "assume", "env"),
        "What is looked for": (
            "properties",
            "only",
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
            "checkpoint",
            "checkpoint_every",
            "resume",
            "unauthenticated",
        ),
        "What is written": (
            "report",
            "trace_file",
            "chart",
            "certificate",
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
        ),
    }


@click.command("check", cls=Check, short_help="Check programs.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--syntax-only", is_flag=True, help="Syntax, types and static checks only; explore nothing.")
@time_option
@world_options
@click.option("--states", type=click.IntRange(min=0), default=0, metavar="N", help="Stop after N states.")
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    metavar="MB",
    help="Use MB megabytes for states; else most of what is free.",
)
@click.option(
    "--spill",
    metavar="DIR",
    help="Folder for what a breadth-first search has no room for in memory (the system's folder for such files).",
)
@click.option("--threads", type=click.IntRange(1, 64), metavar="N", help="Search with N threads; else with all cores.")
@click.option("--compact", is_flag=True, help="Let the tables grow in smaller steps: less memory, more time.")
@click.option(
    "--search",
    type=click.Choice(["breadth", "depth", "best", "astar", "modular", "random", "swarm"]),
    help="The order: nearest states first (breadth), depth-first, or towards an error; module by module "
    "(modular); random walks, or a swarm of small searches, which find errors and prove nothing.",
)
@bound_options
@click.option(
    "--towards",
    type=click.Choice(["any", "deadlock", "assertion", "fault"]),
    default="any",
    help="What --search best and astar look for.",
)
@click.option(
    "--store",
    type=click.Choice(["exact", "hash", "bitstate"]),
    default="exact",
    help="hash, bitstate: keep less of each state, depth-first; finds errors, is not a proof.",
)
@click.option("--checkpoint", metavar="FILE", help="Save the search in FILE now and then, to go on with --resume.")
@click.option(
    "--checkpoint-every",
    type=click.FloatRange(min=0),
    metavar="S",
    help="Save it about every S seconds (60).",
)
@click.option("--resume", metavar="FILE", help="Go on with the search that --checkpoint has saved.")
@click.option(
    "--unauthenticated",
    is_flag=True,
    help="Also if it is not known that this user has saved it; no record of that opens the gate.",
)
@click.option(
    "--report",
    "report",
    is_flag=True,
    help="Say also what was never reached, how far bounds were used, and which variables take how many values.",
)
@click.option("--keep-going", is_flag=True, help="Go on after a violation, and count them all.")
@click.option(
    "--trace", "trace_file", metavar="FILE", help="Write the way to the first violation (lfc run --schedule)."
)
@click.option("--property", "properties", multiple=True, metavar="NAME", help="Check this property, not all of them.")
@click.option(
    "--fairness",
    type=click.Choice(["none", "weak", "strong"]),
    help="Of all processes, instead of what the source marks.",
)
@click.option(
    "--fair",
    "fair",
    multiple=True,
    metavar="WHAT",
    help="Assume fairness of communications or actions, as in 'weak-live Philosopher left!get'.",
)
@click.option(
    "--deadlocks",
    type=click.Choice(["report", "allow"]),
    default="report",
    help="allow: processes may wait for ever; only faults and properties are looked at.",
)
@click.option(
    "--cycle-search",
    type=click.Choice(["components", "ndfs"]),
    default="components",
    help="How violations by infinite runs are looked for (components).",
)
@click.option(
    "--reductions",
    metavar="NAMES",
    default="auto",
    help="none: every state counts; auto: choose for large programs; all, or of slice, por, dead, chains, sym.",
)
@click.option(
    "--for",
    "only",
    multiple=True,
    metavar="CLAIM",
    help="Check the slice for it, and nothing else: a property, assert, the line of an ASSERT, faults, deadlock.",
)
@click.option(
    "--certificate",
    "certificate",
    metavar="FILE",
    help="Write evidence that the property holds.",
)
@click.option("--msc", "chart", metavar="FILE", help="Write the first violation as a chart (- prints it, .svg draws).")
@click.option(
    "--record/--no-record", default=True, help="With a board: write a record of the check, for `lfc flash` (it is)."
)
@click.option("--sign", "key", metavar="KEY", help="Sign the record with an SSH key.")
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Of the image of the record (rr).")
@fault_options
@with_option
@image_option
@board_options
@source_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    syntax_only: bool,
    seconds: float,
    states: int,
    memory: int | None,
    spill: str | None,
    threads: int | None,
    compact: bool,
    search: str | None,
    towards: str,
    store: str,
    checkpoint: str | None,
    checkpoint_every: float | None,
    resume: str | None,
    unauthenticated: bool,
    report: bool,
    keep_going: bool,
    trace_file: str | None,
    properties: tuple[str, ...],
    fairness: str | None,
    fair: tuple[str, ...],
    deadlocks: str,
    cycle_search: str,
    reductions: str,
    only: tuple[str, ...],
    certificate: str | None,
    chart: str | None,
    record: bool,
    key: str | None,
    scheduler: str,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    c_files: tuple[str, ...],
    image: str | None,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Check programs, each named by the file of its main module (`-`: standard input).

    Every state that a program can reach is visited: failed assertions, faults, deadlocks and partial deadlocks are
    found, each with a shortest way to it. With a board it is the program with the library's drivers for that board, and
    what was found is recorded for the image that `lfc build` makes with the same options. In a project, no FILE means
    its program on its board.
    """
    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end.chip_modules import chip_modules
    from lfc.front_end.load import load_program

    output = current_output()
    c_files = sources_to_link(files[0] if files else None, c_files)
    if not files:
        program_file, board = file_and_board(None, board, board_file)
        files = (program_file,)
    target = chosen_board(board, board_file)
    if target is None or syntax_only or not record:
        refuse_given(context, OF_THE_RECORD, "is about the record of a check: name a board with -b BOARD")
    if not syntax_only:
        from lfc.mcheck.check import CheckOptions
        from lfc.mcheck.request.resources import free_memory

        if len(files) != 1:
            raise click.UsageError("One program at a time is explored; --syntax-only takes several.")
        if output.form == "sarif" and chart == "-":
            raise click.UsageError("--msc - and --sarif both write to standard output: name a file for the chart.")
        options = CheckOptions(seconds, memory << 20 if memory else free_memory(), states, keep_going)
        options.threads, options.compact = threads or 0, compact
        options.properties, options.fairness = properties, fairness or ""
        options.fair, options.allow_deadlocks = fair, deadlocks == "allow"
        options.nested = cycle_search == "ndfs"
        options.world = chosen_world()
        choose_search(options, search, towards, store, memory)
        choose_bounds(options, search, store, memory)
        options.reductions = chosen_reductions(reductions)
        if certificate is not None and options.reductions == ("auto",):
            options.reductions = ()  # evidence is about every state
        options.only = only
        if only and (certificate or (target is not None and record)):
            raise click.UsageError(
                "--for checks a part of what there is: no certificate, and with a board --no-record."
            )
        if only and properties:
            raise click.UsageError("--for names what is checked, and nothing else is: it goes without --property.")
        if "deadlock" in only and options.allow_deadlocks:
            raise click.UsageError("--for deadlock looks for what --deadlocks allow leaves out.")
        choose_checkpoint(options, checkpoint, checkpoint_every, resume, unauthenticated)
        choose_spill(options, spill)
        options.report, options.count_values = report, output.form == "json"
        refuse_image_without(image, target, env, options.search, options.world.time != "free")
        refuse_bad_key(key)
        recording = None
        if target is not None and record:
            recording = Recording(target, scheduler, faults, on_fault, safe, c_files, key)
            chosen_faults(target, faults, on_fault, safe)  # refuses what makes no sense
        wanted = None if image is None else ImageWanted(scheduler, (faults, on_fault, safe), c_files, image)
        written = Files(trace_file, chart, certificate, recording, wanted)
        raise click.exceptions.Exit(explore(files[0], options, written, target, path, env))
    diagnostics = Diagnostics()
    for file in files:
        found = Diagnostics()
        program = load_program(file, found, path=path, environments=env, chip=chip_modules(target))
        if program is not None and not found.has_errors:
            build_machine(program, found)  # whether there is room for it
        diagnostics.take_over(found)
    output.finish(diagnostics)
    if output.form == "text" and not diagnostics.items:
        print(f"{len(files)} program{'s' * (len(files) != 1)}: no errors, no warnings", file=sys.stderr)


BITSTATE_MEMORY = 256 << 20  # without --memory


def choose_search(options: CheckOptions, search: str | None, towards: str, store: str, memory: int | None) -> None:
    options.search, options.towards = search or ("breadth" if store == "exact" else "depth"), towards
    if towards != "any" and options.search not in ("best", "astar"):
        raise click.UsageError("--towards goes with --search best and --search astar.")
    if store == "exact":
        return
    if options.search != "depth":
        raise click.UsageError(f"--store {store} goes with --search depth.")
    options.lossy = store
    if store == "bitstate" and not memory:
        options.memory = BITSTATE_MEMORY


def chosen_reductions(text: str) -> tuple[str, ...]:
    from lfc.mcheck.reduction.registry import REDUCTIONS, named_reductions

    found = named_reductions(text)
    if found is None:
        raise click.UsageError(f"--reductions takes auto, none, all, or of {', '.join(REDUCTIONS)}.")
    return found


def choose_checkpoint(
    options: CheckOptions, file: str | None, every: float | None, resume: str | None, unauthenticated: bool
) -> None:
    if (file or resume) and (options.search != "breadth" or options.lossy):
        raise click.UsageError("--checkpoint and --resume go with --search breadth.")
    if every is not None and not file:
        raise click.UsageError("--checkpoint-every goes with --checkpoint.")
    if unauthenticated and not resume:
        raise click.UsageError("--unauthenticated goes with --resume.")
    options.checkpoint, options.resume, options.unauthenticated = file or "", resume or "", unauthenticated
    if every is not None:
        options.checkpoint_every = every


def choose_spill(options: CheckOptions, folder: str | None) -> None:
    if folder is not None and (options.search != "breadth" or options.lossy):
        raise click.UsageError("--spill goes with --search breadth.")
    if folder is not None and options.checkpoint:
        raise click.UsageError("--spill does not go with --checkpoint: what is saved must be in memory.")
    if options.search == "breadth" and not options.checkpoint:
        from lfc.mcheck.request.resources import folder_to_spill

        options.spill = folder or folder_to_spill()


@dataclass(slots=True)
class Files:
    """What is written beside the report."""

    trace: str | None
    chart: str | None
    certificate: str | None
    record: Recording | None
    image: ImageWanted | None = None  # this is read, and executed


@dataclass(slots=True)
class ImageWanted:
    scheduler: str
    faults: tuple[str, str, tuple[str, ...]]
    c_files: tuple[str, ...]
    file: str  # empty: as it is built


def explore(
    file: str,
    options: CheckOptions,
    written: Files,
    board: Board | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> Exit:
    from lfc.cli.common.machine import load_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.diagnostics.render_json import diagnostics_as_data
    from lfc.mcheck.check import check_program
    from lfc.mcheck.ltl.bdd import TooLarge
    from lfc.mcheck.model.clocks import ClockNotKept, TooManySleepers
    from lfc.mcheck.model.input_ranges import NotUnderstood as UnknownPort
    from lfc.mcheck.progress import ProgressLine
    from lfc.mcheck.reduction.slicing.dependence import UnknownClaim
    from lfc.mcheck.report.json_document import as_json
    from lfc.mcheck.report.text import tell
    from lfc.mcheck.request.fairness import NotUnderstood, assumed_fairness
    from lfc.mcheck.request.property import TooMany
    from lfc.mcheck.request.search_bounds import NotModular
    from lfc.mcheck.search.checkpoint import CheckpointError
    from lfc.mcheck.search.search import SpillError

    output = current_output()
    warnings = Diagnostics()
    machine = load_machine(file, path, env, with_environment=bool(env), board=board, diagnostics=warnings)
    output.show_warnings(warnings)
    if board is None:
        machine = closed_machine(machine, options.world, file, path)
    refuse_unknown_properties(machine, options)
    try:
        assumed_fairness(machine, options.fairness, options.fair)
    except NotUnderstood as error:
        raise click.UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    if written.image is not None and board is not None:
        from lfc.cli.common.image import chosen_image

        wanted = written.image
        options.image = chosen_image(board, machine, wanted.scheduler, wanted.faults, wanted.c_files, wanted.file)
    line = ProgressLine(sys.stderr)
    try:
        result = check_program(machine, options, line.show if sys.stderr.isatty() and output.form == "text" else None)
    except UnknownClaim as error:
        raise click.UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    except (CheckpointError, SpillError) as error:
        raise click.ClickException(f"{error}.") from None
    except UnknownPort as error:
        raise click.UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    except NotModular as reason:
        raise click.ClickException(f"This cannot be searched in modules: {reason}.") from None
    except (ClockNotKept, TooMany, TooManySleepers) as error:
        raise click.ClickException(f"This cannot be checked: {error}.") from None
    except TooLarge:
        raise click.ClickException("The automaton of a property would be too large; split the property.") from None
    finally:
        line.clear()
    if result.not_saved:
        print(f"The last checkpoint could not be written to {options.checkpoint}: {result.not_saved}", file=sys.stderr)
    if written.trace is not None and result.findings:
        if result.findings[0].machine is None:
            write_trace(written.trace, file, machine, result)
        else:
            print("The way is one of the slice: there is no trace of it.", file=sys.stderr)
    if written.chart is not None and result.findings:
        write_chart(written.chart, result.findings[0].machine or machine, result.findings[0])
    if written.certificate is not None:
        if result.verdict == "holds":
            write_certificate(written.certificate, machine, options)
        else:
            why = f"the verdict is `{result.verdict}`, so {written.certificate} was not written"
            print(f"There is no certificate: {why}.", file=sys.stderr)
    stored = None
    if written.record is not None:
        stored = record_check(file, machine, written.record, options, path, env, result)
    if output.form == "json":
        told: dict[str, object] = {} if written.record is None else {"image": None, "record": None}
        if stored is not None:
            told = {"image": stored.record.image, "record": shown_path(stored.path)}
        if options.image is not None:
            from lfc.mcheck.image.report import as_data

            done = result.image
            told["image_check"] = None if done is None else as_data(machine, options.image, done)
        told["diagnostics"] = diagnostics_as_data(warnings)["diagnostics"]
        print(as_json(result, told))
    elif output.form == "sarif":
        from lfc.mcheck.report.sarif import as_sarif

        where = {} if stored is None else {"image": stored.record.image, "record": shown_path(stored.path)}
        output.document(as_sarif(machine, result, EXITS[result.verdict], warnings, options.image, where))
    else:
        print(tell(machine, result, options.report))
        if options.image is not None:
            from lfc.cli.common.image import image_result

            print(*image_result(machine, options.image, result.image, options.report), sep="\n")
        if stored is not None:
            print(f"record: {shown_path(stored.path)} (image {stored.record.image[:16]})")
    return EXITS[result.verdict]


def refuse_unknown_properties(machine: Machine, options: CheckOptions) -> None:
    there = [p.name for module in machine.program.modules for p in module.properties]
    for name in options.properties:
        if name not in there:
            raise click.UsageError(f"There is no property `{name}`; there are: {', '.join(there) or 'none'}.")
