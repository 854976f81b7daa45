"""Items and trace files go to bytes and JSON and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lfc.trace.files import Trace, from_document, read_trace
from lfc.trace.items import KINDS, SIGNED, BadItems, Item, Kind, decode, encode, item_from_json, split_into_steps


def operands_of(kind: Kind) -> st.SearchStrategy[tuple[int | None, ...]]:
    parts: list[st.SearchStrategy[int | None]] = []
    for i, width in enumerate(kind.widths):
        if i in SIGNED.get(kind.name, ()):
            parts.append(st.integers(-(1 << 31), (1 << 31) - 1))
        elif i in kind.nullable:
            parts.append(st.none() | st.integers(0, 254))
        else:
            parts.append(st.integers(0, (1 << 8 * width) - 1))
    return st.tuples(*parts)


ITEMS = st.sampled_from(KINDS).flatmap(lambda k: operands_of(k).map(lambda o: Item(k.name, o)))


@given(st.lists(ITEMS))
def test_binary_and_back(items: list[Item]) -> None:
    assert list(decode(encode(items))) == items


@given(ITEMS)
def test_json_and_back(item: Item) -> None:
    assert item_from_json(item.to_json()) == item


@given(st.binary(max_size=40))
def test_any_bytes_are_items_or_refused(data: bytes) -> None:
    try:
        items = list(decode(data))
    except BadItems:
        return
    assert encode(items) == data


def test_the_table_of_the_reference() -> None:
    """Tags and lengths are those of docs/reference/machine.md."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "machine.md").read_text()
    for kind in KINDS:
        row = next(line for line in page.splitlines() if line.startswith(f"| {kind.tag:02x} |"))
        assert f'["{kind.name}"' in row
        assert row.count(",", row.index('["')) == len(kind.widths)


@pytest.mark.parametrize("name", ["t.json", "t.lft"])
def test_files(tmp_path: Path, name: str) -> None:
    steps = [[Item("run", (0,)), Item("meet", (None, 3, 1))], [Item("interrupt", (2, None))], [Item("idle", ())]]
    Trace("00" * 15 + "01", "X.lf", steps).write(tmp_path / name)
    read = read_trace(tmp_path / name)
    assert (read.program, read.steps) == ("00" * 15 + "01", steps)


def test_steps_start_with_events() -> None:
    with pytest.raises(BadItems, match="`choice` before the first event"):
        split_into_steps([Item("choice", (1,))])
    with pytest.raises(BadItems, match="version 3"):
        from_document({"format": "lf-trace", "version": 3, "steps": []})
