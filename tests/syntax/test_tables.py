"""The grammar and its tables: kept ones are up to date, conflicts are refused, lark stays out of the way. Speed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tables
from lfc.syntax.grammar.build import Builder
from lfc.syntax.grammar.terminals import KEYWORDS
from lfc.syntax.parser import parse_module
from tests.conftest import ROOT
from tests.syntax.long_module import ten_thousand_lines


def test_kept_tables_are_those_of_the_grammar() -> None:
    made = tables.make_tables()
    kept = json.loads(tables.KEPT.read_text(encoding="utf-8"))
    assert kept == made, "the grammar has changed: run python -m lfc.syntax.grammar.tables"


def test_changed_grammar_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "grammar.lark"
    changed.write_text(tables.GRAMMAR.read_text(encoding="utf-8").replace('"RESCHEDULE"', '"PAUSE"'), encoding="utf-8")
    monkeypatch.setattr(tables, "GRAMMAR", changed)
    assert "PAUSE" in tables.load_tables.__wrapped__().terminals


def test_conflicts_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ambiguous = tmp_path / "grammar.lark"
    ambiguous.write_text('%declare A\nmodule: module "+" module -> add\n | A -> one\n', encoding="utf-8")
    monkeypatch.setattr(tables, "GRAMMAR", ambiguous)
    with pytest.raises(ValueError, match="conflict"):
        tables.make_tables()


def test_each_act_is_a_method_of_the_builder() -> None:
    acts = {rule.act for rule in tables.load_tables().rules if rule.act is not None}
    assert all(callable(getattr(Builder, act)) for act in acts)
    for rule in tables.load_tables().rules:
        assert rule.act is not None or rule.length == 1 or rule.lhs == _root(), rule


def _root() -> int:
    return tables.load_tables().nonterminals.index("$root_module")


def test_keywords_are_listed_at_the_head_of_the_grammar() -> None:
    head = tables.GRAMMAR.read_text(encoding="utf-8").split("MAX is also")[0]
    assert {word for word in head.split() if word in KEYWORDS} == set(KEYWORDS)


def test_lark_is_not_imported_to_parse() -> None:
    code = (
        "import sys; from lfc.base.source import Source; from lfc.diagnostics.model import Diagnostics;"
        "from lfc.syntax.parser import parse_module; parse_module(Source('', 'MODULE M; END M.'), Diagnostics());"
        "assert 'lark' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_ten_thousand_lines_take_less_than_a_second() -> None:
    source = Source("Big.lf", ten_thousand_lines())
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        diagnostics = Diagnostics()
        parse_module(source, diagnostics)
        seconds.append(time.process_time() - begin)
        assert not diagnostics.items
    assert min(seconds) < 1.0
