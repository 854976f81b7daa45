"""What is raised in a function that C calls: ctypes would print it and go on, and Ctrl-C would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Raised:
    """The first error of some callbacks, until the code that they are called from has come back."""

    def __init__(self) -> None:
        self._first: BaseException | None = None

    def kept(self, call: Callable[P, T], otherwise: T) -> Callable[P, T]:
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return call(*args, **kwargs)
            except BaseException as error:
                self._first = self._first or error
                return otherwise

        return called

    def again(self) -> None:
        first, self._first = self._first, None
        if first is not None:
            raise first
