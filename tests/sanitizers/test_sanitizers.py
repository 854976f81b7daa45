"""The checker's engine under the sanitizers: a share of its searches; and that the sanitizers see what is wrong."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from lfc.mcheck.engine import library as engine_library
from tests.sanitizers.building import MEMORY, THREAD, Sanitizer
from tests.sanitizers.running import run_python, run_tests

HERE = Path(__file__).resolve().parent
CHECKER = HERE.parent / "mcheck"
OF_THE_CHECKER = [
    "search/test_bounded.py::test_random_walks_are_repeated_by_their_seed",
    "search/test_bounded.py::test_stuck_processes_are_found_when_all_switches_have_been_tried",
    "properties/test_cycles.py::test_both_agree_on_larger_graphs",
    "properties/test_cycles.py::test_component_search_finds_what_brute_force_finds",
    "properties/test_cycles.py::test_nested_search_agrees",
    "image/test_image_check.py::test_an_image_does_what_the_program_does",
]
SEEDED = [
    (THREAD, "seeded_race", 1000, "data race"),
    (THREAD, "seeded_race_of_a_copy", 1000, "data race"),
    (MEMORY, "seeded_overflow", 100, "heap-buffer-overflow"),
    (MEMORY, "seeded_sum", 11, "signed integer overflow"),
]


@pytest.mark.parametrize(("sanitizer", "function", "argument", "report"), SEEDED, ids=[s[1] for s in SEEDED])
def test_a_mistake_is_seen(sanitizer: Sanitizer, function: str, argument: int, report: str) -> None:
    """In the same library, loaded in the same way: or that nothing is reported would say nothing."""
    call = f"engine_library.library().{function}({argument})"
    watched = run_python(sanitizer, ["-c", f"from tests.sanitizers.plugin import engine_library; {call}"])
    assert watched.used and not watched.clean, str(watched)
    assert any(report in text and function in text for text in watched.reports), str(watched)


@pytest.mark.parametrize("sanitizer", [THREAD, MEMORY], ids=lambda s: s.name)
def test_what_is_right_is_not_reported(sanitizer: Sanitizer) -> None:
    call = "engine_library.library().seeded_sum(10)"
    watched = run_python(sanitizer, ["-c", f"from tests.sanitizers.plugin import engine_library; {call}"])
    assert watched.clean, str(watched)


def test_a_report_is_a_failure_even_if_the_test_passes(tmp_path: Path) -> None:
    source = tmp_path / "races.py"
    source.write_text(
        "from lfc.mcheck.engine import library as engine_library\n"
        "def test_it():\n    assert engine_library.library().seeded_race(1000)\n"
    )
    watched = run_tests(THREAD, str(source), "-c", "/dev/null", "--rootdir", str(tmp_path))
    assert "1 passed" in watched.output and len(watched.reports) == 1 and not watched.clean, str(watched)


def test_the_engine_that_ships_has_no_mistakes_on_purpose() -> None:
    library = engine_library.library()
    assert isinstance(library, ctypes.CDLL)
    assert not any(hasattr(library, function) for _, function, _, _ in SEEDED)


def test_threads() -> None:
    watched = run_tests(THREAD, str(HERE / "threads.py"))
    assert watched.clean, str(watched)


def test_memory() -> None:
    watched = run_tests(MEMORY, str(HERE / "searches.py"), *(str(CHECKER / test) for test in OF_THE_CHECKER))
    assert watched.clean, str(watched)


def test_readers() -> None:
    watched = run_tests(MEMORY, str(HERE / "readers.py"))
    assert watched.clean, str(watched)
