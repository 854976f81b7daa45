"""Random small programs with marks: levels of branches, requirements of modules, properties and assertions, bounds
of time in formulas."""

from __future__ import annotations

from random import Random

LEVELS = ("", "", "{normal} ", "{degraded} ", "{faulty} ")
NAMES = ("SYS", "REQ", "HL", "A")


def marked(seed: int) -> str:
    rng = Random(f"marked {seed}")
    properties = "\n".join(f"PROPERTY p{i}{tags(rng)} = {formula(rng)};" for i in range(rng.randint(1, 3)))
    own = Random(f"marked assertions {seed}")  # apart, so that the rest of a program stays what it is
    return f"""MODULE Marked{tags(own)};
IMPORT Clock;
CONST most = {rng.randint(1, 4)};
VAR sent, lost : 0 .. 7; up : BOOLEAN;

{properties}

PROCESS Send;
BEGIN
  LOOP
    {choice(rng)};
    {choice(rng)};
    ASSERT(sent < 8){tags(own)};
    Clock.Sleep({rng.randint(1, 3)})
  END
END Send;

BEGIN
  CREATE Send
END Marked.
"""


def choice(rng: Random) -> str:
    branches = [f"{rng.choice(LEVELS)}{statement(rng)}" for _ in range(rng.randint(2, 3))]
    branches[0] = statement(rng)  # there is always one
    return f"CHOICE {' | '.join(branches)} END"


def statement(rng: Random) -> str:
    return rng.choice(
        ("sent := (sent + 1) MOD 8", "lost := (lost + 1) MOD 8", "up := ~up", "up := TRUE", "sent := 0; lost := 0")
    )


def tags(rng: Random) -> str:
    if rng.random() < 0.3:
        return ""
    return f" {{REQ: {', '.join(tag(rng) for _ in range(rng.randint(1, 3)))}}}"


def tag(rng: Random) -> str:
    parts = [str(rng.randint(1, 99)), "safe", "LOW"]
    return "-".join([rng.choice(NAMES), *rng.sample(parts, rng.randint(0, 2))])


def formula(rng: Random) -> str:
    atom = rng.choice(("up", "sent > 3", "lost = 0"))
    within = rng.choice((f"{rng.randint(0, 9)}", "most", "2 * most"))
    return rng.choice(
        (
            f"EVENTUALLY {atom} WITHIN {within} MS",
            f"ALWAYS {atom} FOR {within} MS",
            f"[] (up -> <> ({atom}) WITHIN {within} MS)",
            f"<> [] (up) FOR {within} MS",
            f"ALWAYS ({atom})",
        )
    )
