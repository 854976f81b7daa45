"""Fetches a commit from a git repository as data: objects come in, nothing is checked out, so no hook, filter or
submodule has its turn, and no setting of the user or the machine is read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.base.read_file import MB
from lfc.packages.content import LARGEST, LARGEST_FILE, MOST_FILES, refuse_odd
from lfc.packages.manifest import COMMIT, BadPackage

LONGEST = 600  # seconds that one call of git may take
MOST_TOLD = 2 * LARGEST
MOST_LISTED = 4 * MB  # of a list of files
PROTOCOLS = "file:https:http:ssh"
SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "fetch.recurseSubmodules": "false",
    "submodule.recurse": "false",
    "transfer.fsckObjects": "true",
    "gc.auto": "0",
    "maintenance.auto": "false",
}


def fetched(url: str, commit: str) -> dict[str, bytes]:
    """The files of a commit, by path."""
    with _empty_repository(url) as own:
        _fetch(own, url, commit)
        return _files(own, url, commit)


@contextmanager
def _empty_repository(url: str) -> Iterator[Path]:
    """In which git works, so that it reads no settings of a repository around the working directory."""
    if url.startswith("-") or "::" in url or any(ord(c) < 33 for c in url):
        raise BadPackage(f"`{url}` is no address of a git repository")
    if shutil.which("git") is None:
        raise MissingOnThisMachine("git is not installed; packages from git need it")
    try:
        with tempfile.TemporaryDirectory(prefix="lf-fetch-") as folder:
            own = Path(folder) / "objects.git"
            _git(own, "init", "--quiet", "--bare", "--template=")
            yield own
    except OSError as error:
        raise BadPackage(f"{url} cannot be fetched: {error.strerror}") from None


def newest_commit(url: str) -> str:
    """That of HEAD."""
    with _empty_repository(url) as own:
        try:
            told = _git(own, "ls-remote", "--", url, "HEAD").decode(errors="replace").split()
        except BadPackage as error:
            raise BadPackage(f"{url} cannot be fetched: {error}") from None
    if not told or not COMMIT.fullmatch(told[0]):
        raise BadPackage(f"{url} has no commit")
    return told[0]


def address_of(git: str, folder: Path) -> str:
    """What git is told: the path of a folder counts from where it is written."""
    is_path = "://" not in git and ":" not in git.partition("/")[0] and not git.startswith("-")
    return str(folder / git) if is_path else git


def _fetch(own: Path, url: str, commit: str) -> None:
    """The commit alone; where the server gives no commit by its number, everything."""
    options = ("fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head")
    try:
        _git(own, *options, "--depth=1", "--", url, commit)
    except BadPackage:
        try:
            _git(own, *options, "--", url, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
        except BadPackage as error:
            raise BadPackage(f"{url} cannot be fetched: {error}") from None
    try:
        _git(own, "cat-file", "-e", f"{commit}^{{commit}}")
    except BadPackage:
        raise BadPackage(f"{url} has no commit {commit}") from None


def _files(own: Path, url: str, commit: str) -> dict[str, bytes]:
    blobs: dict[str, str] = {}
    size = 0
    try:
        listed = _git(own, "ls-tree", "-r", "-z", "--long", "--full-tree", commit, most=MOST_LISTED)
    except BadPackage as error:
        raise BadPackage(f"commit {commit} of {url}: {error}") from None
    for entry in listed.split(b"\0")[:-1]:
        told, _, raw = entry.partition(b"\t")
        mode, kind, number, length = told.decode().split()
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise BadPackage(f"{url} has a file whose name is not UTF-8") from None
        if mode == "120000":
            raise BadPackage(f"{url} has the symbolic link {path}, which a package must not have")
        if kind != "blob":
            raise BadPackage(f"{url} has the submodule {path}; a package names what it needs in `[dependencies]`")
        size += int(length)
        if int(length) > LARGEST_FILE or size > LARGEST or len(blobs) >= MOST_FILES:
            raise BadPackage(f"{url} is too large for a package (at {path})")
        blobs[path] = number
    refuse_odd(dict.fromkeys(blobs, b""), url)
    found = _contents(own, list(blobs.values()))
    return {path: found[number] for path, number in blobs.items()}


def _contents(own: Path, numbers: list[str]) -> dict[str, bytes]:
    told = _git(own, "cat-file", "--batch", given="\n".join(numbers).encode() + b"\n" if numbers else b"")
    found: dict[str, bytes] = {}
    at = 0
    for number in numbers:
        end = told.index(b"\n", at)
        length = int(told[at:end].split()[2])
        found[number] = told[end + 1 : end + 1 + length]
        at = end + 1 + length + 1
    return found


def _git(own: Path, *arguments: str, given: bytes = b"", most: int = MOST_TOLD) -> bytes:
    """What it tells. More than `most` bytes are too many: few objects can name many files, by naming them again."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
    environment |= {"GIT_ALLOW_PROTOCOL": PROTOCOLS, "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C"}
    environment["GIT_NO_LAZY_FETCH"] = "1"
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    command = ["git", *settings, f"--git-dir={own}", *arguments]
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as errors:
        asked.write(given)
        asked.seek(0)
        try:
            running = subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE, stderr=errors, env=environment)
        except OSError as error:
            raise BadPackage(f"git cannot be run: {error.strerror}") from None
        out = running.stdout
        assert out is not None
        patience = Timer(LONGEST, running.kill)
        patience.start()
        try:
            told = out.read(most + 1)
            if len(told) > most:
                raise BadPackage(f"there is more than a package may have ({MOST_FILES} files, {LARGEST // MB} MB)")
            running.wait()
        finally:
            late = not patience.is_alive()
            patience.cancel()
            running.kill()
            running.wait()
            out.close()
        if late:
            raise BadPackage(f"git {arguments[0]} has taken more than {LONGEST} seconds")
        errors.seek(0)
        lines = errors.read(MB).decode(errors="replace").strip().splitlines()
    if running.returncode:
        why = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines[-1:]
        raise BadPackage(
            why[0].partition(": ")[2] or why[0] if why else f"git {arguments[0]} ends with {running.returncode}"
        )
    return told
