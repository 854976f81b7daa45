"""An agent of OpenSSH, for as long as a record is signed: only an agent signs bytes as they are, in the plain form."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

SIGN_REQUEST, SIGN_RESPONSE = 13, 14
PUBLIC = (b"ssh-", b"ecdsa-", b"sk-")
PATIENCE = 20.0  # seconds for an agent to begin
MOST = 1 << 18  # bytes of an answer


@contextmanager
def agent_with(key: Path) -> Iterator[str | None]:
    """The socket of an agent that has the key: of a public one the user's own. None: there is no agent, and OpenSSH's
    form has to do."""
    try:
        is_public = key.read_bytes()[:8].startswith(PUBLIC)
    except OSError:
        is_public = False
    if is_public or not key.is_file() or not shutil.which("ssh-agent") or not shutil.which("ssh-add"):
        yield os.environ.get("SSH_AUTH_SOCK") if is_public else None
        return
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        place = f"{folder}/agent"
        agent = subprocess.Popen(["ssh-agent", "-D", "-a", place], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            has_begun = listens(place, agent)
            # The passphrase is asked for here, once.
            added = has_begun and subprocess.run(
                ["ssh-add", "-q", str(key)],
                env={**os.environ, "SSH_AUTH_SOCK": place},
                check=False,
                capture_output=True,
            )
            yield place if added and added.returncode == 0 else None
        finally:
            agent.kill()
            agent.wait()


def listens(place: str, agent: subprocess.Popen[bytes]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and agent.poll() is None:
        with suppress(OSError), closing(socket.socket(socket.AF_UNIX)) as there:
            there.connect(place)
            return True
        time.sleep(0.01)
    return False


def plain_signature(place: str, public: bytes, content: bytes) -> bytes | None:
    """Of Ed25519: 64 bytes. None: the agent does not sign with this key."""
    body = bytes([SIGN_REQUEST]) + sized(public) + sized(content) + bytes(4)
    try:
        with closing(socket.socket(socket.AF_UNIX)) as there:
            there.settimeout(PATIENCE)
            there.connect(place)
            there.sendall(sized(body))
            answer = received(there, int.from_bytes(received(there, 4), "big"))
    except OSError:
        return None
    if not answer or answer[0] != SIGN_RESPONSE or len(answer) < 64:
        return None
    return answer[-64:]


def sized(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def received(there: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < min(size, MOST):
        more = there.recv(size - len(found))
        if not more:
            raise OSError("the agent has ended")
        found += more
    return found
