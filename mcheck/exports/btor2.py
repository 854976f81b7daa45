"""BTOR2 (Niemetz, Preiner, Wolf and Biere, CAV 2018): states of 32 bits, an input that chooses the command, and one bad
state: a fault. A choice that is not enabled leaves everything as it is.
"""

from __future__ import annotations

from lfc.mcheck.exports.guarded import Guarded
from lfc.mcheck.exports.terms import Const, Op, Term, Var, op

BINARY = {"+": "add", "-": "sub", "*": "mul", "&": "and", "OR": "or"}
RELATIONS = {"=": "eq", "#": "neq", "<": "slt", "<=": "slte", ">": "sgt", ">=": "sgte"}
BIT, WORD = 1, 2  # sorts


def btor2(program: Guarded, name: str) -> str:
    return _Writer(program, name).text()


class _Writer:
    def __init__(self, program: Guarded, name: str) -> None:
        self.program = program
        self.lines = [f"; {name}, exported from its actions", "1 sort bitvec 1", "2 sort bitvec 32"]
        self.next = 3
        self.known: dict[tuple[object, ...], int] = {}
        self.states: dict[str, int] = {}

    def line(self, *words: object) -> int:
        """Each node once."""
        if words not in self.known:
            self.known[words] = self.next
            self.lines.append(" ".join(str(w) for w in (self.next, *words)))
            self.next += 1
        return self.known[words]

    def text(self) -> str:
        for n, value in self.program.initial.items():
            self.states[n] = self.line("state", WORD, n)
            self.line("init", WORD, self.states[n], self.number(value))
        chosen = self.line("input", WORD, "command")
        following = dict(self.states)
        for number, c in enumerate(self.program.commands):
            taken = self.line("eq", BIT, chosen, self.number(number))
            taken = self.line("and", BIT, taken, self.truth(c.guard))
            for n, t in c.updates.items():
                following[n] = self.line("ite", WORD, taken, self.word(t), following[n])
        for n, node in following.items():
            self.line("next", WORD, self.states[n], node)
        self.line("bad", self.truth(op("#", Var("fault"), Const(0))))
        return "\n".join(self.lines) + "\n"

    def number(self, value: int) -> int:
        return self.line("constd", WORD, value)

    def word(self, t: Term) -> int:
        if isinstance(t, Const):
            return self.number(t.value)
        if isinstance(t, Var):
            return self.states[t.name]
        if t.op in ("DIV", "MOD"):
            return self.divided(t)
        if t.op == "IF":
            return self.line("ite", WORD, self.truth(t.args[0]), self.word(t.args[1]), self.word(t.args[2]))
        if t.op in ("+", "-", "*"):
            return self.line(BINARY[t.op], WORD, self.word(t.args[0]), self.word(t.args[1]))
        return self.line("ite", WORD, self.truth(t), self.number(1), self.number(0))

    def divided(self, t: Op) -> int:
        """Rounded down: of a negative number from the one above."""
        a, b = self.word(t.args[0]), self.word(t.args[1])
        negative = self.line("slt", BIT, a, self.number(0))
        above = self.line("sdiv", WORD, self.line("add", WORD, a, self.number(1)), b)
        low = self.line("sub", WORD, above, self.number(1))
        quotient = self.line("ite", WORD, negative, low, self.line("sdiv", WORD, a, b))
        if t.op == "DIV":
            return quotient
        return self.line("sub", WORD, a, self.line("mul", WORD, quotient, b))

    def truth(self, t: Term) -> int:
        if isinstance(t, Const):
            return self.line("constd", BIT, int(t.value != 0))
        if isinstance(t, Op) and t.op == "~":
            return self.line("not", BIT, self.truth(t.args[0]))
        if isinstance(t, Op) and t.op in ("&", "OR"):
            return self.line(BINARY[t.op], BIT, self.truth(t.args[0]), self.truth(t.args[1]))
        if isinstance(t, Op) and t.op in RELATIONS:
            return self.line(RELATIONS[t.op], BIT, self.word(t.args[0]), self.word(t.args[1]))
        return self.line("neq", BIT, self.word(t), self.number(0))
