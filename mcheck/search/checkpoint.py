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
from typing import TYPE_CHECKING

from lfc.base.read_file import begin_of_file
from lfc.link.port import runtime_folder
from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as lib
from lfc.mcheck.engine.abi import Resumed as Outcome
from lfc.mcheck.search.checkpoint_key import NoKey, read_key, read_or_make_key
from lfc.mcheck.search.search import Resumed
from lfc.toolchain.run_tools import content_key

if TYPE_CHECKING:
    from lfc.mcheck.request.request import Checkpoint
    from lfc.mcheck.search.search import Search

OTHER = {
    Outcome.NO_CHECKPOINT: "it is not a checkpoint of `lfc check`",
    Outcome.DAMAGED: "it is damaged",
    Outcome.OTHER_ENGINE: "it was written by another version of the checker",
    Outcome.OTHER_PROGRAM: "it belongs to another program, or to another choice of properties",
    Outcome.OTHER_OPTIONS: "it was written with other options (--keep-going, --deadlocks, --reductions)",
    Outcome.NOT_AUTHENTIC: "it is not authenticated: it was written by another user or machine, or changed afterwards; "
    "check without --resume, or accept it with --unauthenticated (a record of such a check does not open the gate)",
}


class CheckpointError(Exception):
    """A file that cannot be written, read, or gone on with."""


class Seal:
    """The code over what the engine shows, for as long as this object is kept."""

    def __init__(self, key: bytes | None) -> None:
        self._key = key
        self._mac = hmac.new(key or b"", digestmod=hashlib.sha256)
        self.functions = abi.Seal()
        if key is not None:
            self.functions.show, self.functions.end = abi.SealShow(self._show), abi.SealEnd(self._end)

    def _show(self, address: int, count: int) -> None:
        self._mac.update((ctypes.c_char * count).from_address(address))

    def _end(self, address: int) -> None:
        code = self._mac.digest()
        ctypes.memmove(address, code, len(code))
        self._mac = hmac.new(self._key or b"", digestmod=hashlib.sha256)


def resume_or_save(search: Search, checkpoint: Checkpoint) -> None:
    if checkpoint.resume:
        resume_from(search, checkpoint.resume, checkpoint.unauthenticated)
    if checkpoint.file:
        save_to(search, checkpoint.file, checkpoint.every)


def save_to(search: Search, file: str, every: float) -> None:
    """About every so many seconds, when a limit or Ctrl-C stops the search, and when it is complete."""
    if os.path.exists(file) and not os.path.isfile(file):
        raise CheckpointError(f"{file} cannot be written: it is no file")
    for attached in search.attached.values():
        attached.is_saved()
    try:
        search.seal = Seal(None if search.resumed == Resumed.UNAUTHENTICATED else read_or_make_key())
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
        begin_of_file(file, 0)  # a pipe would be waited for
    except OSError as why:
        raise CheckpointError(f"{file} cannot be read: {why.strerror}") from None
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
    if how == Outcome.UNREADABLE:
        raise CheckpointError(f"{file} cannot be read: {os.strerror(error.value)}")
    if how:
        raise CheckpointError(f"{file} cannot be resumed: {OTHER[how]}")
    search.resumed = Resumed.AUTHENTICATED if authentic.value else Resumed.UNAUTHENTICATED
    for attached in search.attached.values():
        attached.resumed()


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
    request, world = search.request, search.request.world
    asked = (request.claims.goes_on, request.tuning.rounds, str(world.time), world.clock_wrap, world.rate)
    options = repr((asked, search.model.assume, [a.identity() for a in search.attached.values()]))
    program = search.generated.ir + laid_out
    return bytes.fromhex(engine) + digest(program) + digest(options)


def engine_files() -> list[Path]:
    """What the engine is made of, and what is compiled with each program."""
    kernel = runtime_folder() / "kernel"
    return sorted(f for folder in (lib.FOLDER, kernel) for f in folder.rglob("*") if f.suffix in (".c", ".h", ".py"))


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
