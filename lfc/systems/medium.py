"""The composition's main module: what lies between the boards."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, EnumerationType, SubrangeType, Type
from lfc.systems.carried import Cable, type_name
from lfc.systems.description import BadSystem, System
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
DELIVER = "SELECT WHEN to!{message} STRONG THEN ELSE END"


def wire(name: str, kind: str, message: str, own: str, reset: str, faults: Sequence[str]) -> str:
    deliver = DELIVER.format(message=message)
    branches = [f"{{normal}} {deliver}"]
    branches += ["{faulty} (* lost, or damaged, which its checksum tells *)"] if "loss" in faults else []
    branches += ["{faulty} dead := TRUE"] if "silence" in faults else []
    passing = deliver if len(branches) == 1 else "CHOICE " + " | ".join(branches) + " END"
    if "silence" in faults:
        passing, own = f"IF ~dead THEN {passing} END", f"dead : BOOLEAN; {own}"
    return WIRE.format(
        name=name, frames=FRAMES, kind=kind, variables=own, message=message, passing=passing, reset=reset
    )


def main_of_protocol(system: System, cables: Sequence[Cable]) -> str:
    reset = f"bit := FALSE; tag := 0; data := {FRAMES}.NONE"
    own = f"bit : BOOLEAN; tag : UINT8; data : {FRAMES}.Bytes;"
    faults = system.line.faults
    wires = wire("Wire", "Line", "frame(bit, tag, data)", own, reset, faults)
    wires += wire("Back", "Acks", "ack(bit)", "bit : BOOLEAN;", "bit := FALSE", faults)
    created = []
    for c in cables:
        there, here = module_name(c.link.sender.part), module_name(c.link.receiver.part)
        name = c.link.name
        created.append(f"CREATE Wire({there}.{name}, {here}.{name})")
        created.append(f"CREATE Back({here}.{name}_answers, {there}.{name}_post)")
    linked = {e.part for c in cables for e in (c.link.sender, c.link.receiver)}
    imports = [p.name for p in system.parts] + [module_name(p.name) for p in system.parts if p.name in linked]
    return main(system, [*imports, FRAMES] if cables else imports, wires if cables else "", created)


def main_of_buffers(system: System, cables: Sequence[Cable], modules: list[typed.Module]) -> str:
    """Each link is a buffer for one message, which is what the protocol comes to."""
    processes, created = [], []
    for c in cables:
        name, link = c.link.name, c.link
        fields = [(local(m, i), t) for m in c.messages for i, t in enumerate(m.sent.types)]
        clauses = []
        for m in c.messages:
            names = [local(m, i) for i in range(len(m.sent.types))]
            both = zip(names, m.sent.types, m.received.types, strict=True)
            values = ", ".join(passed(x, s, r, c, modules) for x, s, r in both)
            event = f"{link.sender}?{m.name}" + (f"({', '.join(names)})" if names else "")
            clauses.append((event, [f"{link.receiver}!{m.name}" + (f"({values})" if values else "")]))
        processes.append(
            f"\n(* Link {name}. *)\nPROCESS Link_{name} SERVER WEAK;\n\n  PROCESS Pass;\n"
            f"{variables(link, fields, modules)}  BEGIN\n{waiting(clauses)}\n  END Pass;\n\n"
            f"BEGIN\n  LOOP Pass END\nEND Link_{name};\n"
        )
        created.append(f"CREATE Link_{name}")
    named = [p.name for p in system.parts]
    shared = [m.name for m in modules if m.name not in named and any(f"{m.name}." in p for p in processes)]
    return main(system, [*named, *shared], "".join(processes), created)


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
    body = f"BEGIN\n  {f';{chr(10)}  '.join(created)}\n" if created else ""
    name = system.name
    head = f"(* The boards of a system, and the lines between them. *)\nMODULE {name};\n"
    return f"{head}IMPORT {', '.join(imports)};\n{processes}\n{properties}{body}END {name}.\n"
