"""Merges the LLVM IR of program, kernel and port into one optimised module.

The whole program is one module, so that calls of the kernel and of the port inline, and what is not used falls away.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Literal

import llvmlite.binding as llvm

from lfc.link.port import ALWAYS, Port
from lfc.toolchain.elf import read_symbols
from lfc.toolchain.failure import ImageError

# What is made as small as can be: nothing, what is generated of the optimised module, or all from the start. Which of
# them gives the least bytes depends on the program: some of it shrinks only because it was inlined.
Shrunk = Literal["", "late", "early"]
SHRUNK: tuple[Shrunk, ...] = ("", "late", "early")

# Besides these, only what the caller names is seen from outside: all else may be inlined and dropped.
ENTRY_POINTS = ("lf_main", "lf_port_start")
INTERRUPT_ROUTINE = re.compile(r"__vector_\w+")
PART_START = re.compile(r"lf_port_\w+_start")
TRAPS = "traps"  # the part that interrupt routines need, in a port that has it
# Where these are used, a part must have been started besides the one that defines them, if any does.
RESTS_ON = {
    "lf_port_console_queue": "console",
    "lf_port_console_read": "console",
    "lf_port_console_overrun": "console",
    "lf_port_fault_line": "console",
    "lf_port_milliseconds": "tick",
    "lf_port_sleepers_add": "tick",
}

# LLVM inlines a function only into one with the same target and the same view of the library: so these are dropped from
# all of them alike. The target machine knows the processor; on AVR it never looks at the attributes.
TARGET_ATTRIBUTES = re.compile(
    r'"(?:target-cpu|target-features|tune-cpu|use-soft-float|no-trapping-math|stack-protector-buffer-size)"="[^"]*"'
    r'|"no-builtins"'
)
ATTRIBUTE_GROUP = re.compile(r"^attributes #\d+ = \{.*\}$", re.MULTILINE)
LAYOUT = re.compile(r'^target datalayout = "([^"]*)"$', re.MULTILINE)
TRIPLE = re.compile(r'^target triple = "[^"]*"$', re.MULTILINE)
INLINE_ASSEMBLER = re.compile(
    r"^module asm |^[^;\"]*\bcall(?:br)?\b.*\basm (?:sideeffect |alignstack |inteldialect )*\"", re.M
)


def merge_modules(
    sources: Iterable[str], port: Port, exported: Collection[str], machine: llvm.TargetMachine, shrunk: Shrunk = ""
) -> llvm.ModuleRef:
    """`sources` are texts of LLVM IR; of the port, those parts are added that they use."""
    merged = _parse("", machine)
    for source in sources:
        _link_in(merged, source, machine)
    kept = {*ENTRY_POINTS, *exported}
    # What the program turns out not to use is gone before the parts of the port are chosen.
    _hide_all_but(merged, kept)
    if shrunk == "early":
        _shrink(merged)
    _check(merged)
    _optimise(merged, machine)
    started = _add_parts(merged, port, machine)
    _link_in(merged, _start_function(started), machine)
    _hide_all_but(merged, kept)
    if shrunk == "early":
        _shrink(merged)
    _check(merged)
    _optimise(merged, machine)
    if shrunk:
        _shrink(merged)
    return merged


def _shrink(merged: llvm.ModuleRef) -> None:
    for function in merged.functions:
        if not function.is_declaration:
            function.add_function_attribute("minsize")


def _hide_all_but(merged: llvm.ModuleRef, kept: Collection[str]) -> None:
    for value in (*merged.functions, *merged.global_variables):
        name = value.name
        if value.is_declaration or name in kept or name.startswith("llvm.") or INTERRUPT_ROUTINE.fullmatch(name):
            continue
        value.linkage = "internal"
    for function in merged.functions:
        if not function.is_declaration:
            function.add_function_attribute("optsize")
            function.add_function_attribute("nounwind")


def _parse(source: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    source = ATTRIBUTE_GROUP.sub(lambda group: TARGET_ATTRIBUTES.sub("", group[0]), source)
    try:
        return llvm.parse_assembly(_name_target(source, machine))
    except RuntimeError as error:
        raise ImageError("the program's LLVM IR is wrong", str(error)) from None


def _name_target(source: str, machine: llvm.TargetMachine) -> str:
    """Where functions lie (on AVR not in the data's address space) is read off the layout: it must come first."""
    layout = str(machine.target_data)
    stated = LAYOUT.search(source)
    if stated and stated[1]:
        if stated[1] != layout:
            raise ImageError("a module was compiled for another machine", f"its layout is {stated[1]}, not {layout}")
        return source
    # What llvmlite's builder prints for a module whose target nobody has set says nothing.
    source = LAYOUT.sub("", TRIPLE.sub("", source))
    return f'target datalayout = "{layout}"\ntarget triple = "{machine.triple}"\n{source}'


def _link_in(merged: llvm.ModuleRef, source: str, machine: llvm.TargetMachine) -> None:
    try:
        merged.link_in(_parse(source, machine))
    except RuntimeError as error:
        raise ImageError("the program's modules do not fit together", str(error)) from None


def _add_parts(merged: llvm.ModuleRef, port: Port, machine: llvm.TargetMachine) -> list[str]:
    """Adds parts until nothing is missing that one of them has. Their functions that start them, in order."""
    waiting = {name: _parse(source, machine) for name, source in port.parts.items()}
    if ALWAYS in waiting:
        merged.link_in(waiting.pop(ALWAYS))
    while True:
        missing = {v.name for v in (*merged.functions, *merged.global_variables) if v.is_declaration}
        wanted = {name for name, part in waiting.items() if missing & _defined(part)}
        wanted |= {part for symbol, part in RESTS_ON.items() if symbol in missing and part in waiting}
        if TRAPS in waiting and any(INTERRUPT_ROUTINE.fullmatch(name) for name in _defined(merged)):
            wanted.add(TRAPS)
        if not wanted:
            break
        for name in sorted(wanted):
            _refuse_second_routine(merged, name, waiting[name], port)
            merged.link_in(waiting.pop(name))
    starts = {f.name for f in merged.functions if not f.is_declaration and PART_START.fullmatch(f.name)}
    return sorted(starts, key=lambda name: (name != f"lf_port_{ALWAYS}_start", name))


def _refuse_second_routine(merged: llvm.ModuleRef, name: str, part: llvm.ModuleRef, port: Port) -> None:
    in_assembler = read_symbols(port.on_demand[name]).keys() if name in port.on_demand else set()
    for routine in sorted(_defined(merged) & (_defined(part) | in_assembler)):
        if INTERRUPT_ROUTINE.fullmatch(routine):
            number = routine.rpartition("_")[2]
            raise ImageError(f"interrupt {number} belongs to the port's part `{name}`, which the program uses")


def _defined(module: llvm.ModuleRef) -> set[str]:
    return {v.name for v in (*module.functions, *module.global_variables) if not v.is_declaration}


def _start_function(started: Iterable[str]) -> str:
    names = list(started)
    declared = "".join(f"declare void @{name}()\n" for name in names)
    calls = "".join(f"  call void @{name}()\n" for name in names)
    return f"{declared}define void @lf_port_start() {{\n{calls}  ret void\n}}\n"


def _check(merged: llvm.ModuleRef) -> None:
    try:
        merged.verify()
    except RuntimeError as error:
        raise ImageError("the program's LLVM IR is wrong", str(error)) from None
    if INLINE_ASSEMBLER.search(str(merged)):
        # llvmlite has no assembler for targets other than this machine: LLVM would end the whole process.
        raise ImageError(
            "the program has inline assembler, which cannot be compiled for a board: use an assembler file"
        )


def _optimise(merged: llvm.ModuleRef, machine: llvm.TargetMachine) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(merged, builder)
