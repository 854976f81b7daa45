"""What formulas ask of a state, as a function that is compiled for this machine."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

from lfc.run.external import with_stand_ins
from lfc.run.load_code import LoadedCode
from lfc.run.quick import quick_objects

if TYPE_CHECKING:
    from lfc.codegen.module.generated import Generated

ATOMS = "lf_atoms"


def compiled_atoms(generated: Generated) -> Callable[[bytes, int], tuple[int, int]]:
    """Of a block, and the meeting of the step that led there (0: none): which are true, and which fault. C is not
    called: what it may write is tried."""
    more = with_stand_ins(generated, [])
    code = LoadedCode(quick_objects(generated.ir, wide=generated.machine.wide, more=more), [ATOMS])
    faults_at = ctypes.POINTER(ctypes.c_uint64)
    function = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint32, faults_at)(code[ATOMS])
    function.code = code  # type: ignore[attr-defined]  # lives as long

    def letter(block: bytes, taken: int) -> tuple[int, int]:
        faults = ctypes.c_uint64()
        return int(function(block, taken, ctypes.byref(faults))), int(faults.value)

    return letter
