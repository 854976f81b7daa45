"""Keys of SSH for tests."""

from __future__ import annotations

import subprocess
from pathlib import Path


def new_key(folder: Path, name: str, kind: str = "ed25519", passphrase: str = "") -> Path:
    """A private key, with its public half beside it."""
    path = folder / name
    command = ["ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", name, "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path
