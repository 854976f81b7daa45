"""Where records lie: written whole or not at all, found by image, with a log of what was flashed."""

from __future__ import annotations

import errno
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lfc.base.read_file import MB, RECORD, json_of, read_file
from lfc.records.record import BadRecord, CheckRecord
from lfc.records.statement import read_envelope, read_record, statement_of

FOLDER = Path(".lf") / "records"
LOG = Path(".lf") / "flashed.jsonl"
HOLDS = "holds"  # in the name of a record that says so beside one of the same name that does not
SIGNATURE = ".sig"  # behind the whole name of a record of the toolchain before there were envelopes
LONGEST_LOG = 256 * MB


@dataclass(frozen=True, slots=True)
class Stored:
    """A record, and where it is. `content`: its very bytes, which a signature is over."""

    path: Path
    content: bytes
    record: CheckRecord

    @property
    def is_signed(self) -> bool:
        envelope = read_envelope(self.content)
        return bool(envelope.signatures) if envelope is not None else self.signature.is_file()

    @property
    def signature(self) -> Path:
        return self.path.with_name(self.path.name + SIGNATURE)


def records_folder(home: Path) -> Path:
    """`home`: the folder of the project, or the one that images are built into."""
    return home / FOLDER


def now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def with_image_check(folder: Path, record: CheckRecord) -> CheckRecord:
    """What was once found about this image stays true, whatever is looked for later. (But it was not found out by one
    whose states came from a checkpoint that anybody may have written, unless it differs.)"""
    if record.image_checked is not None:
        return record
    of_it = [s.record for s in all_records([folder]) if s.record.image == record.image]
    # under an environment it was executed in fewer states: that says nothing of a check without it, or with another one
    covers = [r for r in of_it if r.differs or r.scope.environment in ({}, record.scope.environment)]
    known = [r.image_checked for r in covers if r.image_checked is not None and (r.authentic or r.differs)]
    return replace(record, image_checked=known[0] if known else None)


class NotOurs(OSError):
    """The folder of records is a link: what is written would lie where somebody else has chosen."""


def own_folder(folder: Path) -> Path:
    """`.lf/records` or `.lf` as a link is nobody's own folder. Raises NotOurs."""
    for part in (folder, folder.parent):
        if part.is_symlink():
            raise NotOurs(errno.ELOOP, "it is a link, which is not followed; make it a folder", str(part))
    return folder


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One writer at a time: what one has read of a record is still so when it writes. Raises OSError."""
    own_folder(folder).mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(ImportError, OSError):  # where nothing can be locked, the last writer wins
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_record(folder: Path, record: CheckRecord, signed: bytes | None = None) -> Stored:
    """Raises OSError."""
    with alone(folder):
        return _write_record(folder, record, signed)


def _write_record(folder: Path, record: CheckRecord, signed: bytes | None) -> Stored:
    """`signed`: the envelope in place of the bare statement.

    A check without a verdict never takes the place of one with a verdict. One that holds does not wipe out an error
    that was found in the same image under the same assumptions: both stay, and contradict each other.
    """
    path = folder / record.name
    before = read_stored(path)
    if before is not None and before.record.conclusive:
        if not record.conclusive:
            return before
        if before.record.counterexamples and not record.counterexamples:
            path = path.with_name(f"{path.stem}-{HOLDS}.json")
    elif before is not None and signed is None and went_further(before.record, record):
        return before
    stored = Stored(path, signed or statement_of(record), record)
    stored.signature.unlink(missing_ok=True)  # of the toolchain before this one
    write_whole(path, stored.content)
    return stored


def went_further(before: CheckRecord, record: CheckRecord) -> bool:
    """Of two searches without a verdict the longer one is kept."""
    if record.conclusive or record.image_checked != before.image_checked or record.authentic > before.authentic:
        return False
    return record.states < before.states and record.seconds <= before.seconds


def write_image_check(folder: Path, image: str, told: dict[str, Any]) -> list[Stored]:
    """Fills `image_checked` of the records of this image; who signed them must do so again."""
    with alone(folder):
        found = [s for s in all_records([folder]) if s.record.image == image]
        return [_write_record(folder, replace(s.record, image_checked=told), None) for s in found]


def write_whole(path: Path, content: bytes) -> None:
    """All or nothing."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".lfc-")
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(beside, 0o666 & ~mask)
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def read_stored(path: Path) -> Stored | None:
    """None: it is not there, or no record."""
    try:
        return load_stored(path)
    except (OSError, BadRecord):
        return None


def load_stored(path: Path) -> Stored:
    """Raises OSError, BadRecord."""
    content = read_file(path, RECORD)
    return Stored(path, content, read_record(content))


def all_records(folders: Iterable[Path]) -> list[Stored]:
    """The latest first. What cannot be read vouches for nothing."""
    there = {folder.resolve() for folder in folders if is_own(folder)}
    paths = {path for folder in there for path in folder.glob("*.json") if not path.is_symlink()}
    found = [s for path in sorted(paths) if (s := read_stored(path)) is not None]
    return sorted(found, key=lambda s: s.record.checked_at, reverse=True)


def is_own(folder: Path) -> bool:
    try:
        own_folder(folder)
    except NotOurs:
        return False
    return True


def flashed_before(home: Path) -> list[dict[str, Any]]:
    """What the log says; lines that say nothing are left out. Raises OSError."""
    try:
        content = read_file(home / LOG, LONGEST_LOG)
    except FileNotFoundError:
        return []
    found = []
    for line in content.splitlines():
        try:
            entry = json_of(line)
        except ValueError:
            continue
        found += [entry] if isinstance(entry, dict) else []
    return found


def note_flash(home: Path, entry: dict[str, Any]) -> None:
    """A line more in the log. Raises OSError."""
    path = home / LOG
    own_folder(path.parent / FOLDER.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    line = (json.dumps({"at": now(), **entry}, sort_keys=True) + "\n").encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)
