"""A share of the campaign that measures which branches of the kernel generated programs reach."""

from __future__ import annotations

from pathlib import Path

from tests.campaign.compiled.kernel_coverage import campaign
from tests.support.seeds import seed_of_this_run

SHARE = 24
FLOOR = 0.6  # of the kernel's branches; the full quota reaches 0.96, and the C tests of the kernel all of them


def test_generated_programs_reach_the_kernel(tmp_path: Path) -> None:
    branches, ends = campaign(seed_of_this_run(), SHARE, tmp_path)
    print(branches.report())
    assert ends.total() >= 2 * SHARE - ends["too large"]
    assert branches.share("kernel/lf.h") >= FLOOR, "\n".join(branches.untaken("kernel/lf.h"))
