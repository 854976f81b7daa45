"""What a command writes must not take the place of what it reads. Asked in one place, before a command begins."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

OUTPUTS = frozenset(
    "--attest --certificate --checkpoint --coverage --html --junit --log --msc --output --record --sbom --sdoc --store "
    "--summary --vcd".split()
)
TRACES = ("check", "refine")  # whose --trace is written; of others it is read
SOURCES = (".lf", ".c", ".toml")
WRITES_PROGRAMS = "slice"
CONTINUED = {"--checkpoint": "--resume"}  # what is written continues what is read: they may be one file


def guarded(command: click.Command) -> click.Command:
    """And so the commands inside."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            guarded(inner)
        return command
    begin = command.invoke

    def invoke(ctx: click.Context) -> object:
        refuse_to_overwrite(ctx)
        return begin(ctx)

    setattr(command, "invoke", invoke)  # noqa: B010  # a method of this one command
    return command


def refuse_to_overwrite(ctx: click.Context) -> None:
    """Raises click.UsageError for a file that is read as well, that is a source, or that is written twice."""
    command = ctx.command
    outputs = {p: names for p in command.params if (names := output_name(command, p)) is not None}
    read = [
        (p.opts, file) for p in command.params if p not in outputs for file in files_of(ctx.params.get(p.name or ""))
    ]
    written: list[tuple[str, str]] = []
    for p, option in outputs.items():
        for file in files_of(ctx.params.get(p.name or "")):
            for opts, other in read:
                if is_same(file, other) and CONTINUED.get(option) not in opts:
                    raise click.UsageError(
                        f"{option} {file} would overwrite {other}, which is read: give another name."
                    )
            for before, other in written:
                if is_same(file, other):
                    raise click.UsageError(f"{before} and {option} would both write {file}: give two names.")
            is_source = os.path.realpath(file).endswith(SOURCES) and os.path.isfile(file)
            if is_source and command.name != WRITES_PROGRAMS:
                raise click.UsageError(f"{option} {file} would overwrite a source: give another name.")
            written.append((option, file))


def output_name(command: click.Command, p: click.Parameter) -> str | None:
    """The option, if it names a file that is written."""
    if not isinstance(p, click.Option) or p.is_flag or command.name == "build" and "--output" in p.opts:
        return None  # `lfc build -o` names several files, which it compares itself
    named = [o for o in p.opts if o in OUTPUTS or (o == "--trace" and command.name in TRACES)]
    return named[0] if named else None


def files_of(value: object) -> Iterator[str]:
    if isinstance(value, str) and value not in ("", "-"):
        yield value
    elif isinstance(value, tuple):
        for inner in value:
            yield from files_of(inner)


def is_same(a: str, b: str) -> bool:
    """Whatever the names, links too."""
    try:
        return os.path.samefile(a, b) and os.path.isfile(a)
    except (OSError, ValueError):
        return os.path.realpath(a) == os.path.realpath(b) if "\0" not in a + b else False
