"""Random systems of two boards, and each as one program that has all its processes, with the links written out."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

BOARDS = ("a", "b")
HEAD = "TYPE Msg = [m(UINT8), n];\n"


@dataclass(slots=True)
class TwoBoards:
    modules: dict[str, str]  # by the name of the board
    links: list[tuple[str, str, str]]  # name, from, to
    one: str  # the same as one program

    def system(self, line: str = "", silent: str = "") -> str:
        """`silent`: the boards whose lines may fall silent."""
        fault = 'faults = ["silence"]\n'
        boards = "".join(f'[boards.{b}]\nrun = "Of_{b}.lf"\n{fault if b in silent else ""}' for b in BOARDS)
        links = "".join(f'[links.{name}]\nfrom = "{f}"\nto = "{t}"\n' for name, f, t in self.links)
        return f"{boards}{links}{line}"


@dataclass(slots=True)
class Making:
    random: Random
    outs: dict[str, list[str]] = field(default_factory=dict)
    ins: dict[str, list[str]] = field(default_factory=dict)


def two_boards(seed: int, most_links: int = 2) -> TwoBoards:
    making = Making(Random(f"systems {seed}"), {b: [] for b in BOARDS}, {b: [] for b in BOARDS})
    links = []
    for i in range(making.random.randint(1, most_links)):
        f, t = making.random.sample(BOARDS, 2)
        making.outs[f].append(f"out{i}")
        making.ins[t].append(f"in{i}")
        links.append((f"l{i}", f"{f}.out{i}", f"{t}.in{i}"))
    bodies = {b: processes(making, b) for b in BOARDS}
    modules = {b: module(b, bodies[b], making) for b in BOARDS}
    return TwoBoards(modules, links, joined(bodies, making, links))


def processes(making: Making, board: str) -> list[str]:
    """Texts with `@` before each name of the board's module."""
    return [process(making, board, i) for i in range(making.random.randint(1, 2))]


def process(making: Making, board: str, number: int) -> str:
    random = making.random
    statements = [statement(making, board) for _ in range(random.randint(1, 3))]
    body = ";\n    ".join(statements)
    server = " SERVER" if random.random() < 0.6 else ""
    if random.random() < 0.6:
        body = f"LOOP\n    {body};\n    RESCHEDULE\n  END"
    return f"PROCESS @P{number}{server};\nVAR v : UINT8;\nBEGIN\n  {body}\nEND @P{number};\n"


def statement(making: Making, board: str) -> str:
    random = making.random
    outs, ins = making.outs[board], making.ins[board]
    kinds = ["step", "assert"] + ["send", "send"] * bool(outs) + ["receive", "receive", "select"] * bool(ins)
    match random.choice(kinds):
        case "step":
            return random.choice(["@x := (@x + 1) MOD 3", "RESCHEDULE", "v := (v + @x) MOD 3", "Clock.Sleep(5)"])
        case "assert":
            return f"ASSERT({random.choice(['v', '@x'])} # {random.randint(1, 2)})"
        case "send":
            return f"@{random.choice(outs)}!" + random.choice(["m(@x)", "m(v)", "n", "m(2)"])
        case "receive":
            return f"@{random.choice(ins)}?" + random.choice(["m(v)", "m(v)", "n", "m(1)"])
    clauses = [f"WHEN @{random.choice(ins)}?m(v) THEN @x := v", f"WHEN @{random.choice(ins)}?n THEN v := 0"]
    rest = random.choice(["", " ELSE v := 1", " WHEN Clock.After(3) THEN v := 2"])
    return f"SELECT {' '.join(clauses)}{rest} END"


def ports_of(making: Making, board: str) -> list[str]:
    return making.outs[board] + making.ins[board]


def begins(ports: list[str], bodies: list[str], prefix: str) -> list[str]:
    made = [f"NEW({prefix}{p})" for p in ports]
    return made + [f"CREATE {prefix}P{i}" for i in range(len(bodies))]


def module(board: str, bodies: list[str], making: Making) -> str:
    ports = ports_of(making, board)
    declared = f"PORT {'*, '.join(ports)}* : Msg;\n" if ports else ""
    text = "".join(bodies).replace("@", "")
    body = ";\n  ".join(begins(ports, bodies, ""))
    return (
        f"MODULE Of_{board};\nIMPORT Clock;\n{HEAD}{declared}VAR x : UINT8;\n{text}BEGIN\n  {body}\nEND Of_{board}.\n"
    )


def joined(bodies: dict[str, list[str]], making: Making, links: list[tuple[str, str, str]]) -> str:
    declared, texts, body = "", "", []
    for b in BOARDS:
        ports = ports_of(making, b)
        declared += (f"PORT {', '.join(f'{b}_{p}' for p in ports)} : Msg;\n" if ports else "") + f"VAR {b}_x : UINT8;\n"
        texts += "".join(bodies[b]).replace("@", f"{b}_")
        body += begins(ports, bodies[b], f"{b}_")
    for name, f, t in links:
        f, t = f.replace(".", "_"), t.replace(".", "_")
        texts += (
            f"PROCESS {name} SERVER;\n  PROCESS Carry;\n  VAR value : UINT8;\n  BEGIN\n    SELECT\n"
            f"      WHEN {f}?m(value) THEN {t}!m(value)\n      WHEN {f}?n THEN {t}!n\n    END\n  END Carry;\n"
            f"BEGIN LOOP Carry END END {name};\n"
        )
        body.append(f"CREATE {name}")
    lines = ";\n  ".join(body)
    return f"MODULE One;\nIMPORT Clock;\n{HEAD}{declared}{texts}BEGIN\n  {lines}\nEND One.\n"
