"""`lfc lint`: tests for boards, compared with all runs of the programs that they flash."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.base.read_file import SETTING, read_file
from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import refuse
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.sources import search_option

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.lint.script import Script, Step


@dataclass(slots=True)
class Lint:
    line: int
    kind: str  # never, flaky, early, no-verdict, not-followed
    text: str


KINDS = {"never", "flaky", "early", "no-verdict"}  # what is wrong; the others are what is not known


@click.command("lint", short_help="Compare tests for boards with the runs of their programs.")
@click.argument("files", nargs=-1, required=True, metavar="TEST.py...")
@click.option(
    "--most", type=click.IntRange(min=1), default=20000, metavar="N", help="States of test and program (20000)."
)
@search_option
@output_options
def command(files: tuple[str, ...], most: int, path: tuple[str, ...]) -> None:
    """Find tests that expect what no run prints, that other schedules fail, that send before the board listens, or that
    can pass without a verdict.

    Reads test functions with the fixture `board` (docs/how-to/testing.md); runs nothing on a board. Exits with 0 if
    there is nothing to say, 5 if something is wrong, 6 if not all could be told.
    """
    from lfc.lint.script import NotPython, scripts_of

    found: dict[str, list[Lint]] = {}
    tests = 0
    for file in files:
        try:
            scripts = scripts_of(read_file(file, SETTING).decode("utf-8"), file)
        except (OSError, UnicodeDecodeError) as error:
            refuse(f"{file} cannot be read: {error.strerror if isinstance(error, OSError) else 'it is not UTF-8'}")
        except NotPython as error:
            raise click.UsageError(f"{error}.") from None
        tests += len(scripts)
        machines: dict[str, Machine] = {}
        found[file] = sorted(
            (x for s in scripts for x in lints_of(s, Path(file).parent, path, most, machines)), key=by_line
        )
    raise click.exceptions.Exit(tell(found, tests))


def by_line(lint: Lint) -> tuple[int, str]:
    return lint.line, lint.text


def tell(found: dict[str, list[Lint]], tests: int) -> Exit:
    every = [x for part in found.values() for x in part]
    if current_output().form == "json":
        data: list[dict[str, Any]] = [
            {"file": file, "line": x.line, "kind": x.kind, "text": x.text} for file, part in found.items() for x in part
        ]
        current_output().document(json.dumps({"version": 1, "tests": tests, "findings": data}))
    else:
        for file, part in found.items():
            for x in part:
                print(f"{file}:{x.line}: {x.text}")
        wrong = sum(x.kind in KINDS for x in every)
        print(f"{counted(tests, 'test')}, {counted(wrong, 'finding')}")
    if any(x.kind in KINDS for x in every):
        return Exit.PROPERTY
    return Exit.INCONCLUSIVE if every else Exit.OK


def lints_of(
    script: Script, folder: Path, path: tuple[str, ...], most: int, machines: dict[str, Machine]
) -> list[Lint]:
    """Each thing once, on whichever paths it is."""
    found: dict[tuple[int, str], Lint] = {}

    def add(line: int, kind: str, text: str) -> None:
        found.setdefault((line, kind), Lint(line, kind, text))

    for steps in script.paths:
        known = [s for s in steps if s.kind != "unknown"]
        unknown = next((s for s in steps if s.kind == "unknown"), None)
        if unknown is not None:
            assert isinstance(unknown.what, str)
            add(unknown.line, "not-followed", f"{script.name} is not followed from here on: {unknown.what}")
        verdict = any(s.kind in ("expect", "expect_fault", "verdict") for s in known)
        if known and not verdict and unknown is None:
            text = f"{script.name} has a path that expects and asserts nothing: it passes whatever the board does"
            add(script.line, "no-verdict", text)
        for flashed, part in parts_of(known):
            early = part[0] if part and part[0].kind == "send" else None
            if early is not None:
                text = "is sent before the program has said anything: what comes before its receiver is on is lost"
                add(early.line, "early", f"{shown(early.what)} {text}; expect a first text before")
            assert isinstance(flashed.what, str)
            machine = machine_of(str(folder / flashed.what), path, machines)
            compared_lints(machine, part, most, add)
    return list(found.values())


def parts_of(steps: list[Step]) -> list[tuple[Step, list[Step]]]:
    """What comes behind each flashing."""
    found: list[tuple[Step, list[Step]]] = []
    for s in steps:
        if s.kind == "flash":
            found.append((s, []))
        elif found and s.kind != "verdict":
            found[-1][1].append(s)
    return found


def machine_of(file: str, path: tuple[str, ...], machines: dict[str, Machine]) -> Machine:
    from lfc.cli.common.machine import load_machine

    if file not in machines:
        machines[file] = load_machine(file, path, (), with_environment=False)
    return machines[file]


def compared_lints(machine: Machine, steps: list[Step], most: int, add: Any) -> None:
    from lfc.lint.runs import compare

    compared = compare(machine, steps, most)
    for outcome in compared.outcomes:
        line, what = outcome.step.line, shown(outcome.step.what)
        if not outcome.met and compared.complete:
            add(line, "never", f"no run prints {what} here; one that comes so far printed {outcome.nearest}")
        elif outcome.missed:
            add(line, "flaky", f"other schedules or inputs miss {what}: {outcome.missed}")
    if not compared.complete:
        line = steps[0].line if steps else 0
        add(
            line,
            "not-followed",
            f"test and program have more than {most} states together (--most N): not all was compared",
        )


def shown(what: object) -> str:
    pattern = getattr(what, "pattern", None)
    if pattern is not None:
        return f"/{pattern}/"
    return repr(what) if what else "a fault"
