"""Signatures of records: ours accepts what ours has signed and nothing else, and a foreign verifier agrees."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from securesystemslib.dsse import Envelope as ForeignEnvelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer._crypto_signer import CryptoSigner
from securesystemslib.signer._key import SSlibKey

from lfc.records import ed25519, evidence_page
from lfc.records.gate import Candidate, Trust, decide
from lfc.records.record import BadRecord
from lfc.records.signing import (
    Keys,
    SigningError,
    allowed_signers,
    fingerprint,
    plain_id,
    sign,
    sign_statement,
    signed_with,
    signer_of,
    who_signed,
)
from lfc.records.statement import CHECK, PAYLOAD, STATEMENT, read_envelope, read_record, statement_of
from lfc.records.store import Stored, records_folder, write_record
from tests.campaign.hostile.envelopes import ends_of_mutants
from tests.records.keys import new_key
from tests.records.made import CANDIDATE, RECORD
from tests.support.seeds import seed_of_this_run

WITH_FILES = replace(RECORD, files={"hex": "78" * 32, "uf2": "9a" * 32})


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("keys")
    return new_key(folder, "one"), new_key(folder, "other")


@pytest.fixture(scope="module")
def signed(keys: tuple[Path, Path]) -> bytes:
    return sign_statement(statement_of(WITH_FILES), keys[0])


def opens(folder: Path, candidate: Candidate, trusted: Path) -> str:
    """What speaks against it."""
    try:
        decision = decide(candidate, Trust((folder,), keys=Keys.of_file(trusted)))
    except SigningError as error:
        return str(error)
    assert (decision.opened_by is None) == bool(decision.objections)
    return "; ".join(decision.objections)


def test_a_signature_counts_if_it_is_of_a_trusted_key(keys: tuple[Path, Path], tmp_path: Path) -> None:
    one, other = keys
    public = one.with_suffix(".pub")
    folder = records_folder(tmp_path)
    write_record(folder, RECORD)
    assert "it is not signed" in opens(folder, CANDIDATE, public)
    stored = write_record(folder, RECORD, sign_statement(statement_of(RECORD), one))
    assert [p.name for p in folder.iterdir()] == [RECORD.name]
    assert opens(folder, CANDIDATE, public) == ""
    assert "by none of the keys" in opens(folder, CANDIDATE, other.with_suffix(".pub"))
    named = tmp_path / "named"
    named.write_text(f"# who may sign\nada@example.org {public.read_text()}\n")
    assert who_signed(stored, Keys.of_file(named)) == "ada@example.org"
    assert "cannot be read" in opens(folder, CANDIDATE, tmp_path / "none")
    (tmp_path / "empty").write_text("# nobody\n")
    assert "lists no key" in opens(folder, CANDIDATE, tmp_path / "empty")
    write_record(folder, RECORD)
    assert "it is not signed" in opens(folder, CANDIDATE, public)


def test_a_record_of_the_toolchain_before_keeps_its_signature(keys: tuple[Path, Path], tmp_path: Path) -> None:
    """It lies beside the record, and is over the whole file."""
    data = RECORD.as_data() | {"version": 3}
    del data["files"]
    path, public = tmp_path / RECORD.name, keys[0].with_suffix(".pub")
    path.write_text(json.dumps(data))
    path.with_name(f"{path.name}.sig").write_bytes(sign(path.read_bytes(), keys[0]))
    assert opens(tmp_path, CANDIDATE, public) == ""
    path.write_text(json.dumps(data | {"states": 8}))
    assert "its signature is wrong" in opens(tmp_path, CANDIDATE, public)
    path.with_name(f"{path.name}.sig").write_bytes(b"no signature")
    assert opens(tmp_path, CANDIDATE, public) != ""


def test_a_signature_for_something_else_does_not_count(keys: tuple[Path, Path], tmp_path: Path) -> None:
    """Such as that of a commit, or of a file, by the same key."""
    path = tmp_path / "record"
    path.write_bytes(statement_of(RECORD))
    subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(keys[0]), "-n", "git", str(path)], check=True)
    with pytest.raises(SigningError, match="signature is wrong"):
        signer_of(path.read_bytes(), Path(f"{path}.sig"), keys[0].with_suffix(".pub"))


@pytest.mark.parametrize(
    "listed",
    [
        'ci valid-before="20200101" {key}',
        'ci valid-after="20990101" {key}',
        'ci namespaces="git" {key}',
        "ci cert-authority {key}",
        "ci {other} instead of {key}",
        "# {key}",
    ],
)
@pytest.mark.parametrize("which", ["ssh", "plain", "both"])
def test_a_key_that_ssh_does_not_let_sign(listed: str, which: str, keys: tuple[Path, Path], signed: bytes) -> None:
    """Nor does its plain signature count, which ssh-keygen does not see: one that has expired would go on for ever."""
    key, other = (k.with_suffix(".pub").read_text().strip() for k in keys)
    envelope = read_envelope(signed)
    assert envelope is not None and len(envelope.signatures) == 2
    kept = {"ssh": envelope.signatures[:1], "plain": envelope.signatures[1:], "both": envelope.signatures}[which]
    stored = Stored(Path("x.json"), replace(envelope, signatures=kept).to_json(), WITH_FILES)
    assert who_signed(stored, Keys(allowed_signers(f"ci {key}"), "keys")) == "ci"
    with pytest.raises(SigningError):
        who_signed(stored, Keys(allowed_signers(listed.format(key=key, other=other)), "keys"))


def test_a_signature_that_is_wrong_shows_no_key(keys: tuple[Path, Path], signed: bytes) -> None:
    envelope = read_envelope(signed)
    assert envelope is not None
    changed = replace(envelope, payload=envelope.payload.replace(b"{", b"{ ", 1))
    right, wrong = (Stored(Path("x.json"), e.to_json(), WITH_FILES) for e in (envelope, changed))
    assert signed_with(right) == [envelope.signatures[0].keyid] and signed_with(wrong) == [] and wrong.is_signed
    told = evidence_page.signature({"signed": True, "signed_with": signed_with(wrong)})
    assert told == "<br>has a signature that was not verified"


@pytest.mark.parametrize(
    "listed",
    [
        'valid-before="20200101"',
        'ci,valid-before="20200101"',
        '"namespaces=git"',
        "\ufeffcert-authority",
        'no-pty,expiry-time="20200101"',
    ],
)
def test_an_option_without_a_name_before_it(listed: str) -> None:
    """To ssh-keygen it is a name of a key without limits."""
    with pytest.raises(SigningError, match="begins with an option of a key: a name stands before it"):
        allowed_signers(f"{listed} ssh-ed25519 AAA\n")


def test_keys_without_a_name_get_one() -> None:
    assert allowed_signers("# c\n\nssh-ed25519 AAA me\nme ssh-ed25519 AAA\n") == (
        "trusted ssh-ed25519 AAA me\nme ssh-ed25519 AAA\n"
    )
    with pytest.raises(SigningError, match="there is no key"):
        sign(b"", Path("/there/is/none"))


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_keys_of_other_kinds_sign_in_the_form_of_ssh(kind: str, tmp_path: Path) -> None:
    key = new_key(tmp_path, "key", kind)
    envelope = read_envelope(sign_statement(statement_of(RECORD), key))
    assert envelope is not None and [s.keyid[:7] for s in envelope.signatures] == ["SHA256:"]
    write_record(tmp_path / "records", RECORD, envelope.to_json())
    assert opens(tmp_path / "records", CANDIDATE, key.with_suffix(".pub")) == ""


def test_a_key_whose_other_half_the_agent_has(keys: tuple[Path, Path], tmp_path: Path) -> None:
    from lfc.records.ssh_agent import agent_with

    with agent_with(keys[0]) as place, pytest.MonkeyPatch.context() as patch:
        assert place is not None
        patch.setenv("SSH_AUTH_SOCK", place)
        envelope = read_envelope(sign_statement(statement_of(RECORD), keys[0].with_suffix(".pub")))
    assert envelope is not None and len(envelope.signatures) == 2


# --- what others read ---


def test_a_statement_names_what_it_is_about(signed: bytes) -> None:
    envelope = read_envelope(signed)
    assert envelope is not None
    data = json.loads(envelope.payload)
    assert (data["_type"], data["predicateType"]) == (STATEMENT, CHECK)
    assert data["subject"] == [
        {"name": "flash", "digest": {"lfFlashSha256": "ab" * 32}},
        {"name": "light.hex", "digest": {"sha256": "78" * 32}},
        {"name": "light.uf2", "digest": {"sha256": "9a" * 32}},
    ]
    assert data["predicate"]["verdict"] == "holds" and read_record(signed) == WITH_FILES


def foreign_key(path: Path) -> SSlibKey:
    public = load_ssh_public_key(path.with_suffix(".pub").read_bytes())
    assert isinstance(public, Ed25519PublicKey)
    return SSlibKey.from_crypto(public)


def test_a_foreign_verifier_accepts_it(keys: tuple[Path, Path], signed: bytes) -> None:
    envelope = ForeignEnvelope.from_dict(json.loads(signed))
    one, other = map(foreign_key, keys)
    assert envelope.payload_type == PAYLOAD and list(envelope.verify([one], 1)) == [one.keyid]
    with pytest.raises(VerificationError):
        envelope.verify([other], 1)
    changed = json.loads(signed)
    changed["payload"] = changed["payload"].replace("a", "b", 1)
    with pytest.raises(VerificationError):
        ForeignEnvelope.from_dict(changed).verify([one], 1)


def test_what_a_foreign_signer_signs_is_accepted(tmp_path: Path) -> None:
    """With the plain signature alone. Its own form of the file is brought into ours."""
    signer = CryptoSigner.generate_ed25519()
    foreign = ForeignEnvelope(statement_of(RECORD), PAYLOAD, {})
    foreign.sign(signer)
    told = foreign.to_dict()["signatures"]
    public = bytes.fromhex(signer.public_key.keyval["public"])
    listed = Keys(f"ada {ssh_line(public)}\n", "keys")
    from lfc.records.statement import Envelope, Signature

    ours = Envelope(statement_of(RECORD), tuple(Signature(s["keyid"], b64decode(s["sig"])) for s in told))
    stored = Stored(tmp_path / "x.json", ours.to_json(), RECORD)
    assert who_signed(stored, listed) == "ada"
    assert plain_id(public) == signer.public_key.keyid
    with pytest.raises(SigningError, match="of an unknown key"):
        who_signed(stored, Keys("ada ssh-rsa AAAA\n", "keys"))


def ssh_line(public: bytes) -> str:
    from base64 import b64encode

    blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + public
    assert fingerprint(blob).startswith("SHA256:")
    return f"ssh-ed25519 {b64encode(blob).decode()}"


def test_the_plain_signatures_are_verified_as_the_cryptography_package_does() -> None:
    """Right ones, changed ones, and the points and scalars that lenient verifiers take."""
    chance = random.Random(1)
    for number in range(12):
        key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"%d" % number).digest())
        public = key.public_key()
        message = chance.randbytes(number * 7)
        good = key.sign(message)
        scalar = int.from_bytes(good[32:], "little")
        for signature in (
            good,
            flipped(good, chance.randrange(512)),
            good[:32] + (scalar + ed25519.ORDER).to_bytes(32, "little"),
            bytes(64),
            b"\xff" * 64,
        ):
            try:
                public.verify(signature, message)
                right = True
            except Exception:
                right = False
            assert ed25519.verify(public.public_bytes_raw(), message, signature) == right == (signature == good)
    assert not ed25519.verify(b"\xff" * 32, b"", bytes(64)) and not ed25519.verify(b"", b"", b"")


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- what is not ours ---


def test_there_is_one_form_of_an_envelope(signed: bytes) -> None:
    data = json.loads(signed)
    for other in (
        json.dumps(data).encode(),
        signed + b" ",
        json.dumps(data | {"more": 1}, indent=1).encode() + b"\n",
        json.dumps(data | {"payloadType": "text/plain"}, indent=1).encode() + b"\n",
        json.dumps(data | {"signatures": 1}, indent=1).encode() + b"\n",
        json.dumps(data | {"payload": "%"}, indent=1).encode() + b"\n",
    ):
        with pytest.raises(BadRecord):
            read_record(other)


def test_subjects_are_those_of_the_record() -> None:
    text = statement_of(WITH_FILES)
    assert read_record(text) == WITH_FILES
    with pytest.raises(BadRecord, match="its subjects are not those of its record"):
        read_record(text.replace(b'"sha256": "78', b'"sha256": "79'))
    with pytest.raises(BadRecord, match="of another kind"):
        read_record(text.replace(CHECK.encode(), b"https://slsa.dev/provenance/v1"))


def test_a_share_of_the_mutants_is_refused(keys: tuple[Path, Path], signed: bytes) -> None:
    ends = ends_of_mutants(signed, Keys.of_file(keys[0].with_suffix(".pub")), 150, seed_of_this_run())
    assert set(ends) == {"no record", "no signature"}, ends


def test_without_an_agent_the_form_of_ssh_has_to_do(
    keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for tool in ("ssh-keygen",):
        found = next(Path(p) / tool for p in os.environ["PATH"].split(":") if (Path(p) / tool).exists())
        (tmp_path / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    envelope = read_envelope(sign_statement(statement_of(RECORD), keys[0]))
    assert envelope is not None and len(envelope.signatures) == 1
