"""The language reference: its programs compile without a warning, and it leaves no word of the language out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics, Severity
from lfc.diagnostics.reading import read_source
from lfc.diagnostics.render_text import render_text
from lfc.front_end.format_files import format_source
from lfc.semantics.names.universe import ATOMS, FUNCTIONS, PREDECLARED_TYPES, PROCEDURES, PSEUDO_MODULES
from lfc.syntax.grammar.terminals import KEYWORDS
from tests.support.programs import check, environments_beside, write_program

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
TEXT = REFERENCE.read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```lf\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
GRAMMAR = "".join(re.findall(r"^```ebnf\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))


def name_of(program: str) -> str:
    found = re.match(r"MODULE (\w+);", program)
    assert found is not None, f"an lf block that is no module:\n{program}"
    return found[1]


@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_a_program_of_the_reference_compiles(program: str, tmp_path: Path) -> None:
    case = write_program(program, tmp_path)
    typed, diagnostics = check(case.main, environments_beside(case.main))
    problems = [d for d in diagnostics.items if d.severity is not Severity.NOTE]
    assert typed is not None and problems == [], render_text(diagnostics)


@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_a_program_of_the_reference_has_the_canonical_layout(program: str, tmp_path: Path) -> None:
    write_program(program, tmp_path)
    for file in sorted(tmp_path.glob("*.lf")):
        diagnostics = Diagnostics()
        source = read_source(file, diagnostics)
        assert source is not None
        assert format_source(source, diagnostics) == source.text


def test_the_reference_has_programs() -> None:
    assert len(PROGRAMS) >= 8


def test_the_reference_lists_exactly_the_keywords() -> None:
    listed = re.search(r"\*\*Keywords\*\* are reserved everywhere:\n\n((?:    .*\n)+)", TEXT)
    assert listed is not None
    assert listed[1].split() == sorted(KEYWORDS)


@pytest.mark.parametrize("keyword", sorted(KEYWORDS))
def test_the_grammar_of_the_reference_has_the_keyword(keyword: str) -> None:
    assert f'"{keyword}"' in GRAMMAR


def test_the_grammar_of_the_reference_defines_what_it_uses() -> None:
    rules = re.sub(r"\(\*.*?\*\)", "", re.sub(r'"[^"\n]*"|' + r"'[^'\n]*'", "", GRAMMAR))
    defined = set(re.findall(r"^(\w+) +=", rules, re.MULTILINE))
    used = set(re.findall(r"\w+", rules))
    assert used - defined == {"letter", "digit", "anyCharacter"}


@pytest.mark.parametrize("name", sorted({*PREDECLARED_TYPES, *FUNCTIONS, *PROCEDURES, *ATOMS}))
def test_the_reference_speaks_of_the_predeclared_name(name: str) -> None:
    assert re.search(rf"`{name}[`(]", TEXT)


@pytest.mark.parametrize("module", sorted(PSEUDO_MODULES))
def test_the_reference_speaks_of_what_the_system_provides(module: str) -> None:
    for name in PSEUDO_MODULES[module].members:
        assert re.search(rf"`{module}\.{name}[`(\[]", TEXT), f"{module}.{name}"
