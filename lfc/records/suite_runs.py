"""What `lfc hil test --json` has told of a board, as evidence: which tests passed, and what they catch of mutants."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lfc.base.read_file import json_of

LISTS = ("tests", "mutants")


class BadRun(ValueError):
    """It is none, or of another image; the message says why."""


def suite_run(name: str, content: bytes, image: str, board: str) -> dict[str, Any]:
    """`image`: of the traced image, which is the one that is tested. Raises BadRun."""
    lines = content.strip().splitlines()
    try:
        told = json_of(lines[-1] if lines else b"")
    except ValueError:
        raise BadRun("its last line is no document of `lfc hil test --json`") from None
    if not isinstance(told, dict) or not all(is_list_of_objects(told.get(key, [])) for key in LISTS):
        raise BadRun("its last line is no document of `lfc hil test --json`")
    if (told.get("image"), told.get("board")) != (image, board) or "tests" not in told:
        raise BadRun(f"it is no test of this program's traced image ({image[:16]}) on {board}")
    verdicts = Counter(str(t.get("verdict")) for t in told["tests"])
    return {
        "file": name,
        "place": str(told.get("place", "not told")),
        "verdict": str(told.get("verdict")),
        "cover": str(told.get("cover")),
        "complete": told.get("complete") is True,
        "tests": dict(verdicts),
        "mutants": dict(Counter(str(m.get("fate")) for m in told.get("mutants", []))),
    }


def is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, dict) for v in value)
