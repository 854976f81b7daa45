"""Records in the words of others: statements that the package of the in-toto framework's own rules accept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from securesystemslib.dsse import Envelope

from lfc.records.predicates import PROVENANCE, SVR, TESTS, provenance, suite_results, verification
from lfc.records.record import Build
from lfc.records.statement import STATEMENT, statement_of, subjects_of
from tests.cli.checking.projects import lfc
from tests.records.keys import new_key
from tests.records.made import RECORD

FULL = replace(RECORD, files={"hex": "78" * 32}, build=Build(c_files={"a.c": "9a" * 32}))


def read(content: bytes, kind: str) -> dict[str, Any]:
    data = json.loads(content)
    assert (data["_type"], data["predicateType"], set(data)) == (
        STATEMENT,
        kind,
        {"_type", "subject", "predicateType", "predicate"},
    )
    assert all(set(s) == {"name", "digest"} and s["digest"] for s in data["subject"])
    found: dict[str, Any] = data["predicate"]
    return found


def test_what_was_verified() -> None:
    told = read(verification(FULL, FULL.objections()), SVR)
    assert told == {
        "verifier": {"id": "urn:lf-toolchain:lfc"},
        "timeVerified": "2026-01-02T03:04:05Z",
        "properties": ["LF_GATE_PROOF", "LF_NO_ASSERTION_FAILS", "LF_NO_FAULT", "LF_NO_DEADLOCK", "LF_PROPERTY_p"],
    }
    agrees = replace(FULL, image_checked={"verdict": "agrees"})
    assert "LF_IMAGE_AGREES" in read(verification(agrees, []), SVR)["properties"]
    for wrong in (replace(FULL, verdict="deadlock"), replace(FULL, resumed="unauthenticated")):
        assert read(verification(wrong, wrong.objections()), SVR)["properties"] == []


def test_what_it_was_built_from() -> None:
    told = read(provenance(FULL), PROVENANCE)
    assert set(told) == {"buildDefinition", "runDetails"}
    assert set(told["buildDefinition"]) >= {"buildType", "externalParameters", "resolvedDependencies"}
    named = {d["name"]: d.get("digest") for d in told["buildDefinition"]["resolvedDependencies"]}
    assert named == {
        "light.lf": {"lfProgramSha256": "12" * 32},
        "board uno": {"sha256": "34" * 32},
        "a.c": {"sha256": "9a" * 32},
        "lfc": None,
    }
    assert told["runDetails"]["builder"]["id"] and json.loads(provenance(FULL))["subject"] == subjects_of(FULL)


def test_what_was_tested() -> None:
    for verdicts, result in ((("pass", "fail"), "FAILED"), (("pass", "inconclusive"), "WARNED"), (("pass",), "PASSED")):
        told = read(
            suite_results("ab" * 32, "Light", ["uno"], [(f"test {n}", v) for n, v in enumerate(verdicts)]), TESTS
        )
        assert told["result"] == result and told["passedTests"] == ["test 0"]


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_bytes(statement_of(FULL))
    done = lfc("record", "attest", "r.json", "--as", "slsa", cwd=tmp_path)
    assert done.exit == 0 and done.out.encode() == provenance(FULL)
    key = new_key(tmp_path, "key")
    assert lfc("record", "attest", "r.json", "--sign", key, "-o", "svr.json", cwd=tmp_path).exit == 0
    envelope = Envelope.from_dict(json.loads((tmp_path / "svr.json").read_text()))
    assert envelope.payload == verification(FULL, [])
    (tmp_path / "bad.json").write_text("[]")
    done = lfc("record", "attest", "bad.json", cwd=tmp_path)
    assert done.exit == 2 and "it is not a record of a check" in done.err
