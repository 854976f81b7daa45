"""From lf.toml to folders, and what is refused on the way."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lfc.packages.content import content_of, hash_of, refuse_odd
from lfc.packages.git_source import fetched, newest_commit
from lfc.packages.manifest import BadPackage, read_manifest
from lfc.packages.resolve import fetch_all, packages_of, vendor
from tests.packages.repositories import committed, files, git, package, project, sensor

NOBODY = "0" * 40


def pinned(name: str, repository: Path, commit: str = "", content: str = "") -> str:
    commit = commit or git(repository, "rev-parse", "HEAD")
    content = content or hash_of(fetched(str(repository), commit))
    return f'{name} = {{ git = "{repository}", commit = "{commit}", hash = "{content}" }}\n'


def names(root: Path) -> list[str]:
    return [p.name for p in packages_of(root)]


def refused(root: Path) -> str:
    with pytest.raises(BadPackage) as error:
        fetch_all(root)
    return str(error.value)


def test_a_path_and_a_commit_and_what_they_need(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    committed(far)
    needs = f"[dependencies]\n{pinned('sensor', far)}"
    package(tmp_path / "near", "near", needs, src__Near_lf="MODULE Near;\nEND Near.\n")
    root = project(tmp_path / "app", 'near = { path = "../near" }\n')
    with pytest.raises(BadPackage, match="`sensor` is not here yet: `lfc add` fetches it"):
        packages_of(root)
    assert [p.name for p in fetch_all(root)] == ["near", "sensor"] == names(root)
    modules = {p.name: p.modules for p in packages_of(root)}
    assert (modules["sensor"] / "Sensor.lf").is_file() and modules["sensor"].is_relative_to(root / ".lf" / "packages")
    assert modules["near"] == tmp_path / "near" / "src"


def test_what_was_fetched_and_changed_is_refused(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    committed(far)
    root = project(tmp_path / "app", pinned("sensor", far))
    (found,) = fetch_all(root)
    (found.modules / "Sensor.lf").write_text("MODULE Sensor;\nEND Sensor.\n")
    with pytest.raises(BadPackage, match="`sensor` is not what is pinned: .* has sha256:[0-9a-f]{64}, not sha256:"):
        packages_of(root)


def test_the_commit_counts_and_not_what_came_later(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    first = committed(far)
    files(far, src__Sensor_lf="MODULE Sensor;\nEND Sensor.\n")
    committed(far)
    root = project(tmp_path / "app", pinned("sensor", far, first))
    (found,) = fetch_all(root)
    assert "Read*" in (found.modules / "Sensor.lf").read_text()


def test_wrong_hash_and_missing_commit(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    commit = committed(far)
    wrong = "sha256:" + "0" * 64
    root = project(tmp_path / "a", pinned("sensor", far, content=wrong))
    assert f"commit {commit} of {far} has sha256:" in refused(root) and not (root / ".lf").exists()
    root = project(tmp_path / "b", pinned("sensor", far, NOBODY, wrong))
    assert refused(root) == f"{far} has no commit {NOBODY}"
    root = project(tmp_path / "c", pinned("sensor", tmp_path / "nowhere", NOBODY, wrong))
    assert refused(root).startswith(f"{tmp_path / 'nowhere'} cannot be fetched: ")


def test_vendored_packages_need_no_repository(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    committed(far)
    package(tmp_path / "near", "near", src__Near_lf="MODULE Near;\nEND Near.\n")
    root = project(tmp_path / "app", pinned("sensor", far) + 'near = { path = "../near" }\n')
    vendor(root)
    for gone in (far, tmp_path / "near", root / ".lf"):
        shutil.rmtree(gone)
    assert {p.name: p.manifest.folder for p in packages_of(root)} == {
        "sensor": root / "vendor" / "sensor",
        "near": root / "vendor" / "near",
    }
    files(root, vendor__near__src__Near_lf="MODULE Near;\nVAR x : INTEGER;\nEND Near.\n")
    with pytest.raises(BadPackage, match="`near` is not what is pinned"):
        packages_of(root)


def test_cycles_clashes_and_two_versions(tmp_path: Path) -> None:
    package(tmp_path / "a", "a", '[dependencies]\nb = { path = "../b" }\n')
    package(tmp_path / "b", "b", '[dependencies]\na = { path = "../a" }\n')
    assert refused(project(tmp_path / "app1", 'a = { path = "../a" }\n')) == "packages need each other: a -> b -> a"
    for name in ("c", "d"):
        package(tmp_path / name, name, src__Shared_lf="MODULE Shared;\nEND Shared.\n")
    root = project(tmp_path / "app2", 'c = { path = "../c" }\nd = { path = "../d" }\n')
    assert "the package `c` and the package `d` both have a module `Shared`" in refused(root)
    package(tmp_path / "e", "e", src__Format_lf="MODULE Format;\nEND Format.\n")
    root = project(tmp_path / "app3", 'e = { path = "../e" }\n')
    assert "the library and the package `e` both have a module `Format`" in refused(root)
    package(tmp_path / "other" / "c", "c")
    package(tmp_path / "f", "f", '[dependencies]\nc = { path = "../other/c" }\n')
    root = project(tmp_path / "app4", 'c = { path = "../c" }\nf = { path = "../f" }\n')
    assert refused(root) == "`c` is asked for twice, and not the same: by c and f -> c"
    root = project(tmp_path / "app5", 'g = { path = "../c" }\n')
    assert refused(root).endswith("is the package `c`, and `g` is asked for")


def test_a_fetched_package_stays_inside(tmp_path: Path) -> None:
    far = package(tmp_path / "far", "far", '[dependencies]\nown = { path = "../../app" }\n')
    committed(far)
    assert "the path of `own`, ../../app, leads out of the package" in refused(
        project(tmp_path / "app", pinned("far", far))
    )


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "a\\x", "C:x", ".git/config", "a/.GIT/x", "a\nb", ""])
def test_paths_that_no_package_has(path: str) -> None:
    with pytest.raises(BadPackage, match="outside of its folder or in .git"):
        refuse_odd({path: b""}, "it")


def test_links_and_submodules_are_refused(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    (far / "src" / "Link.lf").symlink_to("Sensor.lf")
    commit = committed(far)
    with pytest.raises(BadPackage, match="has the symbolic link src/Link.lf"):
        fetched(str(far), commit)
    with pytest.raises(BadPackage, match="is a symbolic link"):
        content_of(far)
    (far / "src" / "Link.lf").unlink()
    inner = sensor(far / "inner")
    committed(inner)
    with pytest.raises(BadPackage, match="has the submodule inner"):
        fetched(str(far), committed(far))


def test_nothing_is_run_while_fetching(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks of templates, filters that a file asks for, settings of the user: none has its turn."""
    ran = tmp_path / "ran"
    far = sensor(tmp_path / "far")
    (far / ".gitattributes").write_text("*.lf filter=evil text eol=crlf\n")
    commit = committed(far)
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("post-checkout", "reference-transaction", "post-merge"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    evil = f'[filter "evil"]\n smudge = touch {ran}; cat\n[init]\n templateDir = {tmp_path / "template"}\n'
    evil += f"[core]\n hooksPath = {hooks}\n fsmonitor = touch {ran}\n"
    (home / ".gitconfig").write_text(evil)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(tmp_path / "template"))
    content = fetched(str(far), commit)
    assert content["src/Sensor.lf"] == (far / "src" / "Sensor.lf").read_bytes() and not ran.exists()


def test_settings_around_the_working_directory_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository may lie in what somebody else has sent."""
    ran, here = tmp_path / "ran", tmp_path / "here"
    here.mkdir()
    git(here, "init", "-q")
    git(here, "config", "core.sshCommand", f"touch {ran};")
    monkeypatch.chdir(here)
    with pytest.raises(BadPackage, match="cannot be fetched: "):
        newest_commit("ssh://localhost:1/x")
    assert not ran.exists()


def test_few_objects_that_are_many_files(tmp_path: Path) -> None:
    """A million, of one blob and six trees."""
    repository = tmp_path / "bomb"
    repository.mkdir()
    git(repository, "init", "-q")
    (repository / "one").write_text("")
    entry = f"100644 blob {git(repository, 'hash-object', '-w', 'one')}"
    for _ in range(6):
        listed = "".join(f"{entry}\t{n}\n" for n in range(10))
        made = subprocess.run(
            ["git", "mktree"], cwd=repository, input=listed, capture_output=True, text=True, check=True
        )
        entry = f"040000 tree {made.stdout.strip()}"
    commit = git(repository, "commit-tree", entry.split()[2], "-m", "many")
    git(repository, "update-ref", "refs/heads/many", commit)
    with pytest.raises(BadPackage, match=f"commit {commit} of .*bomb: there is more than a package may have"):
        fetched(str(repository), commit)


def test_names_that_no_machine_should_see(tmp_path: Path) -> None:
    far = sensor(tmp_path / "far")
    (far / "src" / os.fsdecode(b"a\xff")).write_text("")
    with pytest.raises(BadPackage, match="has a file whose name is not UTF-8"):
        content_of(far)


def test_many_packages_in_a_row(tmp_path: Path) -> None:
    for n in range(60):
        package(tmp_path / f"p{n}", f"p{n}", f'[dependencies]\np{n + 1} = {{ path = "../p{n + 1}" }}\n')
    said = refused(project(tmp_path / "app", 'p0 = { path = "../p0" }\n'))
    assert said == "p0 -> p1 -> p2 -> ...: more than 50 packages that need each other in a row"


def test_a_copy_that_was_changed_is_not_locked_anew(tmp_path: Path) -> None:
    """When the folder that it was made of is not there."""
    package(tmp_path / "near", "near", src__Near_lf="MODULE Near;\nEND Near.\n")
    root = project(tmp_path / "app", 'near = { path = "../near" }\n')
    vendor(root)
    shutil.rmtree(tmp_path / "near")
    assert [p.name for p in fetch_all(root)] == ["near"]
    files(root, vendor__near__src__Near_lf="MODULE Near;\nVAR x : INTEGER;\nEND Near.\n")
    assert "`near` is not what is pinned" in refused(root)
    (root / "lf.lock").unlink()
    assert "lf.lock does not say what" in refused(root)


@pytest.mark.parametrize("url", ["-upload-pack=x", "ext::sh -c true", "a b"])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(BadPackage, match="no address of a git repository"):
        fetched(url, NOBODY)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[package]\nname = 3\n", "`name` of `\\[package\\]` must be a name"),
        ('[package]\nname = "a"\nmain = "x"\n', "unknown key `main` of `\\[package\\]`"),
        ('[package]\nname = "a"\nmodules = "../x"\n', "must be a folder inside of the package"),
        ('[package]\nname = "a"\nchecks = ["/x"]\n', "must be a list of files inside of the package"),
        ('[dependencies]\na = "1.0"\n', "must be a table of strings"),
        ("[dependencies]\na = { }\n", "must have either `path` or `git`"),
        ('[dependencies]\na = { path = "x", git = "y" }\n', "must have either `path` or `git`"),
        ('[dependencies]\na = { path = "x", hash = "y" }\n', "`commit` and `hash` are for `git`"),
        ('[dependencies]\na = { git = "x", commit = "main" }\n', "a branch or a tag may move"),
        (f'[dependencies]\na = {{ git = "x", commit = "{NOBODY}" }}\n', "needs `hash`"),
        ('[dependencies]\na = { path = "x", check = "maybe" }\n', '"again", "trust" or "none", not "maybe"'),
        ('[dependencies]\na = { path = "a\\u0000b" }\n', "has a control character"),
        ('[dependencies]\na = { path = "x", version = "1" }\n', "unknown key `version`"),
        ('[dependencies]\n"a b" = { path = "x" }\n', "is no name"),
        ("dependencies = 3\n", "must be a table"),
        ("[package\n", "is not valid TOML"),
    ],
)
def test_wrong_manifests(tmp_path: Path, text: str, why: str) -> None:
    files(tmp_path, lf_toml=text)
    with pytest.raises(BadPackage, match=why):
        read_manifest(tmp_path)


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    assert "of `a` leads nowhere" in refused(project(tmp_path / "app", f'a = {{ path = "{"x" * 5000}" }}\n'))


def test_the_lock_must_fit(tmp_path: Path) -> None:
    sensor(tmp_path / "sensor")
    root = project(tmp_path / "app", 'sensor = { path = "../sensor" }\n')
    with pytest.raises(BadPackage, match="lf.lock is missing: `lfc add` writes it"):
        packages_of(root)
    fetch_all(root)
    lock = (root / "lf.lock").read_text()
    (root / "lf.lock").write_text(lock.replace('"path"', '"https://example.org/x"'))
    with pytest.raises(BadPackage, match="does not fit `sensor` of lf.toml"):
        packages_of(root)
    (root / "lf.lock").write_text(lock + '\n[more]\nsource = "path"\ncommit = ""\nhash = ""\n')
    with pytest.raises(BadPackage, match="has `more`, which nothing needs"):
        packages_of(root)
    (root / "lf.lock").write_text("[sensor]\nsource = 3\n")
    with pytest.raises(BadPackage, match="must have source, commit, hash"):
        packages_of(root)


def test_the_hash_is_of_paths_and_contents() -> None:
    whole = b"\0\0\0\1a" + b"\0\0\0\0\0\0\0\2bc"
    one = hash_of({"a": b"bc"})
    assert one == "sha256:" + hashlib.sha256(whole).hexdigest()
    assert len({one, hash_of({"ab": b"c"}), hash_of({"a": b"b", "c": b""}), hash_of({}), hash_of({"a": b"bd"})}) == 5
