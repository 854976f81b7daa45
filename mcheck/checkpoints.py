"""Saving a breadth-first search in a file, and going on with it: what a file must have been made from.

May import: `search`, `layout`, `engine_library`, `lfc.image`.
"""

from __future__ import annotations

import ctypes
import hashlib
import os

from lfc.image.port import runtime_folder
from lfc.image.tools import content_key
from lfc.mcheck import engine_library as lib
from lfc.mcheck.layout import Numbers
from lfc.mcheck.search import Search

OTHER = {
    2: "it is not a checkpoint of `lfc check`",
    3: "it is damaged",
    4: "it was written by another version of the checker",
    5: "it is of another program, or other properties were chosen",
    6: "it was written with other options (--keep-going, --deadlocks, --reductions)",
}
UNREADABLE = 1


class CheckpointError(Exception):
    """A file that cannot be written, read, or gone on with."""


def save_to(search: Search, file: str, every: float) -> None:
    """About every so many seconds, when a limit or Ctrl-C stops the search, and when it is complete."""
    if search.chains is not None:
        search.chains.never_stop()
    error = search.library.mc_checkpoint_to(search.engine, os.fsencode(file), identity(search), every)
    if error:
        raise CheckpointError(f"{file} cannot be written: {os.strerror(error)}")


def resume_from(search: Search, file: str) -> None:
    """Before `Search.run`. After a CheckpointError the search can only be closed."""
    error = ctypes.c_uint32()
    how = search.library.mc_resume(search.engine, os.fsencode(file), identity(search), ctypes.byref(error))
    if how == UNREADABLE:
        raise CheckpointError(f"{file} cannot be read: {os.strerror(error.value)}")
    if how:
        raise CheckpointError(f"{file} cannot be gone on with: {OTHER[how]}")
    if search.chains is not None:
        search.chains.resumed()


def saving_failed(search: Search) -> str:
    """Why the last checkpoint could not be written; empty if it could."""
    error = search.library.mc_checkpoint_error(search.engine, ctypes.byref(ctypes.c_uint64()))
    return os.strerror(error) if error else ""


def identity(search: Search) -> bytes:
    """Three digests: the engine, with what is compiled with each program; the program, as it is laid out; the options
    that decide where a search stops on its own."""
    files = [*lib.FOLDER.iterdir(), *(runtime_folder() / "kernel").iterdir()]
    engine = content_key(["checkpoint"], [f for f in files if f.is_file()])
    d = search.description
    classes: dict[int, int] = {}
    components = [
        (classes.setdefault(id(c.class_key), len(classes)), c.pieces, c.slot, c.position_size, c.first_number)
        for c in d.components
    ]
    actions = [(a.kind, a.touched, a.partners, a.timed, a.closed) for a in d.actions]
    laid_out = repr(
        (components, actions, d.numbers, d.slot_component, [sorted(m) for m in d.may_meet], search.machine.block_size)
    )
    limits = search.limits
    options = repr(
        (
            limits.keep_going,
            limits.most_errors,
            limits.rounds,
            limits.time,
            limits.clock_wrap,
            limits.rate,
            limits.assume,
        )
    )
    if search.partial_order is not None:
        options += repr(sorted(search.partial_order.bound))
    if search.reset is not None:
        options += repr(search.reset.tables(Numbers(search.machine)))
    if search.symmetry is not None:
        options += "symmetry"
    if search.chains is not None:
        options += repr(("chains", sorted(search.chains.keeps)))
    program = search.generated.ir + laid_out
    return bytes.fromhex(engine) + digest(program) + digest(options)


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
