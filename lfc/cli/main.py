"""The command `lfc`: the table of commands, and the one layer where errors become exit codes."""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING

gc.set_threshold(50_000, 20, 20)  # before anything large is imported: collecting classes costs, and frees none

import click  # noqa: E402

from lfc.base.missing_tool import MissingOnThisMachine  # noqa: E402
from lfc.base.notices import tell_to  # noqa: E402
from lfc.base.version import __version__  # noqa: E402
from lfc.cli.common.exits import Exit  # noqa: E402
from lfc.cli.common.output import Output, output_options  # noqa: E402

if TYPE_CHECKING:
    from types import FrameType

    from click.shell_completion import CompletionItem

COMPLETING = "_LFC_COMPLETE"  # set by the scripts of `lfc completion`, to the name of the shell that asks
SERVERS = ("lsp", "dap")  # of editors, which end them; they have nothing to tell
OWN_OUTPUT = ("run", "hil", "monitor", "observe")  # standard output is a program's
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EIO)  # what ails the file that our output goes to

# name -> (module in lfc/cli, one line of help). The file defines `command`.
COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("checking.check", "Check programs."),
    "refine": ("checking.refine", "Compare a program with a specification on named ports."),
    "sweep": ("checking.sweep", "Check every configuration of a program."),
    "slice": ("checking.slice", "Show the slice of a program that matters to a claim."),
    "run": ("devices.run", "Run a program on this machine or an emulated board."),
    "build": ("programs.build", "Compile a program for this machine or a board."),
    "header": ("programs.header", "Write the C headers of EXTERNAL processes."),
    "size": ("programs.size", "Show how much of a board's memory a program uses."),
    "timing": ("checking.timing", "Show the worst-case execution times of an image's actions."),
    "view": ("results.view", "Show a counterexample or a trace as an HTML page."),
    "hil": ("devices.hil_commands", "Compare a board with the program, test it, or replay a trace on it."),
    "observe": ("devices.observe", "Watch a board in the field, and tell the first violation of a property."),
    "trace": ("results.trace", "Show, convert or compare traces."),
    "new": ("devices.new", "Start a project."),
    "add": ("programs.add", "Add a package to a project, or fetch what it needs."),
    "vendor": ("programs.vendor", "Copy the packages of a project into it."),
    "flash": ("devices.flash", "Flash a program to a board."),
    "loader": ("programs.loader", "Build the boot loader of a board that takes updates."),
    "record": ("results.record", "Show and sign the records of checks."),
    "evidence": ("results.evidence", "Write what the checks of an image show of its requirements."),
    "monitor": ("devices.monitor", "Watch the console of a board."),
    "ports": ("devices.ports", "List the serial ports."),
    "boards": ("devices.boards", "List the boards."),
    "fmt": ("programs.fmt", "Format programs."),
    "lsp": ("programs.lsp", "Serve an editor."),
    "dap": ("devices.dap", "Debug a program from an editor."),
    "debug": ("devices.debug", "Debug a program in the terminal."),
    "mcp": ("programs.mcp", "Serve an assistant."),
    "explore": ("checking.explore", "Explore a program's states interactively."),
    "graph": ("checking.graph", "Show the state graph of a small program."),
    "cover": ("checking.cover", "Solve test obligations: decisions, MC/DC, requirements."),
    "lint": ("checking.lint", "Compare tests for boards with the runs of their programs."),
    "export": ("checking.export", "Write a program as a model of another checker."),
    "query": ("checking.query", "Ask a stored state graph."),
    "ltl": ("checking.ltl", "Show the automaton of a temporal formula."),
    "layout": ("programs.layout", "Show the state block of a program."),
    "actions": ("programs.actions", "Show the actions of a program and their effects."),
    "verify-certificate": ("results.verify_certificate", "Validate evidence that a property holds."),
    "explain": ("programs.explain", "Explain a diagnostic code."),
    "doctor": ("programs.doctor", "Report what is installed and what is missing."),
    "completion": ("programs.completion", "Print a shell completion script."),
}


def with_example_in_help(command: click.Command, name: str) -> click.Command:
    """The examples are imported when help is printed, or for commands that have others inside."""
    if isinstance(command, click.Group):
        from lfc.cli.common.examples import with_example

        return with_example(command, name)
    print_epilog = command.format_epilog

    def format_epilog(ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from lfc.cli.common.examples import with_example

        with_example(command, name)
        print_epilog(ctx, formatter)

    setattr(command, "format_epilog", format_epilog)  # noqa: B010  # a method of this one command
    return command


class LazyGroup(click.Group):
    """Imports a command's file when the command is called, not before: `lfc --help` must answer at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"lfc.cli.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        if ctx.resilient_parsing:  # a shell asks
            from lfc.cli.programs.completion import with_completers

            return with_completers(command)
        from lfc.cli.outputs import guarded

        return with_example_in_help(guarded(command), cmd_name)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """As click does it, but from the table: no command is imported."""
        from click.shell_completion import CompletionItem

        named = [CompletionItem(n, help=line) for n, (_, line) in COMMANDS.items() if n.startswith(incomplete)]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean `{close[0]}`?" if close else f" There are: {', '.join(COMMANDS)}."
            raise click.UsageError(f"There is no command `{args[0]}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 ok, 1 source error, 2 usage, 3 deadlock, 4 assertion or fault, 5 property violated, "
    "6 inconclusive, 7 internal error, 8 something missing on this machine, "
    "9 board not found or not flashed, 10 image differs, 130 interrupted.\n\n"
    "Example: lfc check traffic.lf --env traffic_env.lf",
)
@output_options
@click.version_option(__version__, prog_name="lfc", message="%(prog)s %(version)s")
def lfc() -> None:
    """The LF toolchain: compiles, checks and runs LF programs."""


def run(arguments: list[str]) -> int:
    """One run of `lfc`; every error becomes an exit code here and nowhere else."""
    tell_to(notice)
    output = Output()

    def invoke() -> None:
        # Not click's own `main`: it has ideas of its own about interrupts and broken pipes.
        with lfc.make_context("lfc", list(arguments), obj=output) as context:
            lfc.invoke(context)

    code = outcome(invoke, arguments, output)
    if code and not output.has_document:
        outcome(lambda: tell_failure(code, arguments, output), arguments, output)
    return code


def tell_failure(code: int, arguments: list[str], output: Output) -> None:
    """Who asks for a document gets one, whatever happens: beside standard output, if that is a program's."""
    from lfc.cli.common.failure import failure_as_json, failure_as_sarif

    if "--json" in arguments[: arguments.index("--") if "--" in arguments else None]:
        there = sys.stderr if command_named(arguments) in OWN_OUTPUT else sys.stdout
        output.document(failure_as_json(code, output.failures), there)
    elif checks_for_sarif(arguments):
        output.document(failure_as_sarif(code, output.failures))


def checks_for_sarif(arguments: list[str]) -> bool:
    return "--sarif" in arguments and command_named(arguments) == "check"


def command_named(arguments: list[str]) -> str:
    return next((a for a in arguments if a in COMMANDS), "")


def outcome(work: Callable[[], None], arguments: list[str], output: Output) -> int:
    """What is said of an error is added to the failures of `output`."""
    try:
        work()
        sys.stdout.flush()
        return Exit.OK
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        output.failures.append(error.format_message())
        from lfc.diagnostics.visible import visible_lines

        said = StringIO()
        error.show(said)
        print(visible_lines(said.getvalue().rstrip("\n")), file=sys.stderr)  # files of others have a part in it
        return Exit.USAGE
    except (click.Abort, KeyboardInterrupt):
        output.failures.append("interrupted")
        print("lfc: interrupted", file=sys.stderr)
        return Exit.INTERRUPTED
    except MissingOnThisMachine as error:
        from lfc.diagnostics.visible import visible_lines

        output.failures.append(str(error))
        print(visible_lines(f"lfc: {error}"), file=sys.stderr)
        return Exit.ENVIRONMENT
    except BrokenPipeError:
        # Who reads our output has enough (`lfc explain | head`). Python would complain when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except OSError as error:
        if error.errno not in FULL:
            return crash(error, arguments, output)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"lfc: standard output cannot be written: {error.strerror}", file=sys.stderr)
        return Exit.USAGE
    except Exception as error:
        return crash(error, arguments, output)


def complete(shell: str, words: list[str]) -> int:
    """What a shell asks for between two keys: whatever goes wrong, nothing may be said."""
    from lfc.cli.programs.completion import answer

    try:
        for line in answer(lfc, shell, words):
            print(line)
        sys.stdout.flush()
    except Exception:
        return Exit.USAGE
    return Exit.OK


def notice(text: str) -> None:
    """On standard error, whatever that is: standard output is for results."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # nobody listens
        pass


def crash(error: Exception, arguments: list[str], output: Output) -> int:
    from lfc.cli.common.crash import report_crash

    output.failures.append(f"internal error: {type(error).__name__}: {str(error)[:200]}")
    report_crash(error, arguments)
    return Exit.INTERNAL


def main() -> None:
    """What the installed script `lfc` calls."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by who called us
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets it escaped, rather than an error about an error.
        getattr(stream, "reconfigure", lambda **_: None)(errors="backslashreplace")
    show_to_terminals()
    if command_named(sys.argv[1:]) not in SERVERS:
        end_as_by_ctrl_c()
    shell = os.environ.get(COMPLETING)
    sys.exit(int(run(sys.argv[1:]) if shell is None else complete(shell, sys.argv[1:])))


def show_to_terminals() -> None:
    """What files of others have a part in is shown there, not obeyed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream.isatty():
            from lfc.diagnostics.terminal import Terminal

            setattr(sys, name, Terminal.of(stream))


def end_as_by_ctrl_c() -> None:
    """SIGTERM, and a terminal that is closed, end a command as Ctrl-C does: what it has begun is cleaned up, and what
    it has found is told."""

    def interrupt(_signal: int, frame: FrameType | None) -> None:
        takes = signal.getsignal(signal.SIGINT)
        if not callable(takes):  # whoever has started us in the background has turned Ctrl-C off
            raise KeyboardInterrupt
        takes(signal.SIGINT, frame)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:  # nohup stays as it is
            signal.signal(number, interrupt)


def script() -> None:
    """`main` for a process of its own, which ends at once: taking all apart again is a tenth of a small check."""
    try:
        main()
        code: object = 0
    except SystemExit as end:
        code = end.code
    if not isinstance(code, int):
        sys.exit(str(code))
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    script()
