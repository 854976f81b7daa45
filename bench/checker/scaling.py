"""Models whose states grow slowly by symmetry, of any size, and how many states they have: counts, no times.

python -m bench.checker.scaling [--small]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from bench.checker.compiled import compiled
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with


def hanoi(poles: int, discs: int = 4) -> str:
    """A disc lies on a pole, known by its channel: the poles but the last one, which the module knows as well, are all
    the same. They are made one by one, before anything moves."""
    moves = "\n    OR\n      ".join(f"Move({d}, mine)" for d in range(discs))
    return f"""MODULE Hanoi;
CONST POLES = {poles}; DISCS = {discs}; (* disc 0 is the smallest *)
TYPE Peg = [none];
PORT on : ARRAY DISCS OF Peg; peg : Peg MAX POLES;
VAR i, ready : UINT8; go : BOOLEAN;

PROCESS Move(disc : UINT8; to : Peg);
VAR k : UINT8; free : BOOLEAN;
BEGIN
  free := go;
  k := 0;
  WHILE k < disc DO
    free := free & (on[k] # to) & (on[k] # on[disc]);
    INC(k)
  END;
  IF free THEN on[disc] := to END
END Move;

PROCESS Pole(mine : Peg) MAX POLES;
BEGIN
  INC(ready);
  LOOP
    CHOICE
      {moves}
    END
  END
END Pole;

BEGIN
  FOR i := 1 TO POLES DO
    NEW(peg);
    CREATE Pole(peg);
    WHILE ready < i DO RESCHEDULE END
  END;
  FOR i := 0 TO DISCS - 1 DO on[i] := peg END;
  go := TRUE
END Hanoi.
"""


def readers_and_writers(count: int) -> str:
    """Half of them read and half of them write. They are made one by one, before anybody does."""
    return f"""MODULE ReadersWriters;
VAR i, ready, reading, writing : {"UINT8" if count < 256 else "UINT16"}; go : BOOLEAN;

PROCESS Reader;
BEGIN
  INC(ready);
  LOOP
    RESCHEDULE;
    IF go & (writing = 0) THEN
      INC(reading);
      RESCHEDULE;
      ASSERT(writing = 0);
      DEC(reading)
    END
  END
END Reader;

PROCESS Writer;
BEGIN
  INC(ready);
  LOOP
    RESCHEDULE;
    IF go & (writing = 0) & (reading = 0) THEN
      INC(writing);
      RESCHEDULE;
      ASSERT((writing = 1) & (reading = 0));
      DEC(writing)
    END
  END
END Writer;

BEGIN
  FOR i := 1 TO {count // 2} DO CREATE Reader; WHILE ready < i DO RESCHEDULE END END;
  FOR i := {count // 2 + 1} TO {count} DO CREATE Writer; WHILE ready < i DO RESCHEDULE END END;
  go := TRUE
END ReadersWriters.
"""


def clients_and_servers(count: int) -> str:
    """So many of each. A client gets a reference to a server that is free, and is served by it until it lets it go."""
    return f"""MODULE ClientsServers;
CONST N = {count};
TYPE Line = [ask, done]; Pool = [free(Line)];
PORT pool : Pool;
VAR i : UINT8;

PROCESS Server SERVER;
PORT mine : Line MAX N;
BEGIN
  NEW(mine);
  LOOP
    pool!free(mine);
    mine?ask;
    mine?done
  END
END Server;

PROCESS Client;
PORT server : Line;
BEGIN
  LOOP
    pool?free(server);
    server!ask;
    server!done
  END
END Client;

BEGIN
  NEW(pool);
  FOR i := 1 TO N DO CREATE Server; CREATE Client END
END ClientsServers.
"""


def owners(count: int) -> str:
    """Who finds nobody in the critical section writes its name down, which must still be there later. Names are 1 to
    `count`, and 0 is nobody."""
    return f"""MODULE Owners;
CONST Nobody = 0;
VAR i, owner, inside : UINT8;

PROCESS Worker(me : UINT8);
BEGIN
  LOOP
    RESCHEDULE;
    IF owner = Nobody THEN
      owner := me;
      RESCHEDULE;
      INC(inside);
      ASSERT((owner = me) & (inside = 1));
      RESCHEDULE;
      DEC(inside);
      owner := Nobody
    END
  END
END Worker;

BEGIN
  FOR i := 1 TO {count} DO CREATE Worker(i) END
END Owners.
"""


def granted(count: int) -> str:
    """Clients send their names to a server, which takes two, then grants to one and the other; each knows its own."""
    return f"""MODULE Granted;
CONST N = {count};
TYPE Name = UINT8; Line = [ask(Name), grant(Name), done(Name)];
PORT line : Line;
VAR i : UINT8; last : Name;

PROCESS Server SERVER;
VAR first, second, x : Name;
BEGIN
  LOOP
    line?ask(first);
    line?ask(second);
    ASSERT(first # second);
    line!grant(first);
    line?done(x);
    ASSERT(x = first);
    line!grant(second);
    line?done(x);
    ASSERT(x = second);
    last := x
  END
END Server;

PROCESS Client(me : Name) SERVER;
VAR who : Name;
BEGIN
  LOOP
    line!ask(me);
    REPEAT line?grant(who) UNTIL who = me;
    line!done(me)
  END
END Client;

BEGIN
  NEW(line);
  CREATE Server;
  FOR i := 1 TO N DO CREATE Client(i) END
END Granted.
"""


def states_of(text: str, limits: Request) -> tuple[int, float]:
    """And in how many seconds."""
    search = search_with(compiled(text), limits)
    begin = time.monotonic()
    if search.run() is not Stop.COMPLETE:
        raise RuntimeError("the search did not come to its end")
    states: int = search.statistics.states
    search.close()
    return states, time.monotonic() - begin


FULL, SORTED = request_from(keep_going=True), request_from(keep_going=True, reductions=("sym",))
Rows = tuple[str, Callable[[int], str], tuple[int, ...], int]
MODELS: tuple[Rows, ...] = (  # the last: up to which size without symmetry
    ("towers of Hanoi, 4 discs, poles", hanoi, (4, 5, 6, 7), 7),
    ("clients and servers, of each", clients_and_servers, (1, 2, 3, 4, 5), 4),
    ("readers and writers", readers_and_writers, (10, 20, 50, 100, 254, 400), 20),
    ("owners of a critical section, by name", owners, (2, 5, 10, 20, 50), 10),
    ("clients that are answered by name", granted, (2, 3, 4, 5, 6, 8), 6),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="the first two sizes of each")
    options = parser.parse_args()
    print("| model | size | all | `sym` | seconds |\n| --- | --- | --- | --- | --- |")
    for name, text, sizes, most in MODELS:
        for size in sizes[: 2 if options.small else len(sizes)]:
            full = f"{states_of(text(size), FULL)[0]:,}" if size <= most else ""
            kept, seconds = states_of(text(size), SORTED)
            print(f"| {name} | {size} | {full} | {kept:,} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
