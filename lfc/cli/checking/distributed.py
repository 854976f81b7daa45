"""`lfc check --distributed` and `--hosts`: one command, run by several processes, of which the first one speaks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import TextIO, TypeVar

import click

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

T = TypeVar("T")
HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*(:[1-9][0-9]{0,4})?")
ARGUMENTS = "LFC_MPIEXEC"  # further arguments of mpiexec, in the environment
RULE = "-" * 60
LAUNCHED = "LFC_LAUNCHED"  # in the environment of processes that `--hosts` has started
ENDS = "\x1elfc ends with "  # after what the first of them tells
PROGRESS = "searching: "
BEFORE_THE_SEARCH = (Exit.SOURCE_ERROR, Exit.USAGE, Exit.INTERNAL, Exit.ENVIRONMENT, Exit.INTERRUPTED)
ABORTED = "NBC_Progress:"  # of MPI, of what a lost process has left unfinished
NOTICE = "exited with non-zero status"  # of mpiexec, which takes a verdict for a failure
GRACE = "5"  # seconds in which the other processes tell what is known when one of them is lost


def among_others(work: Callable[[], Exit]) -> Exit:
    """What the first process tells; the others are silent, and end well."""
    from lfc.mcheck.search.distributed.world import RankLost, world
    from lfc.mcheck.together import Served

    ranks = world()
    if not ranks.first:
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
    try:
        code = work()
    except Served:
        code = Exit.INCONCLUSIVE if ranks.lost else Exit.OK
        if ranks.lost:  # mpiexec ends all for the first bad end, which is not to come before what is known is told
            ranks.let_first_end(float(GRACE))
    except RankLost:
        code = Exit.INCONCLUSIVE
        print("inconclusive: a process of the distributed search was lost before it began", file=sys.stderr)
    except (click.ClickException, click.exceptions.Exit, MissingOnThisMachine):
        ranks.end()
        if not ranks.first:  # mpiexec ends all for the first bad end, which is not to come before it is told why
            return Exit.OK
        raise
    except BaseException:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        import traceback

        traceback.print_exc()
        ranks.abort(Exit.INTERNAL)
        raise
    if ranks.first and os.environ.get(LAUNCHED):
        sys.stdout.flush()
        print(f"{ENDS}{int(code)}", file=sys.__stdout__, flush=True)  # what else is written shows such a character
        code = Exit.OK  # mpiexec would take it for a failure
    sys.stdout.flush()
    ranks.end()
    return code


def loaded_by_all(load: Callable[[], T]) -> T:
    """The program, by the first process before the others. Raises Served where another one tells what is wrong."""
    from lfc.mcheck.search.distributed.world import world
    from lfc.mcheck.together import Served

    ranks, found, failed = world(), list[T](), list[Exception]()

    def attempt() -> None:
        try:
            found.append(load())
        except (click.ClickException, click.exceptions.Exit, MissingOnThisMachine, OSError) as error:
            failed.append(error)

    if ranks.first:
        attempt()
    if any(ranks.gather(bool(failed))):
        if ranks.first:
            raise failed[0]
        raise Served
    if not ranks.first:
        attempt()
    told = ranks.gather((ranks.host, said(failed[0]) if failed else ""))
    wrong = next(((n, host, text) for n, (host, text) in enumerate(told) if text), None)
    if wrong is None:
        return found[0]
    if ranks.first:
        number, host, text = wrong
        raise click.ClickException(f"Rank {number} on {host} cannot check the program: {text}")
    raise Served


def said(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, click.exceptions.Exit):
        return "it finds errors there, or other files than rank 0."
    return str(error)


# --- hosts ----------------------------------------------------------------------------------------------------------


def start_on_hosts(hosts: str) -> Exit:
    """The same command under mpiexec."""
    for host in hosts.split(","):
        if not HOST.fullmatch(host):
            raise click.UsageError(f"--hosts takes names with numbers of processes, as a:8,b:8, not `{host}`.")
    command = [
        *mpiexec(),
        "-x",
        f"{LAUNCHED}=1",
        "--host",
        hosts,
        sys.executable,
        "-m",
        "lfc.cli.main",
        *without_hosts(sys.argv[1:]),
    ]
    started = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert started.stderr is not None and started.stdout is not None
    listener = Listener(started.stderr)
    listener.start()
    try:
        out = started.stdout.read()
    except KeyboardInterrupt:  # the others have had it, too, or get it from mpiexec
        started.terminate()
        out = started.stdout.read()
    started.wait()
    listener.join()
    return told(out, started.returncode, listener.last)


def told(out: str, code: int, last: str) -> Exit:
    """By the first process, if its words end with what says so; else by mpiexec alone. `last`: how far it had come."""
    output = current_output()
    text, has_told, exit_code = out.rpartition(ENDS)
    if not has_told and code not in BEFORE_THE_SEARCH:
        print(out, end="", file=sys.stderr)
        known = f"; it had come to {last.partition(': ')[2]}" if last else ""
        output.fail(f"inconclusive: a host or the first process of the distributed search was lost{known}")
        return Exit.INCONCLUSIVE
    document = text if has_told else out
    if document and output.form != "text":
        output.document(document.rstrip("\n"))
    else:
        print(document, end="", flush=True)
    return Exit(int(exit_code) if has_told else code)


class Listener(Thread):
    """Passes on what is said on standard error."""

    def __init__(self, errors: Iterable[str]) -> None:
        super().__init__(daemon=True)
        self._errors = errors
        self.last = ""  # line of progress

    def run(self) -> None:
        pass_on(self._lines(), sys.stderr)

    def _lines(self) -> Iterator[str]:
        for line in self._errors:
            if line.startswith(PROGRESS):
                self.last = line.strip()
            yield line


def pass_on(errors: Iterable[str], to: TextIO) -> None:
    """Line by line, but what mpiexec says of a process that ends with another code than 0."""
    block: list[str] = []  # between two rules
    for line in errors:
        if line.startswith(ABORTED):
            continue
        if line.startswith(RULE) or block:
            block.append(line)
            if len(block) == 1 or not line.startswith(RULE):
                continue
            line, block = "" if any(NOTICE in x for x in block) else "".join(block), []
        print(line, end="", file=to, flush=True)
    print(*block, sep="", end="", file=to, flush=True)


def mpiexec() -> list[str]:
    """The command, as far as it is the same for all hosts. Raises MissingOnThisMachine."""
    from lfc.mcheck.search.distributed.world import INSTALL

    beside = Path(sys.executable).parent / "mpiexec"
    found = str(beside) if beside.is_file() else shutil.which("mpiexec")
    if found is None:
        raise MissingOnThisMachine(f"--hosts needs mpiexec and the package mpi4py; {INSTALL}")
    more = os.environ.get(ARGUMENTS, "").split()
    root = ["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return [
        found,
        *root,
        "--bind-to",
        "none",
        "--with-ft",
        "ulfm",
        "--prtemca",
        "odls_base_sigkill_timeout",
        GRACE,
        *more,
    ]


def without_hosts(arguments: list[str]) -> list[str]:
    found, skips = list[str](), False
    for argument in arguments:
        if skips or argument.startswith("--hosts="):
            skips = False
        elif argument == "--hosts":
            skips = True
        else:
            found.append(argument)
    return [a for a in found if a != "--distributed"] + ["--distributed"]
