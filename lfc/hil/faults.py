"""A fault as numbers, told in words by its ELF file's tables."""

from __future__ import annotations

from lfc.image.tables import Tables
from lfc.run.report import fault_message
from lfc.run.running import Fault


def fault_text(tables: Tables, fault: Fault) -> str:
    """File, line, column, what happened and the values. `fault`: as it came over the line."""
    numbers = f"fault {fault.kind} at site {fault.site} ({fault.first}, {fault.second})"
    if fault.site >= len(tables.sites) or tables.sites[fault.site].kind != fault.kind:
        return f"{numbers}: the ELF file is of another image"
    site = tables.sites[fault.site]
    return f"{site.file}:{site.line}:{site.column}: {fault_message(site, fault)}"
