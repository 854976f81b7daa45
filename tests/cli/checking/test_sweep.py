"""`lfc sweep`: each cell is what `lfc check` says of that configuration, interactions are those of the definition."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import pytest

from lfc.sweep.matrix import BadSweep, configurations, interactions, parse_constant
from tests.cli.checking.projects import lfc

FEATURES = """MODULE Features;
CONST a = 0; b = 1; c = 2; N = 2; F = {};
VAR x : INTEGER; done : BOOLEAN;
PROCESS P;
BEGIN
  IF a IN F THEN INC(x) END;
  RESCHEDULE;
  IF b IN F THEN INC(x) END;
  IF c IN F THEN x := 5 END;
  done := TRUE
END P;
PROPERTY small = ALWAYS (x < N);
PROPERTY ends = EVENTUALLY done;
BEGIN CREATE P END Features.
"""


def test_every_cell_is_what_the_checker_says(tmp_path: Path) -> None:
    text = f"{FEATURES}(* {tmp_path} *)\n"  # which no run before has checked
    (tmp_path / "Features.lf").write_text(text)
    few = ("--for", "small", "--for", "deadlock")
    sweep = ("sweep", "Features.lf", "--const", "N=2..3", "--const", "F=none,a,b", "--pairs", "F", "--json", *few)
    done = lfc(*sweep, "--junit", "r.xml", cwd=tmp_path)
    found = json.loads(done.out)
    assert done.exit == 5 and "error" not in done.err and len(found["checks"]) == 2 * 4 * 2
    for cell in found["checks"][::3]:
        defined = [x for n, v in cell["configuration"].items() for x in ("-D", f"{n}={v}")]
        alone = json.loads(lfc("check", "Features.lf", "--for", cell["claim"], "--json", *defined, cwd=tmp_path).out)
        assert cell["verdict"] == alone["verdict"] and cell["states"] == alone["states"]
    wrong = [(c["configuration"], c["claim"]) for c in found["checks"] if c["verdict"] != "holds"]
    assert wrong == [({"N": "2", "F": "{a, b}"}, "small")]
    assert found["interactions"] == [
        {"claim": "small", "constant": "F", "features": ["a", "b"], "where": {"N": "2"}, "verdict": "property"}
    ]
    suites = ElementTree.parse(tmp_path / "r.xml").getroot()
    assert [s.get("failures") for s in suites].count("1") == 1 and len(suites) == 8
    failure = suites.find(".//failure")
    assert failure is not None and failure.get("message") == "`small` does not hold"

    again = json.loads(lfc(*sweep, cwd=tmp_path).out)
    assert all(c["known"] for c in again["checks"]) and not any(c["known"] for c in found["checks"])
    (tmp_path / "Features.lf").write_text(text.replace("x := 5", "x := 6"))
    one = ("sweep", "Features.lf", "--const", "N=2", "--for", "deadlock", "--json")
    assert [[c["known"] for c in json.loads(lfc(*one, cwd=tmp_path).out)["checks"]] for _ in "12"] == [[False], [True]]


def test_what_breaks_alone_is_no_interaction(tmp_path: Path) -> None:
    (tmp_path / "Features.lf").write_text(FEATURES)
    done = lfc("sweep", "Features.lf", "--const", "F=a,c", "--pairs", "F", "--for", "small", cwd=tmp_path)
    assert done.exit == 5
    assert done.out.splitlines()[:4] == [
        "configuration  small",
        "F={a}          holds",
        "F={c}          PROPERTY",
        "F={a, c}       PROPERTY",
    ]
    assert "3 checks of 3 configurations: 1 hold, 2 do not" in done.out


def test_a_project_says_what_varies(tmp_path: Path) -> None:
    (tmp_path / "Features.lf").write_text(FEATURES)
    (tmp_path / "lf.toml").write_text('main = "Features.lf"\nboard = "uno"\n[sweep]\nconst = ["F=a,b"]\npairs = "F"\n')
    done = lfc("sweep", "--for", "small", cwd=tmp_path)
    assert done.exit == 5 and done.out.startswith("interaction: small holds with a, and with b; not with a and b\n")
    (tmp_path / "lf.toml").write_text('main = "Features.lf"\nboard = "uno"\n[sweep]\nconst = "F=a,b"\n')
    done = lfc("sweep", cwd=tmp_path)
    assert done.exit == 2 and "`const` of `[sweep]` must be a list of strings" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--const", "G=1"), 1, "a configuration cannot be checked: LF0910"),
        (("--const", "N=x y"), 1, "a configuration cannot be checked: LF"),
        (("--const", "N"), 2, "`N` is not of the form NAME=VALUE,VALUE or NAME=LOW..HIGH."),
        (("--const", "N=5..2"), 2, "the range 5..2 is empty"),
        (("--const", "N=1", "--pairs", "F"), 2, "--pairs names `F`, which has no values"),
        (("--const", "N=1", "--const", "N=2"), 2, "`N` is given values twice"),
        (("--const", "N=1", "--for", "nothing"), 2, "a configuration cannot be checked: Unknown claim `nothing`"),
        ((), 2, "What varies?"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "Features.lf").write_text(FEATURES)
    done = lfc("sweep", "Features.lf", *arguments, cwd=tmp_path)
    assert (done.exit, said in done.err) == (code, True), done.err


def test_limits_of_the_checker_give_no_verdict(tmp_path: Path) -> None:
    (tmp_path / "Features.lf").write_text(FEATURES)
    done = lfc("sweep", "Features.lf", "--const", "N=2", "--for", "faults", "--", "--states", "1", cwd=tmp_path)
    assert done.exit == 6 and "1 without a verdict" in done.out


def test_matrices() -> None:
    assert parse_constant(" N = -1..1, 7 ") == ("N", ["-1", "0", "1", "7"])
    assert parse_constant("F={a, b},{}") == ("F", ["{a, b}", "{}"])
    names = [c.name for c in configurations([("N", ["1", "2"]), ("F", ["none", "a", "b"])], "F")]
    assert names == [f"N={n}, F={f}" for n in (1, 2) for f in ("{}", "{a}", "{b}", "{a, b}")]
    with pytest.raises(BadSweep, match="12000 configurations"):
        configurations([("N", [str(n) for n in range(120)]), ("M", [str(n) for n in range(100)])], None)


def test_interactions_are_those_of_the_definition() -> None:
    """Of five features, each set of verdicts: whatever holds alone and not in twos."""
    features = list("abcde")
    all_of_them = configurations([("F", features)], "F")
    for bad in combinations(["c", "ab", "bd", "de", "ce"], 3):
        verdicts = {
            (c, "p"): "property" if c.features is not None and "".join(sorted(c.features[1])) in bad else "holds"
            for c in all_of_them
        }
        expected = {b for b in bad if len(b) == 2 and not set(b) & {x for x in bad if len(x) == 1}}
        assert {"".join(i.features) for i in interactions(verdicts)} == expected
