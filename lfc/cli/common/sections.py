"""The help of a command with very many options, in sections."""

from __future__ import annotations

import click


class Sectioned(click.Command):
    """`sections`: a title, and the parameters below it, by name; what none of them names comes first."""

    sections: dict[str, tuple[str, ...]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        title_of = {name: title for title, names in self.sections.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {"Options": [], **{title: [] for title in self.sections}}
        for param in self.get_params(ctx):
            row = param.get_help_record(ctx)
            if row is not None and isinstance(param, click.Option):
                rows[title_of.get(param.name or "", "Options")].append(row)
        for title, lines in rows.items():
            if lines:
                with formatter.section(title):
                    formatter.write_dl(lines)
