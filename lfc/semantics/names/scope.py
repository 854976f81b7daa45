"""Scopes, and what a name can stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import is_port


@dataclass(slots=True, eq=False)
class Predeclared:
    """A name that every module knows, and the members of SYSTEM and Clock (`SYSTEM.VAL`)."""

    name: str
    is_statement: bool = False  # INC and its kin; the others have a value


@dataclass(slots=True, eq=False)
class PseudoModule:
    """SYSTEM or Clock: a module without text."""

    name: str
    members: dict[str, Predeclared]


@dataclass(slots=True, eq=False)
class Misnamed:
    """Stands for a name whose declaration failed: it silences whoever uses it."""

    name: str
    span: Span


Symbol = (
    typed.Variable
    | typed.NamedConstant
    | typed.NamedType
    | typed.Process
    | typed.Property
    | typed.ImportedName
    | Predeclared
    | Misnamed
)


@dataclass(slots=True, eq=False)
class Scope:
    parent: Scope | None
    names: dict[str, Symbol] = field(default_factory=dict)

    def outward(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


def kind_of(symbol: Symbol) -> str:
    """With its article, for messages."""
    if isinstance(symbol, typed.Variable):
        return "a port" if is_port(symbol.type) else "a variable"
    if isinstance(symbol, typed.NamedConstant):
        return "a constant"
    if isinstance(symbol, typed.NamedType):
        return "a type"
    if isinstance(symbol, typed.Process):
        return "a property" if symbol.is_property else "a procedure" if symbol.is_procedure else "a process"
    if isinstance(symbol, typed.Property):
        return "a property"
    if isinstance(symbol, typed.ImportedName):
        return "a module"
    if isinstance(symbol, Predeclared):
        return "a predeclared procedure" if symbol.is_statement else "a predeclared function"
    return "a name"


def span_of(symbol: Symbol) -> Span | None:
    """Where it is declared; None for what is predeclared."""
    if isinstance(symbol, Predeclared):
        return None
    span = symbol.span
    return None if span.source.path == PREDECLARED_PATH else span


PREDECLARED_PATH = "<predeclared>"
