"""Terms over symbols, in the operations of LLVM IR. Equal terms are one object, so a walk over one needs a memo by
identity, never a tree. A number stands for itself.

`apply` says what each operation makes of numbers; simplifications are few, since each must be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

Value = "int | Term"


class Term:
    __slots__ = ("args", "op", "serial", "solved", "symbols", "weight", "width")

    op: str
    width: int
    args: tuple[int | Term, ...]
    symbols: frozenset[int]
    weight: int  # nodes, counted as in a tree
    serial: int  # in the order in which they were made
    solved: object  # what somebody has found out about it

    def __init__(self, op: str, width: int, args: tuple[int | Term, ...]) -> None:
        self.op, self.width, self.args = op, width, args
        self.solved, self.serial = None, len(_known)
        if op == SYMBOL:
            assert isinstance(args[0], int)
            self.symbols, self.weight = frozenset((args[0],)), 1
            return
        parts = [a for a in args if isinstance(a, Term)]
        self.symbols = parts[0].symbols if len(parts) == 1 else frozenset().union(*(a.symbols for a in parts))
        self.weight = 1 + sum(a.weight for a in parts)

    def __repr__(self) -> str:
        return f"{self.op}{self.width}({', '.join(map(repr, self.args))})"


SYMBOL = "symbol"
_known: dict[tuple[object, ...], Term] = {}


def forget_all() -> None:
    """Before another program is looked at; nobody holds a term then."""
    _known.clear()
    nodes.cache_clear()


def made(op: str, width: int, *args: int | Term) -> Term:
    key = (op, width, *args)
    found = _known.get(key)
    if found is None:
        found = _known[key] = Term(op, width, args)
    return found


def symbol(number: int, width: int) -> Term:
    return made(SYMBOL, width, number)


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


# --- numbers ---------------------------------------------------------------------------------------------------------


def _quotient(a: int, b: int) -> int:
    """Rounded towards 0, of numbers with a sign."""
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def _fits(value: int, width: int) -> bool:
    return -(1 << width - 1) <= value < 1 << width - 1


def _funnel(w: int, high: int, low: int, by: int) -> int:
    """The upper half of both, shifted left."""
    return ((high << w | low) << by % w) >> w


# Of unsigned numbers of `w` bits; the result is cut to the width of the term.
OPERATIONS: dict[str, Callable[..., int]] = {
    "add": lambda w, a, b: a + b,
    "sub": lambda w, a, b: a - b,
    "mul": lambda w, a, b: a * b,
    "udiv": lambda w, a, b: a // b if b else 0,
    "urem": lambda w, a, b: a % b if b else 0,
    "sdiv": lambda w, a, b: _quotient(signed(a, w), signed(b, w)) if b else 0,
    "srem": lambda w, a, b: signed(a, w) - signed(b, w) * _quotient(signed(a, w), signed(b, w)) if b else 0,
    "and": lambda w, a, b: a & b,
    "or": lambda w, a, b: a | b,
    "xor": lambda w, a, b: a ^ b,
    "shl": lambda w, a, b: a << b if b < w else 0,
    "lshr": lambda w, a, b: a >> b if b < w else 0,
    "ashr": lambda w, a, b: signed(a, w) >> min(b, w - 1),
    "umin": lambda w, a, b: min(a, b),
    "umax": lambda w, a, b: max(a, b),
    "smin": lambda w, a, b: min(a, b, key=lambda x: signed(x, w)),
    "smax": lambda w, a, b: max(a, b, key=lambda x: signed(x, w)),
    "usub.sat": lambda w, a, b: max(a - b, 0),
    "eq": lambda w, a, b: a == b,
    "ne": lambda w, a, b: a != b,
    "ult": lambda w, a, b: a < b,
    "ule": lambda w, a, b: a <= b,
    "ugt": lambda w, a, b: a > b,
    "uge": lambda w, a, b: a >= b,
    "slt": lambda w, a, b: signed(a, w) < signed(b, w),
    "sle": lambda w, a, b: signed(a, w) <= signed(b, w),
    "sgt": lambda w, a, b: signed(a, w) > signed(b, w),
    "sge": lambda w, a, b: signed(a, w) >= signed(b, w),
    "sadd.overflows": lambda w, a, b: not _fits(signed(a, w) + signed(b, w), w),
    "ssub.overflows": lambda w, a, b: not _fits(signed(a, w) - signed(b, w), w),
    "smul.overflows": lambda w, a, b: not _fits(signed(a, w) * signed(b, w), w),
    "uadd.overflows": lambda w, a, b: a + b >> w,
    "usub.overflows": lambda w, a, b: a < b,
    "umul.overflows": lambda w, a, b: bool(a * b >> w),
    "zext": lambda w, a: a,
    "sext": lambda w, a: signed(a, w),
    "trunc": lambda w, a: a,
    "abs": lambda w, a: abs(signed(a, w)),
    "bswap": lambda w, a: int.from_bytes(a.to_bytes(w // 8, "little"), "big"),
    "ctpop": lambda w, a: a.bit_count(),
    "fshl": _funnel,
    "fshr": lambda w, high, low, by: (high << w | low) >> by % w,
}
COMPARISONS = frozenset(("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"))
OVERFLOWS = frozenset(name for name in OPERATIONS if name.endswith(".overflows"))
COMMUTE = frozenset(("add", "mul", "and", "or", "xor", "eq", "ne"))
CONCAT, BYTE, SELECT = "concat", "byte", "select"


def operand_width(t: Term) -> int:
    """Of the operation's operands, as `OPERATIONS` wants it."""
    if t.op in COMPARISONS or t.op in OVERFLOWS or t.op in ("zext", "sext", "trunc"):
        found = next((a.width for a in t.args if isinstance(a, Term)), t.width)
        return found
    return t.width


def apply(op: str, width: int, of: int, args: Sequence[int]) -> int:
    """What the operation makes of numbers; `of`: their width."""
    if op == SELECT:
        return args[1] if args[0] else args[2]
    if op == BYTE:
        return args[0] >> 8 * args[1] & 0xFF
    if op == CONCAT:
        return sum(a << 8 * i for i, a in enumerate(args))
    return int(OPERATIONS[op](of, *args)) & (1 << width) - 1


# --- making terms ----------------------------------------------------------------------------------------------------


def operation(op: str, width: int, of: int, *args: int | Term) -> int | Term:
    """`width`: of the result, `of`: of the operands."""
    for a in args:
        if type(a) is not int:
            break
    else:
        if op == SELECT:
            return args[1] if args[0] else args[2]
        return int(OPERATIONS[op](of, *args)) & (1 << width) - 1
    if op in ("zext", "sext", "trunc"):
        return _converted(op, width, args[0])
    if op == SELECT:
        return select(args[0], args[1], args[2], width)
    if len(args) == 2:
        return _of_two(op, width, of, args[0], args[1])
    return made(op, width, *args)


def _converted(op: str, width: int, a: int | Term) -> int | Term:
    assert isinstance(a, Term)
    if a.width == width:
        return a
    if a.op == "zext":  # whatever it is: the bits above are zero
        inner = a.args[0]
        assert isinstance(inner, Term)
        if op != "trunc" or width >= inner.width:
            return operation("zext", width, inner.width, inner)
        return operation("trunc", width, inner.width, inner)
    if op == "trunc" and a.op == "trunc":
        return operation("trunc", width, a.width, a.args[0])
    return made(op, width, a)


def _of_two(op: str, width: int, of: int, a: int | Term, b: int | Term) -> int | Term:
    if isinstance(a, int) and op in COMMUTE:
        a, b = b, a
    ones = (1 << of) - 1
    if isinstance(b, int):
        if op == "sub":
            op, b = "add", -b & ones
        if b == 0:
            if op in ("add", "or", "xor", "shl", "lshr", "ashr"):
                return a
            if op in ("and", "mul"):
                return 0
        if b == ones:
            if op == "and":
                return a
            if op == "or":
                return ones
        if b == 1 and op in ("mul", "udiv", "sdiv"):
            return a
        if op == "add" and isinstance(a, Term) and a.op == "add" and isinstance(a.args[1], int):
            return operation("add", width, of, a.args[0], a.args[1] + b & ones)
        if of == 1 and op in ("eq", "ne"):  # a truth value
            return a if (op == "ne") == (b == 0) else operation("xor", 1, 1, a, 1)
        if op == "xor" and isinstance(a, Term) and a.op == "xor" and isinstance(a.args[1], int):
            return operation("xor", width, of, a.args[0], a.args[1] ^ b)
    elif a is b:
        if op in ("and", "or"):
            return a
        if op in ("xor", "sub"):
            return 0
        if op in COMPARISONS:
            return int(op in ("eq", "ule", "uge", "sle", "sge"))
    return made(op, width, a, b)


def select(condition: int | Term, a: int | Term, b: int | Term, width: int = 0) -> int | Term:
    if isinstance(condition, int):
        return a if condition else b
    if a is b or (isinstance(a, int) and a == b):
        return a
    known = next((x.width for x in (a, b) if isinstance(x, Term)), width)
    if known == 1 and a == 1 and b == 0:
        return condition
    assert known, "the width of a choice between numbers has to be said"
    return made(SELECT, known, condition, a, b)


def byte_of(t: int | Term, number: int) -> int | Term:
    if isinstance(t, int):
        return t >> 8 * number & 0xFF
    if t.op == "zext":
        inner = t.args[0]
        assert isinstance(inner, Term)
        if 8 * number >= inner.width:
            return 0
        if inner.width % 8 == 0:
            return byte_of(inner, number)
    if t.op == CONCAT:
        return t.args[number] if number < len(t.args) else 0
    if t.width == 8:
        return t
    if t.width < 8:
        return operation("zext", 8, t.width, t)
    return made(BYTE, 8, t, number)


def joined(parts: Sequence[int | Term]) -> int | Term:
    """A number of bytes, the low ones first."""
    if len(parts) == 1:
        return parts[0]
    if all(isinstance(p, int) for p in parts):
        return int.from_bytes(parts, "little")  # type: ignore[arg-type]
    width = 8 * len(parts)
    first = parts[0]
    if isinstance(first, Term):
        whole: int | Term = first.args[0] if first.op == BYTE and first.args[1] == 0 else first
        assert isinstance(whole, Term)
        count = whole.width // 8
        if whole.width % 8 == 0 and count <= len(parts):
            same = all(parts[i] is byte_of(whole, i) for i in range(count))
            if same and all(isinstance(p, int) and p == 0 for p in parts[count:]):
                return operation("zext", width, whole.width, whole) if count < len(parts) else whole
    return made(CONCAT, width, *parts)


# --- values under a valuation ----------------------------------------------------------------------------------------


@lru_cache(maxsize=2_000)
def nodes(t: Term) -> Sequence[Term]:
    """Each once, what it is made of first."""
    found: dict[Term, None] = {}
    stack: list[tuple[Term, bool]] = [(t, False)]
    while stack:
        node, ready = stack.pop()
        if node in found:
            continue
        if ready or node.op == SYMBOL:
            found[node] = None
            continue
        stack.append((node, True))
        stack += [(a, False) for a in node.args if isinstance(a, Term) and a not in found]
    return tuple(found)


def evaluate(t: int | Term, valuation: dict[int, int]) -> int:
    if isinstance(t, int):
        return t
    known: dict[Term, int] = {}
    for node in nodes(t):
        if node.op == SYMBOL:
            known[node] = valuation[node.args[0]]  # type: ignore[index]
        else:
            args = [a if isinstance(a, int) else known[a] for a in node.args]
            known[node] = apply(node.op, node.width, operand_width(node), args)
    return known[t]


def column(t: Term, domain: Sequence[int]) -> list[int]:
    """The value for each value of its only symbol."""
    known: dict[Term, list[int]] = {}
    for node in nodes(t):
        if node.op == SYMBOL:
            known[node] = list(domain)
            continue
        width, of, op = node.width, operand_width(node), node.op
        columns = [[a] * len(domain) if isinstance(a, int) else known[a] for a in node.args]
        known[node] = [apply(op, width, of, row) for row in zip(*columns, strict=True)]
    return known[t]


def compiled(terms: Sequence[Term], symbols: Sequence[int]) -> Callable[..., Iterator[tuple[int, ...]]]:
    """The values of the terms for all combinations of values of these symbols, given as lists; in the order of the
    combinations."""
    names: dict[Term, str] = {}
    operations: dict[str, object] = {}
    lines = []
    for node in (node for t in terms for node in nodes(t)):
        if node in names:
            continue
        names[node] = f"s{node.args[0]}" if node.op == SYMBOL else f"t{len(names)}"
        if node.op != SYMBOL:
            args = [str(a) if isinstance(a, int) else names[a] for a in node.args]
            lines.append(f"{names[node]} = {_source(node, args, operations)}")
    depth = 1
    text = ["def values(" + ", ".join(f"all{n}" for n in symbols) + "):"]
    for n in symbols:
        text.append(f"{' ' * depth}for s{n} in all{n}:")
        depth += 1
        ready = {n for n in symbols[: depth - 1]}
        own = [
            line
            for node, line in zip((x for x in names if x.op != SYMBOL), lines, strict=True)
            if node.symbols <= ready and n in node.symbols
        ]
        text += [" " * depth + line for line in own]
    text.append(" " * depth + "yield (" + ", ".join(names[t] for t in terms) + ",)")
    found: dict[str, Callable[..., Iterator[tuple[int, ...]]]] = {}
    exec("\n".join(text), operations, found)
    return found["values"]


def _source(t: Term, args: list[str], operations: dict[str, object]) -> str:
    if t.op == SELECT:
        return f"{args[1]} if {args[0]} else {args[2]}"
    if t.op == BYTE:
        return f"{args[0]} >> 8 * {args[1]} & 255"
    if t.op == CONCAT:
        return " | ".join(f"{a} << {8 * i}" for i, a in enumerate(args))
    name = "do_" + t.op.replace(".", "_")
    operations[name] = OPERATIONS[t.op]
    return f"{name}({operand_width(t)}, {', '.join(args)}) & {(1 << t.width) - 1}"


def rewritten(t: int | Term, leaf: Callable[[Term], int | Term | None]) -> int | Term:
    """With what `leaf` gives in place of parts; None: the part stays."""
    if isinstance(t, int):
        return t
    found: dict[Term, int | Term] = {}
    for node in nodes(t):
        own = leaf(node)
        if own is not None:
            found[node] = own
        elif node.op == SYMBOL:
            found[node] = node
        else:
            args = [a if isinstance(a, int) else found[a] for a in node.args]
            found[node] = remade(node, args)
    return found[t]


def remade(node: Term, args: Sequence[int | Term]) -> int | Term:
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return node
    if node.op == BYTE:
        assert isinstance(args[1], int)
        return byte_of(args[0], args[1])
    if node.op == CONCAT:
        return joined(args)
    if node.op == SELECT:
        return select(args[0], args[1], args[2], node.width)
    return operation(node.op, node.width, operand_width(node), *args)
