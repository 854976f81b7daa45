"""The evidence of an image: what an auditor asks is answered by the file alone."""

from __future__ import annotations

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.image.firmware import build_firmware
from lfc.records.evidence import BadRequirements, Requirement, read_strictdoc
from tests.cli.checking.projects import lfc, make_keys
from tests.differential.stepwise import machine_of

LIGHT = """MODULE Light;
VAR on : BOOLEAN; i : INTEGER;
PROPERTY short {REQ: SYS-12, SYS-1-a} = ALWAYS i < 4;
PROPERTY ends {REQ: SYS-13} = EVENTUALLY i = 3;
PROPERTY alone = ALWAYS i >= 0;
PROPERTY never {REQ: SYS-14};
BEGIN
  LOOP NOMOVE END
END never;
BEGIN
  FOR i := 0 TO 2 DO on := ~on; RESCHEDULE END
END Light.
"""
SDOC = """[DOCUMENT]
TITLE: What the light must do

[REQUIREMENT]
UID: SYS-12
TITLE: No more than four steps <b>

[REQUIREMENT]
UID: SYS-13
STATEMENT: >>>
The light comes to its end,
always.
<<<

[REQUIREMENT]
UID: SYS-99
TITLE: Nobody has written a property for it
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lf.toml").write_text('main = "Light.lf"\nboard = "uno"\n')
    (tmp_path / "Light.lf").write_text(LIGHT)
    (tmp_path / "r.sdoc").write_text(SDOC)
    return tmp_path


def evidence(project: Path, *more: str) -> dict[str, Any]:
    done = lfc("evidence", "--requirements", "r.sdoc", "--html", "e.html", "--json", *more, cwd=project)
    assert done.exit == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


class Page(HTMLParser):
    """Its text, and that all that is opened is closed again."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.text, self.open = "", list[str]()
        self.feed(content)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "a", "link", "iframe") and all(
            name in ("class", "charset", "lang") for name, _ in attrs
        )
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + "\n"


def test_an_auditors_questions(project: Path) -> None:
    make_keys(project, "ci")
    assert lfc("check", "--fairness", "weak", "--sign", "ci", cwd=project).exit == 0
    assert lfc("build", cwd=project).exit == 0
    e, page = evidence(project), Page((project / "e.html").read_text()).text
    state = {r["uid"]: r["state"] for r in e["requirements"]}
    # Which requirements are proved, which are not?
    assert state == {"SYS-12": "proved", "SYS-13": "proved", "SYS-99": "open", "SYS-1-a": "proved", "SYS-14": "proved"}
    # By which properties, and where are they?
    shown = {r["uid"]: r["properties"] for r in e["requirements"]}
    assert shown["SYS-12"] == ["short"] and shown["SYS-99"] == []
    (short,) = [p for p in e["properties"] if p["name"] == "short"]
    assert (short["file"], short["line"], short["verdict"]) == ("Light.lf", 3, "holds")
    assert short["text"] == "PROPERTY short {REQ: SYS-12, SYS-1-a} = ALWAYS i < 4;"
    # Under which assumptions?
    assert any("fairness" in a for a in short["assumptions"])
    # What is not covered, on either side? Which names are unknown to the document?
    assert (e["without_property"], e["without_requirement"]) == (["SYS-99"], ["alone"])
    assert e["not_listed"] == ["SYS-1-a", "SYS-14"]
    # Is this image the one?
    import hashlib

    (record,) = e["records"]
    assert record["files"]["hex"] == hashlib.sha256((project / "Light.hex").read_bytes()).hexdigest()
    # Who has checked, when, with what, and did that look at everything?
    assert record["signed"] and record["toolchain"]["lfc"] and re.fullmatch(r"[\d-]+T[\d:]+Z", record["checked_at"])
    assert record["opens_the_gate"] and record["left_out"] == [] and record["states"] == 5
    (key,) = record["signed_with"]
    shown_by_ssh = subprocess.run(
        ["ssh-keygen", "-l", "-f", project / "ci.pub"], capture_output=True, text=True, check=False
    )
    assert key == shown_by_ssh.stdout.split()[1]
    # Was the machine code executed? What was tested on a board?
    assert (record["image_checked"], e["tests"]) == (None, [])
    for said in (
        "SYS-99",
        "No more than four steps <b>",
        "SYS-1-a, SYS-14",
        e["image"],
        record["files"]["hex"],
        "alone",
        f"signed with {key}",
        "was not executed",
    ):
        assert said in page, said


def test_tests_and_mutants(project: Path) -> None:
    image = build_firmware(load_board("uno"), machine_of(project / "Light.lf"), trace=True).digest
    told = {"verdict": "fail", "cover": "transitions", "complete": True, "board": "uno", "image": image}
    told |= {"place": "uno in simavr"}
    told |= {"tests": [{"verdict": v} for v in ("pass", "fail", "pass")], "mutants": [{"fate": "caught"}]}
    run = project / "tests.json"
    run.write_text("1 test, 4 steps\n" + json.dumps(told) + "\n")
    (found,) = evidence(project, "--tests", "tests.json")["tests"]
    assert (found["tests"], found["mutants"]) == ({"pass": 2, "fail": 1}, {"caught": 1})
    page = Page((project / "e.html").read_text()).text
    assert "2 pass" in page and "uno in simavr" in page
    run.write_text(json.dumps({name: told[name] for name in told if name != "place"}))
    assert [t["place"] for t in evidence(project, "--tests", "tests.json")["tests"]] == ["not told"]
    wrong_ones: tuple[object, ...] = ({**told, "image": "0" * 64}, {**told, "tests": 3}, [])
    for wrong in wrong_ones:
        run.write_text(json.dumps(wrong))
        assert lfc("evidence", "--tests", "tests.json", cwd=project).exit == 2


def test_what_was_not_checked_or_is_violated(project: Path) -> None:
    states = {r["uid"]: r["state"] for r in evidence(project)["requirements"]}
    assert set(states.values()) == {"open"}
    assert lfc("check", "--states", "2", cwd=project).exit == 6
    assert {p["verdict"] for p in evidence(project)["properties"]} == {"inconclusive"}
    (project / "Light.lf").write_text(LIGHT.replace("i = 3", "i = 4"))
    assert lfc("check", cwd=project).exit == 5
    e = evidence(project)
    states = {r["uid"]: r["state"] for r in e["requirements"]}
    assert (states["SYS-13"], states["SYS-12"]) == ("violated", "open")  # of an image with an error nothing is proved
    assert "its check found: " in e["records"][0]["objections"][0]
    (project / "Light.lf").write_text(LIGHT.replace("0 TO 2", "1 TO 2"))  # another image
    assert evidence(project)["records"] == []


def test_assertions_and_modules(project: Path) -> None:
    """Of two modules, one with an assertion that fails."""
    (project / "Rail.lf").write_text(
        "MODULE Rail {REQ: SYS-4};\nVAR n* : INTEGER;\nBEGIN n := 3; ASSERT(n = 3) {REQ: SYS-5} END Rail.\n"
    )
    main = "MODULE Light {REQ: SYS-6};\nIMPORT Rail;\nBEGIN\n  ASSERT(Rail.n = 3) {REQ: SYS-7, SYS-8};\n"
    main += "  RESCHEDULE; ASSERT(Rail.n < 9) {REQ: SYS-8}\nEND Light.\n"
    (project / "Light.lf").write_text(main)
    every = ("SYS-4", "SYS-5", "SYS-6", "SYS-7", "SYS-8")

    def states() -> dict[str, str]:
        return {r["uid"]: r["state"] for r in evidence(project)["requirements"] if r["uid"] in every}

    assert states() == dict.fromkeys(every, "open")
    assert lfc("check", cwd=project).exit == 0
    assert states() == dict.fromkeys(every, "proved")
    (project / "Light.lf").write_text(main.replace("n = 3", "n = 4"))
    assert lfc("check", cwd=project).exit == 4
    wrong = {"SYS-6": "violated", "SYS-7": "violated", "SYS-8": "violated"}
    assert states() == dict.fromkeys(every, "open") | wrong


def test_tags_change_nothing_but_the_evidence(project: Path) -> None:
    with_tags = evidence(project)["image"]
    (project / "Light.lf").write_text(re.sub(r" \{REQ: [\w, -]+\}", "", LIGHT))
    e = evidence(project)
    assert e["image"] == with_tags and [r["uid"] for r in e["requirements"]] == ["SYS-12", "SYS-13", "SYS-99"]


def test_strictdoc_there_and_back(project: Path) -> None:
    assert lfc("check", cwd=project).exit == 0
    done = lfc("evidence", "--requirements", "r.sdoc", "--sdoc", "out.sdoc", cwd=project)
    assert done.exit == 0 and "SYS-12: proved by short\n" in done.out and "SYS-99: open\n" in done.out
    assert done.err.startswith("5 requirements: 4 proved, 1 open; image ")
    text = (project / "out.sdoc").read_text()
    back = {r.uid: r for r in read_strictdoc(text)}
    assert {uid: back[uid] for uid in ("SYS-12", "SYS-13", "SYS-99")} == {r.uid: r for r in read_strictdoc(SDOC)}
    assert "UID: SYS-13\nSTATUS: proved\n" in text and "Shown by never; image " in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no \\[REQUIREMENT\\]"),
        ("[REQUIREMENT]\nUID: A\n" * 2, "A is there twice"),
        ("[REQUIREMENT]\nUID: >>>\n", "does not end"),
    ],
)
def test_documents_that_are_none(text: str, told: str) -> None:
    with pytest.raises(BadRequirements, match=told):
        read_strictdoc(text)


def test_a_document_that_cannot_be_read(project: Path) -> None:
    for name, content in (("none", None), ("bad", b"\xff"), ("empty", b"")):
        if content is not None:
            (project / name).write_bytes(content)
        done = lfc("evidence", "--requirements", name, cwd=project)
        assert done.exit == 2 and f"{name}" in done.err
    assert read_strictdoc("[REQUIREMENT]\nUID: A\n") == [Requirement("A")]
