"""`lfc view --serve` by plain HTTP: the states are those of `lfc graph`, ways replay, and nobody else is answered."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lfc.base.source import Source
from lfc.mcheck.explore.export import build_graph
from lfc.trace.files import read_trace
from lfc.view.live import server as serving
from lfc.view.live.exploration import Exploration, NoSuchState
from lfc.view.live.layers import layered
from lfc.view.live.server import LiveServer
from tests.cli.lfc import ROOT, lfc
from tests.differential.stepwise import machine_of, machine_of_source

EXAMPLES = ROOT / "examples"


@contextmanager
def served(name: str, way: list[int] | None = None) -> Iterator[LiveServer]:
    with LiveServer(Exploration(machine_of(EXAMPLES / name)), name, way or []) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def get(server: LiveServer, path: str, host: str | None = None, secret: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    headers = {} if host is None else {"Host": host}
    connection.request("GET", f"/{server.secret if secret is None else secret}/{path}", headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    assert "'none'" in (response.headers["Content-Security-Policy"] or "")
    return response.status, body


def data(server: LiveServer, path: str) -> Any:
    status, body = get(server, path)
    assert status == 200, body
    return json.loads(body)


@pytest.mark.parametrize("name", ["prodcons.lf", "philosophers.lf", "traffic.lf"])
def test_states_and_transitions_are_those_of_the_graph(name: str) -> None:
    """The second opinion: what `lfc graph` writes. Same order, so the same numbers."""
    text = (EXAMPLES / name).read_text().replace("N = 5", "N = 2")
    machine = machine_of_source(Source(name, text))
    graph = build_graph(machine, 20_000)
    exploration = Exploration(machine)
    told = exploration.graph_as_data(len(graph.blocks) + 1)
    assert told["complete"] and exploration.found.nodes == graph.blocks
    assert [tuple(e) for e in told["edges"]] == sorted(
        {(e.source, e.target) for e in graph.edges if e.target is not None}
    )
    kinds = [n[2] for n in told["nodes"]]
    left = {e.source for e in graph.edges}
    assert [k in ("deadlock", "end") for k in kinds] == [n not in left for n in range(len(kinds))]
    assert kinds.count("deadlock") == (name == "philosophers.lf")


def test_the_states_grow_as_they_are_asked_for() -> None:
    with served("philosophers.lf") as server:
        some = data(server, "graph?most=50")
        assert 50 <= len(some["nodes"]) < 80 and not some["complete"] and some["nodes"][0][2] == ""
        assert {"new"} < {kind for _, _, kind in some["nodes"]}
        more = data(server, "graph?most=60")
        assert len(more["nodes"]) >= 60 and [e for e in some["edges"] if e not in more["edges"]] == []
        last = len(more["nodes"]) - 1
        way = data(server, f"way?n={last}")["way"]
        here = 0
        for choice in way:  # by hand, one request after the other
            here = data(server, f"state?n={here}")["choices"][choice]["target"]
        assert here == last and data(server, f"state?n={last}")["depth"] == len(way)


def test_a_way_is_a_trace_that_replays(tmp_path: Path) -> None:
    assert lfc("check", "philosophers.lf", "--trace", tmp_path / "dead.json", cwd=EXAMPLES).exit == 3
    steps = json.loads((tmp_path / "dead.json").read_text())["steps"]
    exploration = Exploration(machine_of(EXAMPLES / "philosophers.lf"))
    way = exploration.choices_of_trace(read_trace(tmp_path / "dead.json").steps)
    assert len(way) == len(steps)
    with served("philosophers.lf", way) as server:
        assert data(server, "program") == {"file": "philosophers.lf", "module": "Philosophers", "way": way}
        told = data(server, f"trace?way={','.join(map(str, way))}")
        assert told["steps"] == steps
        here = 0
        for choice in way:
            here = data(server, f"state?n={here}")["choices"][choice]["target"]
        end = data(server, f"state?n={here}")
        assert (end["kind"], end["choices"]) == ("deadlock", []) and any("waits" in line for line in end["said"])
        (tmp_path / "own.json").write_text(json.dumps(told))
    assert lfc("run", "--schedule", tmp_path / "own.json", "philosophers.lf", cwd=EXAMPLES).exit == 3


def test_nobody_else_is_answered() -> None:
    with served("prodcons.lf") as server:
        assert server.server_address[0] == "127.0.0.1"
        status, page = get(server, "")
        assert (
            status == 200
            and b"What can happen next" in page
            and b"http" not in page.replace(b"http://www.w3.org/2000/svg", b"")
        )
        assert get(server, "", secret="guess")[0] == 404
        assert get(server, "state?n=0", host="evil.example")[0] == 404
        assert get(server, "state?n=0", host=f"localhost:{server.server_port}")[0] == 200
        assert get(server, "../../etc/passwd")[0] == 404 and get(server, "page.css")[0] == 404
        for path in ("state?n=99999", "state?n=x", "state", "way?n=-1", "trace?way=0,99", "trace?way=a", "graph?most="):
            status, body = get(server, path)
            assert status == 400 and json.loads(body)["error"], path


def test_scripts_are_those_that_npm_has_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sigma" / "dist").mkdir(parents=True)
    (tmp_path / "sigma" / "dist" / "sigma.min.js").write_text("Sigma = 1")
    monkeypatch.setattr(serving, "node_modules", lambda name: tmp_path if name == "sigma" else None)
    with served("prodcons.lf") as server:
        assert get(server, "sigma.js") == (200, b"Sigma = 1")
        status, said = get(server, "graphology.js")
        assert status == 404 and b"npm's graphology is not installed" in said


def test_a_fault_ends_a_way(tmp_path: Path) -> None:
    file = tmp_path / "Fails.lf"
    file.write_text("MODULE Fails;\nVAR n : INTEGER;\nBEGIN\n  RESCHEDULE; n := 1; ASSERT(n = 2)\nEND Fails.\n")
    exploration = Exploration(machine_of(file))
    exploration.grow(10)
    last = len(exploration.found.nodes) - 1
    told = exploration.state_as_data(last)
    assert told["kind"] == "fault" and told["choices"][0]["target"] is None
    assert "the assertion failed" in told["choices"][0]["text"]
    way = [*exploration.way_to(last), 0]
    assert len(list(exploration.along([*way, 0, 0]))) == len(way)
    with pytest.raises(NoSuchState, match="has no choice 4"):
        list(exploration.along([3]))


def test_layers_lie_below_each_other_and_under_their_neighbours() -> None:
    at = layered([0, 1, 1, 2, 2], [(0, 1), (0, 2), (2, 3), (1, 4), (4, 0)])
    assert [y for _, y in at] == [0.0, 44.0, 44.0, 88.0, 88.0]
    assert at[4][0] < at[3][0] and at[1][0] < at[2][0] and at[0][0] == 0.0
    assert len(set(at)) == 5 and layered([], []) == []
    wide = layered([0, *[1] * 2000, 2], [*((0, n) for n in range(1, 2001)), (1, 2001)])
    width, height = max(x for x, _ in wide) - min(x for x, _ in wide), wide[-1][1]
    assert len(set(wide)) == 2002 and width < 3 * height < 6 * width and max(y for _, y in wide[:-1]) < height


def test_the_command_serves_until_ctrl_c() -> None:
    command = [sys.executable, "-m", "lfc", "view", "--serve", "prodcons.lf"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=EXAMPLES, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        host, secret = address.removeprefix("http://").split("/")[:2]
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("GET", f"/{secret}/program")
        assert json.loads(connection.getresponse().read())["module"] == "ProdCons"
        connection.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
    done = lfc("view", "--serve", "prodcons.lf", "-o", "page.html", cwd=EXAMPLES)
    assert done.exit == 2 and "--output is about a page in a file: leave out --serve" in done.err
