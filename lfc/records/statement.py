"""Records as files: in-toto statements, and signed ones in envelopes of the Dead Simple Signing Envelope (DSSE).

    https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
    https://github.com/secure-systems-lab/dsse/blob/master/protocol.md

A statement names what it is about (subjects: the flash, and the files that it is made into, by their digests) and what
is said of it (the predicate: the record). There is one form of each, to the byte, so that nothing is read in two ways.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from typing import Any

from lfc.base.read_file import json_of
from lfc.records.record import FORMAT, BadRecord, CheckRecord, record_from

STATEMENT = "https://in-toto.io/Statement/v1"
CHECK = "urn:lf-check-record:v4"  # the predicate that is a record
PAYLOAD = "application/vnd.in-toto+json"
FLASH, FLASH_DIGEST = "flash", "lfFlashSha256"  # no digest of a file: over each run of bytes, with its address


@dataclass(frozen=True, slots=True)
class Signature:
    """`keyid`: of an SSH signature the key's fingerprint; of a plain one of Ed25519 the digest of the key."""

    keyid: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    payload: bytes
    signatures: tuple[Signature, ...]

    @property
    def signed(self) -> bytes:
        """What the signatures are over (the pre-authentication encoding)."""
        return signed_form(self.payload)

    def to_json(self) -> bytes:
        signatures = [{"keyid": s.keyid, "sig": b64encode(s.content).decode()} for s in self.signatures]
        data = {"payload": b64encode(self.payload).decode(), "payloadType": PAYLOAD, "signatures": signatures}
        return (json.dumps(data, indent=1) + "\n").encode()


def signed_form(payload: bytes) -> bytes:
    return b"DSSEv1 %d %s %d %s" % (len(PAYLOAD), PAYLOAD.encode(), len(payload), payload)


def statement(subject: list[dict[str, Any]], kind: str, predicate: dict[str, Any]) -> bytes:
    data = {"_type": STATEMENT, "subject": subject, "predicateType": kind, "predicate": predicate}
    return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode()


def statement_of(record: CheckRecord) -> bytes:
    return statement(subjects_of(record), CHECK, asdict(record))


def subjects_of(record: CheckRecord) -> list[dict[str, Any]]:
    """The flash, and each file by the SHA-256 of its bytes, as `sha256sum` prints it."""
    stem = record.file.rpartition(".")[0] or record.file
    files = [{"name": f"{stem}.{form}", "digest": {"sha256": d}} for form, d in sorted(record.files.items())]
    return [{"name": FLASH, "digest": {FLASH_DIGEST: record.image}}, *files]


def read_envelope(content: bytes) -> Envelope | None:
    """None: it is none. Raises BadRecord of one that has another form than ours."""
    data = _object(content)
    if "payload" not in data:
        return None
    try:
        assert data["payloadType"] == PAYLOAD
        signatures = tuple(Signature(str(s["keyid"]), b64decode(s["sig"])) for s in data["signatures"])
        found = Envelope(b64decode(data["payload"]), signatures)
    except (AssertionError, KeyError, TypeError, ValueError):
        raise BadRecord("it is an envelope that holds no statement") from None
    if found.to_json() != content:
        raise BadRecord("it is an envelope with more in it than a statement and its signatures")
    return found


def read_record(content: bytes) -> CheckRecord:
    """Of an envelope, a statement, or a file of the toolchain before there were any. Raises BadRecord."""
    envelope = read_envelope(content)
    text = content if envelope is None else envelope.payload
    data = _object(text)
    if data.get("format") == FORMAT and envelope is None:
        return record_from(data)
    if data.get("_type") != STATEMENT:
        raise BadRecord("it is not a record of a check")
    if data.get("predicateType") != CHECK:
        raise BadRecord("it is a statement of another kind")
    predicate = data.get("predicate")
    record = record_from({"format": FORMAT, "version": 4, **predicate} if isinstance(predicate, dict) else None)
    if statement_of(record) != text:
        raise BadRecord("its subjects are not those of its record")
    return record


def _object(content: bytes) -> dict[str, Any]:
    try:
        data = json_of(content)
    except ValueError:
        raise BadRecord("it is not JSON") from None
    if not isinstance(data, dict):
        raise BadRecord("it is not a record of a check")
    return data
