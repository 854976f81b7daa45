"""CI's share of the campaign of programs that compute."""

from __future__ import annotations

import pytest

from tests.campaign.compiled.computing import campaign
from tests.generate.values.computing import computing
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 6)
    assert result.failures == []
    assert result.programs == 6 and result.runs.total() == 12


def test_the_programs_have_all_constructs() -> None:
    text = "".join(computing(seed) for seed in range(1, 60))
    for construct in (
        *(
            "PROCEDURE F",
            "WRITES total",
            "BAND(",
            "BOR(",
            "BXOR(",
            "BNOT(",
            "LSR(",
            "BITS(",
            "SETBITS(",
            "INCL(",
            "EXCL(",
            " .. 7}, ",
        ),
        *(
            " .. 7}, ",
            " IN w8",
            "Table[",
            "Grid[",
            "Weights[",
            "FOR VAR",
            ": LOOP",
            "EXIT loop",
            "WHEN FOR k IN",
            "Msg!",
            "Lines?",
        ),
    ):
        assert construct in text, construct
