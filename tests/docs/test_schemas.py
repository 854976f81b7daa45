"""The schemas of `--json` documents: what commands print keeps to them, and they know all that is printed."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from jsonschema import Draft202012Validator

from lfc.cli.main import lfc as all_commands
from lfc.mcheck.result.finding import Verdict
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.docs.documents import COMMANDS, EXAMPLES, SCHEMAS, document, make

MOST_MUTANTS = 60  # of one document


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the examples, and what the commands read and write."""
    work = tmp_path_factory.mktemp("documents")
    shutil.copytree(EXAMPLES, work / "examples")
    (work / "made").mkdir()
    make(work / "made")
    lfc("check", "prodcons.lf", "-b", "uno", "--image", "--record", cwd=work / "examples")
    return work


def schema_named(name: str) -> dict[str, Any]:
    found = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def unknown(value: object, schema: dict[str, Any], at: str = "") -> Iterator[str]:
    """Members of a document that its schema does not have."""
    if isinstance(value, dict):
        members = schema.get("properties", {})
        for name, inner in value.items():
            described = members.get(name, schema.get("additionalProperties"))
            if described is None:
                yield f"{at}.{name}"
            else:
                yield from unknown(inner, described, f"{at}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from unknown(inner, schema.get("items", {}), f"{at}[]")


def mutants(value: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """The document with one required member gone, or of another type."""
    for path, described in places(value, schema):
        for name in described.get("required", ()):
            changed = copy.deepcopy(value)
            del inside(changed, path)[name]
            yield changed
            changed = copy.deepcopy(value)
            inside(changed, path)[name] = {"of": "another type"} if not is_object(described, name) else 0.5
            yield changed


def is_object(described: dict[str, Any], name: str) -> bool:
    return "object" in described["properties"][name].get("type", ())


def places(
    value: Any, schema: dict[str, Any], path: tuple[str | int, ...] = ()
) -> Iterator[tuple[Any, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, schema
        for name, inner in value.items():
            yield from places(inner, schema.get("properties", {}).get(name, {}), (*path, name))
    elif isinstance(value, list):
        for i, inner in enumerate(value[:3]):
            yield from places(inner, schema.get("items", {}), (*path, i))


def inside(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@pytest.mark.parametrize("name", COMMANDS)
def test_documents_keep_to_their_schema(name: str, folder: Path) -> None:
    schema = schema_named(name)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for command in COMMANDS[name]:
        told = document(name, command, folder / "made", folder / "examples")
        validator.validate(told)
        assert list(unknown(told, schema)) == [], command
        for number, changed in zip(range(MOST_MUTANTS), mutants(told, schema), strict=False):
            assert not validator.is_valid(changed), (command, number)


def test_there_is_no_other_schema() -> None:
    assert sorted(p.stem for p in SCHEMAS.glob("*.json")) == sorted(COMMANDS)


def test_verdicts_are_those_of_the_checker() -> None:
    members = schema_named("check")["properties"]
    assert members["verdict"]["enum"] == [str(v) for v in Verdict]
    assert set(members["errors"]["items"]["properties"]["kind"]["enum"]) < set(members["verdict"]["enum"])


def commands_with_json(command: click.Command, name: str, context: click.Context) -> Iterator[str]:
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            inner = command.get_command(context, part)
            assert inner is not None
            yield from commands_with_json(inner, f"{name} {part}".strip(), context)
    elif any("--json" in p.opts for p in command.params):
        yield name


# With --json these tell errors only, as `failure` and `diagnostics`; of `hil replay` the document is that of `hil`.
ERRORS_ONLY = {"header", "hil replay", "new", "add", "vendor", "record attest", "record sign", "monitor"}
ERRORS_ONLY |= {"loader", "lsp", "dap", "debug", "mcp", "completion"}


def test_every_command_with_a_document_has_a_schema() -> None:
    page = (ROOT / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert all(f"schemas/{name}.json" in page for name in COMMANDS)
    lines = [f"{line} " for lines in COMMANDS.values() for line in lines]
    commands = set(commands_with_json(all_commands, "", click.Context(all_commands)))
    assert {c for c in commands if not any(line.startswith(f"{c} ") for line in lines)} == ERRORS_ONLY
