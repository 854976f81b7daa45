"""What a record says, in the words that policy engines know: statements with predicates of the in-toto attestation
framework.

    https://github.com/in-toto/attestation/tree/main/spec/predicates
    https://slsa.dev/spec/v1.0/provenance
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lfc.records.record import CheckRecord
from lfc.records.statement import statement, subjects_of

VERIFIER, BUILD_TYPE = "urn:lf-toolchain:lfc", "urn:lf-toolchain:lfc-build:v1"
SVR = "https://in-toto.io/attestation/svr/v0.1"
PROVENANCE = "https://slsa.dev/provenance/v1"
TESTS = "https://in-toto.io/attestation/test-result/v0.1"


def verification(record: CheckRecord, objections: list[str]) -> bytes:
    """A Simple Verification Result: what holds of the subjects, as words that one can ask for. `objections`: what keeps
    the gate closed; then nothing of what follows from a whole check is among them."""
    properties = []
    if not objections:
        properties += ["LF_GATE_PROOF", "LF_NO_ASSERTION_FAILS", "LF_NO_FAULT", "LF_NO_DEADLOCK"]
        properties += [
            f"LF_PROPERTY_{name}" for name, verdict in sorted(record.properties.items()) if verdict == "holds"
        ]
        agrees = (record.image_checked or {}).get("verdict") == "agrees"
        properties += ["LF_IMAGE_AGREES"] if agrees else []
    told = {
        "verifier": {"id": VERIFIER},
        "timeVerified": record.checked_at,
        "properties": properties,
    }
    return statement(subjects_of(record), SVR, told)


def provenance(record: CheckRecord) -> bytes:
    """SLSA provenance of the build: what the image was made of. It says nothing on who has run it."""
    sources = [(record.file, "lfProgramSha256", record.program)]
    sources += [(f"board {record.board}", "sha256", record.board_digest)]
    sources += [(name, "sha256", digest) for name, digest in sorted(record.build.c_files.items())]
    options = {k: v for k, v in asdict(record.build).items() if k != "c_files"}
    tools = [{"name": name, "annotations": {"version": v}} for name, v in sorted(record.toolchain.items())]
    told: dict[str, Any] = {
        "buildDefinition": {
            "buildType": BUILD_TYPE,
            "externalParameters": {"program": record.file, "board": record.board, "options": options},
            "internalParameters": {},
            "resolvedDependencies": [
                *({"name": name, "digest": {kind: digest}} for name, kind, digest in sources),
                *tools,
            ],
        },
        "runDetails": {
            "builder": {"id": VERIFIER, "version": {"lfc": record.toolchain.get("lfc", "")}},
            "metadata": {"finishedOn": record.checked_at},
        },
    }
    return statement(subjects_of(record), PROVENANCE, told)


def suite_results(image: str, name: str, config: list[str], results: list[tuple[str, str]]) -> bytes:
    """What `lfc hil test` has found on a board. `image`: the digest of the traced image that the board runs; `results`:
    tests and their verdicts. One without a verdict is a warning, and nothing has passed then."""
    by = {v: [n for n, verdict in results if verdict == v] for v in ("pass", "fail", "inconclusive")}
    result = "FAILED" if by["fail"] else "WARNED" if by["inconclusive"] else "PASSED"
    told = {
        "result": result,
        "configuration": [{"name": c} for c in config],
        "passedTests": by["pass"],
        "warnedTests": by["inconclusive"],
        "failedTests": by["fail"],
    }
    subject = [{"name": name, "digest": {"lfFlashSha256": image}}]
    return statement(subject, TESTS, told)
