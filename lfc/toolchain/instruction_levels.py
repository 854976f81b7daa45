"""For which processors libraries of ours are built ahead of time, and which of these this machine can execute."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

NEEDED = {  # what the system says of a processor that has the level; a level that is not here every one has
    "x86_64_v3": {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"},
    "generic+lse+crc": {"atomics", "crc32"},
}


@dataclass(frozen=True)
class System:
    """`zig`: the compiler's name for it, with the oldest C library; `kernel`: that of what the kernel is compiled for;
    `levels`: the best one first; `tag`: of a wheel."""

    zig: str
    kernel: str
    levels: tuple[str, ...]
    tag: str


INTEL, ARM = ("x86_64_v3", "x86_64"), ("generic+lse+crc", "generic")
SYSTEMS = {
    "linux-x86_64": System("x86_64-linux-gnu.2.28", "x86_64-linux-gnu", INTEL, "manylinux_2_28_x86_64"),
    "linux-aarch64": System("aarch64-linux-gnu.2.28", "aarch64-linux-gnu", ARM, "manylinux_2_28_aarch64"),
    "darwin-x86_64": System("x86_64-macos.11.0", "x86_64-linux-gnu", ("x86_64_v2",), "macosx_11_0_x86_64"),
    "darwin-arm64": System("aarch64-macos.11.0", "aarch64-macos", ("apple_m1",), "macosx_11_0_arm64"),
}


def this_system() -> str:
    return f"{sys.platform}-{platform.machine()}"


def flags_for(system: System, level: str) -> list[str]:
    if "macos" in system.zig:
        linked = "-Wl,-install_name,@rpath/lfc"  # else that of the file that is made
    else:
        linked = "-Wl,-z,defs"  # what no library has is an error here, not first where it is loaded
    return ["-target", system.zig, f"-mcpu={level}", linked]


@cache
def levels_here() -> Sequence[str]:
    """That can be executed, the best one first; none for a system for which nothing is built ahead."""
    system = SYSTEMS.get(this_system())
    if system is None:
        return ()
    has = features()
    return tuple(level for level in system.levels if NEEDED.get(level, set()) <= has)


def features() -> set[str]:
    """Of the first processor, as Linux tells them; elsewhere a level is never more than all of them have."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith(("flags", "Features")):
                    return set(line.partition(":")[2].split())
    except OSError:
        pass
    return set()
