"""What `lf.toml` says of packages: `[package]`, what a folder offers, and `[dependencies]`, what it needs."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import Any

from lfc.base.lazy_dataclass import dataclass
from lfc.base.read_file import SETTING, read_file, toml_of

FILE = "lf.toml"
PACKAGE, DEPENDENCIES = "package", "dependencies"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
HASH = re.compile(r"sha256:[0-9a-f]{64}")
AGAIN, TRUST, NONE = "again", "trust", "none"  # how the checks of a package count
PACKAGE_KEYS = ("name", "modules", "checks", "env", "records")
DEPENDENCY_KEYS = ("path", "git", "commit", "hash", "check")


class BadPackage(Exception):
    """The message says what is wrong with a package, or with what names it."""


@dataclass(frozen=True, slots=True)
class Dependency:
    name: str
    path: str = ""  # a folder, relative to the one that names it
    git: str = ""  # or a repository
    commit: str = ""
    hash: str = ""
    check: str = AGAIN


@dataclass(frozen=True, slots=True)
class Manifest:
    folder: Path
    name: str = ""  # of the package; empty: none
    modules: str = "."  # the folder with its modules and models
    checks: tuple[str, ...] = ()  # programs that show what holds of its modules
    environments: tuple[str, ...] = ()  # models with which they are checked
    records: str = "records"  # the folder with records of these checks
    dependencies: tuple[Dependency, ...] = ()


def read_manifest(folder: Path) -> Manifest:
    file = folder / FILE
    try:
        told = toml_of(read_file(file, SETTING))
    except OSError as error:
        raise BadPackage(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadPackage(f"{file} is not valid TOML: {error}") from None
    return manifest_of(folder, told)


def manifest_of(folder: Path, told: dict[str, Any]) -> Manifest:
    file = folder / FILE
    dependencies = tuple(_dependency(file, name, d) for name, d in _table(file, told, DEPENDENCIES).items())
    package = _table(file, told, PACKAGE)
    if PACKAGE not in told:
        return Manifest(folder, dependencies=dependencies)
    for key in package:
        if key not in PACKAGE_KEYS:
            raise BadPackage(f"{file}: unknown key `{key}` of `[package]`; the keys are {', '.join(PACKAGE_KEYS)}")
    name = package.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise BadPackage(f"{file}: `name` of `[package]` must be a name of letters, digits, `-` and `_`")
    lists = {key: package.get(key, []) for key in ("checks", "env")}
    for key, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(v, str) and is_inside(v) for v in value):
            raise BadPackage(f"{file}: `{key}` of `[package]` must be a list of files inside of the package")
    folders = {key: package.get(key, default) for key, default in (("modules", "."), ("records", "records"))}
    for key, value in folders.items():
        if not isinstance(value, str) or not is_inside(value):
            raise BadPackage(f"{file}: `{key}` of `[package]` must be a folder inside of the package")
    return Manifest(
        folder, name, folders["modules"], tuple(lists["checks"]), tuple(lists["env"]), folders["records"], dependencies
    )


def _table(file: Path, told: dict[str, Any], key: str) -> dict[str, Any]:
    found = told.get(key, {})
    if not isinstance(found, dict):
        raise BadPackage(f"{file}: `[{key}]` must be a table")
    return found


def _dependency(file: Path, name: str, told: Any) -> Dependency:
    what = f"{file}: `{name}` of `[dependencies]`"
    if not NAME.fullmatch(name):
        raise BadPackage(f"{what} is no name: letters, digits, `-` and `_`")
    if not isinstance(told, dict) or not all(isinstance(v, str) for v in told.values()):
        raise BadPackage(f'{what} must be a table of strings, as `{{ path = "../{name}" }}`')
    if any(ord(c) < 32 for value in told.values() for c in value):
        raise BadPackage(f"{what} has a control character")
    for key in told:
        if key not in DEPENDENCY_KEYS:
            raise BadPackage(f"{what} has the unknown key `{key}`; the keys are {', '.join(DEPENDENCY_KEYS)}")
    d = Dependency(name, **told)
    if bool(d.path) == bool(d.git):
        raise BadPackage(f"{what} must have either `path` or `git`")
    if d.path and (d.commit or d.hash):
        raise BadPackage(f"{what} has a `path`: `commit` and `hash` are for `git`")
    if d.git and not COMMIT.fullmatch(d.commit):
        raise BadPackage(f"{what} needs `commit`, all 40 digits of it: a branch or a tag may move")
    if d.git and not HASH.fullmatch(d.hash):
        raise BadPackage(f"{what} needs `hash`; `lfc add {name} --git ... --commit ...` writes it")
    if d.check not in (AGAIN, TRUST, NONE):
        raise BadPackage(f'{what}: `check` must be "{AGAIN}", "{TRUST}" or "{NONE}", not "{d.check}"')
    return d


def is_inside(path: str) -> bool:
    """Whether a path of a package stays in it, on every machine."""
    parts = PurePosixPath(path).parts
    odd = "\\" in path or ":" in path or "\0" in path
    return bool(path) and not odd and not path.startswith("/") and ".." not in parts
