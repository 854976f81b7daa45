"""`lfc doctor`: what is installed, what is missing for which job, how to get it."""

from __future__ import annotations

import json
import sys

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output, output_options
from lfc.doctor.probe import Finding, apt_packages, examine, install_commands, npm_packages, python_finding, tools_for
from lfc.doctor.tools import JOBS

_GREEN, _RED, _YELLOW, _RESET = "\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[0m"


@click.command("doctor", short_help="Report what is installed and what is missing.")
@click.option(
    "--job", type=click.Choice(list(JOBS)), help="Check only what this job needs; exit with 8 if something is missing."
)
@click.option("--list-apt", is_flag=True, help="Print only the names of missing apt packages.")
@click.option("--list-npm", is_flag=True, help="Print only the names of missing npm packages.")
@output_options
def command(job: str | None, list_apt: bool, list_npm: bool) -> None:
    """Report what is installed, what is missing for which job, and the command that installs it.

    Exits with 8 if something is missing for the job, or, without --job, for checking and compiling.
    """
    findings = [python_finding(), *examine(tools_for(job))]
    missing = [f.tool for f in findings if not f.found]
    if list_apt:
        print("\n".join(apt_packages([t for t in missing if not t.is_optional(job)])))
        return
    if list_npm:
        print("\n".join(npm_packages([t for t in missing if not t.is_optional(job)])))
        return
    if current_output().form == "json":
        current_output().document(json.dumps(_as_data(findings, job), indent=2))
    else:
        _print_table(findings, current_output().colored(sys.stdout), job)
    needed = {job} if job else {"check", "compile"}
    if any(not t.is_optional(job) and needed & {*t.jobs} for t in missing):
        raise click.exceptions.Exit(Exit.ENVIRONMENT)


def _as_data(findings: list[Finding], job: str | None) -> dict[str, object]:
    tools = [
        {
            "name": f.tool.name,
            "kind": f.tool.kind,
            "found": f.found,
            "version": f.version or None,
            "jobs": list(f.tool.jobs),
            "optional": f.tool.is_optional(job),
            "install": None if f.found else next(iter(install_commands([f.tool])), None),
        }
        for f in findings
    ]
    jobs = {name: _lacking(findings, name, optional=False) for name in JOBS if job in (None, name)}
    return {"version": 1, "tools": tools, "missing": jobs}


def _lacking(findings: list[Finding], job: str, *, optional: bool) -> list[str]:
    return [f.tool.name for f in findings if not f.found and job in f.tool.jobs and f.tool.is_optional(job) == optional]


def _print_table(findings: list[Finding], color: bool, job: str | None) -> None:
    def styled(style: str, text: str) -> str:
        return f"{style}{text}{_RESET}" if color else text

    longest = max(len(f.tool.name) for f in findings)
    for f in findings:
        mark = styled(_GREEN, "ok     ") if f.found else styled(_YELLOW if f.tool.is_optional(job) else _RED, "missing")
        print(f"{mark}  {f.tool.name:{longest}}  {f.version}".rstrip())
    print()
    for name, what in JOBS.items():
        if job not in (None, name):
            continue
        lacking = _lacking(findings, name, optional=False)
        verdict = styled(_RED, "lacks " + ", ".join(lacking)) if lacking else styled(_GREEN, "ready")
        if helpful := _lacking(findings, name, optional=True):
            verdict += f" ({', '.join(helpful)} would help)"
        print(f"{name:8} {what}: {verdict}")
    commands = install_commands([f.tool for f in findings if not f.found and f.tool.kind != "interpreter"])
    if commands:
        print("\nTo install what is missing:")
        for line in commands:
            print(f"  {line}")
