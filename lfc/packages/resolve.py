"""From `[dependencies]` to the packages that are there: their folders, the order in which modules are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.library_folder import LIBRARY_FOLDERS
from lfc.packages import git_source
from lfc.packages.content import content_of, hash_of, write_content
from lfc.packages.lock import FILE, Locked, read_lock, write_lock
from lfc.packages.manifest import BadPackage, Dependency, Manifest, is_inside, read_manifest

VENDOR = "vendor"
FETCHED = Path(".lf") / "packages"
DEEPEST = 50  # packages that need each other in a row


@dataclass(frozen=True, slots=True)
class Package:
    manifest: Manifest
    dependency: Dependency  # by which it is known first
    way: tuple[str, ...]  # from the project to it, by names

    @property
    def name(self) -> str:
        return self.dependency.name

    @property
    def modules(self) -> Path:
        return self.manifest.folder / self.manifest.modules


@dataclass(slots=True)
class Resolver:
    """`fetches`: what is not there is fetched; else it is an error."""

    root: Path
    fetches: bool = False
    found: dict[str, Package] = field(default_factory=dict)

    def resolve(self) -> list[Package]:
        """All, a package before those that it needs."""
        own = read_manifest(self.root)
        self._take(own, ((own.name,) if own.name else ()), is_local=True)
        packages = list(self.found.values())
        refuse_clashes(self.root, packages)
        return packages

    def _take(self, manifest: Manifest, way: tuple[str, ...], is_local: bool) -> None:
        if len(way) > DEEPEST:
            raise BadPackage(
                f"{' -> '.join(way[:3])} -> ...: more than {DEEPEST} packages that need each other in a row"
            )
        for d in manifest.dependencies:
            if d.name in way:
                cycle = " -> ".join((*way[way.index(d.name) :], d.name))
                raise BadPackage(f"packages need each other: {cycle}")
            folder = self._folder(manifest, d, is_local)
            there = self.found.get(d.name)
            if there is not None:
                self._refuse_other(there, d, folder, (*way, d.name))
                continue
            found = read_manifest(folder)
            if found.name != d.name:
                what = f"is the package `{found.name}`" if found.name else "has no `[package]`"
                raise BadPackage(f"{folder / 'lf.toml'} {what}, and `{d.name}` is asked for")
            self.found[d.name] = Package(found, d, (*way, d.name))
            self._take(found, (*way, d.name), is_local and bool(d.path))

    def _folder(self, manifest: Manifest, d: Dependency, is_local: bool) -> Path:
        vendored = self.root / VENDOR / d.name
        if d.git:
            place = FETCHED / f"{d.name}-{d.commit[:12]}"
            fetched = self.root / place
            if vendored.is_dir() and not self.fetches:
                return _verified(vendored, d)
            if not fetched.is_dir():
                if not self.fetches:
                    raise BadPackage(f"the package `{d.name}` is not here yet: `lfc add` fetches it")
                content = git_source.fetched(git_source.address_of(d.git, manifest.folder), d.commit)
                _refuse_hash(hash_of(content), d, f"commit {d.commit} of {d.git}")
                write_content(content, self.root, place)
            return _verified(fetched, d)
        if not is_local and not is_inside(d.path):
            raise BadPackage(
                f"{manifest.folder / 'lf.toml'}: the path of `{d.name}`, {d.path}, leads out of the package"
            )
        try:
            folder = (manifest.folder / d.path).resolve()
            if folder.is_dir():
                return folder
        except (OSError, RuntimeError) as error:
            raise BadPackage(f"{manifest.folder / 'lf.toml'}: the path of `{d.name}` leads nowhere: {error}") from None
        if vendored.is_dir():
            return self._as_locked(vendored, d) if self.fetches else vendored
        raise BadPackage(f"{manifest.folder / 'lf.toml'}: there is no folder {d.path}, where `{d.name}` should lie")

    def _as_locked(self, vendored: Path, d: Dependency) -> Path:
        """The copy stands for a folder that is not there: what is locked anew must be what was locked."""
        was = (read_lock(self.root) or {}).get(d.name)
        if was is None:
            raise BadPackage(f"there is no folder {d.path}, and {FILE} does not say what {vendored} should have in it")
        return _verified(vendored, Dependency(d.name, hash=was.hash))

    def _refuse_other(self, there: Package, d: Dependency, folder: Path, way: tuple[str, ...]) -> None:
        a, b = there.dependency, d
        if (a.git, a.commit, a.hash) != (b.git, b.commit, b.hash) or there.manifest.folder != folder:
            ways = " and ".join(" -> ".join(w) for w in (there.way, way))
            raise BadPackage(f"`{d.name}` is asked for twice, and not the same: by {ways}")


def _verified(folder: Path, d: Dependency) -> Path:
    _refuse_hash(hash_of(content_of(folder)), d, str(folder), "; remove this folder, and `lfc add` fetches it again")
    return folder


def _refuse_hash(found: str, d: Dependency, what: str, remedy: str = "") -> None:
    if found != d.hash:
        raise BadPackage(f"the package `{d.name}` is not what is pinned: {what} has {found}, not {d.hash}{remedy}")


def refuse_clashes(root: Path, packages: list[Package]) -> None:
    """One name, one module: whose it is must not depend on the order of folders."""
    owners: dict[str, str] = {}
    for what, folder in [
        ("the library", LIBRARY_FOLDERS[0]),
        *(("the library", f) for f in LIBRARY_FOLDERS[1:]),
        ("the project", root),
        *((f"the package `{p.name}`", p.modules) for p in packages),
    ]:
        own = {"the library", "the project"}
        for file in sorted(folder.glob("*.lf")):
            other = owners.setdefault(file.stem.lower(), what)
            if other != what and not {other, what} <= own:
                raise BadPackage(f"{other} and {what} both have a module `{file.stem}`: rename one of them")


# --- the lock --------------------------------------------------------------------------------------------------------


def locked(packages: list[Package]) -> list[Locked]:
    found = []
    for p in packages:
        d = p.dependency
        content_hash = d.hash or hash_of(content_of(p.manifest.folder))
        found.append(Locked(p.name, d.git or "path", d.commit, content_hash))
    return found


def packages_of(root: Path) -> list[Package]:
    """Those that are there, as lf.lock has them."""
    packages = Resolver(root).resolve()
    lock = read_lock(root)
    if lock is None:
        raise BadPackage(f"{root / FILE} is missing: `lfc add` writes it")
    for p in packages:
        d = p.dependency
        was = lock.get(p.name)
        if was is None or (was.source, was.commit) != (d.git or "path", d.commit) or (d.git and was.hash != d.hash):
            raise BadPackage(f"{root / FILE} does not fit `{p.name}` of lf.toml: `lfc add` writes it anew")
        if d.path and p.manifest.folder == root / VENDOR / p.name:
            _verified(p.manifest.folder, Dependency(p.name, hash=was.hash))
    more = sorted(set(lock) - {p.name for p in packages})
    if more:
        raise BadPackage(f"{root / FILE} has `{more[0]}`, which nothing needs: `lfc add` writes it anew")
    return packages


def fetch_all(root: Path) -> list[Package]:
    """And lock them."""
    packages = Resolver(root, fetches=True).resolve()
    write_lock(root, locked(packages))
    return packages


def vendor(root: Path) -> list[Package]:
    """Copies of all packages into the project."""
    packages = fetch_all(root)
    for p in packages:
        if not p.manifest.folder.is_relative_to((root / VENDOR).resolve()):
            write_content(content_of(p.manifest.folder), root, Path(VENDOR, p.name))
    return packages
