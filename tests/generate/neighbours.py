"""Random programs in which whoever meets lies at a fixed distance: pipelines, rings, and clients with servers of their
own, over arrays of ports."""

from __future__ import annotations

import random


def text_of_neighbours(seed: int) -> str:
    chance = random.Random(seed)
    return chance.choice([pipeline, ring, pairs])(chance)


def in_any_order(chance: random.Random, *statements: str) -> str:
    return ";\n  ".join(chance.sample(statements, len(statements)))


def pipeline(chance: random.Random) -> str:
    count, ends = chance.randint(2, 3), chance.random() < 0.4
    at = chance.choice(["i", f"{count - 1} - i"])
    steps = [
        "from?item(x)",
        *(["RESCHEDULE"] if chance.random() < 0.3 else []),
        *(["IF x = 1 THEN passed := ~passed END"] if chance.random() < 0.3 else []),
        "SELECT WHEN to!item(x) THEN WHEN from?over THEN END" if ends and chance.random() < 0.5 else "to!item(x)",
    ]
    says = "; to!over" if ends and chance.random() < 0.5 else ""
    taken = (
        "SELECT WHEN from?item(x) THEN got := x WHEN from?over THEN got := 0 END" if ends else "from?item(x); got := x"
    )
    created = in_any_order(
        chance,
        f"FOR i := 0 TO {count - 1} DO CREATE Stage(link[{at}], link[{at} + 1]) END",
        "CREATE Source(link[0])",
        f"CREATE Sink(link[{count}])",
    )
    return f"""MODULE Ring;
TYPE T = [item(UINT8), over];
PORT link : ARRAY {count + 1} OF T;
VAR i : INTEGER; got : UINT8; passed : BOOLEAN;
PROCESS Source(to : T); VAR x : UINT8; BEGIN LOOP to!item(x); x := 1 - x{says} END END Source;
PROCESS Stage(from, to : T); VAR x : UINT8; BEGIN LOOP {"; ".join(steps)} END END Stage;
PROCESS Sink(from : T); VAR x : UINT8; BEGIN LOOP {taken} END END Sink;
BEGIN
  FOR i := 0 TO {count} DO NEW(link[i]) END;
  {created}
END Ring.
"""


def ring(chance: random.Random) -> str:
    count = chance.randint(3, 4)
    distance, first = chance.randint(1, count - 1), chance.randrange(count)
    if chance.random() < 0.5:
        return ring_with_workers(chance, count, distance, first)
    passes = chance.choice(["to!go", "RESCHEDULE; to!go", "seen := ~seen; to!go"])
    return f"""MODULE Ring;
TYPE Token = [go];
PORT link : ARRAY {count} OF Token;
VAR i : INTEGER; seen : BOOLEAN;
PROCESS Cell(from, to : Token; first : BOOLEAN);
BEGIN IF first THEN to!go END; LOOP from?go; {passes} END END Cell;
BEGIN
  FOR i := 0 TO {count - 1} DO NEW(link[i]) END;
  FOR i := 0 TO {count - 1} DO CREATE Cell(link[i], link[(i + {distance}) MOD {count}], i = {first}) END
END Ring.
"""


def ring_with_workers(chance: random.Random, count: int, distance: int, first: int) -> str:
    """Milner's, with any distance between neighbours."""
    at, to = chance.choice(["i", f"{count - 1} - i"]), f"(i + {distance}) MOD {count}"
    created = in_any_order(
        chance,
        f"FOR i := 0 TO {count - 1} DO CREATE Cell(link[i], link[{to}], task[i], i = {first}) END",
        f"FOR i := 0 TO {count - 1} DO CREATE Worker(task[{at}]) END",
    )
    return f"""MODULE Ring;
TYPE Token = [go]; Work = [start, done];
PORT link : ARRAY {count} OF Token; task : ARRAY {count} OF Work;
VAR i : INTEGER;
PROCESS Worker(w : Work) SERVER; BEGIN LOOP w?start; RESCHEDULE; w!done END END Worker;
PROCESS Cell(from, to : Token; w : Work; first : BOOLEAN);
BEGIN
  IF first THEN to!go END;
  LOOP from?go; w!start; SELECT WHEN to!go THEN w?done WHEN w?done THEN to!go END END
END Cell;
BEGIN
  FOR i := 0 TO {count - 1} DO NEW(link[i]); NEW(task[i]) END;
  {created}
END Ring.
"""


def pairs(chance: random.Random) -> str:
    """Some servers may have no client."""
    count = chance.randint(2, 3)
    clients = chance.randint(1, count)
    of = chance.choice(["i", f"{count - 1} - i", f"(i + {chance.randrange(count)}) MOD {count}"])
    takes = chance.choice(["t?ask(v)", "SELECT WHEN t?ask(v) THEN END"])
    answers = chance.choice(["t!answer(v)", "RESCHEDULE; t!answer(v)", "IF v > 0 THEN v := v - 1 END; t!answer(v)"])
    created = in_any_order(
        chance,
        f"FOR i := 0 TO {clients - 1} DO CREATE Client(p[{of}], UINT8(i)) END",
        f"FOR i := 0 TO {count - 1} DO CREATE Server(p[i]) END",
    )
    return f"""MODULE Ring;
TYPE T = [ask(UINT8), answer(UINT8)];
PORT p : ARRAY {count} OF T;
VAR i : INTEGER; last : UINT8;
PROCESS Client(t : T; me : UINT8);
VAR v : UINT8;
BEGIN LOOP t!ask(me); t?answer(v); last := v END END Client;
PROCESS Server(t : T) SERVER; VAR v : UINT8; BEGIN LOOP {takes}; {answers} END END Server;
BEGIN
  FOR i := 0 TO {count - 1} DO NEW(p[i]) END;
  {created}
END Ring.
"""
