"""The parser for tree-sitter, in tree-sitter's own runtime: its trees are those of lfc's tables, node by node, and what
lfc's grammar refuses has an error in it."""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar.lexer import Tokens, cut_into_tokens
from lfc.syntax.grammar.tables import load_tables
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER, OF_MONITORS
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from tests.conftest import ROOT, Golden
from tests.editor.tree_sitter import FILE, FOLDER, HIDDEN, NAMED, text
from tests.generate.general.program import Profile, generate

tree_sitter = pytest.importorskip("tree_sitter")
CORPUS = sorted([*(ROOT / "examples").rglob("*.lf"), *(ROOT / "lfc" / "library").rglob("*.lf")])
LEAVES = {*NAMED.values(), "comment"}
Node = tuple[str, int, int]  # what, from, to
MUTANTS = 300
EDITS = 150


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Any:
    library = tmp_path_factory.mktemp("tree-sitter") / "lf.so"
    warnings = ["-Wall", "-Wextra", "-Werror", "-std=c11"]
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "cc",
        "-shared",
        "-fPIC",
        "-O1",
        *warnings,
        *C_LIBRARY_ALONE,
        "-o",
        str(library),
        str(FILE),
    ]
    subprocess.run(command, check=True, timeout=300)
    loaded = ctypes.CDLL(str(library))
    loaded.tree_sitter_lf.restype = ctypes.c_void_p
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(new(loaded.tree_sitter_lf(), b"tree_sitter.Language", None))


@pytest.fixture(scope="module")
def parser(language: Any) -> Any:
    return tree_sitter.Parser(language)


def programs() -> Iterator[str]:
    """In ASCII, so that places are bytes."""
    for file in CORPUS:
        yield file.read_text(encoding="utf-8").encode("ascii", "replace").decode()
    for seed in range(12):
        yield generate(seed, Profile()).text


def tokens_of(program: str) -> Tokens | None:
    """None: it has lexical errors."""
    diagnostics = Diagnostics()
    tokens = cut_into_tokens(Source("p.lf", program), diagnostics)
    return None if diagnostics.items else tokens


def nodes_of(tokens: Tokens) -> list[Node] | None:
    """The second opinion: what lfc's own tables reduce, in this order. None: it is no program."""
    tables = load_tables()
    found, states, spans, at = list[Node](), [tables.start], list[tuple[int, int] | None](), 0
    while states[-1] != tables.accept or tokens.kinds[at] != 0:
        step = tables.actions[states[-1]].get(tokens.kinds[at])
        if step is None:
            return None
        if step >= 0:
            states.append(step)
            spans.append((tokens.starts[at], tokens.ends[at]))
            at += 1
            continue
        rule = tables.rules[~step]
        kept = [s for s in spans[len(spans) - rule.length :] if s is not None] if rule.length else []
        span = (kept[0][0], kept[-1][1]) if kept else None
        if rule.length:
            del states[-rule.length :], spans[-rule.length :]
        states.append(tables.gotos[states[-1]][rule.lhs])
        spans.append(span)
        if rule.act is not None and rule.act not in HIDDEN:
            assert span is not None, rule.act
            found.append((rule.act, *span))
    assert found[-1][0] in ("module", "monitor")  # one root for both
    return [*found[:-1], ("module", 0, len(tokens.source.text))]  # tree-sitter's root is all of the text


def nodes_in(node: Any) -> Iterator[Node]:
    for child in node.children:
        yield from nodes_in(child)
    if node.parent is None:
        yield node.type, 0, node.end_byte
    elif node.is_named and node.type not in LEAVES:
        yield node.type, node.start_byte, node.end_byte


def test_the_parser_is_that_of_the_grammar(golden: Golden) -> None:
    golden(FILE, text())


def test_trees_are_those_of_the_own_tables(parser: Any) -> None:
    count = 0
    for program in programs():
        tokens = tokens_of(program)
        assert tokens is not None
        expected, tree = nodes_of(tokens), parser.parse(program.encode())
        assert expected is not None and not tree.root_node.has_error
        assert list(nodes_in(tree.root_node)) == expected, program[:100]
        count += len(expected)
    assert count > 50_000


def test_tokens_are_those_of_the_own_lexer(parser: Any) -> None:
    def leaves(node: Any) -> Iterator[tuple[int, int]]:
        if node.child_count == 0 and node.type != "comment":
            yield node.start_byte, node.end_byte
        for child in node.children:
            yield from leaves(child)

    for program in programs():
        tokens = tokens_of(program)
        assert tokens is not None
        spans = list(zip(tokens.starts, tokens.ends, strict=True))[:-1]
        assert list(leaves(parser.parse(program.encode()).root_node)) == spans


def test_what_the_grammar_refuses_has_an_error(parser: Any) -> None:
    """A token gone, doubled or exchanged: refused by both, or by neither with the same tree."""
    chance, all_programs = random.Random(1), [p for p in programs() if len(p) < 6000]
    refused = 0
    for _ in range(MUTANTS):
        program = chance.choice(all_programs)
        tokens = tokens_of(program)
        assert tokens is not None
        n = chance.randrange(len(tokens.kinds) - 1)
        other = tokens.text(chance.randrange(len(tokens.kinds) - 1))
        new = chance.choice(("", f"{tokens.text(n)} {tokens.text(n)}", f" {other} "))
        mutant = program[: tokens.starts[n]] + new + program[tokens.ends[n] :]
        cut = tokens_of(mutant)
        if cut is None:
            continue
        expected, tree = nodes_of(cut), parser.parse(mutant.encode())
        assert tree.root_node.has_error is (expected is None), mutant
        if expected is not None:
            assert list(nodes_in(tree.root_node)) == expected
        refused += expected is None
    assert MUTANTS // 2 < refused < MUTANTS


def test_an_edited_tree_is_that_of_the_text(parser: Any) -> None:
    """Incrementally: what an editor does at every key."""
    chance = random.Random(2)
    program = (ROOT / "examples" / "traffic.lf").read_bytes()
    tree = parser.parse(program)
    for _ in range(EDITS):
        at = chance.randrange(len(program))
        gone = chance.choice((0, 0, 1, 8))
        new = chance.choice((b"", b"x", b";", b" END ", b"(* c *)", b"IF a THEN b END;", b"\n  OR "))
        old_end = min(len(program), at + gone)
        places = [point(program, at), point(program, old_end)]
        program = program[:at] + new + program[old_end:]
        tree.edit(at, old_end, at + len(new), places[0], places[1], point(program, at + len(new)))
        tree = parser.parse(program, tree)
        fresh = parser.parse(program)
        if not fresh.root_node.has_error:  # how an error is mended may depend on what was there
            assert str(tree.root_node) == str(fresh.root_node)
        assert tree.root_node.has_error is fresh.root_node.has_error
        if chance.random() < 0.1 or len(program) > 20_000:
            program = (ROOT / "examples" / "traffic.lf").read_bytes()
            tree = parser.parse(program)


def point(program: bytes, at: int) -> tuple[int, int]:
    return program.count(b"\n", 0, at), at - (program.rfind(b"\n", 0, at) + 1)


def test_an_or_separates_branches_where_lfc_says_so(parser: Any) -> None:
    program = b"""MODULE M;
VAR a, b : BOOLEAN;
BEGIN
  CHOICE a := b
    OR b;
  OR IF a
      OR b THEN a := (b
      OR a) END
  OR a := a OR b
  END;
  WHILE a
    OR b DO EXIT END
END M.
"""
    tokens = tokens_of(program.decode())
    assert tokens is not None and tokens.kinds.count(NUMBER["OR_BRANCH"]) == 3
    assert list(nodes_in(parser.parse(program).root_node)) == nodes_of(tokens)
    twice = tokens_of(program.decode().replace("OR a :=", "OR OR a :="))
    assert twice is not None and nodes_of(twice) is None
    assert parser.parse(program.replace(b"OR a :=", b"OR OR a :=")).root_node.has_error


def test_colours(language: Any, parser: Any) -> None:
    query = tree_sitter.Query(language, (FOLDER / "queries" / "highlights.scm").read_text())
    program = (ROOT / "examples" / "philosophers.lf").read_bytes()
    captures = tree_sitter.QueryCursor(query).captures(parser.parse(program).root_node)
    told = {name: {n.text.decode() for n in nodes} for name, nodes in captures.items()}
    assert {"Philosopher", "Fork"} <= told["function"] and "Hand" in told["type"] and "5" in told["number"]
    assert "CREATE" in told["keyword"] and "PROCESS" in told["keyword.declaration"] and "!" in told["operator"]
    keywords = {t for name in told if name.startswith("keyword") for t in told[name]}
    assert (
        sorted(
            t for t in {*KEYWORDS, *OF_MONITORS} if f'"{t}"' not in (FOLDER / "queries" / "highlights.scm").read_text()
        )
        == []
    )
    assert keywords <= {*KEYWORDS, *OF_MONITORS} and Path(FILE).stat().st_size < 400_000
