"""Why a search does not end: what makes the states many, and what would help most, as lines to paste."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.actions.model.machine import Machine
from lfc.base.library_folder import LIBRARY
from lfc.mcheck.model.description import home_of
from lfc.mcheck.reduction.slicing.claims import claims_of
from lfc.mcheck.reduction.slicing.dependence import slice_of
from lfc.mcheck.request.request import Request
from lfc.mcheck.request.world import Time
from lfc.mcheck.result.result import Growth
from lfc.mcheck.search.search import Search
from lfc.mcheck.statistics.usage import values_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable
from lfc.semantics.model.types import ArrayType, CharType, IntegerType
from lfc.semantics.model.visit import expressions_of, root_variable, statements, subexpressions

MOST_CAUSES, MOST_CHANGES = 4, 3
MANY = 8  # values; what has fewer is not told
PORTS = ("PORTIN", "PORTIN16", "PORTIN32")


@dataclass(slots=True)
class Part:
    """What has many values: a variable, or what the instances of a process offer."""

    name: str
    distinct: int
    lowest: int | None
    highest: int | None
    variable: Variable | None


def growth_of(machine: Machine, search: Search) -> Growth:
    parts = [p for p in parts_of(machine, search) if p.distinct >= MANY]
    parts.sort(key=lambda p: (-p.distinct, p.name))
    writers = writers_of(machine.program)
    causes = [cause_text(p, writers) for p in parts[:MOST_CAUSES]]
    changes = list(dict.fromkeys(changes_for(machine, search.request, parts, writers)))
    return Growth(causes, changes[:MOST_CHANGES])


def parts_of(machine: Machine, search: Search) -> Iterator[Part]:
    """Variables one by one: a process has as many values as their combinations."""
    modules = {f"{m.name}.{v.name}": v for m in machine.program.modules for v in m.variables}
    owners = {
        p.qualified_name.removeprefix(f"{machine.program.main.name}."): p for p in machine.program.all_processes()
    }
    for c in values_of(machine, search):
        process = owners.get(c.name)
        if process is None:
            bare = c.name.split("[")[0].split(",")[0]
            variable = modules.get(bare) or modules.get(f"{machine.program.main.name}.{bare}")
            low, high = (c.parts[0].lowest, c.parts[0].highest) if c.parts else (None, None)
            yield Part(f"`{c.name}`", c.distinct, low, high, variable)
            continue
        own = {v.name: v for v in [*process.locals, *process.formals]}
        for p in c.parts:
            if p.name == "its calls":
                yield Part(f"the calls of `{c.name}`", p.distinct, None, None, None)
            elif p.name == "what it waits with":
                yield Part(f"the messages that `{c.name}` offers", p.distinct, None, None, None)
            elif p.name in own:
                yield Part(f"`{c.name}.{p.name}`", p.distinct, p.lowest, p.highest, own[p.name])


# --- who writes what -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Writers:
    """Of the whole program: which variables take inputs, and which count."""

    ports: dict[Variable, str] = field(default_factory=dict)  # and what is read
    counts: set[Variable] = field(default_factory=set)
    console: bool = False
    typed: dict[Variable, bool] = field(default_factory=dict)  # from the console
    sleeps: int = 0


def writers_of(program: typed.Program) -> Writers:
    found = Writers()
    owners: list[typed.Module | Process] = [*program.modules, *program.all_processes()]
    reads = reading_processes(owners)
    for owner in owners:
        for s in statements(owner.body):
            if isinstance(s, typed.Assign) and (v := root_variable(s.target)) is not None:
                port = next((port_text(e) for e in subexpressions(s.value) if port_text(e)), "")
                if port:
                    found.ports.setdefault(v, port)
                same = any(isinstance(e, typed.VariableRef) and e.variable is v for e in subexpressions(s.value))
                if same and isinstance(s.value, typed.Binary) and s.value.op in ("+", "-"):
                    found.counts.add(v)
            elif isinstance(s, typed.Step) and (v := root_variable(s.target)) is not None:
                found.counts.add(v)
            elif isinstance(s, typed.ConsoleRead):
                found.console = True
            elif isinstance(s, typed.Sleep):
                found.sleeps += 1
            elif isinstance(s, typed.CallProcess) and s.process in reads:
                for a in s.arguments:
                    v = root_variable(a.value) if a.formal.kind is typed.VariableKind.VAR else None
                    if v is not None:
                        into_console = reads[s.process] == "the console"
                        found.typed[v] = into_console
                        if not into_console:
                            found.ports.setdefault(v, reads[s.process])
    return found


def reading_processes(owners: list[typed.Module | Process]) -> dict[Process, str]:
    """Those that give what comes from outside, through VAR parameters of numbers or characters, and from where."""
    found: dict[Process, str] = {}
    size = -1
    while size != len(found):
        size = len(found)
        for p in owners:
            gives = isinstance(p, Process) and any(
                f.kind is typed.VariableKind.VAR and isinstance(f.type, CharType | IntegerType) for f in p.formals
            )
            if not isinstance(p, Process) or p in found or not gives:
                continue
            for s in statements(p.body):
                if isinstance(s, typed.ConsoleRead):
                    found[p] = "the console"
                elif isinstance(s, typed.CallProcess) and s.process in found:
                    found[p] = found[s.process] if found[s.process] == "the console" else f"`{p.qualified_name}`"
                elif isinstance(s, typed.Assign):
                    port = next((port_text(e) for e in subexpressions(s.value) if port_text(e)), "")
                    if port:
                        found[p] = port
    return found


def port_text(e: typed.Expr) -> str:
    if isinstance(e, typed.FunctionCall) and e.name in PORTS:
        return f"`{e.span.source.text[e.span.start : e.span.end]}`"
    if isinstance(e, typed.VariableRef) and e.variable.address is not None:
        return f"`{e.variable.name}`"
    return ""


# --- words -----------------------------------------------------------------------------------------------------


def cause_text(p: Part, writers: Writers) -> str:
    said = f"{p.name} ({p.distinct} values"
    if p.lowest is not None:
        said += f", {p.lowest} to {p.highest}"
    if p.variable in writers.ports:
        said += f", read from {writers.ports[p.variable]}"
    elif p.variable is not None and writers.typed.get(p.variable):
        said += ", read from the console"
    elif p.variable in writers.counts:
        said += ", a counter"
    return said + ")"


def changes_for(machine: Machine, request: Request, parts: list[Part], writers: Writers) -> Iterator[str]:
    """The best first: what has the most values is left out, or shrunk."""
    file = file_of(machine)
    claim = claim_of(machine.program) if not request.claims.only and machine.environment is None else ""
    relevant = (
        slice_of(machine.program, claims_of(machine, request.changed(only=(claim,)))).variables if claim else None
    )
    assumed = console_is_assumed(machine, request)
    if writers.console and machine.environment is None and any(is_array(p) for p in parts):
        yield f'lfc check {file} --env Typist.lf (a model that types lines: EnvConsole.Enter("on"), see models.md)'
    for p in parts:
        if p.variable is None:
            continue
        if relevant is not None and p.variable not in relevant:
            out = ", ".join(q.name for q in parts if q.variable is not None and q.variable not in relevant)
            yield f"lfc check {file} --for {claim} (without {out}, which cannot change this; says nothing of deadlocks)"
        elif p.variable in writers.ports:
            yield for_port(p, writers)
        elif writers.typed.get(p.variable):
            if not assumed:
                yield f"lfc check {file} --assume 'console in \"{alphabet(machine.program)}\"'"
        elif p.variable in writers.counts and isinstance(p.variable.type, IntegerType) and not of_library(p.variable):
            yield f"`{p.variable.name} : 0 .. 9;` in place of its type, if it is to stay small (a fault if it does not)"
    if writers.console and not assumed:
        yield f"lfc check {file} --assume 'console in \"{alphabet(machine.program)}\"'"
    if writers.sleeps > 1 and request.world.time == Time.FREE:
        yield f"lfc check {file} --time ordered (sleeps end in the order of their deadlines)"
    yield f"lfc check {file} --contexts 3 (finds most errors of concurrency; no proof)"


def file_of(machine: Machine) -> str:
    """What people name: of a module that is checked alone its own file, of a system its system file."""
    path = home_of(machine).source.path
    system, is_generated, _ = path.partition(".toml: ")
    return f"{system}.toml" if is_generated else path


def is_array(p: Part) -> bool:
    """Such as a line that is read, or a frame: of any bytes there are too many."""
    return p.variable is not None and isinstance(p.variable.type, ArrayType)


def console_is_assumed(machine: Machine, request: Request) -> bool:
    """Then another alphabet would leave only what both have."""
    by_program = any(a.characters for m in machine.program.modules for a in m.assumptions)
    return by_program or any("console" in a for a in request.world.assume)


def of_library(v: Variable) -> bool:
    """Its declaration is not the user's to change."""
    return LIBRARY in Path(v.span.source.path).parents


def variables_for(claim: str, machine: Machine, request: Request) -> set[Variable]:
    """That can change it."""
    return set(slice_of(machine.program, claims_of(machine, request.changed(only=(claim,)))).variables)


def for_port(p: Part, writers: Writers) -> str:
    assert p.variable is not None
    read = writers.ports[p.variable].strip("`")
    less = f"store less of it, `{p.variable.name} := {p.variable.name} DIV 64` where it is read"
    called = "(" in read and not read[:-1].rpartition("(")[2].isalnum()
    if called or "." in read:
        return less
    return f"`ASSUME {read} IN 0 .. 15;` (the verdict then assumes it), or {less}"


def claim_of(program: typed.Program) -> str:
    names = [p.name for m in program.modules for p in m.properties]
    if names:
        return names[0]
    own = [m for m in program.modules if LIBRARY not in Path(m.source.path).parents]
    owners: list[typed.Module | Process] = [*own, *(p for p in program.all_processes() if p.module in own)]
    there = any(isinstance(s, typed.Assert) for owner in owners for s in statements(owner.body))
    return "assert" if there else ""


def alphabet(program: typed.Program) -> str:
    """The characters that the program names, and one more that stands for all others."""
    named: set[int] = set()
    for m in program.modules:
        if LIBRARY in Path(m.source.path).parents:
            continue
        owners: list[typed.Module | Process] = [m, *(p for p in program.all_processes() if p.module is m)]
        for owner in owners:
            for s in statements(owner.body):
                named |= characters_in(s)
    everyone: list[typed.Module | Process] = [*program.modules, *program.all_processes()]
    calls = (s for o in everyone for s in statements(o.body) if isinstance(s, typed.CallProcess))
    numbers = any(s.process.qualified_name == "In.Int" for s in calls)
    named |= set(b"-05\n") if numbers else set()
    other = next(c for c in b"zx?~" if c not in named)
    return "".join(map(spelled, sorted({*named, other})))


def characters_in(s: typed.Statement) -> set[int]:
    found = {
        int(e.value)
        for top in expressions_of(s)
        for e in subexpressions(top)
        if isinstance(e, typed.Constant) and isinstance(e.type, CharType) and isinstance(e.value, int)
    }
    if isinstance(s, typed.Case):
        for branch in s.branches:
            found |= {n for low, high in branch[0] for n in (low, high) if isinstance(s.selector.type, CharType)}
    return {c for c in found if c < 256}


def spelled(c: int) -> str:
    known = {10: "\\n", 13: "\\r", 9: "\\t", 0: "\\0", 92: "\\\\", 45: "\\-"}
    return known.get(c, chr(c) if 32 <= c < 127 and chr(c) not in "'\"" else "")
