"""What is raised in a function that C calls comes out where that C was called."""

from __future__ import annotations

import ctypes

import pytest

from lfc.mcheck.response.callbacks import Raised


def test_an_interruption_within_a_callback_is_raised_behind_the_call() -> None:
    calls: list[int] = []

    def compare(a: int, b: int) -> int:
        calls.append(a)
        raise KeyboardInterrupt

    raised = Raised()
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(raised.kept(compare, 0))
    numbers = (ctypes.c_int * 4)(3, 1, 2, 0)
    ctypes.CDLL(None).qsort(numbers, 4, ctypes.sizeof(ctypes.c_int), function)
    assert len(calls) > 1  # the library went on
    with pytest.raises(KeyboardInterrupt):
        raised.again()
    raised.again()  # once
