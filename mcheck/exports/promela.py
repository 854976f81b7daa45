"""Promela: a loop of guarded commands over global variables, one `d_step` each. `pan` finds the states of the language
reference, and one more if there is a fault, in which an assertion fails.
"""

from __future__ import annotations

from lfc.mcheck.exports.guarded import Command, Guarded
from lfc.mcheck.exports.terms import Const, Op, Term, Var, variables

SPELLED = {"=": "==", "#": "!=", "&": "&&", "OR": "||"}


def promela(program: Guarded, name: str) -> str:
    lines = [f"/* {name}, exported from its actions. `spin -run -E` checks assertions; ends are no errors of it. */"]
    lines += [f"int {n} = {v};" for n, v in program.initial.items()]
    temporaries = max((len(swapped(c)) for c in program.commands), default=0)
    lines += [f"hidden int t{i};" for i in range(temporaries)]
    lines += ["active proctype program() {", "  do"]
    for c in program.commands:
        failed = " assert(false)" if c.fault else ""
        lines += [f"  :: d_step {{ /* {c.label} */ ({expression(c.guard)}) ->", f"     {body(c)}{failed} }}"]
    return "\n".join([*lines, "  od", "}"]) + "\n"


def swapped(c: Command) -> list[str]:
    """What is changed and read by another update: it goes through a temporary."""
    return [n for n in c.updates if any(m != n and n in variables(t) for m, t in c.updates.items())]


def body(c: Command) -> str:
    through = swapped(c)
    first = [f"t{i} = {expression(c.updates[n])};" for i, n in enumerate(through)]
    direct = [f"{n} = {expression(t)};" for n, t in c.updates.items() if n not in through]
    last = [f"{n} = t{i};" for i, n in enumerate(through)]
    return " ".join([*first, *direct, *last]) or "skip;"


def expression(t: Term) -> str:
    if isinstance(t, Const):
        lowest = t.value == -(1 << 31)  # SPIN reads the digits first
        return "(-2147483647 - 1)" if lowest else f"({t.value})" if t.value < 0 else str(t.value)
    if isinstance(t, Var):
        return t.name
    a = [expression(x) for x in t.args]
    match t:
        case Op(op="~"):
            return f"!({a[0]})"
        case Op(op="IF"):
            return f"({a[0]} -> {a[1]} : {a[2]})"
        case Op(op="DIV"):
            return f"({a[0]} >= 0 -> ({a[0]}) / {a[1]} : (({a[0]}) + 1) / {a[1]} - 1)"
        case Op(op="MOD"):
            low = f"({a[0]} >= 0 -> ({a[0]}) / {a[1]} : (({a[0]}) + 1) / {a[1]} - 1)"
            return f"(({a[0]}) - {low} * {a[1]})"
    return f"({a[0]} {SPELLED.get(t.op, t.op)} {a[1]})"
