"""Questions of a certificate as texts in SMT-LIB 2, for any solver of bit vectors: each is to be unsatisfiable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lfc.certificates.files import BadCertificate
from lfc.mcheck.symbolic.values.terms import BYTE, CONCAT, SELECT, SYMBOL, Term, nodes, operand_width

Intervals = Sequence[tuple[int, int]]
Same = tuple[int | Term, int | Term]
SECONDS = 20


class Question:
    """Conditions that are to contradict each other."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._lines: list[str] = []
        self._names: dict[Term, str] = {}

    def is_so(self, t: int | Term, value: int) -> None:
        self._lines.append(f"(assert {self.equal(t, value)})")

    def equal(self, t: int | Term, value: int) -> str:
        if isinstance(t, int):
            return "true" if t == value else "false"
        return f"(= {self.name(t)} {number(value, t.width)})"

    def lies_in(self, t: Term, values: Intervals) -> None:
        self._lines.append(f"(assert {self._within(t, values)})")

    def is_not_within(self, boxes: Iterable[Sequence[tuple[int | Term, Intervals]]], copies: Iterable[Same]) -> None:
        """Not every value lies in its set, or not all copies are equal."""
        same = [self._same(a, b) for a, b in copies]
        for box in boxes:
            parts = [self._within(t, values) for t, values in box]
            self._lines.append(f"(assert (not (and {' '.join([*parts, *same])} true)))")

    def _within(self, t: int | Term, values: Intervals) -> str:
        if isinstance(t, int):
            return "true" if any(a <= t <= b for a, b in values) else "false"
        x, w = self.name(t), t.width
        ways = [f"(and (bvuge {x} {number(a, w)}) (bvule {x} {number(b, w)}))" for a, b in values]
        return f"(or {' '.join(ways)} false)"

    def _same(self, a: int | Term, b: int | Term) -> str:
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) or isinstance(b, int):
            return self.equal(a, b)  # type: ignore[arg-type]
        return f"(= {self.name(a)} {self.name(b)})"

    def are_not_all(self, asked: Iterable[tuple[int | Term, int]]) -> None:
        self._lines.append(f"(assert (not (and {' '.join(self.equal(t, v) for t, v in asked)} true)))")

    def text(self) -> str:
        return "\n".join([f"; {self.what}", "(set-logic QF_BV)", *self._lines, "(check-sat)", ""])

    # --- terms -----------------------------------------------------------------------------------------------------

    def name(self, t: Term) -> str:
        for node in nodes(t):
            if node in self._names:
                continue
            sort = f"(_ BitVec {node.width})"
            if node.op == SYMBOL:
                self._names[node] = f"x{node.args[0]}_{node.width}"
                self._lines.append(f"(declare-const {self._names[node]} {sort})")
            else:
                text = self._written(node)
                self._names[node] = f"t{len(self._names)}"
                self._lines.append(f"(define-fun {self._names[node]} () {sort} {text})")
        return self._names[t]

    def _written(self, t: Term) -> str:
        if t.op == CONCAT:
            return f"(concat {' '.join(self._argument(a, 8) for a in reversed(t.args))})"
        if t.op == BYTE:
            whole, at = t.args
            assert isinstance(whole, Term) and isinstance(at, int)
            high = min(8 * at + 7, whole.width - 1)
            return f"((_ zero_extend {7 - (high - 8 * at)}) ((_ extract {high} {8 * at}) {self._names[whole]}))"
        if t.op == SELECT:
            condition, a, b = t.args
            ways = f"{self._argument(a, t.width)} {self._argument(b, t.width)}"
            return f"(ite (= {self._argument(condition, 1)} #b1) {ways})"
        w = operand_width(t)
        return OPERATIONS[t.op](w, t.width, *(self._argument(a, w) for a in t.args))

    def _argument(self, a: int | Term, w: int) -> str:
        return self._names[a] if isinstance(a, Term) else number(a, w)


def number(v: int, w: int) -> str:
    return f"(_ bv{v % (1 << w)} {w})"


def plain(name: str) -> Callable[..., str]:
    return lambda w, to, a, b: f"({name} {a} {b})"


def truth(name: str) -> Callable[..., str]:
    return lambda w, to, a, b: f"(ite ({name} {a} {b}) #b1 #b0)"


def divided(name: str) -> Callable[..., str]:
    return lambda w, to, a, b: f"(ite (= {b} {number(0, w)}) {number(0, w)} ({name} {a} {b}))"


def chosen(name: str) -> Callable[..., str]:
    return lambda w, to, a, b: f"(ite ({name} {a} {b}) {a} {b})"


def beyond(name: str, extend: str) -> Callable[..., str]:
    """Whether the result needs more bits: computed in twice as many."""

    def text(w: int, to: int, a: str, b: str) -> str:
        wide = f"({name} ((_ {extend} {w}) {a}) ((_ {extend} {w}) {b}))"
        cut = f"((_ {extend} {w}) ((_ extract {w - 1} 0) {wide}))"
        return f"(ite (= {wide} {cut}) #b0 #b1)"

    return text


def funnel(left: bool) -> Callable[..., str]:
    def text(w: int, to: int, high: str, low: str, by: str) -> str:
        count = f"((_ zero_extend {w}) (bvurem {by} {number(w, w)}))"
        if left:
            return f"((_ extract {2 * w - 1} {w}) (bvshl (concat {high} {low}) {count}))"
        return f"((_ extract {w - 1} 0) (bvlshr (concat {high} {low}) {count}))"

    return text


def ones(w: int, to: int, a: str) -> str:
    bits = [f"((_ extract {i} {i}) {a})" for i in range(w)]
    return bits[0] if w == 1 else f"(bvadd {' '.join(f'((_ zero_extend {w - 1}) {b})' for b in bits)})"


OPERATIONS: dict[str, Callable[..., str]] = {
    **{n: plain(f"bv{n}") for n in ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")},
    **{n: divided(f"bv{n}") for n in ("udiv", "urem", "sdiv", "srem")},
    **{n: truth(f"bv{n}") for n in ("ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")},
    "eq": truth("="),
    "ne": truth("distinct"),
    "umin": chosen("bvult"),
    "umax": chosen("bvugt"),
    "smin": chosen("bvslt"),
    "smax": chosen("bvsgt"),
    "usub.sat": lambda w, to, a, b: f"(ite (bvult {a} {b}) {number(0, w)} (bvsub {a} {b}))",
    "sadd.overflows": beyond("bvadd", "sign_extend"),
    "ssub.overflows": beyond("bvsub", "sign_extend"),
    "smul.overflows": beyond("bvmul", "sign_extend"),
    "uadd.overflows": beyond("bvadd", "zero_extend"),
    "usub.overflows": truth("bvult"),
    "umul.overflows": beyond("bvmul", "zero_extend"),
    "zext": lambda w, to, a: f"((_ zero_extend {to - w}) {a})",
    "sext": lambda w, to, a: f"((_ sign_extend {to - w}) {a})",
    "trunc": lambda w, to, a: f"((_ extract {to - 1} 0) {a})",
    "abs": lambda w, to, a: f"(ite (bvslt {a} {number(0, w)}) (bvneg {a}) {a})",
    "bswap": lambda w, to, a: f"(concat {' '.join(f'((_ extract {8 * i + 7} {8 * i}) {a})' for i in range(w // 8))})",
    "ctpop": ones,
    "fshl": funnel(True),
    "fshr": funnel(False),
}


def is_refuted(text: str) -> bool:
    """By the solver of the extra `solver`. Raises BadCertificate."""
    try:
        import bitwuzla
    except ImportError:
        raise BadCertificate(
            "a solver is needed (pip install 'lf-toolchain[solver]'); --questions FOLDER writes what another may answer"
        ) from None
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 1000 * SECONDS)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    answer = parser.bitwuzla().check_sat()
    if answer == bitwuzla.Result.UNKNOWN:
        raise BadCertificate(f"a question took longer than {SECONDS} seconds")
    return bool(answer == bitwuzla.Result.UNSAT)
