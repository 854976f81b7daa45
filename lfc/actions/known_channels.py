"""Module ports whose channel number is known: once they are set, they hold this number for ever.

May import: `lfc.semantics`.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics import typed
from lfc.semantics.typed import Module, Variable
from lfc.semantics.types import ArrayType, RecordType, Type, is_port


def known_channels(modules: Sequence[Module], steady: set[Variable], most: int) -> dict[Variable, int]:
    """The initialisation is followed as long as it goes straight ahead: nothing else runs, so each NEW of a port that
    is still unset takes the next number, as long as there are some: of `most`. What cannot be followed ends the search,
    not what was found before."""
    known: dict[Variable, int] = {}
    for module in modules:
        for s in module.body:
            match s:
                case typed.New(port=typed.VariableRef(variable=variable)) if variable in steady and len(known) < most:
                    known[variable] = len(known) + 1
                case typed.Assign() if not is_port(s.target.type) and _keeps_ports(s.target):
                    pass
                case typed.Step() | typed.Include() | typed.ConsoleWrite() | typed.Assert() | typed.CreateProcess():
                    pass
                case _:
                    return known
    return known


def _keeps_ports(target: typed.Expr) -> bool:
    """A record or array that holds ports, assigned whole, could bring in or drop a number."""

    def has_port(t: Type) -> bool:
        if isinstance(t, RecordType):
            return any(has_port(f.type) for f in t.fields)
        return has_port(t.element) if isinstance(t, ArrayType) else is_port(t)

    return not has_port(target.type)
