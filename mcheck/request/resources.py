"""What of this machine a search may take."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

SHARE = 0.85  # of what is free
CGROUP = Path("/sys/fs/cgroup")


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_memory() -> int:
    """Most of the bytes that can be had without harm to others; 0 if nobody knows."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", read(Path("/proc/meminfo")), re.MULTILINE)
    if found is None:
        return 0
    free = int(found.group(1)) * 1024
    limit, used = read(CGROUP / "memory.max").strip(), read(CGROUP / "memory.current").strip()
    if limit.isdigit() and used.isdigit():
        free = min(free, max(0, int(limit) - int(used)))
    return int(free * SHARE)


def folder_to_spill() -> str:
    """The system's folder for files that last as long as a process; empty if nothing can be written there."""
    try:
        with tempfile.TemporaryFile() as _:
            return tempfile.gettempdir()
    except OSError:
        return ""


def read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
