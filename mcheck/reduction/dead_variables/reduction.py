"""Dead variables: what nothing will read is no part of a state (Bozga, Fernandez, Ghirvu 1999)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from itertools import starmap
from typing import TYPE_CHECKING

from lfc.mcheck.engine import abi
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction, Sampling, Stage
from lfc.mcheck.search.search import Attachable, Attached, Search, leaves_fewer

if TYPE_CHECKING:
    from lfc.mcheck.reduction.dead_variables.dead_variables import Reset

Arrays = tuple["ctypes.Array[abi.DeadShape]", "ctypes.Array[abi.DeadPiece]"]
SAMPLE, LARGE_SAMPLE = 20_000, 50_000  # states; as many if there are fewer in the first ones


class Dead(Attached):
    """The reduction in one search."""

    resets = True

    def __init__(self, search: Search, reset: Reset, arrays: Arrays) -> None:
        self.reset, self._numbers = reset, Numbers(search.machine)
        search.library.mc_reset_dead(search.engine, *arrays)

    def did(self) -> int:
        return self.reset.variables

    def kept(self, block: bytes) -> bytes:
        return self.reset.block(block)

    def identity(self) -> object:
        return self.reset.tables(self._numbers)


class DeadVariables(Reduction):
    name = "dead"
    counts = "variables"
    # Variables can be dead for long before two states differ in nothing else: so of a large sample not one state less
    # is asked for in the first part of it, but one in some hundreds in all.
    sampling = Sampling(
        Stage.ALONE,
        LARGE_SAMPLE,
        SAMPLE,
        lambda search, without: leaves_fewer(search.levels(), without, 1.0),
        nothing="no variable is ever dead",
        same_depths=True,
    )

    def why_not(self, question: Question) -> str:
        return question.why_watched()

    def attach(self, search: Search, used: Sequence[Attachable]) -> Dead:
        from lfc.mcheck.reduction.dead_variables.dead_variables import Reset

        model = search.model
        # What lies under a parameter's name is not known where numbers are exchanged: 0 may be a name.
        held = frozenset(v for r in used if isinstance(r, Reduction) for v in r.holds(model))

        def make() -> tuple[Reset, Arrays]:
            reset = Reset(model.machine, model.atoms, model.watchers, held)
            shapes, pieces = reset.tables(Numbers(model.machine))
            return reset, (
                (abi.DeadShape * len(shapes))(*starmap(abi.DeadShape, shapes)),
                (abi.DeadPiece * max(1, len(pieces)))(*starmap(abi.DeadPiece, pieces)),
            )

        return Dead(search, *model.cached((self.name, held), make))

    def said(self, choice: Choice, states: str) -> str:
        variables = "1 variable is" if choice.told == 1 else f"{choice.told} variables are"
        return f"{variables} ignored in states where dead"
