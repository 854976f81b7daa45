"""Saving a breadth-first search in a file, and going on with it: what a file must have been made from.

Whoever can change a file can also sum it up again. So it ends with a message authentication code (HMAC-SHA256) by
the user's key over all that is loaded. A search that goes on from a file without the right one saves itself without
one: nothing that it has found becomes authentic later.
"""

from __future__ import annotations

import ctypes
import hashlib
import hmac
import os
from pathlib import Path

from lfc.link.port import runtime_folder
from lfc.mcheck.engine import library as lib
from lfc.mcheck.model.state_vector import Numbers
from lfc.mcheck.search.checkpoint_key import NoKey, read_key, read_or_make_key
from lfc.mcheck.search.search import Search
from lfc.toolchain.run_tools import content_key

OTHER = {
    2: "it is not a checkpoint of `lfc check`",
    3: "it is damaged",
    4: "it was written by another version of the checker",
    5: "it is of another program, or other properties were chosen",
    6: "it was written with other options (--keep-going, --deadlocks, --reductions)",
    7: "it is not authenticated: another user or another machine has written it, or somebody has changed it; check "
    "without --resume, or go on with it knowingly by --unauthenticated, and no record of that opens the gate",
}
UNREADABLE = 1

AUTHENTICATED, UNAUTHENTICATED = "authenticated", "unauthenticated"
ON_TRUST = "the checkpoint is what a search had saved, although it is not authenticated (--unauthenticated)"


class CheckpointError(Exception):
    """A file that cannot be written, read, or gone on with."""


class Seal:
    """The code over what the engine shows, for as long as this object is kept."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._mac = hmac.new(key or b"", digestmod=hashlib.sha256)
        self.functions = lib.Seal() if key is None else lib.Seal(lib.SHOW(self._show), lib.END(self._end))

    def _show(self, address: int, count: int) -> None:
        self._mac.update((ctypes.c_char * count).from_address(address))

    def _end(self, address: int) -> None:
        code = self._mac.digest()
        ctypes.memmove(address, code, len(code))
        self._mac = hmac.new(self._key or b"", digestmod=hashlib.sha256)


def save_to(search: Search, file: str, every: float) -> None:
    """About every so many seconds, when a limit or Ctrl-C stops the search, and when it is complete."""
    if search.chains is not None:
        search.chains.never_stop()
    try:
        search.seal = Seal(None if search.resumed == UNAUTHENTICATED else read_or_make_key())
    except NoKey as why:
        raise CheckpointError(str(why)) from None
    functions = search.seal.functions
    error = search.library.mc_checkpoint_to(search.engine, os.fsencode(file), identity(search), every, functions)
    if error:
        raise CheckpointError(f"{file} cannot be written: {os.strerror(error)}")


def resume_from(search: Search, file: str, unauthenticated: bool = False) -> None:
    """Before `Search.run`, and before `save_to`. After a CheckpointError the search can only be closed.

    `unauthenticated`: it is known that nobody may vouch for the file. `search.resumed` says whether somebody does.
    """
    try:
        key = read_key()
    except NoKey as why:
        if not unauthenticated:
            raise CheckpointError(str(why)) from None
        key = None
    seal, authentic, error = Seal(key), ctypes.c_uint32(), ctypes.c_uint32()
    how = search.library.mc_resume(
        search.engine,
        os.fsencode(file),
        identity(search),
        seal.functions,
        unauthenticated,
        ctypes.byref(authentic),
        ctypes.byref(error),
    )
    if how == UNREADABLE:
        raise CheckpointError(f"{file} cannot be read: {os.strerror(error.value)}")
    if how:
        raise CheckpointError(f"{file} cannot be gone on with: {OTHER[how]}")
    search.resumed = AUTHENTICATED if authentic.value else UNAUTHENTICATED
    if search.chains is not None:
        search.chains.resumed()


def saving_failed(search: Search) -> str:
    """Why the last checkpoint could not be written; empty if it could."""
    error = search.library.mc_checkpoint_error(search.engine, ctypes.byref(ctypes.c_uint64()))
    return os.strerror(error) if error else ""


def engine_files() -> list[Path]:
    """What the engine's digest is made of: its sources, in every room, and those of the kernel."""
    files = [*lib.FOLDER.rglob("*.[ch]"), *(runtime_folder() / "kernel").iterdir()]
    return sorted(f for f in files if f.is_file())


def identity(search: Search) -> bytes:
    """Three digests: the engine, with what is compiled with each program; the program, as it is laid out; the options
    that decide where a search stops on its own."""
    engine = content_key(["checkpoint"], engine_files())
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
