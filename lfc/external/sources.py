"""Compiles the C sources that are linked in, and says what is missing or there twice.

A source sees the headers of the program's modules before all else, so that its functions are checked against the
declarations, whether it includes them or not.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.external.header import external_processes, headers
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import compile_source

if TYPE_CHECKING:
    from lfc.semantics.model import typed
    from lfc.semantics.model.typed import Process

# As the program's own code has it: char as in LF, no assumptions about who points where.
FLAGS = (
    "-std=gnu11",
    "-funsigned-char",
    "-fno-strict-aliasing",
    "-Wall",
    "-Wextra",
    "-Wno-unknown-attributes",
    "-Wno-unused-command-line-argument",
    "-Wno-avr-rtlib-linking-quirks",
    "-fno-sanitize=all",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-g0",  # paths of this machine
    "-S",
    "-emit-llvm",
)
OWN_NAMES = re.compile(
    r'^(?:@|(?:define|declare) [^@]*@)"?(lf_\w+)', re.MULTILINE
)  # of the IR's functions and variables
SOURCE_LINES = re.compile(r'^(?:source_filename = ".*"|; ModuleID = .*)$', re.MULTILINE)


def compile_sources(program: typed.Program, files: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """LLVM IR of each. `arguments`: those of the target."""
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        included: list[str] = []
        for name, text in headers(program).items():
            (folder / name).write_text(text, encoding="utf-8")
            included += ["-include", str(folder / name)]
        return [_compile(Path(file), folder, [*FLAGS, *arguments, *included, f"-I{folder}"]) for file in files]


def _compile(source: Path, folder: Path, arguments: Sequence[str]) -> str:
    if source.suffix != ".c" or not source.is_file():
        raise ImageError(f"{source} is not a C source" if source.is_file() else f"{source} does not exist (--with)")
    if os.path.relpath(source).startswith("@"):  # however it is written, the compiler shortens it to this
        raise ImageError(f"{source} begins with @, so the compiler would read options from it", "rename it")
    made = folder / "made.ll"
    # Nothing in the image depends on where the source lies.
    mapped = f"-ffile-prefix-map={source.parent}{os.sep}=" if source.parent != Path(".") else "-g0"
    named = os.path.join(".", source) if str(source).startswith("-") else str(source)  # else it is an option
    compile_source([*arguments, mapped, named, "-o", str(made)], Path.cwd(), f"{source} cannot be compiled")
    return SOURCE_LINES.sub("", made.read_text(encoding="utf-8"))


def check_defined(
    program: typed.Program, called: Sequence[Process], modules: Sequence[str], files: Sequence[str]
) -> None:
    """Every EXTERNAL process that the program calls has one C function."""
    symbols: dict[str, Process] = {}
    for process in external_processes(program):
        other = symbols.setdefault(process.symbol, process)
        if other is not process:
            raise ImageError(
                f"{place(process)}: `{process.qualified_name}` and `{other.qualified_name}` would have one C function, "
                f"`{process.symbol}`",
                "rename one of them",
            )
    defined: dict[str, str] = {}
    for file, text in zip(files, modules, strict=True):
        for name in functions_defined(text):
            if name in defined:
                raise ImageError(f"`{name}` is defined in {defined[name]} and in {file}")
            defined[name] = file
    for file, text in zip(files, modules, strict=True):
        own = sorted(set(OWN_NAMES.findall(text)))
        if own:
            raise ImageError(f"{file} names `{own[0]}`: names that begin with lf_ are the kernel's and the ports' own")
    missing = [p for p in symbols.values() if p in called and p.symbol not in defined]
    if missing:
        where = f"in {', '.join(files)}" if files else "because no C source is linked (--with FILE.c)"
        details = [
            f"{place(p)}: `{p.qualified_name}` is EXTERNAL, and there is no C function `{p.symbol}` {where}"
            for p in missing
        ]
        raise ImageError("a C function is missing", "\n".join(details))


def functions_defined(module: str) -> list[str]:
    """That other modules see."""
    import llvmlite.binding as llvm

    parsed = llvm.parse_assembly(module)
    return [f.name for f in parsed.functions if not f.is_declaration and f.linkage.name == "external"]


def place(process: Process) -> str:
    line, column = process.span.source.line_and_column(process.span.start)
    return f"{process.span.source.path}:{line}:{column}"
