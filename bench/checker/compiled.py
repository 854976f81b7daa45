"""A model in LF, from its text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program


def compiled(text: str) -> Machine:
    with tempfile.TemporaryDirectory() as folder:
        name = next(line for line in text.splitlines() if line.startswith("MODULE ")).split()[1].rstrip(";")
        file = Path(folder) / f"{name}.lf"
        file.write_text(text)
        diagnostics = Diagnostics()
        program = load_program(str(file), diagnostics, path=(), environments=())
        if program is None or diagnostics.has_errors:
            raise ValueError(f"{file} has errors: {[d.message for d in diagnostics.items]}")
        return build_machine(program, diagnostics)
