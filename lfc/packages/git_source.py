"""Fetches a commit from a git repository as data: objects come in, nothing is checked out, so no hook, filter or
submodule has its turn, and no setting of the user or the machine is read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.packages.content import LARGEST, LARGEST_FILE, MOST_FILES, refuse_odd
from lfc.packages.manifest import COMMIT, BadPackage

LONGEST = 600  # seconds that one call of git may take
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
    if url.startswith("-") or "::" in url or any(ord(c) < 33 for c in url):
        raise BadPackage(f"`{url}` is no address of a git repository")
    if shutil.which("git") is None:
        raise MissingOnThisMachine("git is not installed; packages from git need it")
    with tempfile.TemporaryDirectory(prefix="lf-fetch-") as folder:
        own = Path(folder) / "objects.git"
        _git(None, "init", "--quiet", "--bare", "--template=", str(own))
        _fetch(own, url, commit)
        return _files(own, url, commit)


def newest_commit(url: str) -> str:
    """That of HEAD."""
    if url.startswith("-") or "::" in url:
        raise BadPackage(f"`{url}` is no address of a git repository")
    if shutil.which("git") is None:
        raise MissingOnThisMachine("git is not installed; packages from git need it")
    told = _git(None, "ls-remote", "--", url, "HEAD").decode().split()
    if not told or not COMMIT.fullmatch(told[0]):
        raise BadPackage(f"{url} has no commit")
    return told[0]


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
    for entry in _git(own, "ls-tree", "-r", "-z", "--long", "--full-tree", commit).split(b"\0")[:-1]:
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


def _git(folder: Path | None, *arguments: str, given: bytes = b"") -> bytes:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0"}
    environment |= {"GIT_ALLOW_PROTOCOL": PROTOCOLS, "GIT_LFS_SKIP_SMUDGE": "1", "LC_ALL": "C"}
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    where = [] if folder is None else [f"--git-dir={folder}"]
    try:
        done = subprocess.run(
            ["git", *settings, *where, *arguments], input=given, capture_output=True, env=environment, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        raise BadPackage(f"git {arguments[0]} has taken more than {LONGEST} seconds") from None
    except OSError as error:
        raise BadPackage(f"git cannot be run: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        why = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines[-1:]
        raise BadPackage(why[0].partition(": ")[2] if why else f"git {arguments[0]} ends with {done.returncode}")
    return done.stdout
