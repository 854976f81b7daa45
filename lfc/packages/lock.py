"""The lock file: all packages of a project, those that packages need included, as they were when they were added."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lfc.base.lazy_dataclass import dataclass
from lfc.base.read_file import SETTING, read_file, toml_of
from lfc.packages.manifest import BadPackage

FILE = "lf.lock"
HEAD = "# Written by `lfc add`: the packages of this project and those that they need. Commit it.\n"
KEYS = ("source", "commit", "hash")


@dataclass(frozen=True, slots=True)
class Locked:
    name: str
    source: str  # git address, or "path"
    commit: str
    hash: str  # of a path, too: what `lfc vendor` has copied must be this


def read_lock(folder: Path) -> dict[str, Locked] | None:
    """None: there is none."""
    file = folder / FILE
    if not file.exists():
        return None
    try:
        told = toml_of(read_file(file, SETTING))
    except OSError as error:
        raise BadPackage(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadPackage(f"{file} is not valid TOML: {error}") from None
    found = {}
    for name, entry in told.items():
        if not isinstance(entry, dict) or sorted(entry) != sorted(KEYS) or not all(map(_is_text, entry.values())):
            raise BadPackage(f"{file}: `[{name}]` must have {', '.join(KEYS)}; `lfc add` writes the file anew")
        found[name] = Locked(name, **entry)
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def write_lock(folder: Path, packages: Iterable[Locked]) -> None:
    parts = [HEAD]
    for p in sorted(packages, key=lambda p: p.name):
        parts.append(f'\n[{p.name}]\nsource = {quoted(p.source)}\ncommit = "{p.commit}"\nhash = "{p.hash}"\n')
    try:
        (folder / FILE).write_text("".join(parts), encoding="utf-8")
    except OSError as error:
        raise BadPackage(f"{folder / FILE} cannot be written: {error.strerror}") from None


def quoted(text: str) -> str:
    """As a string of TOML."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
