"""Makes hostile inputs for the front end, each from a seed and a number."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from lfc.semantics.names.universe import ATOMS, FUNCTIONS, PREDECLARED_TYPES, PROCEDURES, PSEUDO_MODULES
from lfc.syntax.grammar.terminals import KEYWORDS, OF_MONITORS, OPERATORS

Text = str
Mutation = Callable[[random.Random, Text, list[Text]], Text]

TOKEN = re.compile(r"\(\*|\*\)|:=|<=|>=|\.\.|<->|->|\[\]|<>|[A-Za-z_]\w*|\d\w*|\"[^\"\n]*\"|'[^'\n]*'|\s+|.", re.DOTALL)
VOCABULARY = [
    *(*KEYWORDS, *OF_MONITORS, *PREDECLARED_TYPES, *FUNCTIONS, *PROCEDURES, *ATOMS, *OPERATORS),
    *(f"{module}.{member}" for module, members in PSEUDO_MODULES.items() for member in members.members),
    *"TRUE FALSE Out SYSTEM.INT[1]?INTERRUPT Clock.After(1) (* *) [] <> -> <-> \"s\" 'c' 41X 0 1 -1 255 256".split(),
    *"2147483647 2147483648 -2147483648 4294967295 0FFFFFFFFH 99999999999999999999 1.5 0.001 x i P Msg".split(),
    *"{faulty} {REQ:R-1} i:LOOP c?m(x) c!m(x)".split(),
    *"FOR i IN 0 .. 2 : | FOR VAR k : UINT8 := 0 TO 3 DO | 0.0 .. 1.0 BY 0.1 | : INTEGER; BEGIN RETURN 1".split("|"),
]
STRANGE = [
    "\0",
    "\t",
    "\r",
    "\x0b",
    "\x1b[2J",
    "\x7f",
    "\u00a0",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "\u6f22",
    "\U0001f600",
]
IMPORTABLE = [
    "CircleA",
    "CircleB",
    "CircleC",
    "Own",
    "Broken",
    "Empty",
    "Binary",
    "Folder",
    "Latin",
    "Round",
    "Misnamed",
]
IMPORTABLE += ["World", "Deep", "Good", "Fuzz", "Absent", "Out", "In", "Clock", "SYSTEM", "x := Good", "Good := Good"]

NESTS = [
    ("x := ", "(", "1", ")"),
    ("x := ", "~", "TRUE", ""),
    ("x := ", "-", "1", ""),
    ("x := 1", " + 1", "", ""),
    ("x := TRUE", " & TRUE", "", ""),
    ("x := a", ".a", "", ""),
    ("x := a", "[0]", "", ""),
    ("x := ", "a[", "0", "]"),
    ("x := ", "ABS(", "1", ")"),
    ("x := ", "{", "1", "}"),
    ("", "(* ", "", " *)"),
    ("", "(* ", "", ""),
    ("", "IF TRUE THEN ", "x := 1", " END"),
    ("IF TRUE THEN x := 1", " ELSIF TRUE THEN x := 1", "", " END"),
    ("", "WHILE TRUE DO ", "x := 1", " END"),
    ("", "REPEAT ", "x := 1", " UNTIL TRUE"),
    ("", "LOOP ", "EXIT", " END"),
    ("", "FOR i := 0 TO 1 DO ", "x := 1", " END"),
    ("", "CASE x OF 1: ", "x := 1", " END"),
    ("", "CHOICE ", "x := 1", " OR x := 2 END"),
    ("", "CHOICE ", "x := 1", "\nOR x := 2 END"),
    ("", "SELECT WHEN c?m THEN ", "x := 1", " END"),
    ("x := 1", "; x := 1", "", ""),
    ("", "; ", "", ""),
    ("x := ", "BAND(", "1", ", 1)"),
    ("x := ", "BITS(", "x", ", 1, 2)"),
    ("SETBITS(x, 0, 1, ", "BNOT(", "1", "))"),
    ("x := ", "ROUND(1.5 * ", "1", ")"),
    ("x := 1.5", " * 1.5", "", ""),
    ("x := ", "LSL(", "1", ", 1)"),
    ("", "l: LOOP ", "EXIT l", " END"),
    ("", "FOR VAR k := 0 TO 1 DO ", "x := 1", " END"),
    ("", "SELECT WHEN FOR k IN 0 .. 1 : c[k]?m(x) THEN ", "x := 1", " END"),
    ("SELECT WHEN c?m THEN x := 1", "\nWHEN FOR k IN 0 .. 1 : c[k]?m THEN x := 1", "", " END"),
]
DECLARED_NESTS = [
    ("TYPE T = ", "ARRAY 2 OF ", "CHAR", ";"),
    ("TYPE T = ", "RECORD a : ", "CHAR", " END"),
    ("TYPE T = ", "[m(", "INTEGER", ")]"),
    ("CONST c = ", "(", "1", ")"),
    ("CONST c = 1", " * 2", "", ""),
    ("PROPERTY p = ", "ALWAYS ", "TRUE", ";"),
    ("PROPERTY p = TRUE", " IMPLIES TRUE", "", ";"),
    ("PROPERTY p = ", "[] (", "TRUE", ")"),
    ("", "PROCESS P; ", "", " END P;"),
    ("", "PROCESS P; BEGIN END P; ", "", ""),
    ("VAR a", ", a", "", " : CHAR;"),
    ("VAR a : T := ", "[", "1", "];"),
    ("CONST c : T = ", "[a := ", "1", "];"),
    ("CONST c : ARRAY 9 OF UINT8 = [1", ", 1", "", "];"),
    ("TYPE T = 0.0 .. 1.0 BY 0.1", " BY 0.1", "", ";"),
    ("CONST c = ", "ROUND(", "1.5", ");"),
    ("", "PROCEDURE F(x : INTEGER) : INTEGER; ", "BEGIN RETURN 1", " END F;"),
    ("PROCEDURE F : INTEGER", " READS x", "", "; BEGIN RETURN 1 END F;"),
    ("PROCESS P(c : T", "!", "", "); END P;"),
    ("IMPORT A", ", A", "", ";"),
]


def make_input(pool: list[Text], seed: int, index: int) -> bytes:
    """Input number `index` of the campaign `seed` over the programs of `pool`."""
    rng = random.Random(f"{seed}/{index}")
    if index % 2000 == 1999:
        return one_long_line(rng, pool).encode("utf-8", errors="surrogatepass")
    kind = rng.random()
    if kind < 0.03:
        text = nest(rng, pool)
    elif kind < 0.06:
        text = random_tokens(rng, pool)
    elif kind < 0.07:
        text = "".join(
            chr(rng.choice([rng.randrange(128), rng.randrange(0xD800), 0x10FFFF])) for _ in range(rng.randrange(300))
        )
    else:
        text = rng.choice(pool)
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5, 8])):
            text = rng.choice(MUTATIONS)(rng, text, pool)
    content = text.encode("utf-8", errors="surrogatepass")
    if rng.random() < 0.1:
        content = damage_bytes(rng, content)
    return content


def split_tokens(text: Text) -> list[Text]:
    return TOKEN.findall(text)


def meant(tokens: list[Text]) -> list[int]:
    """Where the tokens are that are no blanks."""
    return [i for i, t in enumerate(tokens) if not t.isspace()]


def delete_token(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    places = meant(tokens)
    if places:
        del tokens[rng.choice(places)]
    return "".join(tokens)


def swap_tokens(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    places = meant(tokens)
    if len(places) > 1:
        k = rng.randrange(len(places) - 1)
        a, b = places[k], places[k + 1]
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def replace_token(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    places = meant(tokens)
    if places:
        other = rng.choice([*VOCABULARY, rng.choice(split_tokens(rng.choice(pool)) or [""]), "9" * 5000])
        tokens[rng.choice(places)] = other
    return "".join(tokens)


def insert_token(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    tokens.insert(rng.randrange(len(tokens) + 1), f" {rng.choice(VOCABULARY)} ")
    return "".join(tokens)


def duplicate_token(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    if tokens:
        i = rng.randrange(len(tokens))
        tokens.insert(i, tokens[i] * rng.choice([1, 1, 2, 100]))
    return "".join(tokens)


def misspell(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    tokens = split_tokens(text)
    words = [i for i in meant(tokens) if len(tokens[i]) > 2 and tokens[i].isalpha()]
    if words:
        i = rng.choice(words)
        word = list(tokens[i])
        at = rng.randrange(len(word) - 1)
        word[at], word[at + 1] = word[at + 1], word[at]
        if rng.random() < 0.5:
            del word[at]
        tokens[i] = "".join(word)
    return "".join(tokens)


def swap_names(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    """One name takes the place of another, everywhere or once: wrong kinds of things in every place."""
    words = re.findall(r"\b[A-Za-z_]\w*\b", text)
    if len(words) < 2:
        return text
    old, new = rng.choice(words), rng.choice(words)
    return re.sub(rf"\b{old}\b", new, text, count=rng.choice([0, 1]))


def change_lines(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    lines = text.splitlines(keepends=True) or [""]
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    act = rng.randrange(5)
    if act == 0:
        del lines[min(i, j) : max(i, j) + 1 if rng.random() < 0.3 else min(i, j) + 1]
    elif act == 1:
        lines.insert(j, lines[i])
    elif act == 2:
        lines[i], lines[j] = lines[j], lines[i]
    elif act == 3:
        lines.insert(i, rng.choice(rng.choice(pool).splitlines(keepends=True) or [""]))
    else:
        lines = lines[i:] + lines[:i]
    return "".join(lines)


def splice(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    mine, other = split_tokens(text), split_tokens(rng.choice(pool))
    return "".join(mine[: rng.randrange(len(mine) + 1)] + other[rng.randrange(len(other) + 1) :])


def truncate(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    return text[: rng.randrange(len(text) + 1)]


def insert_strange(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(STRANGE) * rng.choice([1, 1, 3]) + text[at:]


def change_imports(rng: random.Random, text: Text, pool: list[Text]) -> Text:
    names = ", ".join(rng.choice(IMPORTABLE) for _ in range(rng.randrange(1, 4)))
    if rng.random() < 0.3:
        text = re.sub(r"\bMODULE\s+\w+", f"MODULE {rng.choice(IMPORTABLE[:4])}", text, count=1)
    if re.search(r"\bIMPORT\b", text):
        return re.sub(r"\bIMPORT\b", lambda _: f"IMPORT {names},", text, count=1)
    return re.sub(r"(\bMODULE\s+\w+\s*;)", lambda m: f"{m[1]} IMPORT {names};", text, count=1)


MUTATIONS: list[Mutation] = [
    delete_token,
    delete_token,
    swap_tokens,
    replace_token,
    replace_token,
    insert_token,
    duplicate_token,
    misspell,
    swap_names,
    swap_names,
    change_lines,
    splice,
    truncate,
    insert_strange,
    change_imports,
]


def nest(rng: random.Random, pool: list[Text]) -> Text:
    """A construct inside of itself, up to thousands of times, closed or not."""
    depth = rng.choice([5, 30, 100, 300, 1000, 1000, 3000, 10000])
    declared = rng.random() < 0.35
    before, opening, inner, closing = rng.choice(DECLARED_NESTS if declared else NESTS)
    separator = rng.choice(["", "", " ", "\n"])
    closed = 0 if rng.random() < 0.2 else depth
    text = before + (opening + separator) * depth + inner + (separator + closing) * closed
    if declared:
        return f"MODULE M;\n{text}\nEND M.\n"
    return f"MODULE M;\nVAR x, i : INTEGER;\nBEGIN\n{text}\nEND M.\n"


def one_long_line(rng: random.Random, pool: list[Text]) -> Text:
    """A megabyte without a line break."""
    unit = rng.choice(
        [*VOCABULARY, *STRANGE, " ", "a", "x := 1; ", "(* ", '"', "INC(x); ", rng.choice(pool).replace("\n", " ")]
    )
    body = unit * (1_000_000 // len(unit))
    return rng.choice([body, f"MODULE M; VAR x : INTEGER; BEGIN {body} END M.", f"MODULE M; (* {body} *) END M."])


def random_tokens(rng: random.Random, pool: list[Text]) -> Text:
    words = [rng.choice(VOCABULARY) for _ in range(rng.randrange(1, 120))]
    text = rng.choice([" ", " ", "\n", ""]).join(words)
    return text if rng.random() < 0.3 else f"MODULE M; {text} END M."


def damage_bytes(rng: random.Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 10])):
        at = rng.randrange(len(damaged) + 1)
        act = rng.randrange(4)
        if act == 0:
            damaged[at:at] = rng.choice(
                [b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xef\xbb\xbf"]
            )
        elif act == 1:
            damaged[at:at] = rng.randbytes(rng.randrange(1, 8))
        elif act == 2:
            del damaged[at : at + rng.choice([1, 1, 4, 50])]
        elif at < len(damaged):
            damaged[at] ^= 1 << rng.randrange(8)
    return bytes(damaged)
