"""Looks what is there, and says how to get what is not."""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.doctor.tools import NPM_VERSIONS, TOOLS, Tool, node_modules

OLDEST_PYTHON = (3, 11)
HEADER_FOLDERS = ("/usr/include", "/usr/local/include", "/opt/homebrew/include")


@dataclass(slots=True)
class Finding:
    tool: Tool
    found: bool
    version: str  # empty if not found or not told


def examine(tools: list[Tool]) -> list[Finding]:
    return [_examine_one(tool) for tool in tools]


def tools_for(job: str | None) -> list[Tool]:
    return [t for t in TOOLS if job is None or job in t.jobs]


def python_finding() -> Finding:
    tool = Tool("Python", "interpreter", ("check",))
    return Finding(tool, sys.version_info >= OLDEST_PYTHON, platform.python_version())


def require_tool(name: str) -> None:
    """Raises the error that says how to get a tool of the table, if it is not there."""
    tool = next(t for t in TOOLS if t.name == name)
    if not _examine_one(tool).found:
        commands = " && ".join(install_commands([tool]))
        raise MissingOnThisMachine(f"{name} is not installed; install it with: {commands}")


def install_commands(missing: list[Tool]) -> list[str]:
    """At most one command for pip, one for the system's packages, and one for npm."""
    commands = []
    python = [requirement(t.name) for t in missing if t.kind == "python"]
    if python:
        commands.append(shlex.join([sys.executable, "-m", "pip", "install", *python]))
    of_npm = npm_packages(missing)
    packages = apt_packages(missing)
    if packages and shutil.which("apt-get"):
        become_root = "" if os.geteuid() == 0 else "sudo "
        commands.append(f"{become_root}apt-get install -y {' '.join(packages)}")
    elif packages:
        commands.append(f"(with this system's package manager) {' '.join(packages)}")
    if of_npm:
        commands.append(f"npm install -g {' '.join(of_npm)}")
    return commands


def apt_packages(missing: list[Tool]) -> list[str]:
    return sorted({t.apt for t in missing if t.apt is not None})


def npm_packages(missing: list[Tool]) -> list[str]:
    return [f"{t.name}@{NPM_VERSIONS[t.name]}" for t in missing if t.kind == "npm"]


def requirement(distribution: str) -> str:
    """With the range of versions that the project states, if it is installed to say so."""
    try:
        stated = metadata.requires("lf-toolchain") or []
    except metadata.PackageNotFoundError:
        return distribution
    for line in stated:
        wanted = line.partition(";")[0].strip()
        if wanted.startswith(distribution) and wanted[len(distribution) :].startswith((">", "<", "=", "~")):
            return wanted
    return distribution


def _examine_one(tool: Tool) -> Finding:
    if tool.kind == "python":
        return _python_package(tool)
    if tool.kind == "npm":
        return _npm_package(tool)
    if tool.kind == "file":
        return Finding(tool, Path(tool.name).is_file(), "")
    if tool.kind == "header":
        there = any((Path(folder) / tool.name).is_file() for folder in HEADER_FOLDERS)
        return Finding(tool, there, "")
    found = shutil.which(tool.name) is not None
    return Finding(tool, found, _version_of_command(tool) if found and tool.version else "")


def _python_package(tool: Tool) -> Finding:
    try:
        version = metadata.version(tool.name)
    except metadata.PackageNotFoundError:
        return Finding(tool, False, "")
    if tool.name == "llvmlite":
        try:
            from llvmlite import binding
        except Exception as error:  # a package for another machine, a library that does not load: it is of no use
            return Finding(tool, False, f"{version}, but does not load: {error}")
        version += " (LLVM " + ".".join(map(str, binding.llvm_version_info)) + ")"
    return Finding(tool, True, version)


def _npm_package(tool: Tool) -> Finding:
    folder = node_modules(tool.name)
    if folder is None:
        return Finding(tool, False, "")
    try:
        described = json.loads((folder / tool.name / "package.json").read_text(encoding="utf-8"))
        return Finding(tool, True, str(described["version"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Finding(tool, False, "its package.json cannot be read")


def _version_of_command(tool: Tool) -> str:
    try:
        done = subprocess.run(
            [tool.name, *tool.version], capture_output=True, text=True, errors="replace", timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in (done.stdout + done.stderr).splitlines() if any(c.isdigit() for c in line)]
    return lines[0][:60] if lines else ""
