"""What an image does at a fault, by its options: texts in the flash, outputs made safe, reset. As a module of LLVM IR.

runtime/policies/board.c uses what is defined here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lfc.base.source import Source
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.module.line_table import file_name
from lfc.codegen.module.target import Target

WORDS = {
    1: "index out of bounds",
    2: "value out of range",
    3: "signed overflow",
    4: "division by zero",
    5: "no label of the CASE matches",
    6: "assertion failed",
    7: "port was never set",
    8: "too many processes",
    9: "too many channels",
    10: "too many calls",
    11: "no element of the set",
}


@dataclass(frozen=True, slots=True)
class FaultOptions:
    """A fault is always told as numbers; `texts` adds file, line and what happened, in words."""

    texts: bool = False
    resets: bool = False  # else the board stands still
    safe: tuple[tuple[int, int], ...] = ()  # address and value: written first; 8 bits on AVR, else 32


def fault_module(options: FaultOptions, sites: Iterable[FaultSite], main: Source, target: Target) -> str:
    texts = b"".join(site_text(site, main) + b"\0" for site in sites) if options.texts else b""
    listed = "".join(f"\\{byte:02X}" for byte in texts or b"\0")
    space = f"addrspace({target.code_space}) " if target.code_space else ""
    bits = 8 if target.max_align == 1 else 32
    mark = " zeroext" if bits == 8 else ""
    out = f"@lf_port_out{bits}"
    writes = [
        f"  call {target.call_space}void {out}(i32 {address}, i{bits}{mark} {value})" for address, value in options.safe
    ]
    lines = [
        f'target datalayout = "{target.layout}"',
        f'target triple = "{target.triple}"',
        f"@lf_has_fault_texts = constant i8 {int(options.texts)}",
        f"@lf_fault_resets = constant i8 {int(options.resets)}",
        f'@lf_fault_texts = {space}constant [{max(1, len(texts))} x i8] c"{listed}"',
        f"declare void {out}(i32, i{bits}{mark}){target.define_space}",
        f"define void @lf_fault_make_safe(){target.define_space} {{",
        *writes,
        "  ret void",
        "}",
    ]
    return "\n".join(lines) + "\n"


def site_text(site: FaultSite, main: Source) -> bytes:
    if site.kind not in WORDS:
        return b""  # no board raises it
    place = f"{file_name(main, site.span.source)}:{site.span.line}:{site.span.column}"
    return f"{place}: {WORDS[site.kind]}".encode("ascii", errors="replace")
