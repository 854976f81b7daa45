"""The content of a package: files by path, its hash, and how it gets into a folder."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lfc.base.read_file import MB, read_file
from lfc.packages.manifest import BadPackage, is_inside

NOT_CONTENT = (".git", ".lf", "vendor")  # folders of a package that are no part of it
MOST_FILES = 5_000
LARGEST_FILE, LARGEST = 16 * MB, 128 * MB

Content = Mapping[str, bytes]


def content_of(folder: Path) -> dict[str, bytes]:
    """All regular files. A link is refused: what it leads to is not in the package."""
    found: dict[str, bytes] = {}
    size = 0
    for here, folders, files in os.walk(folder, onerror=_unreadable):
        at = Path(here)
        if at == folder:
            folders[:] = [f for f in folders if f not in NOT_CONTENT]
        for name in sorted((*folders, *files)):
            path = (at / name).relative_to(folder).as_posix()
            if (at / name).is_symlink():
                raise BadPackage(f"{at / name} is a symbolic link, which a package must not have")
            if name in files:
                try:
                    found[path] = read_file(at / name, LARGEST_FILE)
                except OSError as error:
                    raise BadPackage(f"{at / name} cannot be read: {error.strerror}") from None
                size += len(found[path])
                if len(found) > MOST_FILES or size > LARGEST:
                    raise _too_large(str(folder))
    refuse_odd(found, str(folder))
    return found


def _unreadable(error: OSError) -> None:
    raise BadPackage(f"{error.filename} cannot be read: {error.strerror}") from None


def _too_large(what: str) -> BadPackage:
    return BadPackage(f"{what} is too large: a package has at most {MOST_FILES} files and {LARGEST // MB} MB")


def refuse_odd(content: Content, what: str) -> None:
    for path in content:
        if any("\ud800" <= c <= "\udfff" for c in path):
            raise BadPackage(f"{what} has a file whose name is not UTF-8: {path!r}")
        inside = is_inside(path) and all(part.lower() != ".git" for part in path.split("/"))
        if not inside or any(ord(c) < 32 for c in path):
            raise BadPackage(f"{what} has the file {path!r}, which would lie outside of its folder or in .git")
    if len(content) > MOST_FILES or sum(map(len, content.values())) > LARGEST:
        raise _too_large(what)
    lower: dict[str, str] = {}
    for path in content:
        other = lower.setdefault(path.lower(), path)
        if other != path:
            raise BadPackage(f"{what} has both {other} and {path}, which are one file on some machines")


def hash_of(content: Content) -> str:
    """Over all paths and contents, in the order of the paths' bytes."""
    whole = hashlib.sha256()
    for path, data in sorted((p.encode(), d) for p, d in content.items()):
        whole.update(len(path).to_bytes(4, "big") + path + len(data).to_bytes(8, "big") + data)
    return f"sha256:{whole.hexdigest()}"


def write_content(content: Content, root: Path, place: Path) -> None:
    """Into a folder of the project, instead of what is there; whole or not at all. No file is executable, and no link
    of the project is followed."""
    folder = root / place
    made: Path | None = None
    try:
        for part in (place, *place.parents[:-1]):
            if (root / part).is_symlink():
                raise BadPackage(f"{root / part} is a symbolic link, and packages stay in the project: remove the link")
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        for path, data in content.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(data)
        made.chmod(0o777 & ~_mask())
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)
    except OSError as error:
        raise BadPackage(f"{folder} cannot be written: {error.strerror}") from None
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def _mask() -> int:
    """What this process takes from the rights of new files, which can only be asked for by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
