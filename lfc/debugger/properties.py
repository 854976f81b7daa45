"""The properties of the program that is debugged, judged after each step: whether the way to where it stands violates
one, whatever comes next. What was judged is kept, step by step, so it is the same backwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.debugger.stops import Stop
from lfc.run.stepper import Stepper

if TYPE_CHECKING:
    from lfc.observe.judge import Judge, Outlook
    from lfc.observe.properties import Watched

Known = tuple["Outlook", frozenset[int], frozenset[int] | None]  # of one judge: outlook, where its automata are
Moment = dict[str, Known]  # by the property's name

FOR_EVER = "the program stays in this state"


@dataclass(slots=True)
class Properties:
    """`moments`: after so many steps of the way that was gone last."""

    watched: Watched | None = None
    moments: list[Moment] = field(default_factory=list)

    @property
    def left_out(self) -> list[str]:
        """In words."""
        found = {} if self.watched is None else self.watched.left_out
        return [f"property `{name}` is not watched: {why}" for name, why in found.items()]

    def hit(self, stepper: Stepper) -> Stop | None:
        """By the step that was done just now: what was known of a way through it is forgotten."""
        del self.moments[stepper.at :]
        return self.hit_here(stepper)

    def hit_here(self, stepper: Stepper) -> Stop | None:
        """By the step that led to where the program stands, which it did before."""
        if self.watched is None or stepper.at == 0:
            return None
        self._judge(stepper)
        return self._stop(self._violated(stepper.at) - self._violated(stepper.at - 1))

    def hit_at_end(self, stepper: Stepper) -> Stop | None:
        if self.watched is None:
            return None
        self._judge(stepper)
        self._put_back(self.moments[stepper.at])
        self.watched.end(stepper.block)
        stop = self._stop(violated(self._now()) - self._violated(stepper.at), FOR_EVER)
        if stop is not None:
            stop.last = True
        return stop

    def _judge(self, stepper: Stepper) -> None:
        """Up to where the program stands."""
        assert self.watched is not None
        if not self.moments:
            self.watched.begin()
            self.moments.append(self._now())
        for number in range(len(self.moments), stepper.at + 1):
            self._put_back(self.moments[-1])
            self.watched.step(stepper.block_at(number - 1), stepper.items_at(number - 1), stepper.block_at(number))
            self.moments.append(self._now())

    def _now(self) -> Moment:
        assert self.watched is not None
        now = {j.name: known(j) for j in self.watched.judges}
        return self.moments[-1] if self.moments and self.moments[-1] == now else now

    def _put_back(self, moment: Moment) -> None:
        assert self.watched is not None
        for j in self.watched.judges:
            j.outlook, j.violating.states, satisfying = moment[j.name]
            if j.satisfying is not None and satisfying is not None:
                j.satisfying.states = satisfying

    def _violated(self, number: int) -> set[str]:
        return violated(self.moments[number])

    def _stop(self, names: set[str], why: str = "") -> Stop | None:
        if self.watched is None or not names:
            return None
        told = " and ".join(f"`{name}`" for name in sorted(names))
        text = f"propert{'y' if len(names) == 1 else 'ies'} {told} violated{': ' * bool(why)}{why}"
        said = [f"{j.name}: {self.watched.said(j)}" for j in self.watched.judges if j.name in names]
        return Stop("exception", text, exception="property", details=said)


def violated(moment: Moment) -> set[str]:
    """The names of properties."""
    from lfc.observe.judge import Outlook

    return {name for name, (outlook, _, _) in moment.items() if outlook is Outlook.VIOLATED}


def known(j: Judge) -> Known:
    return j.outlook, j.violating.states, None if j.satisfying is None else j.satisfying.states


def properties_of(machine: Machine) -> Properties:
    """Of the program's modules; compiles their atoms."""
    if not any(module.properties for module in machine.program.modules):
        return Properties()
    from lfc.observe.properties import watched_of

    return Properties(watched_of(machine, ()))
