"""The states that the checker visits, to ask whether a board's states are among them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from lfc.actions.model.machine import Machine
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop

DIGEST = 16  # bytes kept of each state


@dataclass(slots=True)
class VisitedStates:
    """By a digest of each, so that many have room. `complete`: the search came to its end."""

    digests: set[bytes]
    complete: bool
    assumes: bool  # some inputs were not tried with every value

    def __contains__(self, block: object) -> bool:
        return isinstance(block, bytes) and digest_of(block) in self.digests

    def __len__(self) -> int:
        return len(self.digests)


def digest_of(block: bytes) -> bytes:
    return blake2b(block, digest_size=DIGEST).digest()


def explore(machine: Machine, most_states: int = 0, seconds: float = 1e9) -> VisitedStates:
    """Violations do not end the search: a board may come to each of them."""
    search = Search(machine, request_from(states=most_states, keep_going=True))
    try:
        stop = search.run(seconds)
        digests = {digest_of(block) for block in search.all_blocks()}
        return VisitedStates(digests, stop is Stop.COMPLETE, bool(search.statistics.assumed))
    finally:
        search.close()
