"""The project installs: as a wheel in a venv elsewhere, with all its data, and editable from another folder."""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from lfc.base.cache import head_of
from lfc.toolchain.instruction_levels import SYSTEMS, this_system
from release.ahead import build
from release.wheels import BadWheel, inspect
from tests.conftest import ROOT

NEITHER = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "tests", "bench", "docs")
ROOMS = {"lfc": "lfc", "runtime": "lfc/runtime", "mcheck": "lfc/mcheck", "boards": "lfc/boards"}
PROGRAM = "MODULE Greeting;\nIMPORT Out;\nBEGIN\n  Out.Int(42); Out.Ln\nEND Greeting.\n"
MANY = """MODULE Many;
TYPE Go = [go];
PORT p : Go;
VAR i : INTEGER;
PROCESS One(p : Go) MAX 300;
BEGIN
  p?go
END One;
BEGIN
  NEW(p);
  FOR i := 1 TO 2 DO CREATE One(p); p!go END
END Many.
"""  # slots of two bytes
WHERE = """
import lfc.boards, lfc.mcheck
from importlib.resources import files
print(lfc.__file__, lfc.mcheck.__file__, lfc.boards.__file__, files("lfc.runtime"), sep="\\n")
"""


def run(*command: str | Path, cwd: Path, **more: str) -> str:
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | more
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def new_venv(folder: Path, without: str = "lf_toolchain") -> Path:
    """The dependencies, and pip, are those of the venv that runs the tests, so that nothing is fetched twice."""
    venv.create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    ours = [p for p in sys.path if p.endswith("site-packages")]
    copied = folder / "dependencies"
    copied.mkdir()
    for path in ours:
        for entry in Path(path).iterdir():
            ours_itself = entry.name.startswith(("lf_toolchain", "__editable__", "lfc", without))
            if not ours_itself and entry.suffix != ".pth" and not (copied / entry.name).exists():
                (copied / entry.name).symlink_to(entry)
    (site / "dependencies.pth").write_text(f"{copied}\n")
    return folder / "bin"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project without what earlier builds left behind."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    shutil.copytree(ROOT, folder, ignore=NEITHER)
    return folder


@pytest.fixture(scope="module")
def wheel(copy: Path) -> Path:
    """Without what is built ahead, which takes long and is the same for all tests."""
    return made_wheel(copy, "dist", LF_BUILT="")


def made_wheel(copy: Path, folder: str, **more: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(copy / folder)]
    run(*command, ".", cwd=copy, **more)
    (built,) = (copy / folder).glob("lf_toolchain-*.whl")
    return built


@pytest.fixture(scope="module")
def released(copy: Path) -> Path:
    """As it is released for this system."""
    build(copy / "built", this_system(), with_boards=True)
    return made_wheel(copy, "release", LF_BUILT=str(copy / "built"), LF_TAG=SYSTEMS[this_system()].tag)


def seconds_of(*command: str | Path, cwd: Path, **more: str) -> float:
    """Of processors, for the command and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, cwd=cwd, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shipped(room: str) -> set[str]:
    """Every file of a room that git knows or could add: what a clone builds from. Links to rooms are no files."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", room, cwd=ROOT).splitlines()
    return {ROOMS[room] + f.removeprefix(room) for f in listed if (ROOT / f).is_file()}


def test_a_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    inside = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    assert inside == set().union(*map(shipped, ROOMS))


def test_a_wheel_says_its_licence_and_that_it_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as inside:
        (folder,) = {n.split("/")[0] for n in inside.namelist() if ".dist-info/" in n}
        described = message_from_bytes(inside.read(f"{folder}/METADATA"))
        assert inside.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert inside.read("lfc/py.typed") == b""
    assert described["License-Expression"] == "Apache-2.0 WITH LLVM-exception"
    assert "Typing :: Typed" in described.get_all("Classifier", [])


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text()
    for part in (
        "Version 2.0, January 2004",
        "END OF TERMS AND CONDITIONS",
        "LLVM Exceptions to the Apache 2.0 License",
    ):
        assert text.count(part) == 1
    assert all(f"\n   {n}. " in text for n in range(1, 10))


def test_the_hooks_for_other_repositories_are_commands() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = dict(re.findall(r"^- id: ([\w-]+)$.*?^  entry: (.*?)$", hooks, re.MULTILINE | re.DOTALL))
    assert entries == {"lfc-fmt": "lfc fmt", "lfc-check": "lfc check"}
    assert "args: [--syntax-only]" in hooks


@pytest.mark.slow
def test_a_wheel_works_elsewhere(wheel: Path, tmp_path: Path) -> None:
    bin_ = new_venv(tmp_path / "venv")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=tmp_path)
    (tmp_path / "Greeting.lf").write_text(PROGRAM)
    assert run(bin_ / "lfc", "--version", cwd=tmp_path).startswith("lfc ")
    run(bin_ / "lfc", "check", "--syntax-only", "Greeting.lf", cwd=tmp_path)
    run(bin_ / "lfc", "fmt", "--check", "Greeting.lf", cwd=tmp_path)
    assert run(bin_ / "lfc", "explain", "LF0901", cwd=tmp_path).startswith("# LF0901")
    for place in run(bin_ / "python", "-c", WHERE, cwd=tmp_path).split():
        assert Path(place).is_relative_to(tmp_path / "venv")
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    assert {p.name for p in site.iterdir() if p.name.startswith(("lf", "mcheck", "boards", "runtime", "tests"))} == {
        "lfc",
        *(p.name for p in site.glob("lf_toolchain-*.dist-info")),
    }


COLD = 2.0  # seconds of processors for a first command; they take a third of that


@pytest.mark.slow
def test_a_released_wheel_needs_no_compiler(released: Path, tmp_path: Path) -> None:
    """In a fresh environment without `ziglang`, with an empty cache: nothing is compiled at the first check and run."""
    assert inspect(released, this_system())
    bin_ = new_venv(tmp_path / "venv", without="ziglang")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--no-deps", released, cwd=tmp_path)
    examples = ROOT / "examples"
    wide = tmp_path / "Many.lf"
    wide.write_text(MANY)
    commands = [("check", "prodcons.lf"), ("check", "mutex.lf"), ("run", "sieve.lf")]
    for n, (command, name) in enumerate([*commands, ("check", str(wide))]):
        cache = {"XDG_CACHE_HOME": str(tmp_path / f"cache{n}"), "XDG_STATE_HOME": str(tmp_path / "state")}
        assert seconds_of(bin_ / "lfc", command, examples / name, cwd=tmp_path, **cache) < COLD, name
    build_it = [str(bin_ / "lfc"), "build", str(examples / "blink.lf"), "-b", "uno"]
    missing = subprocess.run(build_it, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert missing.returncode == 8 and "pip install ziglang" in missing.stderr


@pytest.mark.slow
def test_a_released_wheel_builds_what_the_tree_builds(released: Path, tmp_path: Path) -> None:
    """The image of a board, byte for byte, and the wheel's user has not compiled its kernel."""
    bin_ = new_venv(tmp_path / "venv")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--no-deps", released, cwd=tmp_path)
    for board, example in (("uno", "blink"), ("microbit", "prodcons")):
        command = ["build", str(ROOT / "examples" / f"{example}.lf"), "-b", board, "-o"]
        cache = {"XDG_CACHE_HOME": str(tmp_path / board)}
        assert seconds_of(bin_ / "lfc", *command, tmp_path / "wheel.elf", cwd=tmp_path, **cache) < COLD
        cache = {"XDG_CACHE_HOME": str(tmp_path / f"{board} of the tree")}  # empty: all of it is compiled
        run(sys.executable, "-m", "lfc", *command, tmp_path / "tree.elf", cwd=ROOT, **cache)
        assert (tmp_path / "wheel.elf").read_bytes() == (tmp_path / "tree.elf").read_bytes()


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_damaged_wheel_is_refused(wheel: Path, tmp_path: Path, damage: str) -> None:
    """One without libraries is, too."""
    with pytest.raises(BadWheel, match="0 libraries"):
        inspect(wheel, this_system())
    damaged = tmp_path / "damaged.whl"
    with zipfile.ZipFile(damaged, "w") as made:
        content = head_of("x.so", b"content") + b"content"
        made.writestr("lfc/built/x.so", content[:-1] if damage == "cut" else content.replace(b"con", b"Con"))
    with pytest.raises(BadWheel, match="is not whole"):
        inspect(damaged, this_system())


@pytest.mark.slow
def test_an_editable_install_works_elsewhere(copy: Path, tmp_path: Path) -> None:
    bin_ = new_venv(tmp_path / "venv")
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--no-deps", "-e", copy, cwd=tmp_path)
    (tmp_path / "Greeting.lf").write_text(PROGRAM)
    run(bin_ / "lfc", "check", "--syntax-only", "Greeting.lf", cwd=tmp_path)
    places = run(bin_ / "python", "-c", WHERE, cwd=tmp_path).split()
    expected = ["lfc/__init__.py", "lfc/mcheck/__init__.py", "lfc/boards/__init__.py", "lfc/runtime"]
    assert places == [str(copy / e) for e in expected]


def test_the_constraints_fix_every_version_that_is_installed() -> None:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    fixed = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    normal = {name.lower().replace("_", "-"): version for name, version in fixed.items()}
    wanted = ["lf-toolchain"]
    seen: set[str] = set()
    while wanted:  # the project's dependencies, theirs, and so on
        name = wanted.pop()
        for requirement in map(Requirement, metadata.requires(name) or []):
            extra = "test" if name == "lf-toolchain" else ""
            needed = requirement.name.lower().replace("_", "-")
            if needed not in seen and (requirement.marker is None or requirement.marker.evaluate({"extra": extra})):
                seen.add(needed)
                wanted.append(needed)
    assert {n: metadata.version(n) for n in seen} == {n: normal.get(n, "not in constraints.txt") for n in seen}
