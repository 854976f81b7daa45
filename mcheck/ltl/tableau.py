"""From a formula in normal form to an automaton: one state per conjunction of what is still to come.

After Couvreur (1999) and Duret-Lutz. What a state offers is a diagram over the atoms and two more kinds of variables:
"g holds next", and "g was promised and has not come yet". Formulas with the same diagram are one state. For each set of
valuations that are treated alike, the prime implicants over the other variables are the transitions; a transition is in
the acceptance set of g unless it puts the promise of g off.
"""

from __future__ import annotations

from lfc.mcheck.ltl.bdd import ALL, NOTHING, Diagrams, TooLarge
from lfc.mcheck.ltl.formula import TRUE, Formula, Op, bottom_up
from lfc.mcheck.ltl.implication import implies
from lfc.mcheck.ltl.normal_form import join
from lfc.mcheck.ltl.tgba import Edge, Graph

MOST_STATES = 5_000
MOST_EDGES = 200_000


def build_tableau(f: Formula, atoms: list[str], diagrams: Diagrams) -> Graph:
    """`atoms` name the variables of the labels, and are at least those of the formula."""
    return _Tableau(atoms, diagrams).build(f)


class _Tableau:
    def __init__(self, atoms: list[str], diagrams: Diagrams) -> None:
        self.atoms = atoms
        self.diagrams = diagrams
        self.atom_number = {name: i for i, name in enumerate(atoms)}
        self.next_variable: dict[Formula, int] = {}
        self.promise_variable: dict[Formula, int] = {}
        self.next_of: dict[int, Formula] = {}  # by variable
        self.variables = len(atoms)
        self.promises = 0  # a mask of variables
        self.offers: dict[Formula, int] = {}
        self.primes: dict[int, list[int]] = {NOTHING: [], ALL: [0]}
        self.conjunctions: dict[int, Formula] = {0: TRUE}

    def build(self, f: Formula) -> Graph:
        states: dict[int, int] = {}  # by diagram
        formulas: list[Formula] = []
        raw: list[list[tuple[int, int, int]]] = []  # label, promises put off, target

        def state_of(g: Formula) -> int:
            offer = self.offer(g)
            number = states.get(offer)
            if number is None:
                number = states[offer] = len(formulas)
                formulas.append(g)
            return number

        state_of(f)
        edges = 0
        while len(raw) < len(formulas):
            here: list[tuple[int, int, int]] = []
            for label, rest in self.diagrams.split(self.offer(formulas[len(raw)]), len(self.atoms)):
                for product in self.prime_implicants(rest):
                    here.append((label, product & self.promises, state_of(self.conjunction(product))))
            raw.append(here)
            edges += len(here)
            if len(formulas) > MOST_STATES or edges > MOST_EDGES:
                raise TooLarge
        promised = sorted(self.promise_variable.values())
        out = []
        for here in raw:
            out.append([Edge(label, self._marks(promised, put_off), target) for label, put_off, target in here])
        return Graph(self.diagrams, self.atoms, 0, out, len(promised), [str(g) for g in formulas]).merged()

    @staticmethod
    def _marks(promised: list[int], put_off: int) -> int:
        return sum(1 << i for i, variable in enumerate(promised) if not put_off >> variable & 1)

    def holds_next(self, f: Formula) -> int:
        if f.op is Op.AND:
            return self._all([self.holds_next(p) for p in f.parts])
        if f is TRUE:
            return ALL
        if f.op is Op.FALSE:
            return NOTHING
        variable = self.next_variable.get(f)
        if variable is None:
            variable = self.next_variable[f] = self.variables
            self.next_of[variable] = f
            self.variables += 1
        return self.diagrams.is_true(variable)

    def promise(self, f: Formula) -> int:
        variable = self.promise_variable.get(f)
        if variable is None:
            variable = self.promise_variable[f] = self.variables
            self.promises |= 1 << variable
            self.variables += 1
        return self.diagrams.is_true(variable)

    def _all(self, diagrams: list[int]) -> int:
        result = ALL
        for a in diagrams:
            result = self.diagrams.both(result, a)
        return result

    def offer(self, f: Formula) -> int:
        known = self.offers.get(f)
        if known is not None:
            return known
        for g in bottom_up(f):
            if g not in self.offers:
                self.offers[g] = self._offer(g)
        return self.offers[f]

    def _offer(self, f: Formula) -> int:
        d, parts = self.diagrams, [self.offers[p] for p in f.parts]
        match f.op:
            case Op.TRUE:
                return ALL
            case Op.FALSE:
                return NOTHING
            case Op.ATOM:
                return d.is_true(self.atom_number[f.name])
            case Op.NOT:
                return d.complement(parts[0])
            case Op.AND:
                return self._all(parts)
            case Op.OR:
                result = NOTHING
                for a in parts:
                    result = d.either(result, a)
                return result
            case Op.NEXT:
                return self.holds_next(f.left)
            case Op.EVENTUALLY:
                return d.either(parts[0], self._put_off(f.left, f))
            case Op.ALWAYS if f.left.op is Op.EVENTUALLY:
                # Nothing to remember of the EVENTUALLY: it is asked for again at once.
                awaited = f.left.left
                return d.both(d.either(self.offers[awaited], self.promise(awaited)), self.holds_next(f))
            case Op.ALWAYS:
                return d.both(parts[0], self.holds_next(f))
            case Op.UNTIL:
                return d.either(parts[1], d.both(parts[0], self._put_off(f.right, f)))
            case Op.WEAKUNTIL:
                return d.either(parts[1], d.both(parts[0], self.holds_next(f)))
            case Op.RELEASE:
                return d.both(parts[1], d.either(parts[0], self.holds_next(f)))
            case Op.STRONGRELEASE:
                return d.both(parts[1], d.either(parts[0], self._put_off(f.left, f)))
        raise AssertionError(f"{f.op} is not in normal form")

    def _put_off(self, awaited: Formula, f: Formula) -> int:
        return self.diagrams.both(self.promise(awaited), self.holds_next(f))

    def prime_implicants(self, a: int) -> list[int]:
        """Of a diagram in which no variable is negated: its smallest products, as masks of variables."""
        known = self.primes.get(a)
        if known is None:
            bit = 1 << self.diagrams.variable[a]
            without = self.prime_implicants(self.diagrams.low[a])
            rest = self.prime_implicants(self.diagrams.high[a])
            known = without + [m | bit for m in rest if not any(n & m == n for n in without)]
            if len(known) > MOST_EDGES:
                raise TooLarge
            self.primes[a] = known
        return known

    def conjunction(self, product: int) -> Formula:
        """What has to hold next, without what the rest of it implies."""
        nexts = product & ~self.promises
        known = self.conjunctions.get(nexts)
        if known is None:
            parts = [f for variable, f in self.next_of.items() if nexts >> variable & 1]
            needed = [a for a in parts if not any(self._covers(b, a) for b in parts if b is not a)]
            known = self.conjunctions[nexts] = join(Op.AND, needed)
        return known

    def _covers(self, b: Formula, a: Formula) -> bool:
        """Whether b says all that a says, and does all the waiting that a does. NEXT EVENTUALLY p implies EVENTUALLY p,
        but only by making it a part of each next conjunction: if it vanished from there, nobody would wait for p."""
        if not implies(b, a) or (implies(a, b) and a.number < b.number):
            return False
        if not _waits(a):
            return True
        awaited, meanwhile = _awaited(a)
        return awaited is not None and awaited is _awaited(b)[0] and not _waits(meanwhile)


def _waits(f: Formula) -> bool:
    return any(g.op in (Op.EVENTUALLY, Op.UNTIL, Op.STRONGRELEASE) for g in bottom_up(f))


def _awaited(f: Formula) -> tuple[Formula | None, Formula]:
    """What a formula waits for as long as it is there, and what it wants until then."""
    match f.op:
        case Op.EVENTUALLY:
            return f.left, TRUE
        case Op.ALWAYS if f.left.op is Op.EVENTUALLY:
            return f.left.left, TRUE
        case Op.UNTIL:
            return f.right, f.left
        case Op.STRONGRELEASE:
            return f.left, f.right
    return None, f
