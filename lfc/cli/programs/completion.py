"""`lfc completion`: scripts that let a shell complete the words of `lfc`, and the answers to what they ask.

A script runs `lfc` with the words up to the cursor and `_LFC_COMPLETE` set to the shell's name. Each line of the
answer has a kind, a value and a description, with tabs between: a `word`, or a `file` with its suffixes, or a
`folder`, which the shell itself looks for.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, ShellComplete

from lfc.cli.common.output import output_options

SHELLS = ("bash", "zsh", "fish")
SCRIPTS = Path(__file__).resolve().parent / "shells"

Completer = Callable[[str], list[CompletionItem[str]]]


@click.command("completion", short_help="Print a shell completion script.")
@click.argument("shell", type=click.Choice(SHELLS))
@output_options
def command(shell: str) -> None:
    """Print a script that lets a shell complete commands, options, their values and files.

    \b
    bash: lfc completion bash > ~/.lfc.bash; echo '. ~/.lfc.bash' >> ~/.bashrc
    zsh:  lfc completion zsh > DIR/_lfc, for a DIR of $fpath
    fish: lfc completion fish > ~/.config/fish/completions/lfc.fish
    """
    click.echo((SCRIPTS / f"completion.{shell}").read_text(encoding="utf-8"), nl=False)


# --- what there is, by the metavar of an option or argument ----------------------------------------------------------


def files(*suffixes: str) -> Completer:
    return lambda _: [CompletionItem(" ".join(suffixes), type="file")]


def folders(_: str) -> list[CompletionItem[str]]:
    return [CompletionItem("", type="folder")]


def words(*values: str) -> Completer:
    return lambda incomplete: [CompletionItem(v) for v in values if v.startswith(incomplete)]


def boards(incomplete: str) -> list[CompletionItem[str]]:
    from lfc.boards.descriptions.board import board_names

    return words(*board_names())(incomplete)


def codes(incomplete: str) -> list[CompletionItem[str]]:
    from lfc.diagnostics.catalogue import CATALOGUE

    return [CompletionItem(c, help=e.title) for c, e in CATALOGUE.items() if c.startswith(incomplete.upper())]


def reductions(incomplete: str) -> list[CompletionItem[str]]:
    """Several, with commas between."""
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",")
    alone = () if comma else REDUCTIONS_ALONE
    return [CompletionItem(before + comma + n) for n in (*alone, *REDUCTIONS) if n.startswith(last) and n not in given]


REDUCTIONS_ALONE = ("auto", "none", "all")
REDUCTIONS = ("slice", "por", "dead", "chains", "sym")  # as in the registry, which takes long to import
OF_OPTIONS: dict[str, Completer] = {
    "BOARD": boards,
    "CLAIM": words("assert", "faults", "deadlock"),
    "DIR": folders,
    "FILE": files(),
    "FILE.c": files(".c"),
    "FILE.hex": files(".hex"),
    "FILE.sdoc": files(".sdoc"),
    "FOLDER": folders,
    "KEY": files(),
    "KEYS": files(),
    "NAMES": reductions,
    "OUT": files(),
    "PORT": files(),
    "SPEC": files(".lf"),
    "S|MODE": words("free", "ordered", "discrete"),
    "[FILE.hex]": files(".hex"),
}
BY_NAME: dict[str, Completer] = {"env": files(".lf"), "board_file": files(".toml")}
OF_ARGUMENTS: dict[str, Completer] = {
    "CERTIFICATE": files(),
    "FILE": files(".lf"),
    "FILE...": files(".lf"),
    "GRAPH": files(),
    "IMPL": files(".lf"),
    "KEY": files(),
    "RECORD": files(),
    "SPEC": files(".lf"),
    "TEST.py...": files(".py"),
    "TRACE": files(),
    "[CODE]...": codes,
    "[FILE.elf]": files(".elf"),
    "[FILE]": files(".lf"),
    "[RECORD|IMAGE]": files(),
}
OF_COMMANDS: dict[str, Completer] = {
    "flash": files(".lf", ".hex", ".bin", ".uf2", ".esp", ".elf")
}  # their first argument


def completer_of(command: click.Command, parameter: click.Parameter) -> Completer | None:
    if isinstance(parameter, click.Argument):
        return OF_COMMANDS.get(command.name or "") or OF_ARGUMENTS.get(parameter.metavar or "")
    return BY_NAME.get(parameter.name or "") or OF_OPTIONS.get(parameter.metavar or "")


class Completed(click.ParamType):  # type: ignore[type-arg]  # generic in some versions
    """A type that knows what there is."""

    def __init__(self, of: Any, completer: Completer) -> None:
        self.of, self.name, self.completer = of, of.name, completer

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.of.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        return self.completer(incomplete)


def with_completers(command: click.Command) -> click.Command:
    for parameter in command.params:
        completer = completer_of(command, parameter)
        if completer is not None:
            parameter.type = Completed(parameter.type, completer)
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            with_completers(inner)
    return command


# --- the answer ------------------------------------------------------------------------------------------------------


def answer(program: click.Command, shell: str, given: Sequence[str]) -> Iterator[str]:
    """`given`: the words after `lfc` up to the cursor, the last one perhaps empty."""
    if shell not in SHELLS or not given:
        return
    *before, last = joined(given) if shell == "bash" else list(given)
    # bash takes the `=` for a word of its own, and asks for what comes after it; the others ask for the whole word.
    option = last[: last.index("=") + 1] if last.startswith("-") and "=" in last and given[-1] == last else ""
    for item in ShellComplete(program, {}, "lfc", "_LFC_COMPLETE").get_completions(before, last):
        plain = item.type not in ("file", "folder")
        kind = "word" if plain else item.type
        value = option + item.value if plain else item.value
        yield f"{kind}\t{value}\t{item.help or ''}".rstrip("\t")


def joined(given: Sequence[str]) -> list[str]:
    """The words of bash, which splits at `=` and leaves quotes as they are."""
    found: list[str] = []
    for word in map(unquoted, given):
        before = found[-1] if found else ""
        if before.startswith("--") and (before.endswith("=") or (word == "=" and "=" not in before)):
            found[-1] += word
        else:
            found.append(word)
    return found


def unquoted(word: str) -> str:
    try:
        return "".join(shlex.split(word)) if word.strip() else word
    except ValueError:  # a quote that is not closed yet
        return word.lstrip("'\"")
