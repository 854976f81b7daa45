"""Where an image reads registers of the console for its program: inputs, not looks whether the transmitter is ready."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lfc.actions.model.machine import Machine
from lfc.codegen.module.line_table import file_name
from lfc.mcheck.engine.abi import IMAGE_OF_PROGRAM as OF_PROGRAM
from lfc.mcheck.image.processor import Code
from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, expressions_of, statements, subexpressions
from lfc.toolchain.line_rows import read_code_ranges


def mark_reads_of_devices(code: Code, elf: bytes, machine: Machine, registers: Collection[int]) -> None:
    """`registers`: of the console. Code that compilers have merged has no line, but a file. Nothing is marked in a
    program that reads none of them: then all looks are the console's."""
    lines = set(lines_that_read(machine.program, registers))
    files = {file for file, _ in lines} | {
        file_name(machine.program.main.source, m.source) for m in machine.program.modules
    }
    for r in read_code_ranges(elf) if lines else ():
        if (r.file, r.line) in lines or (not r.line and r.file in files):
            for word in range(r.start // 2, min(len(code.code), (r.end + 1) // 2)):
                code.code[word] |= OF_PROGRAM


def lines_that_read(program: typed.Program, registers: Collection[int]) -> Iterator[tuple[str, int]]:
    """Of a statement, and of each expression in it."""
    main = program.main.source
    bodies = [m.body for m in program.modules]
    bodies += [p.body for p in [*program.all_processes(), *program.all_functions()]]
    for body in bodies:
        for statement in statements(body):
            for e in (e for whole in expressions_of(statement) for e in subexpressions(whole)):
                if may_read(e, registers):
                    yield file_name(main, e.span.source), e.span.line
                    yield file_name(main, statement.span.source), statement.span.line


def may_read(e: typed.Expr, registers: Collection[int]) -> bool:
    if isinstance(e, typed.FunctionCall) and e.name.startswith("PORTIN"):
        address = constant_of(e.arguments[0])
        return address is None or address in registers
    return isinstance(e, typed.VariableRef) and e.variable.address in registers
