"""A program as assembler text, object or executable of this machine, that runs without Python."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lfc.codegen.module.generated import Generated
from lfc.link.port import runtime_folder
from lfc.run.external import with_stand_ins
from lfc.run.native import RUN_POLICIES, host_target, link_program, optimise, target_machine, wide_defines
from lfc.run.report import place
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import run_tool

# What main.c uses, beside what lf_host_* export.
KEPT = (
    "lf_host",
    "lf_host_start",
    "lf_host_run",
    "lf_host_next_wake",
    "lf_policy_size",
    "lf_block_size",
    "lf_slots",
    "lf_positions_at",
    "lf_wide_positions",
    "lf_program_reader",
)


def ir_text(generated: Generated, level: int, with_kernel: bool = True, c_modules: Sequence[str] = ()) -> str:
    """The program as it is generated, or with the kernel, optimised."""
    if not with_kernel:
        return generated.ir
    machine = target_machine(level, relocatable=True)
    module = link_program(
        generated.ir, RUN_POLICIES, KEPT, with_stand_ins(generated, c_modules), generated.machine.wide
    )
    optimise(module, level, machine)
    return str(module)


def assembly_text(generated: Generated, level: int, c_modules: Sequence[str] = ()) -> str:
    machine = target_machine(level, relocatable=True)
    module = link_program(
        generated.ir, RUN_POLICIES, KEPT, with_stand_ins(generated, c_modules), generated.machine.wide
    )
    optimise(module, level, machine)
    text: str = machine.emit_assembly(module)
    return text


def object_code(generated: Generated, level: int, c_modules: Sequence[str] = ()) -> bytes:
    machine = target_machine(level, relocatable=True)
    module = link_program(
        generated.ir, RUN_POLICIES, KEPT, with_stand_ins(generated, c_modules), generated.machine.wide
    )
    optimise(module, level, machine)
    code: bytes = machine.emit_object(module)
    return code


def tables_source(generated: Generated, scheduler: str) -> str:
    """The C source with what only this program has: texts of fault sites, servers, scheduler."""
    texts = ",\n    ".join(c_string(f"{place(s.span)}: {s.text}") for s in generated.sites) or '""'
    servers: list[str] = []
    for r in generated.machine.layout.records:
        server = r.body.process is not None and r.body.process.server
        servers += ["1" if server else "0"] * r.slots
    return (
        "#include <stdint.h>\n"
        f"const char *const lf_site_texts[] = {{\n    {texts}}};\n"
        f"const uint32_t lf_site_count = {len(generated.sites)};\n"
        f"const uint32_t lf_scheduler_mode = {1 if scheduler == 'edf' else 0};\n"
        f"const uint8_t lf_server_slots[] = {{{', '.join(servers)}}};\n"
    )


def c_string(text: str) -> str:
    """In quotes, whatever the text: names of files may hold anything."""
    plain = {c for c in range(32, 127)} - set(b'"\\?')
    return '"' + "".join(chr(c) if c in plain else f"\\{c:03o}" for c in os.fsencode(text)) + '"'


def executable(generated: Generated, level: int, scheduler: str, c_modules: Sequence[str] = ()) -> bytes:
    port = runtime_folder() / "ports" / "host"
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "program.o").write_bytes(object_code(generated, level, c_modules))
        (folder / "tables.c").write_text(tables_source(generated, scheduler), encoding="utf-8")
        flags = [
            "-target",
            host_target().zig,
            "-std=c11",
            "-O2",
            "-g0",
            "-s",
            "-fno-sanitize=all",
            *wide_defines(generated.machine.wide),
        ]
        sources = [str(port / "main.c"), "tables.c", "program.o"]
        arguments = [*flags, f"-I{port}", *sources, "-o", "program"]
        link(arguments, folder, foreign=bool(c_modules))
        return (folder / "program").read_bytes()


def link(arguments: Sequence[str], folder: Path, foreign: bool) -> None:
    """`foreign`: somebody else's C is among it, which may compute with what only the compiler's own library has."""
    failure = "the executable cannot be linked"
    try:
        run_tool("cc", [*C_LIBRARY_ALONE, *arguments], folder, failure)
    except ImageError:
        if not foreign:
            raise
        run_tool("cc", arguments, folder, failure)
