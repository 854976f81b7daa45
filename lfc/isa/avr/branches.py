"""Finds relative branches of AVR that do not reach their target, and gets the code without them.

LLVM takes a branch's reach from the branch itself, where the processor takes it from the instruction behind: so it
leaves a branch as it is whose target lies 128 bytes (of RJMP: 4096 bytes) back, one instruction out of reach; and
the linker writes the farthest target forward instead, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO

import llvmlite.binding as llvm
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import Symbol, SymbolTableSection

from lfc.toolchain.failure import ImageError

R_AVR_7_PCREL, R_AVR_13_PCREL = 2, 3
REACH = {R_AVR_7_PCREL: 128, R_AVR_13_PCREL: 4096}  # bytes, from behind the branch
INSTRUCTION = 2  # bytes
GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.MULTILINE)
DEFINITION = re.compile(r'^define [^\n]*?@(?:"([^"\n]+)"|([\w.$]+))\([^\n]*\{$.*?^\}$', re.MULTILINE | re.DOTALL)
OWN_GROUP = re.compile(r" (#\d+)(?= |$)")
# Behind a label and what must come first there. The flags may be read at any time: an instruction of 2 bytes.
BLOCK_START = re.compile(r"^(?:[\w.$]+|\"[^\"]+\"):[^\n]*\n(?: +%[^\n]* = phi [^\n]*\n)*", re.MULTILINE)
FILLER = "  %lf.filler = load volatile i8, ptr inttoptr (i16 95 to ptr), align 1\n"
MOST_TRIES = 24  # blocks of a function that get the filler, one after the other


def emit_with_right_branches(module: llvm.ModuleRef, machine: llvm.TargetMachine, small: bool = False) -> bytes:
    """The object of a module; where a function has a wrong branch, its instructions are moved a little.
    `small`: for a flash of 8 KB."""
    text = str(module)  # as it is before the code generator changes it
    code: bytes = machine.emit_object(module)
    wrong = functions_with_wrong_branches(code, small)
    if not wrong:
        return code
    for function in sorted(wrong):
        for changed in otherwise(text, function):
            code = machine.emit_object(llvm.parse_assembly(changed))
            if function not in functions_with_wrong_branches(code, small):
                text = changed
                break
    wrong = functions_with_wrong_branches(code, small)
    if wrong:
        raise ImageError(f"the code generator makes a wrong branch in {', '.join(sorted(wrong))}")
    return code


def otherwise(ir: str, function: str) -> Iterator[str]:
    """The module's text with this function changed so that it does the same: the smallest change first."""
    found = next(d for d in DEFINITION.finditer(ir) if function in (d[1], d[2]))
    before, text, behind = ir[: found.start()], found[0], ir[found.end() :]
    head, line, body = text.partition("\n")
    group = OWN_GROUP.search(head)
    if group is not None:  # which others share: it is written out
        attributes = next(g[2] for g in GROUP.finditer(ir) if g[1] == group[1])
        yield f"{before}{head[: group.start()]} {attributes} minsize{head[group.end() :]}{line}{body}{behind}"
    starts = [m.end() for m in BLOCK_START.finditer(text)]
    for at in starts[:: -(-len(starts) // MOST_TRIES) or 1]:
        yield f"{before}{text[:at]}{FILLER}{text[at:]}{behind}"


def functions_with_wrong_branches(code: bytes, small: bool = False) -> set[str]:
    reach = {R_AVR_7_PCREL: REACH[R_AVR_7_PCREL]} if small else REACH  # RJMP goes round the flash's end there
    file = ELFFile(BytesIO(code))
    symbols = file.get_section_by_name(".symtab")
    assert isinstance(symbols, SymbolTableSection)
    functions = [s for s in symbols.iter_symbols() if s["st_info"]["type"] == "STT_FUNC"]
    found: set[str] = set()
    for relocations in file.iter_sections():
        if not isinstance(relocations, RelocationSection):
            continue
        section = relocations["sh_info"]
        for r in relocations.iter_relocations():
            target = symbols.get_symbol(r["r_info_sym"])
            if r["r_info_type"] not in reach or target["st_shndx"] != section:
                continue
            distance = target["st_value"] + r["r_addend"] - (r["r_offset"] + INSTRUCTION)
            if not -reach[r["r_info_type"]] <= distance < reach[r["r_info_type"]]:
                found |= {f.name for f in functions if f["st_shndx"] == section and is_in(r["r_offset"], f)}
    return found


def is_in(offset: int, function: Symbol) -> bool:
    start: int = function["st_value"]
    return start <= offset < start + int(function["st_size"])
