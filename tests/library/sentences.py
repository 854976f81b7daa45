"""Sentences of satellite receivers, whole and damaged; what a program makes of them, and faults that are seeded."""

from __future__ import annotations

import random
from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path
from string import ascii_letters, digits

from tests.cli.lfc import lfc
from tests.library.drivers import LIBRARY, Seed
from tests.library.images import STOP

BODIES = [
    "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
    "GPGGA,,,,,,0,00",
    "X",
    "A" * 80,
    "B" * 81,
]


def sentence(body: str) -> str:
    return f"${body}*{reduce(xor, body.encode()):02X}"


def program(stream: str) -> str:
    calls = "\n".join(f"Feed({ord(c):X}X);".replace("Feed(", "Feed(0") for c in stream)
    return (
        "MODULE T; IMPORT NMEA, Out; VAR s : NMEA.Sentence; field : ARRAY 12 OF CHAR; complete, there : BOOLEAN;\n"
        "PROCESS Feed(ch : CHAR); BEGIN NMEA.Take(s, ch, complete);\n"
        "IF complete THEN Out.String(s.text); Out.Ln; NMEA.Field(s, 3, field, there);\n"
        "Out.Bool(there); Out.Char(' '); Out.String(field); Out.Ln END END Feed;\n"
        f"BEGIN\n{calls}\n{STOP} END T."
    )


def third(body: str) -> str:
    fields = body.split(",")
    return f"TRUE {fields[3]}" if len(fields) > 3 else "FALSE "


def damaged_stream() -> tuple[str, list[str]]:
    """One byte is another one, is missing, or comes twice; each is followed by one that is right."""
    chance = random.Random(1)
    good, stream, expected = "GPGSA,A,3,04", "", []
    for _ in range(40):
        text = sentence(good)
        at = chance.randrange(len(text))
        other = chance.choice([c for c in "09AFX,." if c != text[at]])
        damaged = chance.choice(
            [text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + text[at:] * 2]
        )
        stream += damaged + "\n" + text + "\r\n"
        expected += [*whole(damaged + "\n"), good, third(good)]
    return stream, expected


SEEDS = (
    Seed("forgets no sum", "    s.sum := 0;\n", ""),
    Seed("does not look at the sum", "good & (16 * s.given + digit = s.sum)", "good"),
    Seed("takes the digits the other way round", "16 * s.given + digit", "16 * digit + s.given"),
    Seed("takes any character for a digit", "    good := FALSE\n  END\nEND Digit", "    value := 0\n  END\nEND Digit"),
    Seed("has one digit less than there are", "(ch >= '0') & (ch <= '9')", "(ch >= '0') & (ch < '9')"),
    Seed("goes on in the middle", "IF ch = '$' THEN", "IF (ch = '$') & (s.phase = outside) THEN"),
    Seed("writes over the end", "(s.length = LONGEST)", "(s.length > LONGEST)"),
    Seed("takes what is no text", "IF (ch < ' ') OR (s.length", "IF (s.length"),
    Seed("counts the fields from 1", "ELSIF commas = n THEN", "ELSIF commas = n - 1 THEN"),
    Seed("finds fields that are not there", "there := there & (commas >= n)", "there := TRUE"),
)


def body_with(high: str, low: str) -> str:
    """One whose checksum has these digits."""
    return next(
        body
        for body in (f"G{a}{b},{c},4" for a, b, c in product(ascii_letters + digits, repeat=3))
        if sentence(body)[-2] in high and sentence(body)[-1] in low
    )


# What readers have taken wrong: a checksum that is no number, one with a 9, a sentence that is cut off by the next
# one, one with an end of line in it, the longest one, and one that is too long.
HARD = "".join(
    [
        sentence(body_with("0", "12345678"))[:-2] + "G" + sentence(body_with("0", "12345678"))[-1] + "\n",
        sentence(body_with("0123456789", "9")),
        sentence(body_with("12345678", "9"))[:-1] + "8",
        "$GPXX" + sentence("GPGGA,,,,,,0,00"),
        sentence("GP,1\n,2,3"),
        sentence("GP,1,2"),
        sentence(body_with("1234", "5678")),
        sentence("A" * 80),
        sentence("B" * 81),
        sentence("X"),
    ]
)


def is_found(seed: Seed, folder: Path) -> bool:
    """Whether what a program says of these sentences is wrong then, or it ends with a fault."""
    text = (LIBRARY / "devices" / "NMEA.lf").read_text()
    (folder / "NMEA.lf").write_text(seed.put_into(text))
    stream, expected = HARD, whole(HARD)
    (folder / "T.lf").write_text(program(stream).replace(STOP, ""))
    ran = lfc("run", "T.lf", cwd=folder)
    return ran.exit != 0 or ran.out.splitlines() != expected


def whole(stream: str) -> list[str]:
    """What is right in a stream, found by its ends: a second opinion, not byte by byte."""
    found = []
    for part in stream.split("$")[1:]:
        body, star, rest = part.partition("*")
        if star and body.isprintable() and len(body) <= 80 and rest[:2] == sentence(body)[-2:]:
            found += [body, third(body)]
    return found
