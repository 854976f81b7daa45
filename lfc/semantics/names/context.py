"""Where the analysis is (module, process, scope, kind of place), and the tables of rules that it follows.

Every file of rules adds its own with `expression_rule` and `statement_rule`; `Context.expression` and
`Context.statements` find them, so that rules need not import each other in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.occurrences import Occurrences
from lfc.semantics.names.scope import Misnamed, Scope, Symbol, kind_of, span_of
from lfc.semantics.names.universe import SLOPPY_SPELLINGS
from lfc.semantics.names.unknown_members import UnknownMembers
from lfc.semantics.names.unknown_names import UnknownNames
from lfc.syntax.grammar import tree

DEEPEST = 1000  # nested expressions, operators in a row: what later stages can walk without running out of stack

ExpressionRule = Callable[["Context", Any, "ty.Type | None"], typed.Expr]
StatementRule = Callable[["Context", Any], "typed.Statement | list[typed.Statement] | None"]

EXPRESSION_RULES: dict[type[tree.Expr], ExpressionRule] = {}
STATEMENT_RULES: dict[type[tree.Statement], StatementRule] = {}

# How a call of a PROCEDURE is typed, and how the inside of one is analysed: set by rooms that come later.
CallRule = Callable[["Context", tree.Call, typed.Process], typed.Expr]
CALL_RULES: list[CallRule] = []

E_ = TypeVar("E_", bound=ExpressionRule)
S_ = TypeVar("S_", bound=StatementRule)


def expression_rule(node: type[tree.Expr]) -> Callable[[E_], E_]:
    def add(rule: E_) -> E_:
        EXPRESSION_RULES[node] = rule
        return rule

    return add


def statement_rule(node: type[tree.Statement]) -> Callable[[S_], S_]:
    def add(rule: S_) -> S_:
        STATEMENT_RULES[node] = rule
        return rule

    return add


@dataclass(slots=True)
class OuterUses:
    """What decides whether a nested process can be created: variables of enclosing processes, and whom it calls."""

    variables: dict[typed.Process, dict[typed.Variable, Span]] = field(default_factory=dict)
    calls: dict[typed.Process, set[typed.Process]] = field(default_factory=dict)
    creates: list[tuple[typed.Process, Span]] = field(default_factory=list)


class Context:
    """The state of analysing one module. Flags say in what kind of place the analysis is."""

    def __init__(
        self, diagnostics: Diagnostics, module: typed.Module, scope: Scope, module_scopes: ModuleScopes
    ) -> None:
        self.diagnostics = diagnostics
        self.module = module
        self.module_scope = scope
        self.module_scopes = module_scopes
        self.occurrences = module_scopes.occurrences
        self.scope = scope
        self.process: typed.Process | None = None
        self.unknown = UnknownNames(diagnostics)
        self.unknown_members = UnknownMembers(diagnostics)
        self.uses = OuterUses()
        self.pseudo_modules: dict[typed.ImportedName, str] = {}  # SYSTEM or Clock, by the name of the import
        self.seen: set[Symbol] = set()  # all that was looked up
        self.beside_relation: set[int] = set()  # the operands of relations, which are no parentheses: by id of the node
        self.constant = False  # inside a constant expression
        self.guard = False  # inside a guard
        self.formula = False  # inside a formula
        self.late = False  # names declared further down count too: properties
        self.loops = 0  # LOOPs around here
        self.labels: dict[str, typed.LoopLabel] = {}  # of named loops around here
        self.counting: set[typed.Variable] = set()  # of FOR VARs around here
        self.counters: dict[tuple[typed.Process | typed.Module, str, ty.Type], typed.Variable] = {}  # of all FOR VARs
        self.depth = 0
        self.limits: dict[tuple[typed.Process | typed.Module, str], int] = {}  # hidden limits by their names
        self.wrong_sections: set[int] = set()  # with ports among variables or the reverse: by id of the node
        self.outside_of_environment = False  # it is said that this is no ENVIRONMENT module
        self.whole: tree.Expr | None = None  # the value of the assignment around here
        self.insides: dict[typed.Process, Callable[[], None]] = {}  # of PROCEDUREs that are not analysed yet
        self.must_end: list[
            tuple[typed.Process, Span, str]
        ] = []  # functions that are called where all must come to an end
        self.initials: dict[typed.Module | typed.Process, list[tree.Assign]] = {}  # values in declarations
        self.declaring: str | None = None  # the type that is being declared
        self.channels: dict[str, typed.NamedType] = {}  # channel types of the TYPE section around here: see `_types`

    @property
    def in_property(self) -> bool:
        return self.process is not None and self.process.is_property

    @property
    def in_procedure(self) -> bool:
        return self.process is not None and self.process.is_procedure

    @property
    def owner(self) -> typed.Process | typed.Module:
        return self.process or self.module

    # --- reports ---------------------------------------------------------------------------------------------------

    def report(self, code: str, span: Span, message: str, *notes: Note, fix: Fix | None = None) -> None:
        self.diagnostics.report(code, span, message, *notes, fix=fix)

    def error(self, code: str, span: Span, message: str, *notes: Note, fix: Fix | None = None) -> typed.Constant:
        """Reports and gives an expression of the error type, which silences followers."""
        self.diagnostics.report(code, span, message, *notes, fix=fix)
        return typed.Constant(span, ty.ERROR, 0)

    def report_no_environment(self, span: Span, message: str) -> None:
        """Once in a module: where there is more of it, the word ENVIRONMENT is missing."""
        if not self.outside_of_environment:
            self.report("LF0808", span, message)
        self.outside_of_environment = True

    # --- places ----------------------------------------------------------------------------------------------------

    @contextmanager
    def set(self, **flags: Any) -> Iterator[None]:
        before = {name: getattr(self, name) for name in flags}
        for name, value in flags.items():
            setattr(self, name, value)
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    # --- names -----------------------------------------------------------------------------------------------------

    def note(self, span: Span, entity: object) -> None:
        """What a name stands for, if somebody wants to know."""
        if self.occurrences is not None:
            self.occurrences.note(span, entity)

    def declare(self, name: str, symbol: Symbol, span: Span) -> None:
        """A name that is declared twice in a scope silences whoever uses it."""
        self.note(span, symbol)
        names = self.scope.names
        earlier = names.get(name)
        if earlier is None:
            names[name] = symbol
            return
        names[name] = Misnamed(name, span)
        where = span_of(earlier)
        if where is not None and where.start > span.start and where.source is span.source:  # a process, known earlier
            span, where, earlier = where, span, symbol
        kind = "" if isinstance(earlier, Misnamed) else f", as {kind_of(earlier)}"
        notes = [Note(f"`{name}` is declared here first{kind}", where)] if where is not None else []
        self.report("LF0303", span, f"`{name}` is declared twice in the same scope", *notes)

    def lookup(self, name: str, span: Span) -> Symbol | None:
        """What a name stands for here; None after a report."""
        if name in self.channels:
            self.mark_used(self.channels[name])
            self.note(span, self.channels[name])
            return self.channels[name]
        scope: Scope | None = self.scope
        later: Symbol | None = None
        while scope is not None:
            symbol = scope.names.get(name)
            if symbol is not None:
                if symbol.__class__ in _ORDERED and symbol.span.start > span.start and not self.late:  # type: ignore[union-attr]
                    if symbol.span.source is span.source:  # type: ignore[union-attr]
                        later = later or symbol
                        scope = scope.parent
                        continue
                self.mark_used(symbol)
                self.note(span, symbol)
                if name in SLOPPY_SPELLINGS and scope.parent is None:
                    right = SLOPPY_SPELLINGS[name]
                    self.report(
                        "LF0309", span, f"`{name}` is written `{right}`", fix=Fix(span, right, f"write `{right}`")
                    )
                return None if symbol.__class__ is Misnamed else symbol
            scope = scope.parent
        if later is not None:
            self.mark_used(later)
            self.note(span, later)
            if self.declaring != name:
                self.report(
                    "LF0304",
                    span,
                    f"`{name}` is used before its declaration",
                    Note(f"`{name}` is declared here, as {kind_of(later)}", span_of(later)),
                    Note("only processes may be used before they are declared"),
                )
            return None
        if self.declaring == name:
            self.report(
                "LF0405", span, f"type `{name}` contains itself", Note("there are no pointers: it would have no end")
            )
            return None
        self.unknown.add(name, span, self.scope)
        return None

    def mark_used(self, symbol: Symbol) -> None:
        self.seen.add(symbol)
        if isinstance(symbol, _MARKED):
            symbol.used = True
            if symbol.__class__ is typed.NamedConstant and isinstance(symbol.type, ty.EnumerationType):
                symbol.type.used = True

    # --- rules -----------------------------------------------------------------------------------------------------

    def expression(self, node: tree.Expr, expected: ty.Type | None = None) -> typed.Expr:
        """`expected` is a hint for constants, set constructors and shifts; the result may have another type."""
        self.depth += 1
        if self.depth > DEEPEST:
            self.depth -= 1
            return self.error("LF0207", node.span, "this expression is nested too deeply")
        result = EXPRESSION_RULES[node.__class__](self, node, expected)
        self.depth -= 1
        return result

    def statements(self, nodes: list[tree.Statement] | None) -> list[typed.Statement]:
        found = []
        for node in nodes or ():
            statement = STATEMENT_RULES[node.__class__](self, node)
            if isinstance(statement, list):
                found += statement
            elif statement is not None:
                found.append(statement)
        return found


@dataclass(slots=True)
class Definition:
    """`-D NAME=VALUE`: another value of a constant of a module."""

    text: str  # as written
    value: tree.Expr
    used: bool = False


@dataclass(slots=True)
class AssumedWorld:
    """`--level`, `--fault-budget`: which branches of CHOICE there are (docs/theory/levels.md)."""

    level: int = 2  # the highest that there is
    budget: int | None = None  # of faults
    counter: typed.Variable | None = None  # of those that have happened


class ModuleScopes:
    """What the modules of a program share: their scopes, for qualified names, and the types written out in them."""

    def __init__(self) -> None:
        self.definitions: dict[tuple[str, str], Definition] = {}  # by the names of module and constant
        self.world = AssumedWorld()
        self.scopes: dict[typed.Module, Scope] = {}
        self.arrays: dict[
            tuple[int, ty.Type, ty.Type | None], ty.ArrayType
        ] = {}  # one type for all that are written alike
        self.open_arrays: dict[ty.Type, ty.OpenArrayType] = {}
        self.type_depths: dict[ty.Type, int] = {}  # how many types are nested in a type
        self.broken_fields: dict[ty.RecordType, set[str]] = {}  # fields whose types were in error
        self.incomplete: set[typed.Module] = set()  # with errors of syntax: names may be missing from them
        self.occurrences: Occurrences | None = None  # for who wants to know what each name stands for


_ORDERED = frozenset({typed.Variable, typed.NamedConstant, typed.NamedType})
_MARKED = (typed.Variable, typed.NamedConstant, typed.NamedType, typed.ImportedName)


def code_of(span: Span) -> str:
    """The source text of a place as it stands, for fixes."""
    return span.source.text[span.start : span.end]


def text_of(span: Span, limit: int = 40) -> str:
    """The source text of a place, on one line, for messages."""
    text = " ".join(span.source.text[span.start : min(span.end, span.start + 10 * limit)].split())
    return text if len(text) <= limit else text[: limit - 3] + "..."
