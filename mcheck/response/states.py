"""What blocks say to claims: which questions they answer with yes, and which processes are released."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from lfc.actions.model.machine import Machine, Position
from lfc.codegen.program import generate
from lfc.mcheck.image.check_image import NotChecked
from lfc.mcheck.response.claims import Claims
from lfc.mcheck.response.graph import Graph
from lfc.run.atoms import compiled_atoms
from lfc.run.native import host_target
from lfc.semantics.model import typed


class States:
    """What blocks say: which atoms are true, and who is released."""

    def __init__(self, machine: Machine, graph: Graph, claims: Claims) -> None:
        self.machine, self.graph, self.claims = machine, graph, claims
        self.names = list(claims.atoms)
        self._atoms = atoms_of(machine, list(claims.atoms.values()))
        self._true: dict[bytes, frozenset[str]] = {}
        self._released: dict[int, frozenset[int]] = {}

    def true(self, block: bytes) -> frozenset[str]:
        found = self._true.get(block)
        if found is None:
            letter, faults = self._letter(block)
            if faults:
                bad = next(n for i, n in enumerate(self.names) if faults >> i & 1)
                raise NotChecked(f"`{bad}` faults in a state that the board reaches")
            found = frozenset(n for i, n in enumerate(self.names) if letter >> i & 1)
            self._true[block] = found
        return found

    def _letter(self, block: bytes) -> tuple[int, int]:
        """Which atoms are true, and which fault."""
        if self._atoms is None:
            return 0, 0
        return self._atoms(block, 0)

    def is_ready(self, block: bytes, slot: int) -> bool:
        position = self.machine.position_at(block, slot)
        return position is not None and position.ready

    def block(self, node: int) -> bytes:
        return self.graph.board.block(self.graph.nodes[node][0])

    def released(self, node: int) -> frozenset[int]:
        found = self._released.get(node)
        if found is None:
            found = self._released[node] = self.released_in(self.graph.nodes[node][0])
        return found

    def released_in(self, state: bytes) -> frozenset[int]:
        """The slots of processes that are ready, or wait for what is there already."""
        board = self.graph.board
        block, due, came = board.block(state), board.due(state), board.came(state)
        found = []
        for slot in self.slots:
            position = self.machine.position_at(block, slot)
            if position is not None and (position.ready or slot in due or not came.isdisjoint(_interrupts(position))):
                found.append(slot)
        return frozenset(found)

    @cached_property
    def slots(self) -> list[int]:
        """Those of processes with deadlines."""
        return sorted({slot for claim in self.claims.found for slot in claim.slots})


def _interrupts(position: Position) -> set[int]:
    """Those that the process waits for."""
    events = [c.event for c in position.point.clauses] if position.point is not None else []
    ports = [e.port for e in events if isinstance(e, typed.Receive)]
    return {p.number for p in ports if isinstance(p, typed.InterruptPort)}


def atoms_of(machine: Machine, atoms: Sequence[typed.Expr]) -> Callable[[bytes, int], tuple[int, int]] | None:
    """Their function, compiled for this machine. None: there are no atoms."""
    if not atoms:
        return None
    return compiled_atoms(generate(machine, host_target(), atoms=list(atoms)))
