"""`lfc cover`: which test obligations a run of the program can meet, and which none can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import refuse
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body, Machine
    from lfc.base.source import Span
    from lfc.mcheck.obligations.solve import Matter, Obligation, Solved
    from lfc.mcheck.request.request import Request


@click.command("cover", short_help="Solve test obligations: decisions, MC/DC, requirements.")
@click.argument("file")
@source_options
@click.option("--module", metavar="NAME", help="Only decisions of this module, in the program around it.")
@click.option("--properties", is_flag=True, help="Conditions of properties: a run in which each one matters.")
@click.option("--assume", multiple=True, metavar="'PORT in A..B'", help="What comes in from outside lies in a range.")
@click.option("--save", type=click.Path(file_okay=False), metavar="FOLDER", help="Write a trace for each that is met.")
@click.option(
    "--time",
    "time_limit",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    metavar="S",
    help="Stop each search after S seconds (600).",
)
@output_options
def command(
    file: str,
    path: tuple[str, ...],
    env: tuple[str, ...],
    module: str | None,
    properties: bool,
    assume: tuple[str, ...],
    save: str | None,
    time_limit: float,
) -> None:
    """Find out which outcomes of decisions, and which conditions that decide alone (MC/DC), the program can show.

    Each is met by some run, or by none: then the search has proved it. With --save, a shortest run for each is a trace
    that `lfc run --schedule` and boards replay. Exits with 0 if all is known, 6 otherwise.
    """
    from lfc.cli.common.machine import load_machine
    from lfc.mcheck.obligations.solve import solve_decisions, solve_properties
    from lfc.mcheck.request.request import request_from

    def make() -> Machine:
        machine = load_machine(file, path, env, with_environment=bool(env))
        machine.kept = None  # it is changed: nothing that was made of the file is made of it
        return machine

    request = request_from(assume=assume, seconds=time_limit)
    if properties:
        raise click.exceptions.Exit(tell_properties(solve_properties(make, request)))
    names = [m.name for m in make().program.modules]
    if module is not None and module not in names:
        raise click.UsageError(f"--module: the program has no module `{module}`; there are: {', '.join(names)}.")

    def wanted(body: Body, span: Span) -> bool:
        from lfc.mcheck.statistics.coverage import is_own

        owner = next((m for m in body_modules if m.source.path == span.source.path), None)
        return owner.name == module if owner is not None and module is not None else is_own(span.source)

    body_modules = make().program.modules
    solved = solve_decisions(make, wanted, request, time_limit)
    if save is not None:
        save_witnesses(save, file, solved, make, wanted, request)
    raise click.exceptions.Exit(tell_decisions(solved))


def tell_decisions(solved: Solved) -> Exit:
    unknown = any(o.verdict == "unknown" for o in solved.obligations)
    if current_output().form == "json":
        told = [obligation_data(o) for o in solved.obligations]
        data = {"version": 1, "states": solved.states, "complete": solved.complete, "obligations": told}
        current_output().document(json.dumps(data))
    else:
        for o in solved.obligations:
            span = o.decision.span
            text = " ".join(span.source.text[span.start : span.end].split())
            print(f"{Path(span.source.path).name}:{span.line}:{span.column}: {text}: {o.what}: {verdict_text(o)}")
        print(summary(solved))
    return Exit.INCONCLUSIVE if unknown else Exit.OK


def verdict_text(o: Obligation) -> str:
    if o.verdict == "infeasible":
        return "no run, proved"
    return "not met" if o.verdict == "unknown" else "covered" + (f" by {ways_text(o)}" if len(o.ways) == 2 else "")


def ways_text(o: Obligation) -> str:
    letters = {True: "T", False: "F", None: "-"}
    return " and ".join("".join(letters[v] for v in w.values) + "=" + letters[w.outcome] for w in o.ways)


def summary(solved: Solved) -> str:
    outcomes = [o for o in solved.obligations if not o.what.endswith(" decides")]
    conditions = [o for o in solved.obligations if o.what.endswith(" decides")]

    def share(part: list[Obligation]) -> str:
        return f"{sum(o.verdict == 'covered' for o in part)} of {len(part)}"

    none = sum(o.verdict == "infeasible" for o in solved.obligations)
    line = f"decisions: {share(outcomes)} outcomes; MC/DC: {share(conditions)} conditions"
    line += f"; {counted(solved.states, 'state')}"
    if none:
        line += f"; {none} cannot be met"
    if not solved.complete:
        line += f"; the search did not end ({solved.reason}), so nothing is proved"
    return line


def obligation_data(o: Obligation) -> dict[str, Any]:
    span = o.decision.span
    return {
        "file": Path(span.source.path).name,
        "line": span.line,
        "column": span.column,
        "decision": span.source.text[span.start : span.end],
        "obligation": o.what,
        "verdict": o.verdict,
        "ways": [{"values": list(w.values), "outcome": w.outcome} for w in o.ways],
    }


def save_witnesses(folder: str, file: str, solved: Solved, make: Any, wanted: Any, request: Request) -> None:
    from lfc.cli.common.trace_files import write_trace_file
    from lfc.mcheck.obligations.solve import witness

    ways = list({id(w): w for o in solved.obligations for w in o.ways}.values())
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"{folder} cannot be made: {error.strerror}")
    machine = make()
    for number, way in enumerate(ways, 1):
        found = witness(make, wanted, way, request)
        if found is not None:
            write_trace_file(str(Path(folder) / f"{number:03}.trace"), file, machine, found.steps)


def tell_properties(found: list[Matter]) -> Exit:
    from lfc.mcheck.obligations.solve import COVERED, INFEASIBLE

    words = {COVERED: "matters", INFEASIBLE: "never matters, proved"}
    lines, data = [], []
    for m in found:
        span = m.condition.span
        text = " ".join(span.source.text[span.start : span.end].split())
        requirements = f" {{REQ: {', '.join(m.property.requirements)}}}" if m.property.requirements else ""
        lines.append(f"property {m.property.name}{requirements}: {text}: {words.get(m.verdict, 'not known')}")
        own = {"property": m.property.name, "requirements": list(m.property.requirements)}
        data.append({**own, "condition": text, "verdict": m.verdict, "states": m.result.states})
    if current_output().form == "json":
        current_output().document(json.dumps({"version": 1, "conditions": data}))
    else:
        print(*lines, sep="\n")
    return Exit.OK if all(m.verdict in words for m in found) else Exit.INCONCLUSIVE
