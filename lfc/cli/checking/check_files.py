"""What `lfc check` writes beside its report: the way to a violation, its chart, a certificate."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.request.request import Request
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.result.result import CheckResult
    from lfc.run.chart import Chart


def write_trace(trace_file: str, source: str, machine: Machine, result: CheckResult) -> None:
    from lfc.cli.common.trace_files import write_trace_file

    write_trace_file(trace_file, source, machine, result.findings[0].steps)


def write_chart(file: str, machine: Machine, finding: Finding) -> None:
    from lfc.run.chart import chart_of

    cycle = finding.run.cycle if finding.run is not None and not finding.run.lost else None
    chart = chart_of(machine, finding.steps, finding.blocks, "" if finding.run else finding.message, cycle)
    draw(chart, file)


def draw(chart: Chart, file: str) -> None:
    """`-`: printed."""
    from lfc.cli.common.trace_files import write_text
    from lfc.run.chart import as_mermaid, as_svg, as_text

    if file == "-":
        print(as_text(chart, shutil.get_terminal_size().columns if sys.stdout.isatty() else 0))
        return
    forms = {".svg": as_svg, ".mmd": as_mermaid}
    write_text(file, forms.get(Path(file).suffix, as_text)(chart))


def write_certificate(file: str, machine: Machine, request: Request) -> None:
    from lfc.certificates.certify import NotCertified, certify
    from lfc.certificates.product import Faults
    from lfc.mcheck.check import chosen_properties
    from lfc.mcheck.model.fairness import assumed_fairness

    if request.world.time != "free":
        raise click.UsageError("Certificates need --time free.")
    if request.world.outside:
        raise click.UsageError("A certificate is about the module without an environment: add --no-closing.")
    if request.world.data == "symbolic":
        write_invariant(file, machine, request)
        return
    chosen = [p.name for p in chosen_properties(machine, request.claims) if p.formula is not None]
    if len(chosen) != 1:
        raise click.UsageError("A certificate is about one formula; name it with --property.")
    fair = assumed_fairness(machine, request.claims.fairness, request.claims.fair)
    if any(f.strong or not f.of_process for f in fair):
        raise click.UsageError("Certificates support only weak fairness of processes.")
    try:
        certify(machine, chosen[0], [f.slot for f in fair]).write(Path(file))
    except NotCertified as reason:
        raise click.ClickException(f"No certificate: {reason}.") from None
    except Faults:
        raise click.ClickException("No certificate: a step of the program faults.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None


def write_invariant(file: str, machine: Machine, request: Request) -> None:
    from lfc.certificates.certify import NotCertified
    from lfc.certificates.invariants.certify import certify_invariant, certify_property

    names = request.claims.properties
    if len(names) > 1:
        raise click.UsageError("A certificate is about one formula; name one with --property.")
    try:
        made = certify_property(machine, request, names[0]) if names else certify_invariant(machine, request)
        made.write(Path(file))
    except NotCertified as reason:
        raise click.ClickException(f"No certificate: {reason}.") from None
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
