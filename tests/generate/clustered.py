"""Random programs of processes in clusters: much talk within, little between them; for modular exploration."""

from __future__ import annotations

import random

from tests.generate.writer import Weights

RING = """MODULE Ring;
CONST K = {k}; N = {n};
TYPE Token = [go]; Chat = [ping(INTEGER), pong];
PORT link : ARRAY K OF Token; chat : ARRAY K OF Chat;
VAR busy : ARRAY K OF INTEGER; i : INTEGER;
PROCESS Ping(to : Chat; me : INTEGER);
VAR x : INTEGER;
BEGIN LOOP to!ping(x); to?pong; RESCHEDULE; IF busy[me] = 0 THEN x := (x + 1) MOD N END END END Ping;
PROCESS Pong(from : Chat);
VAR x, last : INTEGER;
BEGIN LOOP from?ping(x); ASSERT(x < N); RESCHEDULE; last := x; from!pong; RESCHEDULE; last := 0; x := 0 END END Pong;
PROCESS Pass(left, right : Token; me : INTEGER; first : BOOLEAN);
BEGIN
  IF first THEN RESCHEDULE; right!go END;
  LOOP left?go; busy[me] := 1; RESCHEDULE; busy[me] := 0; RESCHEDULE; right!go END
END Pass;
BEGIN
  FOR i := 0 TO K - 1 DO NEW(link[i]); NEW(chat[i]) END;
  FOR i := 0 TO K - 1 DO
    CREATE Ping(chat[i], i); CREATE Pong(chat[i]); CREATE Pass(link[i], link[(i + 1) MOD K], i, i = 0)
  END
END Ring.
"""


def clustered(r: random.Random, weights: Weights) -> str:
    """Two or three clusters of two processes with a variable; what goes wrong differs."""
    clusters = r.choice([2, 2, 3])
    lines = ["MODULE Clustered;", "TYPE In = [a(INTEGER), b]; Out = [x(INTEGER), y];"]
    inner, outer = (", ".join(f"{x}{c}" for c in range(clusters)) for x in "io")
    lines.append(f"PORT {inner} : In; {outer} : Out;")
    lines.append(f"VAR {', '.join(f'v{c}' for c in range(clusters))} : INTEGER;")
    names = []
    matched = r.random() < weights.clusters
    for c in range(clusters):
        if matched:
            lines += matching(r, c, clusters)
            names += [f"P{c}0", f"P{c}1"]
            continue
        for p in range(2):
            server = " SERVER" if r.random() < 0.2 else ""
            name = f"P{c}{p}"
            names.append(name)
            body = "; ".join(statement(r, c, p, clusters) for _ in range(r.randint(2, 4)))
            if r.random() < 0.6:
                body = f"LOOP {body} END" if "!" in body or "?" in body else f"LOOP RESCHEDULE; {body} END"
            lines.append(f"PROCESS {name}{server}; VAR n, k : INTEGER; BEGIN {body} END {name};")
    made = "; ".join(f"NEW(i{c}); NEW(o{c})" for c in range(clusters))
    lines.append(f"BEGIN {made}; {'; '.join(f'CREATE {n}' for n in names)} END Clustered.")
    return "\n".join(lines)


def matching(r: random.Random, c: int, clusters: int) -> list[str]:
    """Two processes that understand each other mostly; the second one speaks with the next cluster."""
    talk = [r.choice(["a", "b"]) for _ in range(r.randint(1, 3))]
    value = r.choice(["0", "1", "n", "(n + 1) MOD 3"])
    one = "; ".join(f"i{c}!a({value})" if m == "a" else f"i{c}!b" for m in talk)
    other = "; ".join(f"i{c}?a(n)" if m == "a" else f"i{c}?b" for m in talk)
    one += r.choice(["", f"; v{c} := 1 - v{c}", "; n := (n + 1) MOD 3", "; RESCHEDULE"])
    other += r.choice(
        [
            "",
            "",
            f"; ASSERT(n < {r.choice([1, 2, 3])})",
            f"; ASSERT(v{c} < {r.choice([1, 2])})",
            "; RESCHEDULE",
            f"; v{c} := 0",
        ]
    )
    out, own = f"o{(c + 1) % clusters}", f"o{c}"
    word = r.choice(["x(n)", "x(1)", "y"])
    back = f"{own}?x(k)" if word != "y" else f"{own}?y"
    if r.random() < 0.2:
        back = f"SELECT WHEN {own}?x(k) THEN n := 0 WHEN {own}?y THEN RESCHEDULE END"
    passing = [f"{out}!{word}", back] if c == 0 or r.random() < 0.05 else [back, f"{out}!{word}"]
    other = "; ".join([other, *passing] if r.random() < 0.7 else [*passing, other])
    server = " SERVER" if r.random() < 0.15 else ""
    end = r.choice(["LOOP {} END", "LOOP {} END", "FOR k := 1 TO 2 DO {} END", "LOOP {}; RESCHEDULE END"])
    for_ever = end.replace("FOR k := 1 TO 2 DO", "LOOP")
    return [
        f"PROCESS P{c}0{server}; VAR n, k : INTEGER; BEGIN {end.format(one)} END P{c}0;",
        f"PROCESS P{c}1{server}; VAR n, k : INTEGER; BEGIN {for_ever.format(other)} END P{c}1;",
    ]


def communication(r: random.Random, c: int, p: int, clusters: int) -> str:
    if r.random() < 0.55:
        sends = (p == 0) == (r.random() < 0.8)
        if r.random() < 0.6:
            return f"i{c}!a({r.choice(['1', '2', 'n'])})" if sends else f"i{c}?a(n)"
        return f"i{c}!b" if sends else f"i{c}?b"
    other = (c + r.choice([0, 1])) % clusters
    sends = (other != c) == (r.random() < 0.85)
    if r.random() < 0.5:
        return f"o{other}!x({r.choice(['1', 'n', '3'])})" if sends else f"o{other}?x(n)"
    return f"o{other}!y" if sends else f"o{other}?y"


def statement(r: random.Random, c: int, p: int, clusters: int) -> str:
    x = r.random()
    if x < 0.5:
        return communication(r, c, p, clusters)
    if x < 0.62:
        return f"v{c} := {r.choice(['0', '1', 'n', f'1 - v{c}'])}"
    if x < 0.72:
        return "RESCHEDULE"
    if x < 0.8:
        return f"ASSERT({r.choice(['n # 3', f'v{c} # 2', 'n >= 0', f'(v{c} # 1) OR (n # 2)'])})"
    if x < 0.88:
        one, two = communication(r, c, p, clusters), communication(r, c, p, clusters)
        tail = r.choice(["", f" ELSE v{c} := 0; RESCHEDULE "])
        return f"SELECT WHEN {one} THEN k := 0 WHEN {two} THEN k := 1{tail} END"
    if x < 0.94:
        return f"CHOICE k := 0; OR k := 1; v{c} := 0 END"
    return f"IF n > 1 THEN {communication(r, c, p, clusters)} ELSE RESCHEDULE END"


def choosing(r: random.Random, weights: Weights) -> str:
    """Processes that decide by themselves with whom they speak, and whether; many are servers, and most channels have
    one who sends and one who receives."""
    count, channels = r.choice([2, 2, 3, 4]), r.randint(1, 3)
    ends = [r.sample(range(count), 2) for _ in range(channels)]
    lines = ["MODULE Choosing;", "TYPE Ch = [a(INTEGER), b];", f"PORT c : ARRAY {channels} OF Ch;"]
    lines.append(f"VAR {', '.join(f'v{p}, w{p}' for p in range(count))} : INTEGER;")

    def speak(p: int) -> str:
        mine = [(i, p == out) for i, (out, to) in enumerate(ends) if p in (out, to)]
        if not mine or r.random() < 0.03:
            mine = [(r.randrange(channels), r.random() < 0.5)]
        i, sends = r.choice(mine)
        if r.random() < 0.5:
            return f"c[{i}]{'!' if sends else '?'}b"
        return (
            f"c[{i}]!a({r.choice(['0', '1', f'v{p}', 'n'])})"
            if sends
            else f"c[{i}]?a({r.choice(['n', 'n', f'v{p}', '1'])})"
        )

    def one(p: int, depth: int) -> str:
        x = r.random()
        if depth and x < 0.4:
            return f"CHOICE {some(p, depth - 1)} | {some(p, depth - 1)} END"
        if depth and x < 0.46:
            return f"IF {r.choice(['n', f'v{p}'])} = {r.randint(0, 1)} THEN {some(p, depth - 1)} END"
        if depth and x < 0.52:
            tail = r.choice(["", f" ELSE {one(p, 0)}; RESCHEDULE"])
            guard = r.choice(["", "", " & (n = 0)"])
            return f"SELECT WHEN {speak(p)}{guard} THEN {one(p, 0)} WHEN {speak(p)} THEN {one(p, 0)}{tail} END"
        if x < 0.6:
            return "RESCHEDULE"
        if x < 0.68:
            return r.choice([f"v{p} := 1 - v{p}", f"w{p} := v{p}", "n := 0", f"v{p} := n"])
        if x < 0.71:
            return f"ASSERT({r.choice([f'v{p} = 0', 'n = 0', f'w{p} < 2'])})"
        if x < 0.76:
            return "IF n > 0 THEN RETURN END"
        return speak(p)

    def some(p: int, depth: int) -> str:
        return "; ".join(one(p, depth) for _ in range(r.randint(1, 3)))

    for p in range(count):
        body = f"CHOICE RESCHEDULE; {speak(p)} | RESCHEDULE END" if r.random() < 0.5 else some(p, r.choice([1, 2]))
        if r.random() < 0.3:
            body = f"LOOP RESCHEDULE; {body} END"
        server = " SERVER" if r.random() < weights.servers else ""
        lines.append(f"PROCESS P{p}{server}; VAR n : INTEGER; BEGIN {body} END P{p};")
    made = "; ".join(f"NEW(c[{i}])" for i in range(channels))
    return "\n".join([*lines, f"BEGIN {made}; {'; '.join(f'CREATE P{p}' for p in range(count))} END Choosing."])
