"""Sentences of satellite receivers: whole ones are taken, damaged ones are not, whatever lies between."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.drivers import Seed
from tests.library.images import said
from tests.library.sentences import BODIES, SEEDS, damaged_stream, is_found, program, sentence, third


def test_whole_sentences_and_their_fields(tmp_path: Path) -> None:
    stream = "\r\n".join(sentence(body) for body in BODIES)
    expected = [line for body in BODIES if len(body) <= 80 for line in (body, third(body))]
    assert said("host", program(stream), tmp_path) == expected
    short = [body for body in BODIES if len(body) < 20]
    expected = [line for body in short for line in (body, third(body))]
    assert said("uno", program("".join(sentence(body) for body in short)), tmp_path) == expected


def test_damaged_sentences(tmp_path: Path) -> None:
    stream, expected = damaged_stream()
    assert said("host", program(stream), tmp_path) == expected


def test_without_a_fault_nothing_is_found(tmp_path: Path) -> None:
    assert not is_found(Seed("none", "MODULE NMEA;", "MODULE NMEA;"), tmp_path)


# A share of the faults; all of them: tests/campaign/checking/drivers.py.
@pytest.mark.parametrize("seed", SEEDS[3::4], ids=lambda s: s.name.replace(" ", "-"))
def test_a_seeded_fault_is_found(seed: Seed, tmp_path: Path) -> None:
    assert is_found(seed, tmp_path)
