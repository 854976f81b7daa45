"""`lfc evidence`: what the records of an image show of its requirements, as one page and one document."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, chosen_faults, fault_options, firmware_for, required_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.recording import home_folder
from lfc.cli.common.sources import search_option

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.records.evidence import Claim, Requirement


@click.command("evidence", short_help="Write what the checks of an image show of its requirements.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("--requirements", metavar="FILE.sdoc", help="The requirements, as StrictDoc has them.")
@click.option("--tests", metavar="FILE", multiple=True, help="What `lfc hil test --json` told (several may be given).")
@click.option("--html", metavar="FILE", help="Write one page.")
@click.option("--sdoc", metavar="FILE", help="Write the requirements with their states, for StrictDoc.")
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the image (rr).")
@fault_options
@board_options
@with_option
@search_option
@output_options
def command(
    file: str | None,
    requirements: str | None,
    tests: tuple[str, ...],
    html: str | None,
    sdoc: str | None,
    scheduler: str,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    board: str | None,
    board_file: str | None,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Show which requirements are proved for the image of FILE, by which properties, under which assumptions.

    A property names its requirements: PROPERTY safe {REQ: SYS-12} = ... ; so do an ASSERT and a MODULE. Verdicts are
    those of the records that `lfc check -b BOARD` has written for this very image. --json prints the document.
    """
    from lfc.cli.common.trace_files import write_text
    from lfc.records.evidence import Evidence, as_strictdoc, evidence_of
    from lfc.records.evidence_page import as_html
    from lfc.records.store import all_records, records_folder

    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    target = required_board(name, board_file)
    listed = [] if requirements is None else requirements_in(requirements)
    machine = load_machine(program, path, (), with_environment=False, board=target)
    firmware = firmware_for(target, machine, scheduler, chosen_faults(target, faults, on_fault, safe), c_files)
    there = all_records([records_folder(home_folder())])
    found = evidence_of(Evidence(Path(program).name, firmware.digest, target.name), claims_of(machine), listed, there)
    if tests:
        traced = firmware_for(target, machine, scheduler, c_files=c_files, trace=True)
        found.tests = [run_in(file, traced.digest, target.name) for file in tests]
    if html is not None:
        write_text(html, as_html(found))
    if sdoc is not None:
        write_text(sdoc, as_strictdoc(found))
    if current_output().form == "json":
        current_output().document(json.dumps({"version": 1, **asdict(found)}, indent=1))
        return
    states = [r["state"] for r in found.requirements]
    told = ", ".join(f"{states.count(s)} {s}" for s in ("proved", "violated", "open") if s in states)
    print(
        f"{counted(len(states), 'requirement')}{': ' if told else ''}{told}; image {found.image[:16]}", file=sys.stderr
    )
    for r in found.requirements:
        print(f"{r['uid']}: {r['state']}{' by ' if r['properties'] else ''}{', '.join(r['properties'])}")


def claims_of(machine: Machine) -> list[Claim]:
    from lfc.records.evidence import ASSERTION, MODULE, Claim

    found = []
    for module in machine.program.modules:
        for p in module.properties:
            source, line = p.span.source, p.span.line
            text = source.line_text(line).strip()
            found.append(Claim(p.name, text, Path(source.path).name, line, p.requirements))
        source, file = module.source, Path(module.source.path).name
        for a in module.tagged:
            line = a.span.line
            name = f"ASSERT at {file}:{line}"
            found.append(Claim(name, source.line_text(line).strip(), file, line, a.requirements, ASSERTION))
        if module.requirements and module.span is not None:
            line = module.span.line
            name = f"MODULE {module.name}"
            found.append(Claim(name, source.line_text(line).strip(), file, line, module.requirements, MODULE))
    return found


def run_in(file: str, image: str, board: str) -> dict[str, Any]:
    from lfc.base.read_file import IMAGE, read_file
    from lfc.records.suite_runs import BadRun, suite_run

    try:
        return suite_run(Path(file).name, read_file(file, IMAGE), image, board)
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except BadRun as error:
        raise click.UsageError(f"{file}: {error}.") from None


def requirements_in(file: str) -> list[Requirement]:
    from lfc.base.read_file import RECORD, read_file
    from lfc.records.evidence import BadRequirements, read_strictdoc

    try:
        return read_strictdoc(read_file(file, RECORD).decode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise click.UsageError(f"{file} is not UTF-8 text.") from None
    except BadRequirements as error:
        raise click.UsageError(f"{file}: {error}.") from None
