"""The names that need no declaration: types, TRUE and FALSE, predeclared functions and procedures, SYSTEM and Clock."""

from __future__ import annotations

from lfc.base.source import Source, Span
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.names.scope import PREDECLARED_PATH, Predeclared, PseudoModule, Scope

NOWHERE = Span(Source(PREDECLARED_PATH, ""), 0, 0)

PREDECLARED_TYPES: dict[str, ty.Type] = {
    "BOOLEAN": ty.BOOLEAN,
    "CHAR": ty.CHAR,
    "INT8": ty.INT8,
    "INT16": ty.INT16,
    "INT32": ty.INT32,
    "INTEGER": ty.INTEGER,
    "UINT8": ty.UINT8,
    "UINT16": ty.UINT16,
    "UINT32": ty.UINT32,
    "SET8": ty.SET8,
    "SET16": ty.SET16,
    "SET32": ty.SET32,
    "SET": ty.SET,
}
FUNCTIONS = tuple(
    "ABS ODD ORD CHR LEN MIN MAX SIZE LSL LSR ASR ROR BAND BOR BXOR BNOT BITS SETBITS ROUND FLOOR SATURATE "
    "PORTIN PORTIN16 PORTIN32".split()
)
PROCEDURES = tuple("INC DEC INCL EXCL NEW ASSERT PORTOUT PORTOUT16 PORTOUT32".split())
ATOMS = tuple("READY WAITING ENDED TAKEN".split())

# Spellings found in print; the warning says how to write them.
SLOPPY_SPELLINGS = {"true": "TRUE", "false": "FALSE"}


def _members(module: str, functions: str, procedures: str) -> PseudoModule:
    members = {n: Predeclared(f"{module}.{n}") for n in functions.split()}
    members.update({n: Predeclared(f"{module}.{n}", is_statement=True) for n in procedures.split()})
    return PseudoModule(module, members)


PSEUDO_MODULES = {
    "SYSTEM": _members("SYSTEM", "VAL INT IOPORT", "WRITE READ"),
    "Clock": _members("Clock", "Now After", "Sleep"),
}


def _universe() -> Scope:
    scope = Scope(None)
    for name, t in PREDECLARED_TYPES.items():
        scope.names[name] = typed.NamedType(name, t, False, NOWHERE)
    for name, value in (("FALSE", 0), ("TRUE", 1), ("false", 0), ("true", 1)):
        scope.names[name] = typed.NamedConstant(name, ty.BOOLEAN, value, False, NOWHERE)
    for name in FUNCTIONS + ATOMS:
        scope.names[name] = Predeclared(name)
    for name in PROCEDURES:
        scope.names[name] = Predeclared(name, is_statement=True)
    return scope


UNIVERSE = _universe()
