"""Every block of code in the documentation is tried: as a session, by a test of its own, or here, by what reads it.

Of a page of sessions all is run. Elsewhere each block of a kind that something reads is given to it: commands to the
command line, which must take them, data to its parser, programs to the compiler.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Iterator

import click
import pytest

from lfc.cli.main import COMMANDS, lfc
from tests.conftest import ROOT
from tests.docs.sessions import PAGES

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN_ELSEWHERE = {  # page and kind -> the test that runs these blocks, or makes what they show
    ("how-to/monitors", "lf"): "tests/docs/test_samples_of_tests.py",
    ("how-to/test-obligations", "lf"): "tests/docs/test_samples_of_tests.py",
    ("how-to/lint-tests", "lf"): "tests/docs/test_samples_of_tests.py",
    ("reference/formatter", "lf"): "tests/syntax/test_format.py",
    ("reference/language", "lf"): "tests/docs/test_reference.py",
    ("reference/language", "ebnf"): "tests/docs/test_reference.py",
    ("reference/library", "lf"): "tests/docs/test_library.py",
    ("reference/machine", "console"): "tests/actions/test_worked_example.py",
}
SHOWN_ONLY = {"", "text", "c", "lua", "lisp"}  # what is printed, and settings of editors that are not here


def blocks() -> Iterator[tuple[str, str, str]]:
    for file in sorted((ROOT / "docs").rglob("*.md")):
        page = file.relative_to(ROOT / "docs").with_suffix("").as_posix()
        if page not in PAGES:
            yield from ((page, kind, body) for kind, body in BLOCK.findall(file.read_text(encoding="utf-8")))


FOUND = sorted(set(blocks()))
OF_KIND = {kind: [(page, body) for page, k, body in FOUND if k == kind] for kind in {k for _, k, _ in FOUND}}


def commands(body: str) -> Iterator[list[str]]:
    """Those of `lfc`, without what the shell does behind them."""
    for line in body.replace("\\\n", " ").splitlines():
        for part in re.split(r"\s(?:\||&&|;|<|>|2>)\s*", line.removeprefix("$ ").split(" #")[0]):
            if part.lstrip().startswith("lfc "):
                yield shlex.split(part)


def pages_of(*kinds: str) -> list[tuple[str, str]]:
    return [of for kind in kinds for of in OF_KIND.get(kind, []) if (of[0], kind) not in RUN_ELSEWHERE]


def named(value: object) -> str:
    return str(value) if "/" in str(value) and "\n" not in str(value) else ""


@pytest.mark.parametrize(("page", "body"), pages_of("sh", "console"), ids=named)
def test_commands_are_taken(page: str, body: str) -> None:
    context = click.Context(lfc)
    for words in commands(body):
        assert words[1] in COMMANDS, f"{page}: {words}"
        command, rest = lfc.get_command(context, words[1]), words[2:]
        if isinstance(command, click.Group):
            command, rest = command.commands[rest[0]], rest[1:]
        assert command is not None
        options = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        assert {word.split("=")[0] for word in rest if word.startswith("-")} <= options, f"{page}: {words}"


@pytest.mark.parametrize(("page", "body"), pages_of("toml"), ids=named)
def test_toml_is_toml(page: str, body: str) -> None:
    assert tomllib.loads(body), page


@pytest.mark.parametrize(("page", "body"), pages_of("json"), ids=named)
def test_json_is_json(page: str, body: str) -> None:
    """A member alone stands for the object that has it."""
    assert json.loads(body if body.lstrip().startswith("{") else f"{{{body}}}"), page


@pytest.mark.parametrize(("page", "body"), pages_of("python"), ids=named)
def test_python_is_python(page: str, body: str) -> None:
    assert ast.parse(body).body, page


def test_what_a_debugger_is_started_with_is_known_to_it() -> None:
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    (debugger,) = manifest["contributes"]["debuggers"]
    known = {*debugger["configurationAttributes"]["launch"]["properties"], "type", "request", "name"}
    shown = [json.loads(body) for page, body in OF_KIND["json"] if page == "how-to/debug"]
    assert len(shown) == 2 and all(known >= set(of) for of in shown)


def test_no_block_is_left_out() -> None:
    tried = {"sh", "console", "toml", "json", "python", *SHOWN_ONLY}
    left = {(page, kind) for page, kind, _ in FOUND if kind not in tried} - set(RUN_ELSEWHERE)
    assert left == set()
    assert {page for page, _, _ in FOUND} >= {page for page, _ in RUN_ELSEWHERE}
    for test in RUN_ELSEWHERE.values():
        assert (ROOT / test).is_file()
