"""Every right program keeps what `typed` promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.analyse import analyse
from tests.semantics.promises import assert_promises
from tests.support.programs import Case, cases_in

ROOT = Path(__file__).resolve().parents[2]
CASES = [*cases_in(ROOT / "examples"), *cases_in(ROOT / "tests" / "corpus" / "right")]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_promises(case: Case) -> None:
    diagnostics = Diagnostics()
    environments = [Source.read(e) for e in case.environments]
    program = analyse(Source.read(case.main), diagnostics, environments=environments)
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    assert_promises(program)
