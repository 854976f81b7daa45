"""A monitor in an editor: it is analysed beside the module that it is for."""

from __future__ import annotations

from pathlib import Path

from lfc.base.source import Source
from lfc.editor.analysis.analyse import analyse_source, look_for_room
from lfc.editor.analysis.project import Setting
from lfc.editor.verification.claims import claims_in

BUS = """MODULE Bus;
VAR held : BOOLEAN;
PROCESS Start(address : UINT8);
BEGIN held := address > 0 END Start;
BEGIN Start(3) END Bus.
"""
WATCH = """MONITOR Watch OF Bus;
VAR n : INTEGER;
ON Start DO
  INC(n);
  ASSERT((address < 128) & ~held & (n = 1))
END Watch.
"""


def codes(folder: Path, text: str) -> list[str]:
    (folder / "Bus.lf").write_text(BUS)
    analysis = analyse_source(Source(str(folder / "Watch.lf"), text), [], Setting())
    look_for_room(analysis)
    assert claims_in(analysis) == []
    return [d.code for d in analysis.diagnostics.items]


def test_names_of_the_module_are_known(tmp_path: Path) -> None:
    assert codes(tmp_path, WATCH) == []
    assert codes(tmp_path, WATCH.replace("address", "adress")) == ["LF0301"]


def test_without_its_module_it_says_so(tmp_path: Path) -> None:
    assert codes(tmp_path, WATCH.replace("OF Bus", "OF Buss")) == ["LF0816"]
