"""The composition's main module: what lies between the boards."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, EnumerationType, SubrangeType, Type
from lfc.systems.carried import Cable, type_name
from lfc.systems.description import SILENCE, BadSystem, Link, System, silent
from lfc.systems.protocol import FRAMES, local, module_name, variables, waiting

WIRE = """
(* A line: what comes in time is delivered, if somebody waits for it. *)
PROCESS {name}(from, to : {frames}.{kind}) SERVER WEAK;
VAR {variables}
BEGIN
  LOOP
    from?{message};
    {passing};
    {reset}
  END
END {name};
"""
FALLS = """
(* The line of board `{part}` falls silent, at any time and for ever, or never. *)
PROCESS Falls_{part} SERVER;
BEGIN
  CHOICE {{normal}} | {{faulty}} {variable} := TRUE END
END Falls_{part};
"""
DELIVER = "SELECT WHEN to!{message} STRONG THEN ELSE END"


def wire(name: str, kind: str, message: str, own: str, reset: str, faults: Sequence[str], dead: str = "") -> str:
    """`dead`: a condition under which nothing passes."""
    deliver = DELIVER.format(message=message)
    branches = [f"{{normal}} {deliver}"]
    branches += ["{faulty} (* lost, or damaged, which its checksum tells *)"] if "loss" in faults else []
    branches += ["{faulty} dead := TRUE"] if SILENCE in faults else []
    passing = deliver if len(branches) == 1 else "CHOICE " + " | ".join(branches) + " END"
    if dead:
        passing = f"IF ~({dead}) THEN {passing} END"
    if SILENCE in faults:
        passing, own = f"IF ~dead THEN {passing} END", f"dead : BOOLEAN; {own}"
    return WIRE.format(
        name=name, frames=FRAMES, kind=kind, variables=own, message=message, passing=passing, reset=reset
    )


def main_of_protocol(system: System, cables: Sequence[Cable]) -> str:
    reset = f"bit := FALSE; tag := 0; data := {FRAMES}.NONE"
    own = f"bit : BOOLEAN; tag : UINT8; data : {FRAMES}.Bytes;"
    faults = system.line.faults
    wires, created, made = "", [], dict[str, str]()  # the number of the wires with a condition
    for c in cables:
        there, here = module_name(c.link.sender.part), module_name(c.link.receiver.part)
        name, dead = c.link.name, silence_of(c.link, system)
        if dead not in made:
            made[dead] = str(len(made) or "")
            wires += wire(f"Wire{made[dead]}", "Line", "frame(bit, tag, data)", own, reset, faults, dead)
            wires += wire(f"Back{made[dead]}", "Acks", "ack(bit)", "bit : BOOLEAN;", "bit := FALSE", faults, dead)
        created.append(f"CREATE Wire{made[dead]}({there}.{name}, {here}.{name})")
        created.append(f"CREATE Back{made[dead]}({here}.{name}_answers, {there}.{name}_post)")
    linked = {e.part for c in cables for e in (c.link.sender, c.link.receiver)}
    imports = [p.name for p in system.parts] + [module_name(p.name) for p in system.parts if p.name in linked]
    return main(system, [*imports, FRAMES] if cables else imports, wires if cables else "", created)


def main_of_buffers(system: System, cables: Sequence[Cable], modules: list[typed.Module]) -> str:
    """Each link is a buffer for one message, which is what the protocol comes to."""
    processes, created = [], []
    for c in cables:
        name, link = c.link.name, c.link
        fields = [(local(m, i), t) for m in c.messages for i, t in enumerate(m.sent.types)]
        clauses, dead = [], silence_of(link, system)
        for m in c.messages:
            names = [local(m, i) for i in range(len(m.sent.types))]
            both = zip(names, m.sent.types, m.received.types, strict=True)
            values = ", ".join(passed(x, s, r, c, modules) for x, s, r in both)
            event = f"{link.sender}?{m.name}" + (f"({', '.join(names)})" if names else "")
            send = f"{link.receiver}!{m.name}" + (f"({values})" if values else "")
            # No answer comes over a silent line: what was delivered is kept, and nothing else is taken.
            clauses.append((event, [f"IF ~({dead}) THEN {send} END"] if dead else [send]))
        more = f"Pass; IF {dead} THEN EXIT END" if dead else "Pass"
        processes.append(
            f"\n(* Link {name}. *)\nPROCESS Link_{name} SERVER WEAK;\n\n  PROCESS Pass;\n"
            f"{variables(link, fields, modules)}  BEGIN\n{waiting(clauses)}\n  END Pass;\n\n"
            f"BEGIN\n  LOOP {more} END\nEND Link_{name};\n"
        )
        created.append(f"CREATE Link_{name}")
    named = [p.name for p in system.parts]
    shared = [m.name for m in modules if m.name not in named and any(f"{m.name}." in p for p in processes)]
    return main(system, [*named, *shared], "".join(processes), created)


def silence_of(link: Link, system: System) -> str:
    """The condition under which nothing comes over the link; empty: there is none."""
    falling = [p.name for p in system.parts if p.falls_silent and link.ends_at(p.name)]
    return " OR ".join(silent(name) for name in falling)


def passed(x: str, sent: Type, received: Type, cable: Cable, modules: list[typed.Module]) -> str:
    """The value at the other end."""
    s = sent.base if isinstance(sent, SubrangeType) else sent
    r = received.base if isinstance(received, SubrangeType) else received
    if isinstance(s, EnumerationType) and s is not r:
        return f"{type_name(cable.link, modules, r)}(ORD({x}))"
    if isinstance(s, ArrayType) and s is not r and inner(s) is not inner(r):
        raise BadSystem(
            f"link `{cable.link.name}` carries an array whose elements each board declares for itself: "
            "declare their type in a module without variables, which both import",
            f"[links.{cable.link.name}]",
        )
    return x


def inner(t: Type) -> Type | None:
    return t.element if isinstance(t, ArrayType) else None


def main(system: System, imports: Sequence[str], processes: str, created: Sequence[str]) -> str:
    properties = "".join(f"PROPERTY {name} = {formula};\n" for name, formula in system.properties)
    falling = [p.name for p in system.parts if p.falls_silent]
    if falling:
        processes = f"VAR {', '.join(map(silent, falling))} : BOOLEAN;\n{processes}"
        processes += "".join(FALLS.format(part=p, variable=silent(p)) for p in falling)
    created = [*created, *(f"CREATE Falls_{p}" for p in falling)]
    body = f"BEGIN\n  {f';{chr(10)}  '.join(created)}\n" if created else ""
    name = system.name
    head = f"(* The boards of a system, and the lines between them. *)\nMODULE {name};\n"
    return f"{head}IMPORT {', '.join(imports)};\n{processes}\n{properties}{body}END {name}.\n"
