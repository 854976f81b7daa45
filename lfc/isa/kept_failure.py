"""What a device raises while a core runs: C cannot pass an exception on, so it is kept, the core stops, and then it is
raised."""

from __future__ import annotations

from typing import Any


class KeptFailure:
    def __init__(self, state: Any) -> None:
        self.state = state
        self.raised: BaseException | None = None

    def keep(self, error: BaseException) -> None:
        """The first one; `end`, the moment up to which the core is to run, is over."""
        self.raised = self.raised or error
        self.state.end = 0

    def raise_it(self) -> None:
        if self.raised is not None:
            error, self.raised = self.raised, None
            raise error
