"""Variables in parts, and actions whose results are not worth remembering: the same states all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.model.state_vector import describe
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.statistics.usage import values_of
from tests.differential.stepwise import machine_of_source
from tests.mcheck.agreement import compare_with_the_naive_explorer

PRODUCERS = (Path(__file__).resolve().parents[3] / "bench/checker/models/producers.lf").read_text()

PARTS = """
MODULE Parts;
TYPE Link = RECORD full : BOOLEAN; bytes : ARRAY 6 OF UINT8 END;
VAR
  link : ARRAY 3 OF Link;
  wide : ARRAY 7 OF INT32;
  i : UINT8;

PROCESS Node(me : UINT8);
VAR k : UINT8;
BEGIN
  FOR k := 0 TO 2 DO
    RESCHEDULE;
    link[(me + k) MOD 3].bytes[2 * k] := me;
    link[me].full := ~link[me].full;
    wide[me + k] := wide[me + k] - 1
  END;
  ASSERT(wide[2] > -3)
END Node;

BEGIN
  FOR i := 0 TO 2 DO CREATE Node(i) END
END Parts.
"""


def test_parts_are_elements_and_lie_beside_the_instances() -> None:
    description = describe(machine_of_source(Source("Parts.lf", PARTS)))
    names = [(c.name, c.size) for c in description.components]
    node = names.index(("Parts.Node[0]", description.components[description.slot_component[1]].size))
    assert [name for name, _ in names[node : node + 6 : 2]] == [f"Parts.Node[{k}]" for k in range(3)]
    assert names[node + 1 : node + 6 : 2] == [("link", 7)] * 3
    assert [size for name, size in names if name == "wide"] == [8, 8, 8, 4]
    for slot, component in enumerate(description.slot_component):
        assert description.components[component].slot == slot


def test_parts_agree_with_the_naive_explorer() -> None:
    assert compare_with_the_naive_explorer(PARTS) == {"assertion"}


@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_hardly_ever_found_again_is_not_remembered(threads: int) -> None:
    machine = machine_of_source(Source("Producers.lf", PRODUCERS.replace("SIZE = 20", "SIZE = 16")))
    counts = []
    for remember in (True, False):
        search = Search(machine, request_from(keep_going=True, remember=remember, threads=threads))
        assert search.run() is Stop.COMPLETE
        s = search.statistics
        counts.append((s.states, s.transitions))
        if remember:
            assert 0 < s.remembered < s.executions
            parts = {v.name: v.distinct for v in values_of(machine, search) if v.name.startswith("cell")}
            assert parts == {f"cell[{k}]": 2 for k in range(16)}
        search.close()
    assert counts[0] == counts[1]
