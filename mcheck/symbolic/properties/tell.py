"""From a violation among symbolic states to a run that people see: values are chosen, the compiled actions go the way,
and the compiled atoms say the same at each step. What they do not do is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.properties.lasso import ViolatingRun, atom_lines
from lfc.mcheck.properties.unfairness import never_run, passed_over
from lfc.mcheck.request.property import Watched
from lfc.mcheck.result.finding import Finding, Verdict
from lfc.mcheck.symbolic.concrete import step_of
from lfc.mcheck.symbolic.counterexamples import Replay, Way, way_to
from lfc.mcheck.symbolic.events import STAY
from lfc.mcheck.symbolic.explore import Edge
from lfc.mcheck.symbolic.properties.letters import NativeAtoms
from lfc.mcheck.symbolic.properties.product import Lost, Moved, Product
from lfc.mcheck.symbolic.satisfy import satisfying
from lfc.run.running import HostRun, Status
from lfc.semantics.model import typed
from lfc.trace.items import Item, encode


@dataclass(slots=True)
class Said:
    """Of a step: what the atoms said, of which meeting, and the automaton's state before."""

    letter: int
    taken: int
    before: int
    stays: bool = False


class Teller:
    def __init__(self, product: Product, watched: Watched, atoms: Sequence[typed.Expr]) -> None:
        self.product, self.watched, self.atoms = product, watched, atoms
        self.machine = product.program.machine
        self.replay = Replay(product.program)
        self._native: NativeAtoms | None = None

    def lost(self, lost: Lost) -> Finding:
        """Raises CannotReplay, NotFound, TooMany."""
        assert lost.end is not None and lost.event is not None
        valuation = satisfying(lost.end.path)
        before = [valuation[i] for i in range(len(lost.state.box))]
        way = way_to(self.product.program, lost.state, before)
        blocks, run = self.replay.gone(way)
        said = [said_on(edge) for edge in way.edges]
        said.append(Said(lost.letter, lost.taken, lost.state.shape.beside, lost.event.what == STAY))
        if lost.event.what != STAY:
            step = step_of(lost.event, lost.end.path, valuation, self.machine)
            blocks.append(followed(run, step, len(blocks)))
            way.steps.append(step)
        return self._finding(way.steps, blocks, said, lost.to, len(way.steps), lost=True)

    def cycle(self, way: Way, edges: Sequence[Edge], valuations: Sequence[dict[int, int]]) -> Finding:
        """Of a way, and the steps of a cycle behind it. Raises CannotReplay."""
        blocks, run = self.replay.gone(way)
        said = [said_on(edge) for edge in (*way.edges, *edges)]
        steps, begin = list(way.steps), len(way.steps)
        for edge, valuation in zip(edges, valuations, strict=True):
            if edge.event.what == STAY:
                return self._finding(steps, blocks, said, edge.before.shape.beside, len(steps))
            steps.append(step_of(edge.event, edge.to.path, valuation, self.machine))
            blocks.append(followed(run, steps[-1], len(blocks)))
        kept = self.product.program.kept
        if kept(blocks[-1]) != kept(blocks[begin]):
            raise CannotReplay("the cycle does not close when it is replayed")
        return self._finding(steps, blocks, said, edges[0].before.shape.beside, begin)

    def _finding(
        self, steps: list[list[Item]], blocks: list[bytes], said: list[Said], last: int, cycle: int, lost: bool = False
    ) -> Finding:
        self._confirm(blocks, said)
        real = [s for s in said if not s.stays][: len(steps)]
        letters = [sum((s.letter >> i & 1) << place for i, place in enumerate(self.watched.atoms)) for s in real]
        automaton = [f"automaton in {q}" for q in (*(s.before for s in real), last)]
        unfair = never_run(self.machine, steps[cycle:], blocks[cycle:])
        over = []
        if cycle < len(steps):
            over = passed_over(self.machine, HostRun(self.replay.generated, 1), steps[cycle:], blocks[cycle:])
        run = ViolatingRun(
            steps, blocks, cycle, atom_lines(self.watched, letters), automaton, unfair, over, False, lost
        )
        name, span = self.watched.of.name, self.watched.of.span
        message = f"`{name}` does not hold"
        return Finding(Verdict.PROPERTY, message, span, steps, blocks, run=run, shortest=False)

    def _confirm(self, blocks: list[bytes], said: list[Said]) -> None:
        """That the compiled atoms say the same. Raises CannotReplay."""
        if not self.atoms:
            return
        if self._native is None:
            self._native = NativeAtoms(self.machine, self.atoms)
        at = 0
        for s in said:
            at += not s.stays
            if self._native.letter(blocks[at], s.taken) != s.letter:
                raise CannotReplay(
                    f"the atoms of `{self.watched.of.name}` say something else when step {at} is replayed"
                )


def said_on(edge: Edge) -> Said:
    assert isinstance(edge.to, Moved)
    return Said(edge.to.letter, edge.to.taken, edge.before.shape.beside, edge.event.what == STAY)


def followed(run: HostRun, step: list[Item], number: int) -> bytes:
    """The block behind a step. Raises CannotReplay."""
    run.follow(encode(step, run.wide))
    if run.step() is not Status.RAN:
        raise CannotReplay(f"step {number} does something else when it is replayed")
    return run.block
