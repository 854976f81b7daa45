"""The protocol of the links of a system, between a process that counts and one that looks whether nothing is missing.

Values are not looked at by the protocol, so three different ones in turn tell every message that is lost, delivered
twice or overtaken from what is right (Wolper, *Expressing interesting properties of programs in propositional temporal
logic*, 1986).
"""

from __future__ import annotations

from lfc.base.source import Source
from lfc.systems.description import PROTOCOL, End, Line, Link, Part, System

NEAR = """(* Sends 0, 1, 2, 0, 1, 2 and so on. *)
MODULE near;
TYPE Value* = [value(UINT8)];
PORT out* : Value;

PROCESS Count WEAK;
VAR n : UINT8;
BEGIN
  LOOP out!value(n); n := (n + 1) MOD 3 END
END Count;

BEGIN
  NEW(out);
  CREATE Count
END near.
"""
FAR = """(* Each number has to come once, in this order. *)
MODULE far;
TYPE Value* = [value(UINT8)];
PORT in* : Value;
VAR next* : UINT8;

PROCESS Look WEAK;
VAR n : UINT8;
BEGIN
  LOOP
    in?value(n);
    ASSERT(n = next);
    next := (n + 1) MOD 3;
    n := 0
  END
END Look;

BEGIN
  NEW(in);
  CREATE Look
END far.
"""
LINK = Link("link", 0, End("near", "out", None), End("far", "in", None), ())


def proof_of(system: System) -> tuple[System, dict[str, Source]]:
    """A system of two boards with one link over the line of this one, and their programs."""
    line = Line(system.line.rate, system.line.retry, PROTOCOL, system.line.faults)
    parts = tuple(Part(name, f"{name}.lf", None, ()) for name in ("near", "far"))
    properties = (("arrives", "(ALWAYS EVENTUALLY (far.next = 0)) & (ALWAYS EVENTUALLY (far.next = 1))"),)
    texts = {"near": NEAR, "far": FAR}
    where = system.source.path
    modules = {name: Source(f"{where}: {name}.lf", text) for name, text in texts.items()}
    return System(system.source, parts, (LINK,), line, properties), modules
