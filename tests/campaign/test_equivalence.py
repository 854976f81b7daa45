"""A share of the comparison of two checkouts: this one with itself, over two examples; and what it says of changes."""

from __future__ import annotations

import copy
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.equivalence import FORMAT, Checkout, Differences, collect, compare, main, programs_of, report
from tests.conftest import ROOT
from tests.support.seeds import seed_of_this_run

MUTEX = "examples/mutex.lf"


def this_checkout() -> Checkout:
    """It needs no `.venv` of its own here."""
    found = os.pathsep.join([str(ROOT), *sys.path])
    return Checkout(ROOT, (sys.executable, "-m", "lfc"), {"PYTHONPATH": found})


def another_example() -> str:
    """One by the seed: comparing a checkout with itself takes long."""
    names = [p.name for p in programs_of(this_checkout()) if p.name != MUTEX and p.name.count("/") == 1]
    return names[seed_of_this_run() % len(names)]


@pytest.mark.slow
def test_a_checkout_behaves_as_itself_and_changes_are_seen() -> None:
    names = [
        f"{kind} {name}"
        for name in (MUTEX, another_example())
        for kind in ("check none", "check text", "layout", "image uno rr")
    ]
    first, second = (collect(this_checkout(), only=names) for _ in range(2))
    assert sorted(first["items"]) == sorted(names)
    assert compare(first, second) == Differences()

    answer = second["items"][f"check none {MUTEX}"]["calls"][0]
    assert (answer["exit"], answer["out"]["json"]["states"]) == (0, 29)
    answer["out"]["json"]["states"] = 30
    image = second["items"][f"image uno rr {MUTEX}"]["files"]["image.hex"]
    old = image["sha256"]
    image["sha256"] = "0" * 64
    assert compare(first, second).must == [
        f"check none {MUTEX}: calls.0.out.json.states: 29 -> 30",
        f'image uno rr {MUTEX}: files.image.hex.sha256: "{old}" -> "{"0" * 64}"',
    ]


def document() -> dict[str, Any]:
    told = {"json": {"verdict": "holds", "states": 29, "reason": "the limit of 29 states is reached", "errors": []}}
    call = {"exit": 0, "out": told, "err": {"words": "29 states\nall is well\n"}}
    item = {
        "calls": [call],
        "files": {"image.hex": {"sha256": "ab", "bytes": 2}, "trace.json": {"exact": "a b\nc d\n"}},
    }
    return {"format": FORMAT, "version": 1, "quick": False, "inputs": {"a.lf": "12"}, "items": {"check a.lf": item}}


@pytest.mark.parametrize(
    ("path", "value", "must", "reworded"),
    [
        (("calls", 0, "exit"), 3, ["check a.lf: calls.0.exit: 0 -> 3"], []),
        (("calls", 0, "out", "json", "verdict"), "fault", ["check a.lf: calls.0.out.json.verdict: "], []),
        (("calls", 0, "out", "json", "states"), 29.0, ["check a.lf: calls.0.out.json.states: 29 -> 29.0"], []),
        (("calls", 0, "out", "json", "errors"), [{"line": 1}], ["check a.lf: calls.0.out.json.errors: [] -> ", ""], []),
        (("calls", 0, "out", "json", "reason"), "29 states: the limit", [], ["check a.lf: calls.0.out.json.reason: "]),
        (("calls", 0, "out", "json", "reason"), "30 states: the limit", ["check a.lf: calls.0.out.json.reason: "], []),
        (
            ("calls", 0, "err", "words"),
            "29 states\nall is fine\n",
            [],
            ["check a.lf: calls.0.err.words: \n    -all is well\n    +all is fine"],
        ),
        (("calls", 0, "err", "words"), "28 states\nall is well\n", ["check a.lf: calls.0.err.words: "], []),
        (("files", "trace.json", "exact"), "a b\nc e\n", ["check a.lf: files.trace.json.exact: "], []),
        (("files", "image.hex", "bytes"), 3, ["check a.lf: files.image.hex.bytes: 2 -> 3"], []),
    ],
)
def test_what_differs_is_told_by_its_kind(
    path: tuple[str | int, ...], value: object, must: list[str], reworded: list[str]
) -> None:
    changed = document()
    place: Any = changed["items"]["check a.lf"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    found = compare(document(), changed)
    assert (len(found.must), len(found.reworded)) == (len(must), len(reworded))
    for told, expected in zip(found.must + found.reworded, must + reworded, strict=True):
        assert told.startswith(expected)
    assert report(found, 1) == (1 if must else 0)


def test_items_and_programs_of_one_side_alone_differ() -> None:
    changed = document()
    changed["items"]["check b.lf"] = copy.deepcopy(changed["items"]["check a.lf"])
    changed["inputs"]["a.lf"] = "13"
    assert compare(document(), changed).must == [
        "a.lf: is not the same program, or is in one of both only",
        "check b.lf: only after",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "is no JSON"),
        ("[]", "is not what --collect writes"),
        (json.dumps(document() | {"items": {}}), "holds no items"),
    ],
)
def test_what_cannot_be_compared_is_said(
    text: str | None, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr(sys, "argv", ["equivalence", "--compare", str(file), str(file)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_a_checkout_without_lfc_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys, "argv", ["equivalence", "--collect", str(tmp_path / "o.json"), "--checkout", str(tmp_path)]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "cannot be run: No such file or directory; is " in capsys.readouterr().err
    assert not (tmp_path / "o.json").exists()
