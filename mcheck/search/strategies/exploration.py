"""What a search asks of its strategy: the one interface of all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from lfc.base.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from lfc.mcheck.engine import abi
    from lfc.mcheck.model.compiled_model import CompiledModel
    from lfc.mcheck.request.request import Request


class Account(Protocol):
    """What a strategy says of itself beside the counts of all."""

    def as_data(self) -> dict[str, object]: ...
    def as_text(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Setting:
    """Of one search: the engine's tables (these must live as long), the program, what is asked."""

    engine: int
    model: CompiledModel
    request: Request
    interrupted: Callable[[], bool]


class Exploration(Protocol):
    """The states of a program in the order of one strategy."""

    stuck_unknown: bool  # after `find_stuck`: it could not be found out

    @property
    def told(self) -> Account | None: ...

    def run(self, seconds: float) -> int:
        """Why it stopped, as `Stop` numbers it."""

    def close(self) -> None: ...

    @property
    def statistics(self) -> abi.Statistics: ...

    def reduced_states(self) -> int:
        """Of which not all successors were looked at."""

    def errors(self) -> list[abi.Error]:
        """The first of each kind and place; `state` names the path to it."""

    def find_stuck(self) -> tuple[int, list[int]] | None:
        """After all states: the first one in which a process is stuck, and the slots that are."""

    def shorten(self, state: int) -> None:
        """The path to it, if the strategy has found it by chance and not by its length."""

    def ordinals_to(self, state: int) -> list[int]:
        """The numbers of the steps on the path to it."""

    def blocks_to(self, state: int) -> list[bytes]:
        """Of all states on the path to it, the initial one first."""

    def all_states(self, visit: object) -> None: ...
