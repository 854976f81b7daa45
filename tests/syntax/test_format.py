"""The formatter: canonical layout of each construct, and what holds for every program: same tree, same comments."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lfc.diagnostics.model import Diagnostics
from lfc.source import Source
from lfc.syntax import tree
from lfc.syntax.format import format_module
from lfc.syntax.parser import parse_module
from tests.syntax.random_text import RandomText

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted(
    [*ROOT.glob("examples/**/*.lf"), *ROOT.glob("tests/corpus/right/**/*.lf"), *ROOT.glob("lfc/library/*.lf")]
)


def parsed(text: str) -> tree.Module:
    diagnostics = Diagnostics()
    module = parse_module(Source("Test.lf", text), diagnostics)
    assert module is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items] + [text]
    return module


def formatted(text: str) -> str:
    return format_module(parsed(text))


def comments_of(module: tree.Module) -> list[list[str]]:
    """Their words: the indentation of a comment's further lines may change."""
    return [c.text.split() for c in module.comments]


def check_format(text: str) -> None:
    module = parsed(text)
    once = format_module(module)
    again = parsed(once)
    assert comments_of(again) == comments_of(module), once
    assert format_module(again).split("\n") == once.split("\n")
    assert once.endswith("\n") and not once.endswith("\n\n")
    assert not [line for line in once.split("\n") if line != line.rstrip()]
    if not any(d.severity.value == "warning" for d in warnings_of(text)):
        assert tree.same_tree(module, again), once


def warnings_of(text: str) -> list:  # type: ignore[type-arg]
    diagnostics = Diagnostics()
    parse_module(Source("Test.lf", text), diagnostics)
    return diagnostics.items


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_programs(path: Path) -> None:
    check_format(path.read_text(encoding="utf-8"))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_random_texts(random: Random) -> None:
    check_format(RandomText(random).module())


@pytest.mark.parametrize("seed", range(150))
def test_larger_random_texts(seed: int) -> None:
    check_format(RandomText(Random(seed)).module())
