"""The server of the page: on this machine's loopback only, for whoever knows the address that it has printed.

A web page from elsewhere can make a browser ask a server on the same machine. So nothing is answered without the secret
part of the address, nor under another name than this machine's own.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from lfc.doctor.tools import node_modules
from lfc.view.live.exploration import Exploration, NoSuchState

HERE = Path(__file__).parent
LOOPBACK = "127.0.0.1"
SCRIPTS = {"sigma.js": ("sigma", "dist/sigma.min.js"), "graphology.js": ("graphology", "dist/graphology.umd.min.js")}
POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'"
LONGEST = 100_000  # characters of a way


class LiveServer(ThreadingHTTPServer):
    """`way`: the choices with which the page begins."""

    daemon_threads = True

    def __init__(self, exploration: Exploration, file: str, way: list[int], port: int = 0) -> None:
        super().__init__((LOOPBACK, port), Answer)
        self.exploration, self.file, self.way = exploration, file, way
        self.secret, self.lock = token_urlsafe(16), Lock()
        self.hosts = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def address(self) -> str:
        return f"http://{LOOPBACK}:{self.server_port}/{self.secret}/"


class Answer(BaseHTTPRequestHandler):
    server: LiveServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is told of requests."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        under = f"/{self.server.secret}/"
        if self.headers.get("Host") not in self.server.hosts or not asked.path.startswith(under):
            self.send(HTTPStatus.NOT_FOUND, "text/plain", b"there is nothing here\n")
            return
        name = asked.path.removeprefix(under)
        if name == "":
            self.send(HTTPStatus.OK, "text/html", page().encode())
        elif name in SCRIPTS:
            self.send_script(name)
        else:
            self.send_data(name, parse_qs(asked.query))

    def send_script(self, name: str) -> None:
        package, file = SCRIPTS[name]
        folder = node_modules(package)
        if folder is None or not (folder / package / file).is_file():
            self.send(HTTPStatus.NOT_FOUND, "text/javascript", f"// npm's {package} is not installed\n".encode())
        else:
            self.send(HTTPStatus.OK, "text/javascript", (folder / package / file).read_bytes())

    def send_data(self, name: str, query: dict[str, list[str]]) -> None:
        try:
            with self.server.lock:
                data = answer(self.server, name, {key: found[0] for key, found in query.items()})
        except (NoSuchState, ValueError) as error:
            said = json.dumps({"error": str(error)}).encode()
            self.send(HTTPStatus.BAD_REQUEST, "application/json", said)
            return
        if data is None:
            self.send(HTTPStatus.NOT_FOUND, "text/plain", b"there is nothing here\n")
        else:
            self.send(HTTPStatus.OK, "application/json", data.encode())

    def send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)


def answer(server: LiveServer, name: str, query: dict[str, str]) -> str | None:
    """A JSON document; None: there is none of this name. Raises NoSuchState, ValueError."""
    e = server.exploration
    if name == "program":
        here = {"file": server.file, "module": e.machine.program.main.name, "way": server.way}
        return json.dumps(here)
    if name == "state":
        return json.dumps(e.state_as_data(number(query, "n")))
    if name == "graph":
        return json.dumps(e.graph_as_data(number(query, "most")))
    if name == "way":
        return json.dumps({"way": e.way_to(number(query, "n"))})
    if name == "trace":
        return e.trace(server.file, way_of(query.get("way", "")))
    return None


def number(query: dict[str, str], name: str) -> int:
    text = query.get(name, "")
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"`{name}` is not a number")
    return int(text)


def way_of(text: str) -> list[int]:
    parts = text.split(",") if text else []
    if len(text) > LONGEST or not all(p.isdecimal() and len(p) < 9 for p in parts):
        raise ValueError("`way` is not a list of numbers")
    return [int(p) for p in parts]


def page() -> str:
    parts = {name: (HERE / f"live.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    colours = (HERE.parent / "page.css").read_text(encoding="utf-8").split("* {", 1)[0]
    return parts["html"].replace("<!--STYLE-->", colours + parts["css"]).replace("<!--SCRIPT-->", parts["js"])
