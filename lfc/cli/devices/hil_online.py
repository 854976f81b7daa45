"""`lfc hil test --online`: a black box against a specification, while it runs."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output

if TYPE_CHECKING:
    from lfc.online.driver import Box, Conduct, Run
    from lfc.online.specification import Specification

F = TypeVar("F", bound=Callable[..., Any])
CODES = {"pass": Exit.OK, "fail": Exit.PROPERTY, "inconclusive": Exit.INCONCLUSIVE}
SHOWN = 40  # events of a run that fails
TRIES = 60  # runs, to make one shorter
UNITS = {"ms": 0.001, "s": 1.0}
VERSION = 1


class Duration(click.ParamType):  # type: ignore[type-arg]  # generic in some versions
    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        text = str(value)
        for unit, seconds in UNITS.items():
            number = text.removesuffix(unit)
            if number != text and number.replace(".", "", 1).isdecimal() and 0 < float(number) * seconds <= 3600:
                return float(number) * seconds
        self.fail(f"`{text}` is no time: write 200ms or 1.5s, an hour at most.", param, ctx)


OPTIONS = (
    click.option(
        "--online",
        type=click.Path(dir_okay=False),
        metavar="SPEC",
        help="Test any firmware behind a line against this specification, while it runs.",
    ),
    click.option(
        "--command", "program", metavar="COMMAND", help="With --online: a program of this machine, not a port."
    ),
    click.option("--baud", type=click.IntRange(min=1), default=115200, metavar="N", help="With --online: of the port."),
    click.option(
        "--inputs",
        type=click.Choice(["random", "cover"]),
        default="cover",
        help="With --online: inputs by chance, or towards what was not covered (cover).",
    ),
    click.option(
        "--quiet", type=Duration(), default=0.2, metavar="TIME", help="With --online: silence lasts so long (200ms)."
    ),
    click.option(
        "--steps", type=click.IntRange(min=1), default=1000, metavar="N", help="With --online: events of a run (1000)."
    ),
    click.option(
        "--replay",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="With --online: give the inputs of a run that was saved.",
    ),
)


def online_options(command: F) -> F:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Wanted:
    specification: str
    port: str | None
    program: str | None
    baud: int
    replay: str | None
    save: str | None
    most: int
    path: tuple[str, ...]


def test_online(wanted: Wanted, conduct: Conduct) -> Exit:
    from lfc.boards.serial.failure import FlashError
    from lfc.mcheck.refinement.behaviour import TooManyStates, TooManyValues
    from lfc.online.driver import Driver, Verdict
    from lfc.online.shrink import shrunk

    specification, bytes_only = specification_of(wanted)
    script = None if wanted.replay is None else read_run(wanted.replay)
    open_box = opener(wanted)

    def one(events: Sequence[str] | None) -> Run:
        with open_box() as box:
            return Driver(specification, box, conduct, bytes_only).go(events)

    try:
        run = one(script)
        shorter = shrunk(run, one, TRIES) if run.verdict is Verdict.FAIL and script is None else run
    except TooManyStates:
        current_output().fail(
            f"lfc: no verdict: the specification has more than {wanted.most} states; --most allows more."
        )
        return Exit.INCONCLUSIVE
    except TooManyValues as error:
        what = f"{error} has too many outcomes in one state to try each: give what comes from outside a range"
        raise click.UsageError(f"{what}, as a type or with ASSUME.") from None
    except FlashError as error:
        current_output().fail(f"lfc: {error}")
        return Exit.BOARD
    except OSError as error:
        raise click.UsageError(f"{wanted.program} cannot be started: {error.strerror}.") from None
    saved = save_runs(wanted, conduct, run, shorter)
    tell(run, shorter, saved, conduct)
    return CODES[run.verdict.value]


def specification_of(wanted: Wanted) -> tuple[Specification, bool]:
    """And whether each byte is a message."""
    from lfc.mcheck.model.open_module import NotClosed, channel_type, close
    from lfc.mcheck.refinement.behaviour import Behaviour, Polls
    from lfc.mcheck.refinement.visible import Labels, choose, ports_of
    from lfc.online.alphabet import BYTE
    from lfc.online.specification import Specification

    machine = load_machine(wanted.specification, wanted.path, (), with_environment=False)
    ports = [v for v in machine.program.main.variables if v.exported and channel_type(v) is not None]
    names: dict[str, str] = {}
    for v in ports:
        t = channel_type(v)
        for message in t.messages if t is not None else ():
            if names.setdefault(message.name, v.name) != v.name:
                raise click.UsageError(
                    f"`{message.name}` is a message of `{names[message.name]}` and of `{v.name}`: give them two names."
                )
    if BYTE in names and len(names) > 2:
        raise click.UsageError(f"Beside `{BYTE}`, which is a byte of the line, there can be no lines of text.")
    try:
        closed = close(machine, wanted.specification, wanted.path)
        if closed is None:
            raise click.UsageError(f"{wanted.specification} exports no port: there is nothing to test.")
        labels = Labels(closed.machine, choose(ports_of(closed.machine), [v.name for v in ports], "the specification"))
        return Specification(Behaviour(closed.machine, labels, wanted.most, closed.values)), BYTE in names
    except NotClosed as why:
        raise click.UsageError(f"{wanted.specification}: the outside cannot use its exported ports: {why}.") from None
    except Polls as why:
        raise click.UsageError(f"{why}, and the outside never waits there.") from None


def opener(wanted: Wanted) -> Callable[[], AbstractContextManager[Box]]:
    if (wanted.port is None) == (wanted.program is None):
        raise click.UsageError("What is tested? Name its port with -p PORT, or a program with --command.")
    from lfc.online.boxes import port_box, program_box

    if wanted.port is not None:
        port = wanted.port
        return lambda: port_box(port, wanted.baud)
    try:
        command = shlex.split(wanted.program or "")
    except ValueError as error:
        raise click.UsageError(f"--command cannot be read: {error}.") from None
    if not command:
        raise click.UsageError("--command is empty.")
    return lambda: program_box(command)


def read_run(file: str) -> list[str]:
    from lfc.base.read_file import TRACE, json_of, read_file

    try:
        told = json_of(read_file(file, TRACE))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise click.UsageError(f"{file} is no run that was saved: {error}.") from None
    events = told.get("events") if isinstance(told, dict) and told.get("version") == VERSION else None
    if not isinstance(events, list) or not all(isinstance(e, str) for e in events):
        raise click.UsageError(f"{file} is no run that `lfc hil test --online --save` has written.")
    return events


def save_runs(wanted: Wanted, conduct: Conduct, run: Run, shorter: Run) -> list[str]:
    if wanted.save is None:
        return []
    from lfc.cli.common.trace_files import write_text

    folder = Path(wanted.save)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be made: {error.strerror}.") from None
    files = {"run.json": run} | ({"shrunk.json": shorter} if shorter is not run else {})
    for name, one in files.items():
        head = {"version": VERSION, "specification": wanted.specification, **asdict(conduct)}
        told = {**head, "verdict": one.verdict.value, "reason": one.reason, "events": one.events}
        write_text(str(folder / name), json.dumps(told, indent=1) + "\n")
    return [str(folder / name) for name in files]


def tell(run: Run, shorter: Run, saved: list[str], conduct: Conduct) -> None:
    from lfc.online.driver import Verdict

    covered = f"{len(run.events)} events, {len(run.covered)} different (seed {conduct.seed})"
    lines = [f"{run.verdict.value}: {covered}"]
    if run.verdict is Verdict.INCONCLUSIVE:
        lines = [f"no verdict: {run.reason} ({covered})"]
    elif run.verdict is Verdict.FAIL:
        lines = [f"fail: {shorter.reason} where the specification allows {' or '.join(shorter.allowed) or 'nothing'}"]
        left = len(shorter.events) - SHOWN
        lines += [
            "after:",
            *([f"  ... {left} events"] if left > 0 else []),
            *(f"  {e}" for e in shorter.events[-SHOWN:]),
        ]
        lines += [f"{covered}" + (f", then with {len(shorter.events)}" if shorter is not run else "")]
    if run.left_out:
        lines += [f"{counted(run.left_out, 'input')} not given again: the specification takes no such input there"]
    lines += [f"saved: {', '.join(saved)}"] if saved else []
    print(*lines, sep="\n", file=sys.stderr)
    if current_output().form == "json":
        told = {"version": VERSION, "verdict": run.verdict.value, "reason": shorter.reason, "allowed": shorter.allowed}
        more = {"events": shorter.events, "steps": len(run.events), "covered": len(run.covered), "seed": conduct.seed}
        more |= {"left_out": run.left_out}
        current_output().document(json.dumps({**told, **more, "exit_code": int(CODES[run.verdict.value])}), sys.stderr)
