"""LF0708 to LF0712, LF0714, LF0715: names that nothing uses. What is exported is somebody else's to use."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.accesses import Access, Kind
from lfc.semantics.checks.facts import Facts, Owner
from lfc.semantics.model import typed, types

# Receiving, counting and VAR arguments need a variable whether anyone reads it or not; these do not.
ONLY_WRITTEN = frozenset({Kind.ASSIGN, Kind.STEP, Kind.NEW})


def check_unused(facts: Facts, diagnostics: Diagnostics) -> None:
    for module in facts.program.modules:
        for imported in module.imported_names:
            if not imported.used and not _answers(module, imported):
                facts.report(diagnostics, "LF0711", imported.span, f"`{imported.alias}` is imported but never used")
    _check_variables(facts, diagnostics)
    _check_processes(facts, diagnostics)
    for owner in facts.bodies:
        for constant in owner.constants:
            _check_name(facts, "LF0709", "constant", constant, diagnostics)
        for named in owner.types:
            _check_name(facts, "LF0710", "type", named, diagnostics)


def _answers(module: typed.Module, imported: typed.ImportedName) -> bool:
    """A model imports another one for what it does by itself: it answers the program."""
    return module.environment and imported.module is not None and imported.module.environment


def _check_name(
    facts: Facts, code: str, kind: str, name: typed.NamedConstant | typed.NamedType, diagnostics: Diagnostics
) -> None:
    # Whoever names a value of an enumeration uses its type.
    if not name.used and not name.exported and not (isinstance(name.type, types.EnumerationType) and name.type.used):
        facts.report(diagnostics, code, name.span, f"{kind} `{name.name}` is never used")


def _check_variables(facts: Facts, diagnostics: Diagnostics) -> None:
    by_variable: dict[typed.Variable, list[Access]] = {}
    for body in facts.bodies.values():
        for access in body.accesses:
            by_variable.setdefault(access.variable, []).append(access)
    for variable in facts.formula_reads:
        by_variable.setdefault(variable, []).append(Access(variable, Kind.READ, variable.span))
    for owner in facts.bodies:
        for variable in _declared_variables(owner):
            if variable.exported or variable.outside or variable.kind is typed.VariableKind.LIMIT:
                continue
            _check_variable(facts, variable, by_variable.get(variable, []), diagnostics)


def _declared_variables(owner: Owner) -> Iterable[typed.Variable]:
    if isinstance(owner, typed.Process) and owner.is_procedure:
        return [v for v in (*owner.formals, *owner.locals) if v is not owner.result]
    if isinstance(owner, typed.Module):
        counters = {v.writing for v in owner.variables}  # nobody has written them
        return [v for v in owner.variables if v not in counters]
    if owner.external:
        return []
    return [*owner.formals, *(v for v in owner.locals if v not in owner.formals)]


def _check_variable(facts: Facts, variable: typed.Variable, found: list[Access], diagnostics: Diagnostics) -> None:
    is_parameter = variable.kind in (typed.VariableKind.VALUE, typed.VariableKind.VAR)
    if not found:
        if variable.used:  # LEN and SIZE read no variable
            return
        if is_parameter:
            facts.report(diagnostics, "LF0714", variable.span, f"parameter `{variable.name}` is never used")
        else:
            kind = "port" if types.is_port(variable.type) else "variable"
            facts.report(diagnostics, "LF0708", variable.span, f"{kind} `{variable.name}` is never used")
    elif variable.kind is not typed.VariableKind.VAR and all(a.kind in ONLY_WRITTEN for a in found):
        is_port = types.is_port(variable.type)
        message = "is set but never used" if is_port else "is assigned but never read"
        facts.report(
            diagnostics,
            "LF0715",
            variable.span,
            f"`{variable.name}` {message}",
            Note("it is set here" if is_port else "it is assigned here", found[0].span),
        )


def _check_processes(facts: Facts, diagnostics: Diagnostics) -> None:
    used: set[typed.Process] = set()
    for body in facts.bodies.values():
        used.update(p for p in body.started if p is not body.owner)
    for process in facts.processes:
        if process not in used and not process.exported and not process.external:
            kind = "procedure" if process.is_procedure else "process"
            how = "called" if process.is_procedure else "called or created"
            facts.report(diagnostics, "LF0712", process.span, f"{kind} `{process.name}` is never {how}")
    for function in facts.functions:
        if not function.used and not function.exported:
            message = f"procedure `{function.name}` is never called"
            facts.report(diagnostics, "LF0712", function.span, message)
