"""The cache: what was made once of the same inputs is read again, and made again if it is not whole.

An entry is a file; its name says all that went into its making. It begins with the digest of its name and its content:
an entry that was cut off, changed or renamed is no entry. It is written beside its place, synchronised with the disk
and then renamed, so that any number of processes may read and write at once, and a machine may lose its power.

The digest finds damage, not malice: entries are machine code that is executed, so who can write into this folder can do
what its owner can (docs/how-to/install.md says what that means for jobs that share one).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

MAGIC = b"lfcache1"
HEAD = len(MAGIC) + 32  # and the digest
LOCKS = 16  # files; who makes something that takes long has one of them locked

FORMAT = "sealed-1"  # names the folder: another version of the toolchain, whose entries look otherwise, has its own


def cache_folder() -> str:
    stated = os.environ.get("XDG_CACHE_HOME", "")
    return os.path.join(stated or os.path.join(os.path.expanduser("~"), ".cache"), "lfc", FORMAT)


def shipped_folder() -> str:
    """Entries that an installation brings along: the engine, the kernel, the ports of boards."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "built")


def cached(name: str, make: Callable[[], bytes], alone: bool = False) -> bytes:
    """What `make` made before under this name, which says all that went in. `alone`: it takes long, so that others
    wait for it rather than make it too; then `make` itself asks for nothing of the kind."""
    found = read_entry(name)
    if found is not None:
        return found
    if not alone:
        return made(name, make)
    with locked(name):
        found = read_entry(name)
        return made(name, make) if found is None else found


def made(name: str, make: Callable[[], bytes]) -> bytes:
    content = make()
    write_entry(name, content)
    return content


def read_entry(name: str) -> bytes | None:
    """The user's, or a shipped one. None: there is none, or it is damaged."""
    found = read_from(cache_folder(), name)
    return read_from(shipped_folder(), name) if found is None else found


def read_from(folder: str, name: str) -> bytes | None:
    try:
        with open(os.path.join(folder, name), "rb") as file:
            whole = file.read()
    except OSError:
        return None
    content = memoryview(whole)[HEAD:]
    if whole[:HEAD] == head_of(name, content):
        return bytes(content)
    from lfc.base.notices import tell

    tell(f"{os.path.join(folder, name)} is damaged, or was changed: it is not used, and made anew")
    return None


def write_entry(name: str, content: bytes) -> None:
    """A cache that cannot be written is no error; another process may write the same entry at the same time."""
    with suppress(OSError):
        write_to(cache_folder(), name, content)


def write_to(folder: str, name: str, content: bytes) -> None:
    beside = ""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        handle, beside = new_file(folder, name)
        with os.fdopen(handle, "wb") as new:
            new.write(head_of(name, content))
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        os.replace(beside, os.path.join(folder, name))
    except OSError:
        with suppress(OSError):
            if beside:
                os.unlink(beside)
        raise


def is_cached(name: str) -> bool:
    """Whether there seems to be an entry; only who reads it knows whether it is whole."""
    return os.path.isfile(os.path.join(cache_folder(), name))


def head_of(name: str, content: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(content)
    return MAGIC + digest.digest()


def new_file(folder: str, name: str) -> tuple[int, str]:
    """Beside the entry, where nobody else writes. (`tempfile` takes as long to import as an entry takes to read.)"""
    path = os.path.join(folder, f".{name[:40]}-{os.urandom(8).hex()}")
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), path


@contextmanager
def locked(name: str) -> Iterator[None]:
    """One process at a time makes what has this name; where nothing can be locked, several do, and one entry stays."""
    try:
        import fcntl

        folder = cache_folder()
        os.makedirs(folder, mode=0o700, exist_ok=True)
        file: IO[bytes] = open(os.path.join(folder, f".lock-{int(name_digest(name)[:8], 16) % LOCKS}"), "wb")
    except (ImportError, OSError):
        yield
        return
    with file:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def name_digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
