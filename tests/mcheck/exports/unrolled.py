"""A BTOR2 text, unrolled over steps for bitwuzla: the shortest way to its bad state."""

from __future__ import annotations

from bitwuzla import Bitwuzla, Kind, Options, Result, Term, TermManager

KINDS = {
    "add": Kind.BV_ADD,
    "sub": Kind.BV_SUB,
    "mul": Kind.BV_MUL,
    "sdiv": Kind.BV_SDIV,
    "and": Kind.BV_AND,
    "or": Kind.BV_OR,
    "not": Kind.BV_NOT,
    "eq": Kind.EQUAL,
    "neq": Kind.DISTINCT,
    "slt": Kind.BV_SLT,
    "slte": Kind.BV_SLE,
    "sgt": Kind.BV_SGT,
    "sgte": Kind.BV_SGE,
}


def steps_to_bad(text: str, most: int) -> int | None:
    """None: it is not reached in so many steps."""
    manager = TermManager()
    solver = Bitwuzla(manager, Options())
    nodes = [line.split() for line in text.splitlines() if not line.startswith(";")]
    sorts = {n: manager.mk_bv_sort(int(w[3])) for n, *w in ((w[0], *w) for w in nodes) if w[1] == "sort"}
    init = {w[3]: w[4] for w in nodes if w[1] == "init"}
    after = {w[3]: w[4] for w in nodes if w[1] == "next"}
    state: dict[str, Term] = {}
    for step in range(most + 1):
        value: dict[str, Term] = {}

        def truth(t: Term) -> Term:
            return manager.mk_term(Kind.EQUAL, [t, manager.mk_bv_value(manager.mk_bv_sort(1), 1)])

        for n, what, *rest in nodes:
            if what == "constd":
                value[n] = manager.mk_bv_value(sorts[rest[0]], int(rest[1]) % (1 << sorts[rest[0]].bv_size()))
            elif what == "input":
                value[n] = manager.mk_const(sorts[rest[0]], f"{rest[1]}@{step}")
            elif what == "state" and step:
                value[n] = state[n]
            elif what == "ite":
                value[n] = manager.mk_term(Kind.ITE, [truth(value[rest[1]]), value[rest[2]], value[rest[3]]])
            elif what in KINDS:
                t = manager.mk_term(KINDS[what], [value[x] for x in rest[1:]])
                bit = manager.mk_bv_sort(1)
                one, zero = manager.mk_bv_value(bit, 1), manager.mk_bv_value(bit, 0)
                value[n] = manager.mk_term(Kind.ITE, [t, one, zero]) if t.sort().is_bool() else t
            elif what == "state":
                value[n] = manager.mk_const(sorts[rest[0]], rest[1])
            elif what == "init":
                solver.assert_formula(
                    manager.mk_term(Kind.EQUAL, [value[rest[1]], value[rest[2]]])
                ) if not step else None
            elif what == "bad":
                if solver.check_sat(truth(value[rest[0]])) is Result.SAT:
                    return step
        state = {n: value[t] for n, t in after.items()}
    assert init.keys() == after.keys()
    return None
