"""Signatures of records, by OpenSSH's `ssh-keygen -Y`."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from lfc.base.read_file import SETTING, read_file
from lfc.doctor.probe import require_tool

NAMESPACE = "lf-check-record"
KEY_KINDS = ("ssh-", "ecdsa-", "sk-")
OF_A_KEY = "trusted"  # the name of whoever has a key that is listed without a name


class SigningError(Exception):
    """A key, a list of keys or a signature that is of no use; the message says why."""


def sign(content: bytes, key: Path) -> bytes:
    """`key`: a private key, or a public one whose other half the agent has. A passphrase is asked for on the terminal.

    Raises SigningError, MissingOnThisMachine.
    """
    require_tool("ssh-keygen")
    if not key.is_file():
        raise SigningError(f"there is no key {key}")
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE],
        input=content,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0 or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        raise SigningError(f"ssh-keygen does not sign with {key}: {_said(done)}")
    return done.stdout


def signer_of(content: bytes, signature: Path, trusted: Path) -> str:
    """Who of those that are trusted signed it. Raises SigningError if none did, MissingOnThisMachine."""
    require_tool("ssh-keygen")
    try:
        keys = allowed_signers(read_file(trusted, SETTING).decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SigningError(f"{trusted}, the list of trusted keys, cannot be read: {error}") from None
    if not keys:
        raise SigningError(f"{trusted} lists no key")
    if not signature.is_file():
        raise SigningError("it is not signed")
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        allowed = Path(folder) / "allowed"
        allowed.write_text(keys, encoding="utf-8")
        of = ["-s", str(signature), "-f", str(allowed)]
        named = subprocess.run(["ssh-keygen", "-Y", "find-principals", *of], capture_output=True, check=False)
        if named.returncode != 0:
            raise SigningError(f"it is signed by none of the keys of {trusted}")
        for who in named.stdout.decode(errors="replace").splitlines():
            done = subprocess.run(
                ["ssh-keygen", "-Y", "verify", "-I", who, "-n", NAMESPACE, *of],
                input=content,
                capture_output=True,
                check=False,
            )
            if done.returncode == 0:
                return who
    raise SigningError(f"its signature is wrong: {_said(done)}" if named.stdout else "its signature is wrong")


def allowed_signers(listed: str) -> str:
    """As ssh-keygen wants them: a name before each key. A file of public keys has none."""
    lines = [line.strip() for line in listed.splitlines()]
    meant = [line for line in lines if line and not line.startswith("#")]
    named = [f"{OF_A_KEY} {line}" if line.startswith(KEY_KINDS) else line for line in meant]
    return "".join(f"{line}\n" for line in named)


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
    return said[-1].strip() if said else f"exit code {done.returncode}"
