"""What is claimed in a text, each with the place where its verdict is shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lfc.base.source import Span
from lfc.editor.analysis.analyse import Analysis
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements


class ClaimKind(StrEnum):
    PROGRAM = "program"
    PROPERTY = "property"
    ASSERT = "assert"
    DEADLOCK = "deadlock"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Claim:
    id: str
    kind: ClaimKind
    name: str  # for the eye
    span: Span


def claims_in(analysis: Analysis) -> list[Claim]:
    """Of the analysed module itself; none while its syntax is wrong."""
    program = analysis.program
    if program is None or program.main.span is None or program.main.monitor:
        return []
    main = program.main
    assert main.span is not None
    found = [
        Claim("program", ClaimKind.PROGRAM, main.name, main.span),
        Claim("deadlock", ClaimKind.DEADLOCK, "no deadlock", main.span),
    ]
    found += [Claim(f"property:{p.name}", ClaimKind.PROPERTY, p.name, p.span) for p in main.properties]
    for process in processes_of(main):
        found.append(Claim(f"process:{path_of(process)}", ClaimKind.PROCESS, path_of(process), process.span))
        found += asserts_in(process.body)
    return found + asserts_in(main.body)


def asserts_in(body: list[typed.Statement]) -> list[Claim]:
    return [assert_claim(s) for s in statements(body) if isinstance(s, typed.Assert)]


def assert_claim(s: typed.Assert) -> Claim:
    """Those of one line are told apart by their columns."""
    text = " ".join(s.span.source.text[s.span.start : s.span.end].split())
    return Claim(assert_id(s.span), ClaimKind.ASSERT, text, s.span)


def assert_id(span: Span) -> str:
    return f"assert:{span.line}:{span.column}"


def processes_of(module: typed.Module) -> list[typed.Process]:
    found: list[typed.Process] = []

    def walk(processes: list[typed.Process]) -> None:
        for p in processes:
            if not p.external:
                found.append(p)
            walk(p.nested)

    walk(module.processes)
    return found


def path_of(process: typed.Process) -> str:
    """Outer.Inner"""
    return process.name if process.parent is None else f"{path_of(process.parent)}.{process.name}"
