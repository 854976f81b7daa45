"""The table of models on its page is that of the library, and what it says is so."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.semantics.analyse import analyse
from tests.conftest import ROOT
from tests.docs.models_of_boards import HERE, models, models_of, table

PAGE = (ROOT / "docs" / "reference" / "models.md").read_text(encoding="utf-8")
ALIKE = {tuple(models_of(board)): board for board in [HERE, *board_names()]}  # one board for each set of models


def test_the_page_has_the_table() -> None:
    assert table() in PAGE, table()


@pytest.mark.parametrize("board", ALIKE.values())
@pytest.mark.parametrize("model", models())
def test_a_model_is_there_or_the_error_says_that_it_is_not(board: str, model: str) -> None:
    diagnostics = Diagnostics()
    chip = chip_modules(None if board == HERE else load_board(board))
    environment = Source("Own.lf", f"ENVIRONMENT MODULE Own;\nIMPORT {model};\nEND Own.\n")
    analyse(Source("P.lf", "MODULE P;\nEND P.\n"), diagnostics, environments=[environment], chip=chip)
    errors = [d.message for d in diagnostics.items if d.severity.value == "error"]
    if model in models_of(board):
        assert not errors
    else:
        assert any("has no model of the" in m or "knows no" in m for m in errors), errors
