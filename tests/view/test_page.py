"""The page: its data says what happened, and it is one file that asks for nothing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lfc.run.names import values
from lfc.view.page import as_html, document
from lfc.view.story import MOST_STEPS, Run
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.view.programs import SHOWN, machine_named, run_named


def data_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data = json.loads(found[1])
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("name", SHOWN)
def test_changes_lead_from_state_to_state(name: str) -> None:
    """What the page adds up, step by step, is what each block holds."""
    run = run_named(name)
    told = document(machine_named(name), f"{name}.lf", ["verdict"], [run])["runs"][0]
    now = dict(told["values"])
    assert now == values(run.machine, run.blocks[0]) and len(told["steps"]) == len(run.steps)
    for step, block in zip(told["steps"], run.blocks[1:], strict=False):
        for variable, value in step["set"].items():
            if value is None:
                del now[variable]
            else:
                now[variable] = value
        assert now == values(run.machine, block)


@pytest.mark.parametrize("name", SHOWN)
def test_who_meets_is_joined_in_the_picture(name: str) -> None:
    """Messages that pass, against the picture, which is made of the text and the ports alone."""
    run = run_named(name)
    told = document(machine_named(name), f"{name}.lf", ["verdict"], [run])
    channels = told["picture"]["channels"]
    arrows = [row for step in told["runs"][0]["steps"] for row in step["rows"] if row[0] == ">"]
    for _, source, target, message in arrows:
        assert any(
            message in c["sends"].get(source, ()) and message in c["receives"].get(target, ()) for c in channels
        ), (source, target, message)


def test_the_picture_of_the_producer() -> None:
    told = document(machine_named("prodcons"), "prodcons.lf", ["holds"], [run_named("prodcons")])
    assert [n["name"] for n in told["picture"]["nodes"]] == ["Producer", "Consumer"]
    assert told["picture"]["channels"] == [
        {
            "number": 1,
            "name": "q",
            "sends": {"Producer": ["data", "end"]},
            "receives": {"Consumer": ["data", "end"]},
        }
    ]


def test_the_circle_of_the_philosophers() -> None:
    told = document(machine_named("philosophers"), "p.lf", ["deadlock"], [run_named("philosophers")])["runs"][0]
    assert told["kind"] == "deadlock" and len(told["circle"]) == 10
    assert [whose for _, whose, _, _ in told["circle"]] == [
        who for who, _, _, _ in [*told["circle"][1:], told["circle"][0]]
    ]


def test_a_violated_property_is_told_in_its_own_words(tmp_path: Path) -> None:
    """Its formula, as written, and at each step what changes of it: no number of a state of an automaton."""
    page, environment = tmp_path / "served.html", "examples/traffic_env.lf"
    assert lfc("view", "examples/traffic.lf", "--env", environment, "--fairness", "none", "-o", page).exit == 0
    run = data_of(page.read_text())["runs"][0]
    assert run["said"] == [
        "served = ALWAYS (requested IMPLIES EVENTUALLY walk)",
        "Controller could run on the cycle, but never does",
    ]
    assert [step.get("note", "") for step in run["steps"]] == ["~requested, ~walk", "", "requested", "", ""]


def test_nothing_in_a_program_ends_the_data() -> None:
    """A comment of the program with the end of a script, and what JavaScript takes for the end of a line."""
    told = document(machine_named("prodcons"), "prodcons.lf", ["</script><b>"], [run_named("prodcons")])
    told["sources"][0]["lines"][0] = "(* </script><script>alert(1)</script><!-- \u2028 &lt; *)"
    html = as_html(told)
    assert html.count("</script>") == 2 and "alert(1)</" not in html and "<b>" not in html
    assert data_of(html) == json.loads(json.dumps(told))


def test_it_asks_for_nothing() -> None:
    html = as_html(document(machine_named("prodcons"), "prodcons.lf", ["holds"], [run_named("prodcons")]))
    assert "default-src 'none'" in html
    assert not re.search(r"\b(src|href)=|@import|url\((?!#)|fetch\(|XMLHttpRequest|innerHTML", html)


def test_of_a_long_run_the_last_steps_are_shown() -> None:
    short = run_named("prodcons")
    many = MOST_STEPS + 7
    run = Run(short.machine, [short.steps[1]] * many, [short.blocks[1]] * (many + 1), "long", cycle=3)
    told = document(machine_named("prodcons"), "prodcons.lf", ["holds"], [run])["runs"][0]
    assert (len(told["steps"]), told["leftOut"], told["cycle"]) == (MOST_STEPS, 7, 0)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_the_script_is_one() -> None:
    subprocess.run(["node", "--check", str(ROOT / "lfc" / "view" / "page.js")], check=True, timeout=60)


# --- the command ---------------------------------------------------------------------------------------------------


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    done = lfc("view", "examples/philosophers.lf", "-D", "N=3", "-o", page)
    assert (done.exit, done.out) == (0, f"{page}: verdict: deadlock, 13 steps\n")
    told = data_of(page.read_text())
    assert (told["module"], told["verdict"][0], told["runs"][0]["kind"]) == (
        "Philosophers",
        "verdict: deadlock",
        "deadlock",
    )
    assert page.stat().st_size < 2_000_000


def test_a_program_that_holds_is_shown_running(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    done = lfc("view", "examples/prodcons.lf", "-o", page, "--json")
    assert done.exit == 0
    document = json.loads(done.out)
    assert (document["page"], document["verdict"][:6], document["differs"]) == (str(page), "holds:", None)
    assert data_of(page.read_text())["runs"][0]["title"] == "a run of the round robin"


def test_a_second_trace_is_put_beside(tmp_path: Path) -> None:
    """One block in it is other than this machine's; then one decision is."""
    trace, other, page = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "p.html"
    lfc("run", "examples/prodcons.lf", "--record", trace)
    written = json.loads(trace.read_text())
    other.write_text(trace.read_text())
    done = lfc("view", "examples/prodcons.lf", "--trace", trace, "--beside", other, "-o", page)
    assert done.exit == 0 and done.out.endswith("\nthe traces are equal\n")
    assert data_of(page.read_text())["runs"][0]["other"]["differs"] is None

    changed = json.loads(trace.read_text())
    changed["steps"][4].append(["digest", 1])
    other.write_text(json.dumps(changed))
    done = lfc("view", "examples/prodcons.lf", "--trace", trace, "--beside", other, "-o", page)
    assert done.out.endswith("\nthe first difference is in step 5\n")
    told = data_of(page.read_text())["runs"][0]["other"]
    assert told["why"] == "step 5: the recorded block differs from this machine's"
    assert len(told["steps"]) == len(written["steps"])

    other.write_text(json.dumps(written | {"steps": written["steps"][:6]}))
    done = lfc("view", "examples/prodcons.lf", "--trace", trace, "--beside", other, "-o", page)
    assert done.out.endswith("\nthe first difference is in step 7\n")


def test_what_cannot_be_shown(tmp_path: Path) -> None:
    trace = tmp_path / "t.json"
    lfc("run", "examples/prodcons.lf", "--record", trace)
    done = lfc("view", "examples/sieve.lf", "--trace", trace, "-o", tmp_path / "p.html")
    assert done.exit == 2 and "was recorded from another program" in done.err
    done = lfc("view", "examples/prodcons.lf", "--trace", trace, "--keep-going")
    assert done.exit == 2 and "--keep-going is about a check: leave out --trace" in done.err
    done = lfc("view", "examples/prodcons.lf", "--trace", trace, "-o", tmp_path / "none" / "p.html")
    assert done.exit == 2 and "cannot be written: No such file or directory" in done.err
