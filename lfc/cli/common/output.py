"""Where diagnostics go and in which form: the options --color, --json, --sarif and --max-errors of every command."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO, Any, TypeVar

import click

from lfc.cli.common.exits import Exit

F = TypeVar("F", bound=Callable[..., Any])


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


@dataclass(slots=True)
class Output:
    """How this run of `lfc` speaks. One per run, in click's context."""

    color: str = "auto"
    form: str = "text"  # text, json, sarif
    max_errors: int = 20
    has_document: bool = False  # one of JSON or SARIF was printed
    failures: list[str] = field(default_factory=list)  # what was said on standard error of why there is none

    def colored(self, stream: IO[str]) -> bool:
        if self.color != "auto":
            return self.color == "always"
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def show(self, diagnostics: Any) -> None:
        """Text goes to standard error, beside a program's own output; JSON and SARIF to standard output."""
        if self.form == "json":
            from lfc.diagnostics.render_json import render_json

            self.document(render_json(diagnostics))
        elif self.form == "sarif":
            from lfc.diagnostics.render_sarif import render_sarif

            self.document(render_sarif(diagnostics))
        elif diagnostics.items:
            from lfc.diagnostics.render_text import render_text

            width = max(40, shutil.get_terminal_size((100, 24)).columns)
            color = self.colored(sys.stderr)
            print(render_text(diagnostics, color=color, width=width, max_shown=self.max_errors), file=sys.stderr)

    def show_warnings(self, diagnostics: Any) -> None:
        """Of a program that has no errors, beside what a command does with it. Notes are for `--syntax-only`; JSON and
        SARIF have all of them in their one document."""
        from lfc.diagnostics.model import Diagnostics, Severity

        if self.form == "text":
            warnings = Diagnostics()
            warnings.items = [d for d in diagnostics.items if d.severity is not Severity.NOTE]
            self.show(warnings)

    def document(self, text: str, to: IO[str] | None = None) -> None:
        """The one of JSON or SARIF, on standard output unless that is the program's."""
        print(text, file=to or sys.stdout)
        self.has_document = True

    def fail(self, *lines: str) -> None:
        """What hindered the command: on standard error, and in the document of JSON or SARIF."""
        from lfc.diagnostics.visible import visible_lines

        print(*map(visible_lines, lines), sep="\n", file=sys.stderr)
        self.failures.append("\n".join(line.removeprefix("lfc: ").removeprefix("error: ").strip() for line in lines))

    def finish(self, diagnostics: Any) -> None:
        """Shows the diagnostics, and ends the command if there are errors among them."""
        self.show(diagnostics)
        if diagnostics.has_errors:
            raise click.exceptions.Exit(Exit.SOURCE_ERROR)

    def results_on_stderr(self) -> None:
        """Of a command whose standard output is the program's: as JSON they stand there alone."""
        if self.form == "json":
            from lfc.base.notices import tell_to

            tell_to(None)


def current_output() -> Output:
    return click.get_current_context().ensure_object(Output)


def _set(field: str, value: object) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that stores an option; `value` stands for a flag that is given, None takes the option's own."""

    def store(context: click.Context, parameter: click.Parameter, given: Any) -> None:
        if given is None or given is False:
            return
        output = context.ensure_object(Output)
        chosen = given if value is None else value
        if field == "form" and output.form not in ("text", chosen):
            raise click.UsageError("--json and --sarif exclude each other.")
        setattr(output, field, chosen)

    return store


def output_options(command: F) -> F:
    """The options may stand before the command's name or after it."""
    options = [
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            help="Colour; auto: on a terminal.",
            expose_value=False,
            callback=_set("color", None),
        ),
        click.option(
            "--json", is_flag=True, help="Results as JSON.", expose_value=False, callback=_set("form", "json")
        ),
        click.option(
            "--sarif",
            is_flag=True,
            help="Diagnostics, and verdicts of a check, as SARIF 2.1.0.",
            expose_value=False,
            callback=_set("form", "sarif"),
        ),
        click.option(
            "--max-errors",
            type=click.IntRange(min=0),
            metavar="N",
            help="Show at most N diagnostics as text (20; 0: all).",
            expose_value=False,
            callback=_set("max_errors", None),
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command
