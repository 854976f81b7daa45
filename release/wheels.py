"""Makes the wheels for all systems on one machine, and checks them.

    python -m release.wheels FOLDER [--system linux-x86_64 ...]

The engine is cross-compiled by `ziglang`. Each wheel is inspected: its symbols of the C library are no newer than its
tag says, the libraries are for its processor and export what the binding asks for, every entry is whole, and no path of
this machine is in it. Those that this machine can execute are installed and tried by tests/project/test_packaging.py.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from lfc.base.cache import HEAD, head_of
from lfc.toolchain.instruction_levels import SYSTEMS
from release.ahead import build

ROOT = Path(__file__).resolve().parent.parent
MAGIC = {  # how a library begins, by system
    "linux-x86_64": b"\x7fELF\x02\x01\x01",
    "linux-aarch64": b"\x7fELF\x02\x01\x01",
    "darwin-x86_64": b"\xcf\xfa\xed\xfe\x07\x00\x00\x01",
    "darwin-arm64": b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01",
}
ELF_MACHINES = {"linux-x86_64": 62, "linux-aarch64": 183}  # at byte 18
GLIBC = (2, 28)
LEFT = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "tests", "bench")
EXPORTED = (b"mc_new", b"mc_run")  # of the engine
LARGEST = 8 << 20  # bytes of a wheel


class BadWheel(Exception):
    """Says what is wrong with it."""


def make(folder: Path, system: str) -> Path:
    with tempfile.TemporaryDirectory(prefix="lfc-") as made:
        built, tree = Path(made) / "built", Path(made) / "tree"
        build(built, system, with_boards=True)
        shutil.copytree(ROOT, tree, symlinks=True, ignore=LEFT)  # without what earlier builds left behind
        environment = {**os.environ, "LF_BUILT": str(built), "LF_TAG": SYSTEMS[system].tag}
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder.resolve()), str(tree)]
        subprocess.run(command, env=environment, check=True)
    (wheel,) = folder.glob(f"lf_toolchain-*-py3-none-{SYSTEMS[system].tag}.whl")
    return wheel


def inspect(wheel: Path, system: str) -> str:
    """In one line what is in it. Raises BadWheel."""
    libraries = 0
    with zipfile.ZipFile(wheel) as inside:
        built = [n for n in inside.namelist() if n.startswith("lfc/built/")]
        engines = 0
        for name in built:
            whole = inside.read(name)
            content, entry = whole[HEAD:], name.rpartition("/")[2]
            if whole[:HEAD] != head_of(entry, content):
                raise BadWheel(f"{name} is not whole")
            look_for_paths(name, content)
            if name.endswith(".so"):
                libraries += 1
                engines += all(symbol in content for symbol in EXPORTED)
                look_at_library(name, content, system)
    levels = len(SYSTEMS[system].levels)
    if (libraries, engines) != (3 * levels, 2 * levels):
        raise BadWheel(f"it has {libraries} libraries, {engines} of them engines, for {levels} levels")
    if wheel.stat().st_size > LARGEST:
        raise BadWheel(f"it has {wheel.stat().st_size} bytes")
    return f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MB, {len(built)} built ahead, {libraries} libraries"


def look_for_paths(name: str, content: bytes) -> None:
    for path in {str(ROOT), str(Path.home()), tempfile.gettempdir(), sys.prefix}:
        if path != "/" and f"{path}/".encode() in content:
            raise BadWheel(f"{name} has the path {path} of this machine in it")


def look_at_library(name: str, content: bytes, system: str) -> None:
    if not content.startswith(MAGIC[system]):
        raise BadWheel(f"{name} is no library of {system}")
    if system in ELF_MACHINES:
        if int.from_bytes(content[18:20], "little") != ELF_MACHINES[system]:
            raise BadWheel(f"{name} is for another processor")
        asked = {tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBC_(\d+\.\d+)", content)}
        if asked and max(asked) > GLIBC:
            raise BadWheel(f"{name} needs the C library {max(asked)}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="release.wheels")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--system", action="append", choices=list(SYSTEMS))
    given = parser.parse_args()
    for system in given.system or SYSTEMS:
        try:
            print(inspect(make(given.folder, system), system))
        except BadWheel as why:
            sys.exit(f"the wheel for {system} is wrong: {why}")


if __name__ == "__main__":
    main()
