"""What all tests share: the flag --update-golden and the fixture that compares with an expectation in a file."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.seeds import is_rotating, seed_of_this_run

ROOT = Path(__file__).resolve().parent.parent

Golden = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the expected outputs instead of comparing with them; look at the change before you commit it",
    )


def pytest_report_header() -> str:
    return f"seed of the campaigns: {seed_of_this_run()} (LF_SEED=7 sets another, LF_SEED=today a new one each day)"


def pytest_configure() -> None:
    """Hypothesis draws the same examples in each run, unless LF_SEED asks for others."""
    settings.register_profile("pinned", derandomize=True, database=None)
    if not is_rotating():
        settings.load_profile("pinned")


def pytest_collection_finish() -> None:
    """The collector no longer goes, again and again, over what lives to the end: all tests and their modules."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """`golden(file, text)`: the text is what the file holds. With --update-golden the file becomes the text."""
    update = bool(request.config.getoption("--update-golden"))

    def compare(expected: Path, actual: str) -> None:
        if update:
            expected.parent.mkdir(parents=True, exist_ok=True)
            expected.write_text(actual, encoding="utf-8")
            return
        if not expected.exists():
            pytest.fail(
                f"there is no {expected.relative_to(ROOT)} yet: --update-golden writes it. It would be\n{actual}"
            )
        assert actual == expected.read_text(encoding="utf-8"), f"{expected.relative_to(ROOT)} says otherwise"

    return compare


@pytest.fixture(autouse=True, scope="session")
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Nobody's own key is made or used by a test."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("state")
        patch.setenv("XDG_STATE_HOME", str(folder))
        yield folder


@pytest.fixture
def root() -> Path:
    """The folder of the project."""
    return ROOT
