"""The one folder that an assistant may name files in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class NotThere(Exception):
    """A file that may not be named; says why."""


@dataclass(frozen=True, slots=True)
class Folder:
    root: Path  # resolved

    def file(self, name: str) -> str:
        """Its path below the folder. Links lead out of it no more than `..` does. Raises NotThere."""
        if not name or name.startswith("-") or "\0" in name:
            raise NotThere(f"{name!r} is not the name of a file")
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root):
            raise NotThere(f"{name} lies outside of the folder that is served")
        if not path.is_file():
            raise NotThere(f"{name} is no file of the folder that is served")
        return str(path.relative_to(self.root))

    def new_file(self, name: str) -> str:
        """One that may be written: its folder is there, and it is no link."""
        if not name or name.startswith("-") or "\0" in name:
            raise NotThere(f"{name!r} is not the name of a file")
        path = self.root / name
        if not path.parent.resolve().is_relative_to(self.root) or not path.parent.is_dir():
            raise NotThere(f"{name} lies outside of the folder that is served")
        if path.is_symlink() or path.is_dir():
            raise NotThere(f"{name} is a link or a folder")
        return str(path.parent.resolve().relative_to(self.root) / path.name)
