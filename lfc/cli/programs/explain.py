"""`lfc explain`: the page of a diagnostic code."""

from __future__ import annotations

import json
import sys

import click

from lfc.base.notices import draw
from lfc.cli.common.output import Output, current_output, output_options


@click.command("explain", short_help="Explain a diagnostic code.")
@click.argument("codes", nargs=-1, metavar="[CODE]...")
@output_options
def command(codes: tuple[str, ...]) -> None:
    """Explain diagnostic codes, such as LF0301; without a code, list them all."""
    from lfc.diagnostics.catalogue import CATALOGUE
    from lfc.diagnostics.explain import normal_code, page, similar_codes

    output = current_output()
    if not codes:
        _list_all(output)
        return
    found = []
    for typed in codes:
        code = normal_code(typed)
        text = page(code)
        if text is None:
            close = similar_codes(typed)
            hint = "".join(f"\n  {c}  {CATALOGUE[c].title}" for c in close)
            ask = f" Did you mean{hint}" if close else " `lfc explain` lists all."
            raise click.UsageError(f"There is no diagnostic `{typed}`.{ask}")
        found.append((code, text))
    if output.form == "json":
        pages = [
            {"code": c, "severity": CATALOGUE[c].severity, "title": CATALOGUE[c].title, "page": t} for c, t in found
        ]
        output.document(json.dumps({"version": 1, "pages": pages}, indent=2))
        return
    for _, text in found:
        _show(text, output)


def _list_all(output: Output) -> None:
    from lfc.diagnostics.catalogue import CATALOGUE

    entries = sorted(CATALOGUE.items())
    if output.form == "json":
        codes = [{"code": c, "severity": e.severity, "title": e.title} for c, e in entries]
        output.document(json.dumps({"version": 1, "codes": codes}, indent=2))
        return
    for code, entry in entries:
        print(f"{code}  {entry.severity:7}  {entry.title}")


def _show(text: str, output: Output) -> None:
    if not output.colored(sys.stdout):
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True)
    with console.capture() as shown:
        console.print(Markdown(text))
    draw(sys.stdout, shown.get())
