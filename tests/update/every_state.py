"""The boot loader executed in every state that it can come to: from each content of the flash each start, each update,
with the power lost at each write, before and within it; and from what that leaves again, until nothing new comes.

    python -m tests.update.every_state 3

An independent account says which image must run: the newest that has reported, or a newer one that may be tried.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator

from lfc.update.layout import CHUNK
from tests.update.host import FLASH, NOTHING_RUNS, POWER_LOST, RUNS, Host, made, session

State = tuple[bytes, int]  # the flash; the newest version that has reported
TRIES = 3


def bodies(host: Host, versions: int) -> dict[int, bytes]:
    return {v: bytes([v]) * host.layout.capacity for v in range(1, versions + 1)}


def first_state(host: Host, body: bytes) -> State:
    """As it leaves the factory: version 1 has run, and has reported."""
    flash = b"\xff" * FLASH
    how, flash, _ = host.boot(flash, session(made(host.layout, 1, body)), reports=True)
    assert how == RUNS
    return flash, 1


def running(host: Host, flash: bytes, known: dict[int, bytes]) -> int:
    """The version of what lies in the running area; 0: nothing that is signed."""
    head = flash[host.layout.head_copy : host.layout.head_copy + CHUNK]
    version = int.from_bytes(head[8:12], "little")
    body = known.get(version)
    is_it = body is not None and flash[: len(body)] == body and head == made(host.layout, version, body).head
    return version if is_it else 0


def check_state(host: Host, state: State, known: dict[int, bytes]) -> None:
    """Whatever was before: with power, an image runs; and one that never reports gives way to the one that has."""
    flash, reported = state
    ran = []
    for _ in range(2 * TRIES + 1):
        how, flash, _ = host.boot(flash)
        assert how == RUNS, "nothing runs"
        ran.append(running(host, flash, known))
    assert all(v >= reported for v in ran), f"{ran} ran, although {reported} has reported"
    assert ran[-1] == reported, f"{ran} ran, and {reported} has reported"
    assert all(ran.count(v) <= TRIES for v in ran if v != reported)


def successors(host: Host, state: State, lines: list[bytes], known: dict[int, bytes]) -> Iterator[State]:
    flash, reported = state
    for line in lines:
        for reports in (False, True):
            how, after, writes = host.boot(flash, line, reports=reports)
            assert how == RUNS
            yield after, max(reported, running(host, after, known)) if reports else reported
            for cut in range(writes):
                for torn in (False, True):
                    how, after, _ = host.boot(flash, line, cut, torn, reports)
                    assert how in (RUNS, POWER_LOST) and how != NOTHING_RUNS
                    yield after, newest_report(host, after, reported)


def newest_report(host: Host, flash: bytes, before: int) -> int:
    """The mark alone says that it has; the power was lost behind it, or before."""
    lay, found = host.layout, before
    for slot in (0, 1):
        head, marks = flash[lay.slots[slot] :][:CHUNK], flash[lay.marks(slot) + 16 :][:6]
        if b"\x5a\x3c" in (marks[at : at + 2] for at in (0, 2, 4)) and head[:8] == lay.name[:8]:
            found = max(found, int.from_bytes(head[8:12], "little"))
    return found


def explore(versions: int, most: int = 10**9, fault: tuple[str, str] | None = None) -> tuple[int, int, bool]:
    """States, transitions, and whether there are no more."""
    host = Host(fault=fault)
    known = bodies(host, versions)
    forged = made(host.layout, versions + 1, known[1], secret=bytes(16))
    lines = [b"", *(session(made(host.layout, v, known[v])) for v in known if v > 1), session(forged)]
    begin = first_state(host, known[1])
    seen, todo, transitions = {begin}, deque([begin]), 0
    while todo and len(seen) < most:
        state = todo.popleft()
        check_state(host, state, known)
        for after in successors(host, state, lines, known):
            transitions += 1
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return len(seen), transitions, not todo


FAULTS = {
    "the image that is kept gives way": ("i = keeper == 0;", "i = keeper == 1;"),
    "what never reports is tried for ever": ("set_mark(UP_MARKS(i) + UP_TRIED, 0)", "true"),
    "no signature is looked at": (
        "return is_head(chunk) && up_is_signed(chunk, UP_BODY(i), length_of(chunk));",
        "return is_head(chunk);",
    ),
    "a half copied image is run": ("up_erase(UP_HEAD_COPY);\n        for", "return true;\n        for"),
    "any image may report": ("are_same(UP_SLOT(i), UP_HEAD_COPY, UP_CHUNK) && !has", "!has"),
    "a torn mark is a report": ("any ? mark != UP_ERASED : mark == value", "(any || value) && mark != UP_ERASED"),
}


def main() -> None:
    states, transitions, is_all = explore(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10**9)
    print(f"{states:,} states, {transitions:,} transitions{'' if is_all else ', not all'}: each starts what it must")


if __name__ == "__main__":
    main()
