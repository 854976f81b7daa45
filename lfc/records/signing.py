"""Signatures of records by SSH keys: OpenSSH's own form (`ssh-keygen -Y`), and beside it, of Ed25519, the plain one
that other verifiers of envelopes know."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from base64 import b64decode, b64encode
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.base.read_file import SETTING, read_file
from lfc.doctor.probe import require_tool
from lfc.records import ed25519
from lfc.records.ssh_agent import agent_with, plain_signature
from lfc.records.statement import Envelope, Signature, read_envelope, signed_form

if TYPE_CHECKING:
    from lfc.records.store import Stored

NAMESPACE, OF_POLICY = "lf-check-record", "lf-flash-policy"
KEY_KINDS = ("ssh-", "ecdsa-", "sk-")
OPTIONS = ("cert-authority", "namespaces=", "valid-after=", "valid-before=")
OF_LOGINS = ("expiry-time=",)  # of keys with which one logs in; here it would be a name, too
OF_A_KEY = "trusted"  # the name of whoever has a key that is listed without a name
ED25519 = b"ssh-ed25519"
BEGIN, END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"


class SigningError(Exception):
    """A key, a list of keys or a signature that is of no use; the message says why."""


@dataclass(frozen=True, slots=True)
class Keys:
    """That are trusted: `listed` as ssh-keygen wants them, `where` for the reader."""

    listed: str
    where: str

    @staticmethod
    def of_file(path: Path) -> Keys:
        """Raises SigningError."""
        try:
            text = read_file(path, SETTING).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise SigningError(f"{path}, the list of trusted keys, cannot be read: {error}") from None
        return Keys(allowed_signers(text), str(path))

    def plain(self) -> dict[str, tuple[bytes, str]]:
        """Those of Ed25519 by their ids: the key, and whose it is. Of a key with options (`valid-before=...`) only
        ssh-keygen says whether it counts; behind the key there is a comment."""
        found: dict[str, tuple[bytes, str]] = {}
        for line in self.listed.splitlines():
            words = line.split()
            if len(words) > 2 and words[1] == ED25519.decode():
                key = key_in(words[2])
                found |= {} if key is None else {plain_id(key): (key, words[0])}
        return found


def key_in(text: str) -> bytes | None:
    try:
        parts = parts_of(b64decode(text, validate=True))
    except ValueError:
        return None
    return parts[1] if len(parts) == 2 and parts[0] == ED25519 and len(parts[1]) == 32 else None


def parts_of(blob: bytes) -> list[bytes]:
    """Of what SSH writes as lengths and contents. Raises ValueError."""
    found, at = [], 0
    while at < len(blob):
        size = int.from_bytes(blob[at : at + 4], "big")
        if at + 4 + size > len(blob):
            raise ValueError("it is cut off")
        found.append(blob[at + 4 : at + 4 + size])
        at += 4 + size
    return found


def plain_id(public: bytes) -> str:
    """As securesystemslib names a key: the digest of its description in canonical JSON."""
    told = {"keytype": "ed25519", "keyval": {"public": public.hex()}, "scheme": "ed25519"}
    return hashlib.sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# --- to sign ---


def sign_statement(payload: bytes, key: Path) -> bytes:
    """The envelope. `key`: a private key, or a public one whose other half the agent has. A passphrase is asked for on
    the terminal. Raises SigningError, MissingOnThisMachine."""
    signed = signed_form(payload)
    with agent_with(key) as agent:
        blob = blob_of(sign(signed, key, agent=agent))
        public = signer_in(blob)
        signatures = [Signature(fingerprint(public), blob)]
        parts = parts_of(public)
        if parts[0] == ED25519 and agent is not None:
            plain = plain_signature(agent, public, signed)
            if plain is not None:
                signatures.append(Signature(plain_id(parts[1]), plain))
    return Envelope(payload, tuple(signatures)).to_json()


def sign(content: bytes, key: Path, namespace: str = NAMESPACE, agent: str | None = None) -> bytes:
    """As `sign_statement`, in OpenSSH's form."""
    require_tool("ssh-keygen")
    if not key.is_file():
        raise SigningError(f"there is no key {key}")
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", namespace],
        input=content,
        capture_output=True,
        check=False,
        env={**os.environ, "SSH_AUTH_SOCK": agent} if agent is not None else None,
    )
    if done.returncode != 0 or not done.stdout.startswith(BEGIN.encode()):
        raise SigningError(f"ssh-keygen does not sign with {key}: {_said(done)}")
    return done.stdout


def plainly_signed(content: bytes, key: Path) -> tuple[bytes, bytes]:
    """The public key of Ed25519, and the plain signature (RFC 8032). Raises SigningError, MissingOnThisMachine."""
    with agent_with(key) as agent:
        public = signer_in(blob_of(sign(content, key, agent=agent)))
        parts = parts_of(public)
        if parts[0] != ED25519:
            raise SigningError(f"{key} is no key of Ed25519 (ssh-keygen -t ed25519)")
        plain = None if agent is None else plain_signature(agent, public, content)
        if plain is None:
            raise SigningError(f"no agent signs with {key} (ssh-agent and ssh-add make plain signatures)")
        return parts[1], plain


def public_key_in(file: Path) -> bytes:
    """Of Ed25519, in the form of OpenSSH (`.pub`). Raises SigningError."""
    try:
        words = read_file(file, SETTING).decode("utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise SigningError(f"{file}, the public key, cannot be read: {error}") from None
    found = [key for kind, text in pairwise(words) if kind == ED25519.decode() and (key := key_in(text))]
    if len(found) != 1:
        raise SigningError(f"{file} is no public key of Ed25519 (ssh-keygen -t ed25519 makes one)")
    return found[0]


def blob_of(armoured: bytes) -> bytes:
    return b64decode("".join(armoured.decode().split("\n")[1:]).partition("-----END")[0])


def armoured(blob: bytes) -> bytes:
    text = b64encode(blob).decode()
    return "\n".join([BEGIN, *(text[at : at + 70] for at in range(0, len(text), 70)), END, ""]).encode()


def signer_in(blob: bytes) -> bytes:
    """The public key that an SSH signature names. Raises SigningError."""
    try:
        if not blob.startswith(b"SSHSIG"):
            raise ValueError
        return parts_of(blob[10:])[0]
    except (ValueError, IndexError):
        raise SigningError("its signature is wrong: it is not one of SSH") from None


def fingerprint(public: bytes) -> str:
    return "SHA256:" + b64encode(hashlib.sha256(public).digest()).decode().rstrip("=")


# --- to verify ---


def who_signed(stored: Stored, keys: Keys) -> str:
    """Who of those that are trusted. Every signature must be right, also one of somebody else. Raises SigningError,
    MissingOnThisMachine."""
    envelope = read_envelope(stored.content)
    if envelope is None:
        return verified(stored.content, signature_beside(stored.signature), keys)
    if not envelope.signatures:
        raise SigningError("it is not signed")
    named = [s for s in envelope.signatures if s.keyid.startswith("SHA256:")]
    plain = [s for s in envelope.signatures if s not in named]
    own: dict[str, tuple[bytes, str]] = {}
    for s in named:
        public = signer_in(s.content)
        if s.keyid != fingerprint(public):
            raise SigningError("its signature is wrong: it is of another key than it names")
        parts = parts_of(public)
        own |= {plain_id(parts[1]): (parts[1], "")} if parts[0] == ED25519 else {}
    signers = [who for s in named if (who := signer_of_one(envelope, s, keys))]
    trusted = keys.plain()
    for s in plain:
        key, who = trusted.get(s.keyid) or own.get(s.keyid) or (b"", "")
        if not key:
            raise SigningError(f"it has a signature of an unknown key ({s.keyid[:16]})")
        if not ed25519.verify(key, envelope.signed, s.content):
            raise SigningError("its signature is wrong: it is not of these bytes")
        signers += [who] if who else []
    if not signers:
        raise SigningError(f"it is signed by none of the keys of {keys.where}")
    return signers[0]


def signer_of_one(envelope: Envelope, signature: Signature, keys: Keys) -> str:
    """Empty: it is right, but of nobody who is trusted. Raises SigningError."""
    content = right_one(envelope, signature)
    try:
        return verified(envelope.signed, content, keys)
    except NotTrusted:
        return ""


def right_one(envelope: Envelope, signature: Signature) -> bytes:
    """In the form of files, whoever has made it. Raises SigningError."""
    content = armoured(signature.content)
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        file = Path(folder) / "signature"
        file.write_bytes(content)
        require_tool("ssh-keygen")
        command = ["ssh-keygen", "-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(file)]
        done = subprocess.run(command, input=envelope.signed, capture_output=True, check=False)
        if done.returncode != 0:
            raise SigningError(f"its signature is wrong: {_said(done)}")
    return content


def signed_with(stored: Stored) -> list[str]:
    """Fingerprints of the keys, trusted or not, whose signature is right. Raises MissingOnThisMachine."""
    envelope, found = read_envelope(stored.content), list[str]()
    if envelope is None:
        return found
    for s in envelope.signatures:
        with suppress(SigningError):
            if s.keyid == fingerprint(signer_in(s.content)):
                right_one(envelope, s)
                found.append(s.keyid)
    return found


class NotTrusted(SigningError):
    """Nobody has signed whose key is listed."""


def signature_beside(file: Path) -> bytes:
    if not file.is_file():
        raise SigningError("it is not signed")
    try:
        return read_file(file, SETTING)
    except OSError as error:
        raise SigningError(f"{file} cannot be read: {error.strerror}") from None


def signer_of(content: bytes, signature: Path, trusted: Path, namespace: str = NAMESPACE) -> str:
    """Of content with its signature in a file. Raises SigningError if none did, MissingOnThisMachine."""
    return verified(content, signature_beside(signature), Keys.of_file(trusted), namespace)


def verified(content: bytes, signature: bytes, keys: Keys, namespace: str = NAMESPACE) -> str:
    require_tool("ssh-keygen")
    if not keys.listed:
        raise SigningError(f"{keys.where} lists no key")
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        allowed, file = Path(folder) / "allowed", Path(folder) / "signature"
        allowed.write_text(keys.listed, encoding="utf-8")
        file.write_bytes(signature)
        of = ["-s", str(file), "-f", str(allowed)]
        named = subprocess.run(["ssh-keygen", "-Y", "find-principals", *of], capture_output=True, check=False)
        if named.returncode != 0:
            raise NotTrusted(f"it is signed by none of the keys of {keys.where}")
        for who in named.stdout.decode(errors="replace").splitlines():
            done = subprocess.run(
                ["ssh-keygen", "-Y", "verify", "-I", who, "-n", namespace, *of],
                input=content,
                capture_output=True,
                check=False,
            )
            if done.returncode == 0:
                return who
    raise SigningError(f"its signature is wrong: {_said(done)}" if named.stdout else "its signature is wrong")


def allowed_signers(listed: str) -> str:
    """As ssh-keygen wants them: a name before each key. A file of public keys has none. Raises SigningError."""
    lines = [line.strip() for line in listed.splitlines()]
    meant = [line for line in lines if line and not line.startswith("#")]
    for line in meant:
        if names_an_option(line):  # ssh-keygen would take it for a name, and the key for one without limits
            known = ", ".join(OPTIONS)
            raise SigningError(
                f"`{line}` begins with an option of a key: a name stands before it, and a space ({known})"
            )
    named = [f"{OF_A_KEY} {line}" if line.startswith(KEY_KINDS) else line for line in meant]
    return "".join(f"{line}\n" for line in named)


def names_an_option(line: str) -> bool:
    """Where names are listed, with commas between them."""
    return any(name.lstrip('"\ufeff').lower().startswith(OPTIONS + OF_LOGINS) for name in line.split()[0].split(","))


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return said[-1].strip() if said else f"exit code {done.returncode}"
