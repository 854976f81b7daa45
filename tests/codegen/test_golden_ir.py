"""Small programs with the IR that is generated for them, feature by feature, before anything is optimised.

`--update-golden` rewrites what is expected; look at the change. What all programs share (declarations, constants of the
layout) is left out; so are the numbers of labels and temporaries.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.codegen.module.target import AVR, HOST, Target
from lfc.codegen.program import generate
from tests.codegen.normal_names import with_normal_names
from tests.conftest import Golden
from tests.differential.stepwise import machine_of_source

FOLDER = Path(__file__).parent
PROGRAMS = sorted(p.stem for p in (FOLDER / "programs").glob("*.lf"))
OWN = re.compile(r'^define internal .*?^}\n|^@"offer\..*?\n|^@lf_pool.*?\n', re.MULTILINE | re.DOTALL)


def ir_of(name: str, target: Target) -> str:
    source = Source(f"{name}.lf", (FOLDER / "programs" / f"{name}.lf").read_text(encoding="utf-8"))
    ir = generate(machine_of_source(source), target).ir
    return "\n".join(with_normal_names(own) for own in OWN.findall(ir))


@pytest.mark.parametrize("name", PROGRAMS)
def test_on_the_host(name: str, golden: Golden) -> None:
    golden(FOLDER / "golden" / f"{name}.ll", ir_of(name, HOST))


@pytest.mark.parametrize("name", ["arrays", "select", "strings"])
def test_where_constants_and_code_lie_in_flash(name: str, golden: Golden) -> None:
    golden(FOLDER / "golden" / f"{name}.avr.ll", ir_of(name, AVR))


def test_what_is_generated_does_not_depend_on_the_run() -> None:
    """The same program, analysed twice, gives the same text: the cache and reproducible images rest on this."""
    assert ir_of("select", HOST) == ir_of("select", HOST)
