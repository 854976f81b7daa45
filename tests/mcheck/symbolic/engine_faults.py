"""Mistakes on purpose in the interpreter of the engine: its room is compiled again with one of them."""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from lfc.mcheck.engine.library import FOLDER, library
from lfc.mcheck.symbolic import engine_steps
from lfc.toolchain.c_library import compile_library

ROOM = "symbolic"
# By name: the file, what stands there, and what is in its place.
FAULTS = {
    "a branch goes the other way": ("execute.c", "answer ? i[B] : i[C]", "answer ? i[C] : i[B]"),
    "the first way of a split is forgotten": ("steps.c", "s->splits += n;", "s->splits += n; n -= n > 1;"),
    "a split does not narrow its symbol": ("steps.c", "].set = (uint32_t)of[2];", "].set = p->symbols.at[of[1]].set;"),
    "phis take the value of the first way": ("execute.c", "phi[2 + 2 * way] != a->block", "0 * way"),
    "a byte too few is stored": ("memory.c", "cells, size * sizeof *cells)", "cells, (size + 1) / 2 * sizeof *cells)"),
    "a set of one is no number": ("steps.c", "if (own->is_single) v =", "if (0) v ="),
    "what is dead stays": ("normal_form.c", "if (is_dead &&", "if (0 && is_dead &&"),
    "copies become symbols of their own": ("normal_form.c", "symbol + 2] == v.bits) break;", "symbol + 2] != 0) ;"),
    "ties between values are not seen": ("normal_form.c", "if (*owner != UINT32_MAX &&", "if (0 &&"),
    "a question is remembered for any set": ("ask.c", "] = p->symbols.at[", "] = 0 * p->symbols.at["),
    "an input is not recorded": (
        "policies.c",
        "p->items.count++] = (struct item){kind",
        "p->items.count] = (struct item){kind",
    ),
    "the one who is met is another": ("policies.c", "p->alternatives.at[which];", "p->alternatives.at[0 * which];"),
}


@contextmanager
def with_fault(name: str) -> Iterator[None]:
    file, right, wrong = FAULTS[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for room in ("api", ROOM):
            shutil.copytree(FOLDER / room, folder / room)
        text = (folder / ROOM / file).read_text()
        assert text.count(right) == 1, right
        (folder / ROOM / file).write_text(text.replace(right, wrong))
        made = built(folder)
        with patch.object(engine_steps, "library", lambda wide: made):
            yield


def built(folder: Path) -> ctypes.CDLL:
    made = folder / "made.so"
    sources = sorted((folder / ROOM).glob("*.c"))
    made.write_bytes(compile_library(sources, [folder], ["-Wno-error", "-w"], "an engine with a mistake"))
    found, right = ctypes.CDLL(str(made)), library()
    for name in [n for n in vars(right) if n.startswith("mc_symbolic")]:
        entry, declared = getattr(found, name), getattr(right, name)
        entry.restype, entry.argtypes = declared.restype, declared.argtypes
    return found
