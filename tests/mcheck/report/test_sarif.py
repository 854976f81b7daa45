"""Verdicts as SARIF: what the standard asks for, and that all that was found is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lfc.cli.main import run
from lfc.mcheck.report.sarif import FAULTS, RULES
from lfc.run import report
from tests.cli.lfc import ROOT, lfc
from tests.support.sarif import violations

LASSO = """MODULE Lasso;
TYPE Step = [go];
PORT c : Step;
VAR x : INTEGER;
PROPERTY far = EVENTUALLY (x = 2);
PROPERTY near = ALWAYS (x < 2);
PROCESS Tick(c : Step);
BEGIN LOOP c!go END
END Tick;
BEGIN
  NEW(c); CREATE Tick(c);
  LOOP c?go; x := 1 - x END
END Lasso.
"""


def log_of(*arguments: str | Path, exit: int) -> dict[str, Any]:
    """The one run of the document that `lfc check --sarif` prints; it is as the standard says."""
    done = lfc("check", "--sarif", *arguments)
    assert done.exit == exit, done.err
    document = json.loads(done.out)
    assert violations(document, "log") == []
    found: dict[str, Any] = document["runs"][0]
    rules = [r["id"] for r in found["tool"]["driver"]["rules"]]
    assert len(rules) == len({*rules})
    for result in found["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result.get("kind", "fail") == "fail" or result["level"] == "none"
    prints = [next(iter(r["partialFingerprints"].values())) for r in found["results"] if "partialFingerprints" in r]
    assert len(prints) == len({*prints})
    if "invocations" in found:
        assert found["invocations"][0]["exitCode"] == exit
    return found


def verdicts(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Without what the compiler says."""
    return [r for r in log["results"] if not r["ruleId"].startswith("LF")]


def kinds(log: dict[str, Any]) -> list[tuple[str, str]]:
    return [(r["ruleId"], r["kind"]) for r in verdicts(log)]


def steps_of(result: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Process, line (0: none) and text of each step, in their order; each number stands once."""
    (flow,) = result["codeFlows"]
    found = {}
    for thread in flow["threadFlows"]:
        orders = [place["executionOrder"] for place in thread["locations"]]
        assert orders == sorted(orders)
        for place in thread["locations"]:
            assert place["executionOrder"] not in found
            region = place["location"].get("physicalLocation", {"region": {"startLine": 0}})["region"]
            found[place["executionOrder"]] = thread["id"], region["startLine"], place["location"]["message"]["text"]
    assert sorted(found) == [*range(1, len(found) + 1)]
    return [found[n] for n in sorted(found)]


def line_of(result: dict[str, Any]) -> int:
    line: int = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    return line


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.lf"
    file.write_text(text)
    return file


def test_a_deadlock() -> None:
    log = log_of("examples/philosophers.lf", exit=3)
    assert kinds(log) == [("deadlock", "fail"), ("safety", "open")]
    found = log["results"][0]
    assert found["level"] == "error" and line_of(found) == 18
    assert "and others wait forever" in found["message"]["text"]
    told = lfc("check", "--json", "examples/philosophers.lf")
    trace = json.loads(told.out)["errors"][0]["trace"]
    steps = steps_of(found)
    assert len(steps) == len(trace) == 21
    assert steps[0][:2] == ("initialisation", 3)
    who, line, text = steps[-1]
    assert who.startswith("Philosopher[") and line == 17 and text == f"{who}: waits at 18:5: right!get"
    assert {who for who, *_ in steps} == {
        "initialisation",
        *(f"{kind}[{n}]" for kind in ("Fork", "Philosopher") for n in range(5)),
    }
    waiting = found["relatedLocations"]
    assert len(waiting) == 5
    assert waiting[0]["message"]["text"].startswith("Philosopher[0] waits at examples/philosophers.lf:18:5 for")
    first = found["codeFlows"][0]["threadFlows"][0]["locations"][0]
    assert first["state"]["i"] == {"text": "5"}
    assert log["properties"]["verdict"] == "deadlock" and log["properties"]["depth"] >= 20


@pytest.mark.parametrize(
    "body, rule, exit, line",
    [
        ("ASSERT(x = 1)", "assertion", 4, 4),
        ("x := 10 DIV x", "fault-division", 4, 4),
        ("a[x + 7] := 1", "fault-index", 4, 4),
    ],
)
def test_an_assertion_and_faults(tmp_path: Path, body: str, rule: str, exit: int, line: int) -> None:
    text = f"MODULE M;\nVAR x : INTEGER; a : ARRAY 3 OF INTEGER;\nBEGIN\n  {body}\nEND M.\n"
    log = log_of(written(tmp_path, "M", text), exit=exit)
    assert kinds(log) == [(rule, "fail"), ("safety", "open")]
    (found, _) = verdicts(log)
    assert line_of(found) == line
    assert steps_of(found) == [("initialisation", 4, f"initialisation: {found['message']['text'].split(': ', 1)[1]}")]


def test_every_fault_has_a_rule() -> None:
    assert sorted([*FAULTS, report.ASSERT]) == [*range(1, 15)]
    assert len({name for name, _ in FAULTS.values()}) == len(FAULTS) and {n for n, _ in FAULTS.values()} < {*RULES}


def test_a_run_that_violates_a_property(tmp_path: Path) -> None:
    log = log_of(written(tmp_path, "Lasso", LASSO), exit=5)
    assert kinds(log) == [
        ("property", "fail"),
        ("safety", "pass"),
        ("property", "pass"),
    ]  # an invariant is known already
    found = verdicts(log)[0]
    assert line_of(found) == 5 and "`far` does not hold" in found["message"]["text"]
    said = found["codeFlows"][0]["message"]["text"]
    before, again = map(int, re.findall(r"[0-9]+", said))
    steps = steps_of(found)
    assert len(steps) == before + again
    assert [n for n, (_, _, text) in enumerate(steps) if text.startswith("the cycle starts here: ")] == [before]


def test_what_holds(tmp_path: Path) -> None:
    log = log_of("examples/traffic.lf", "--env", "examples/traffic_env.lf", exit=0)
    assert kinds(log) == [("safety", "pass"), ("property", "pass"), ("property", "pass")]
    said = verdicts(log)[0]["message"]["text"]
    assert said.startswith("holds: no failed assertion, fault, deadlock or partial deadlock in any state (146 states, ")
    assert "assumed: fairness: Traffic.Button weak, Traffic.Controller weak" in said
    assert [r["message"]["text"] for r in verdicts(log)[1:]] == ["`neverTwoGreens` holds", "`served` holds"]
    assert log["invocations"] == [{"executionSuccessful": True, "exitCode": 0}]


def test_what_is_not_known() -> None:
    log = log_of("examples/traffic.lf", "--states", "20", exit=6)
    assert kinds(log) == [("safety", "open"), ("property", "open"), ("property", "open")]
    assert verdicts(log)[0]["message"]["text"] == "inconclusive: state limit reached (--states)"
    assert log_of("examples/prodcons.lf", "--search", "random", "--steps", "20", exit=6)["results"][0]["kind"] == "open"


def test_errors_and_warnings_of_the_compiler(tmp_path: Path) -> None:
    slip = (ROOT / "examples" / "prodcons.lf").read_text().replace("out!data(i)", "out!dta(i)")
    log = log_of(written(tmp_path, "Slip", slip), exit=1)
    (found,) = log["results"]
    assert found["ruleId"] == "LF0602" and found["fixes"] and found["partialFingerprints"]
    log = log_of("examples/traffic.lf", exit=0)
    warned = log["results"][0]
    assert warned["ruleId"] == "LF0707" and warned["level"] == "note"
    assert kinds(log)[0] == ("safety", "pass")


@pytest.mark.parametrize(
    "arguments, exit, said",
    [
        (["--no-such", "examples/prodcons.lf"], 2, "No such option"),
        (["examples/prodcons.lf", "examples/sieve.lf"], 2, "Only one program at a time"),
        ([], 2, "Which program?"),
        (["examples/prodcons.lf", "-b", "no-board"], 2, "no-board"),
        (["examples/prodcons.lf", "--resume", "no-file"], 2, "no-file"),
        (["examples/prodcons.lf", "--msc", "-"], 2, "name a file for the chart"),
        (["no-file.lf"], 1, None),
    ],
)
def test_every_error_gives_a_document(arguments: list[str], exit: int, said: str | None) -> None:
    log = log_of(*arguments, exit=exit)
    if said is None:
        assert [r["ruleId"] for r in log["results"]] == ["LF0901"]
        return
    (invocation,) = log["invocations"]
    assert log["results"] == [] and invocation["executionSuccessful"] is False
    assert said in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_a_crash_gives_a_document(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("lfc.mcheck.check.check", crash)
    monkeypatch.setattr("lfc.cli.common.crash._write", lambda *_: "a file")
    assert run(["check", "--sarif", "examples/prodcons.lf"]) == 7
    log = json.loads(capsys.readouterr().out)
    assert violations(log, "log") == []
    told = log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    assert told == "internal error: ZeroDivisionError: on purpose"


def test_fingerprints_stay_when_lines_are_added_above(tmp_path: Path) -> None:
    def prints(text: str) -> list[str]:
        log = log_of(written(tmp_path, "M", text), "--keep-going", exit=4)
        return [r["partialFingerprints"]["lfcFinding/v1"] for r in verdicts(log) if r["kind"] == "fail"]

    body = "MODULE M;\nVAR x : INTEGER;\nBEGIN\n  ASSERT(x = 1)\nEND M.\n"
    before = prints(body)
    assert len(before) == 1 and prints("(* one\n   two *)\n" + body) == before
    assert prints(body.replace("x = 1", "x = 2")) != before
