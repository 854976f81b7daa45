"""A request is one value, of parts; reductions and strategies are chosen from registries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import FrozenInstanceError

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction import registry
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.request import Limits, Request, Store, Strategy, request_from
from lfc.mcheck.request.world import Time
from lfc.mcheck.search.registry import strategy_of
from lfc.mcheck.search.search import Attachable, Attached, Search
from tests.differential.stepwise import machine_of_source

PROGRAM = """MODULE Program;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 5 DO RESCHEDULE END
END Program.
"""


def test_options_come_to_their_parts_by_name() -> None:
    request = request_from(states=7, store="hash", time="discrete", properties=("p",), every=2.0)
    assert request.limits == Limits(states=7)
    assert request.search.store is Store.HASH and request.search.store.lossy
    assert request.world.time is Time.DISCRETE
    assert (request.claims.properties, request.checkpoint.every) == (("p",), 2.0)
    assert request.changed(states=0, limits=Limits(threads=3)).limits == Limits(threads=3)
    assert request.changed().changed(store="exact", states=0) != request_from()


@pytest.mark.parametrize("options", [{"stats": 1}, {"strategy": "width"}])
def test_what_there_is_not_is_refused(options: dict[str, object]) -> None:
    with pytest.raises((TypeError, ValueError), match=r"stats|width"):
        request_from(**options)


def test_a_request_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Request().limits.states = 3  # type: ignore[misc]


def test_names_of_options_are_of_one_part_only() -> None:
    from dataclasses import fields

    parts = [getattr(Request(), f.name) for f in fields(Request)]
    names = [f.name for part in parts if hasattr(part, "__dataclass_fields__") for f in fields(part)]
    names += [f.name for f in fields(Request)]
    assert len(names) == len(set(names)) > 35


def test_each_strategy_is_a_class_of_its_own() -> None:
    ways = [request_from(strategy=s).search for s in Strategy]
    ways += [request_from(strategy="depth", store=s).search for s in Store if s.lossy]
    assert len({strategy_of(way) for way in ways}) == len(ways) == 10


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, ""),
        ({"strategy": "modular"}, "modules are searched separately (--search modular)"),
        ({"strategy": "contexts"}, "switches between processes are counted (--contexts)"),
        ({"bounds": SearchBounds(depth=3)}, "steps are counted (--depth)"),
        ({"bounds": SearchBounds(depth=3), "strategy": "random"}, ""),
    ],
)
def test_why_no_step_may_be_left_out(options: dict[str, object], reason: str) -> None:
    question = Question(machine_of_source(Source("Program.lf", PROGRAM)), request_from(**options))
    assert question.why_steps_count() == reason


class Counting(Attached):
    def __init__(self, search: Search) -> None:
        self.search = search

    def did(self) -> int:
        return int(self.search.statistics.states)


class Nothing(Reduction):
    name = "nothing"
    counts = "states"

    def why_not(self, question: Question) -> str:
        return "of one thread only" if question.request.limits.threads > 1 else ""

    def attach(self, search: Search, used: Sequence[Attachable]) -> Attached:
        return Counting(search)

    def said(self, choice: Choice, states: str) -> str:
        return f"nothing was left out in {states}, {choice.told} of them"


def test_a_new_reduction_is_an_entry_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.MAKE, "nothing", Nothing)
    monkeypatch.setattr(registry, "REDUCTIONS", tuple(registry.MAKE))
    assert registry.named_reductions("nothing,dead") == ("nothing", "dead")
    machine = machine_of_source(Source("Program.lf", PROGRAM))
    result = check(machine, request_from(reductions=("nothing",)))
    (choice,) = result.reductions
    assert choice.as_data() == {"name": "nothing", "used": True, "reason": "", "states": result.states}
    assert choice.as_text("9 states") == f"reduction nothing: nothing was left out in 9 states, {result.states} of them"
    (choice,) = check(machine, request_from(reductions=("nothing",), threads=2)).reductions
    assert choice.as_text("9 states") == "reduction nothing: not used, of one thread only"
