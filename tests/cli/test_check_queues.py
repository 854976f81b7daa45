"""`lfc check --queues` and `--reductions`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.mcheck.test_engine import senders


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Senders.lf").write_text(senders(4))
    return tmp_path


def test_queues_in_the_order_of_arrival_are_counted(here: Path) -> None:
    done = lfc("check", "Senders.lf", "--queues", "fifo", "--json", cwd=here)
    found = json.loads(done.out)
    assert (done.exit, found["verdict"]) == (6, "inconclusive")
    assert (found["states"], found["transitions"]) == (249, 1009)


def test_a_limit_is_said(here: Path) -> None:
    done = lfc("check", "Senders.lf", "--queues", "fifo", "--states", "50", cwd=here)
    assert done.exit == 6
    assert done.out.startswith("inconclusive: a limit is reached")


def test_without_reductions_the_counts_are_those_of_the_language_reference(here: Path) -> None:
    done = lfc("check", "Senders.lf", "--reductions", "none", "--json", cwd=here)
    found = json.loads(done.out)
    assert (done.exit, found["states"], found["transitions"]) == (0, 113, 465)
