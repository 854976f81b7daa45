"""Where records lie: written whole or not at all, found by image, with a log of what was flashed."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lfc.base.read_file import RECORD, read_file
from lfc.records.record import BadRecord, CheckRecord, read_record

FOLDER = Path(".lf") / "records"
LOG = Path(".lf") / "flashed.jsonl"
HOLDS = "holds"  # in the name of a record that says so beside one of the same name that does not
SIGNATURE = ".sig"  # behind the whole name of a record


@dataclass(frozen=True, slots=True)
class Stored:
    """A record, and where it is. `content`: its very bytes, which a signature is over."""

    path: Path
    content: bytes
    record: CheckRecord

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
    known = [r.image_checked for r in of_it if r.image_checked is not None and (r.authentic or r.differs)]
    return replace(record, image_checked=known[0] if known else None)


def write_record(folder: Path, record: CheckRecord, signature: bytes | None = None) -> Stored:
    """A check without a verdict never takes the place of one with a verdict. One that holds does not wipe out an error
    that was found in the same image under the same assumptions: both stay, and contradict each other. Raises OSError.

    The signature is of `record.to_json()`. In whatever order the two files come to be, one never vouches for the other
    wrongly: it would not fit.
    """
    path = folder / record.name
    before = read_stored(path)
    if before is not None and before.record.conclusive:
        if not record.conclusive:
            return before
        if before.record.counterexamples and not record.counterexamples:
            path = path.with_name(f"{path.stem}-{HOLDS}.json")
    elif before is not None and signature is None and went_further(before.record, record):
        return before
    folder.mkdir(parents=True, exist_ok=True)
    stored = Stored(path, record.to_json(), record)
    if signature is None:
        stored.signature.unlink(missing_ok=True)
    write_whole(path, stored.content)
    if signature is not None:
        write_whole(stored.signature, signature)
    return stored


def went_further(before: CheckRecord, record: CheckRecord) -> bool:
    """Of two searches without a verdict the longer one is kept."""
    if record.conclusive or record.image_checked != before.image_checked or record.authentic > before.authentic:
        return False
    return record.states < before.states and record.seconds <= before.seconds


def write_image_check(folder: Path, image: str, told: dict[str, Any]) -> list[Stored]:
    """Fills `image_checked` of the records of this image; who signed them must do so again."""
    found = [s for s in all_records([folder]) if s.record.image == image]
    return [write_record(folder, replace(s.record, image_checked=told)) for s in found]


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
    paths = {path.resolve() for folder in folders for path in folder.glob("*.json")}
    found = [s for path in sorted(paths) if (s := read_stored(path)) is not None]
    return sorted(found, key=lambda s: s.record.checked_at, reverse=True)


def note_flash(home: Path, entry: dict[str, Any]) -> None:
    """A line more in the log. Raises OSError."""
    path = home / LOG
    path.parent.mkdir(parents=True, exist_ok=True)
    line = (json.dumps({"at": now(), **entry}, sort_keys=True) + "\n").encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)
