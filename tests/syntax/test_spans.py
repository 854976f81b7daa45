"""Where the nodes of a tree lie: inside their parents, in order, and exactly on their text."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module
from tests.conftest import ROOT
from tests.syntax.tree_text import parsed

PROGRAMS = sorted([*(ROOT / "examples").glob("*.lf"), *(ROOT / "tests" / "corpus" / "right").rglob("*.lf")])


def text_of(node: tree.Node) -> str:
    return node.span.source.text[node.span.start : node.span.end]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_spans_nest(path: Path) -> None:
    module = parse_module(Source.read(path), Diagnostics())
    pending: list[tree.Node] = [module]
    while pending:
        node = pending.pop()
        last = node.span.start
        for child in tree.children(node):
            if isinstance(child, tree.Comment):
                continue
            assert node.span.start <= child.span.start <= child.span.end <= node.span.end, (node, child)
            if not isinstance(child, tree.Name | tree.IdentDef | tree.Attribute):
                assert child.span.start >= last, (node, child)
                last = child.span.end if not isinstance(node, tree.Import | tree.VarDecl) else last
            pending.append(child)
        if isinstance(node, tree.Name | tree.IntLit | tree.CharLit | tree.StringLit):
            assert text_of(node) == node.text
        elif isinstance(node, tree.Ident):
            assert text_of(node) == node.name


def test_spans_of_declarations_and_statements() -> None:
    module, _ = parsed(
        "MODULE M;\n"
        "CONST a* = 1;\n"
        "VAR x, y AT 25H : SET8;\n"
        "PROCESS P(VAR z : T) SERVER;\n"
        "BEGIN\n"
        "  IF z THEN c!m(1); Out.Ln; END;\n"
        "  CHOICE x := 1 | END\n"
        "END P;\n"
        "END M. (* done *)"
    )
    assert text_of(module).startswith("MODULE M;") and text_of(module).endswith("END M.")
    constants, variables, process = module.declarations
    assert text_of(constants) == "CONST a* = 1"
    assert text_of(variables) == "VAR x, y AT 25H : SET8"
    assert isinstance(process, tree.ProcessDecl) and process.body is not None
    assert text_of(process).startswith("PROCESS P(") and text_of(process).endswith("END P")
    assert text_of(process.formals[0]) == "VAR z : T"
    condition, choice = process.body
    assert text_of(condition) == "IF z THEN c!m(1); Out.Ln; END"
    assert isinstance(condition, tree.If)
    assert [text_of(s) for s in condition.branches[0].body] == ["c!m(1)", "Out.Ln"]
    assert text_of(condition.branches[0]) == "IF z THEN c!m(1); Out.Ln"
    assert isinstance(choice, tree.Choice)
    assert [text_of(b) for b in choice.branches] == ["x := 1", ""]
