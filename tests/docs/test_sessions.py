"""The sessions of pages: every command is run, and prints what the page says. (The README's: tests/project.)"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT, Golden
from tests.docs.sessions import as_run, commands_of, new_clone

PAGES = [
    "coming-from/arduino",
    "coming-from/freertos",
    "coming-from/spin",
    "coming-from/tinygo",
    "tutorial/first-steps",
    "tutorial/a-lamp-that-cannot-hang",
    "tutorial/find-the-bug-that-the-tests-did-not",
    "how-to/add-your-board",
    "how-to/debounce-a-button",
    "how-to/first-hour-esp32c3",
    "how-to/share-a-bus",
    "how-to/black-boxes",
    "how-to/systems",
    "how-to/parse-a-line",
    "how-to/use-in-ci",
    "how-to/check-a-program",
    "how-to/configurations",
    "how-to/data-in-the-checker",
    "how-to/faults",
    "how-to/field-logger",
    "how-to/external",
    "how-to/greenhouse",
    "how-to/hardware-in-the-loop",
    "how-to/motor-drive",
    "how-to/model-the-world",
    "how-to/published-faults",
    "how-to/read-a-counterexample",
    "how-to/refinement",
    "how-to/response-times",
    "how-to/shared-variables-that-tear",
    "how-to/state-graphs",
    "how-to/when-a-check-does-not-end",
    "reference/buses",
    "reference/properties",
    "reference/values",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_sessions_of_a_page(page: str, tmp_path: Path, golden: Golden) -> None:
    file = ROOT / "docs" / f"{page}.md"
    text = file.read_text(encoding="utf-8")
    assert commands_of(text)
    golden(file, as_run(text, new_clone(tmp_path / "clone")))
