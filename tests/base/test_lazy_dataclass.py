"""Dataclasses that compile late behave as those of the library, which are the second opinion here."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from lfc.base import lazy_dataclass

CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((), {}),
    ((1,), {}),
    ((1, "two"), {}),
    ((1,), {"second": "x"}),
    ((1, "two", [3]), {}),
    ((1, "two", [3], 4), {}),
    ((), {"first": 0, "third": [5]}),
    ((1,), {"first": 1}),
    ((1,), {"unknown": 2}),
]


def classes(**options: bool) -> tuple[Any, Any]:
    found = []
    for decorate in (dataclasses.dataclass, lazy_dataclass.dataclass):

        class Sample:
            first: int
            second: str = "second"
            third: list[int] = dataclasses.field(default_factory=list)
            fourth: int = dataclasses.field(default=7, init=False)

        Sample.__qualname__ = "Sample"
        found.append(decorate(**options)(Sample))
    return found[0], found[1]


def outcome(make: Any, *given: Any, **named: Any) -> object:
    try:
        x = make(*given, **named)
    except TypeError as error:
        return str(error).replace("<locals>.", "")
    return [getattr(x, f.name) for f in dataclasses.fields(x)]


@pytest.mark.parametrize("slots", [False, True])
@pytest.mark.parametrize("frozen", [False, True])
@pytest.mark.parametrize("eq", [False, True])
def test_as_the_library_makes_them(slots: bool, frozen: bool, eq: bool) -> None:
    theirs, ours = classes(slots=slots, frozen=frozen, eq=eq)
    for given, named in CALLS:
        expected = outcome(theirs, *given, **named)
        assert outcome(ours, *given, **named) == expected
    x, y = theirs(1, "b", [2]), ours(1, "b", [2])
    assert x.__match_args__ == y.__match_args__
    assert (ours(1) == ours(1)) is (theirs(1) == theirs(1)) is eq
    assert (ours(1) == ours(2)) is (theirs(1) == theirs(2)) is False
    assert ours(1) != theirs(1) and ours(1) != 1
    if eq:
        assert repr(x) == repr(y)
    assert hasattr(y, "__dict__") is hasattr(x, "__dict__") is not slots
    if frozen:
        with pytest.raises(dataclasses.FrozenInstanceError):
            y.first = 9
        with pytest.raises(dataclasses.FrozenInstanceError):
            del y.first
        assert y.first == 1


def test_hashes_are_of_the_values() -> None:
    @lazy_dataclass.dataclass(frozen=True, slots=True)
    class Key:
        a: int
        b: str = ""

    assert hash(Key(1, "x")) == hash(Key(1, "x")) and len({Key(1), Key(1, ""), Key(2)}) == 2


@lazy_dataclass.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: tuple[int, ...] = ()


def test_a_frozen_object_can_be_copied_kept_and_replaced() -> None:
    x = Kept(1, (2, 3))
    assert pickle.loads(pickle.dumps(x)) == copy.copy(x) == x
    assert dataclasses.replace(x, a=5) == Kept(5, (2, 3))


def test_each_subclass_has_its_own_fields() -> None:
    @lazy_dataclass.dataclass(slots=True)
    class Base:
        a: int

    @lazy_dataclass.dataclass(slots=True)
    class More(Base):
        b: int = 2

        def __post_init__(self) -> None:
            self.b += self.a

    assert (More(1).b, More(1, 5).b, Base(3).a) == (3, 6, 3)
