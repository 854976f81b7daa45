"""The ends of links on one board, as a module in LF: the same text in the composition and in the board's image.

The alternating bit protocol. Who sends keeps a message until it is acknowledged, and sends it again after a while; who
receives acknowledges what it has delivered, and delivers what has the other bit than the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, EnumerationType, Type
from lfc.systems.carried import Cable, Carried, basic, size_of, type_name
from lfc.systems.description import Line, Link

FRAMES = "LinkFrames"
BITS = 10  # of a byte on the line, with its start and stop
TICKS = 2  # milliseconds by which a board may be late

SENDER = """
(* Link {name}: what board `{part}` sends, one message after the other. *)
PROCESS Send_{name} SERVER WEAK;
VAR bit, got : BOOLEAN; tag : UINT8; data : LinkFrames.Bytes;

{take}
BEGIN
  LOOP
    Take;
    kept: LOOP
      {name}!frame(bit, tag, data);
      LOOP
        SELECT
          WHEN {name}_acks?ack(got) THEN IF got = bit THEN EXIT kept END
          WHEN Clock.After({retry}) THEN EXIT
        END
      END
    END;
    bit := ~bit; got := FALSE; tag := 0; data := LinkFrames.NONE
  END
END Send_{name};

(* Keeps an answer until the sender looks; others that come meanwhile are lost. *)
PROCESS Post_{name} SERVER WEAK;
VAR bit : BOOLEAN;
BEGIN
  LOOP {name}_post?ack(bit); {name}_acks!ack(bit); bit := FALSE END
END Post_{name};
"""

RECEIVER = """
(* Link {name}: what board `{part}` receives. *)
PROCESS Receive_{name} SERVER WEAK;
VAR bit, expected : BOOLEAN; tag : UINT8; data : LinkFrames.Bytes;

{give}
BEGIN
  LOOP
    {name}?frame(bit, tag, data);
    IF bit = expected THEN Give; expected := ~expected END;
    tag := 0; data := LinkFrames.NONE;
    {name}_answers!ack(bit);
    bit := FALSE
  END
END Receive_{name};
"""


def module_name(part: str) -> str:
    return f"{part}_links"


def frames_module(cables: Sequence[Cable]) -> str:
    """What all boards agree on."""
    size = max([1, *(c.size for c in cables)])
    return f"""(* What goes over the lines of a system: a bit that alternates, the number of the message, its values. *)
MODULE {FRAMES};
CONST SIZE* = {size};
TYPE
  Bytes* = ARRAY SIZE OF UINT8;
  Line* = [frame(BOOLEAN, UINT8, Bytes)];
  Acks* = [ack(BOOLEAN)];
CONST NONE* : Bytes = [{", ".join("0" * size)}];
END {FRAMES}.
"""


def patience(links: Sequence[Link], line: Line, longest: int) -> dict[str, int]:
    """After how many milliseconds each link sends a frame again, of at most `longest` bytes of values. Frames that were
    sent at the same time on a line that more than two boards share have damaged each other: their links wait for
    different times, lest they do so again."""
    shared = len({e.part for link in links for e in (link.sender, link.receiver)}) > 2
    exchange = milliseconds(frame_bytes(longest + 2) + frame_bytes(1), line.rate) + TICKS
    return {link.name: line.retry + (2 * exchange * i if shared else 0) for i, link in enumerate(links)}


def frame_bytes(content: int) -> int:
    """The most that go over the line: content and checksum, each byte of which may be escaped, between flags."""
    return 2 * (content + 2) + 2


def milliseconds(count: int, rate: int) -> int:
    return -(-count * BITS * 1000 // rate)


def links_module(part: str, cables: Sequence[Cable], modules: list[typed.Module], line: Line) -> str:
    retry = patience([c.link for c in cables], line, max((c.size for c in cables), default=0))
    ports, made, processes, created = [], [], [], []
    for c in cables:
        name = c.link.name
        if c.link.sender.part == part:
            kinds = [(f"{name}*", "Line"), (f"{name}_acks", "Acks"), (f"{name}_post*", "Acks")]
            processes.append(SENDER.format(name=name, part=part, take=taking(c, modules), retry=retry[name]))
            created += [f"Send_{name}", f"Post_{name}"]
        elif c.link.receiver.part == part:
            kinds = [(f"{name}*", "Line"), (f"{name}_answers*", "Acks")]
            processes.append(RECEIVER.format(name=name, part=part, give=giving(c, modules)))
            created.append(f"Receive_{name}")
        else:
            continue
        ports += [f"  {port} : {FRAMES}.{kind};" for port, kind in kinds]
        made += [f"NEW({port.rstrip('*')})" for port, _ in kinds]
    owners = {m.name for c in cables for m in modules if is_named(c, part, m)}
    imports = ", ".join(["Clock", "SYSTEM", FRAMES, part, *sorted(owners - {part})])
    own = module_name(part)
    body = ";\n  ".join([*made, *(f"CREATE {p}" for p in created)])
    head = f"(* The ends of links on board `{part}`. *)\nMODULE {own};\nIMPORT {imports};\nPORT\n"
    return f"{head}{chr(10).join(ports)}\n{''.join(processes)}\nBEGIN\n  {body}\nEND {own}.\n"


def is_named(cable: Cable, part: str, module: typed.Module) -> bool:
    """Whether values of the link have types of this module."""
    types = [t for m in cable.messages for t in (m.sent if cable.link.sender.part == part else m.received).types]
    inner = [t.element for t in types if isinstance(t, ArrayType)]
    bases = [t.base for t in (*types, *inner) if hasattr(t, "base")]
    return cable.link.ends_at(part) and any(
        n.type is t for n in module.types if n.exported for t in (*types, *inner, *bases)
    )


def taking(cable: Cable, modules: list[typed.Module]) -> str:
    """A process within the sender that receives a message from the board, as bytes."""
    link = cable.link
    fields = [(local(m, i), t) for m in cable.messages for i, t in enumerate(m.sent.types)]
    clauses = []
    for m in cable.messages:
        packed = [f"tag := {m.tag}", *packing(m)]
        targets = ", ".join(local(m, i) for i in range(len(m.sent.types)))
        clauses.append((f"{link.sender}?{m.name}" + (f"({targets})" if targets else ""), packed))
    return f"  PROCESS Take;\n{variables(link, fields, modules)}  BEGIN\n{waiting(clauses)}\n  END Take;\n"


def waiting(clauses: list[tuple[str, list[str]]]) -> str:
    """For one message a plain receive, so that the board may send in a SELECT."""
    if len(clauses) == 1:
        event, then = clauses[0]
        return "    " + ";\n    ".join([event, *then])
    lines = [f"      WHEN {event} THEN " + ";\n        ".join(then) for event, then in clauses]
    return "\n".join(["    SELECT", *lines, "    END"])


def giving(cable: Cable, modules: list[typed.Module]) -> str:
    """A process within the receiver that sends to the board what bytes mean."""
    link = cable.link
    fields = [(local(m, i), t) for m in cable.messages for i, t in enumerate(m.received.types)]
    branches = []
    for m in cable.messages:
        values = ", ".join(local(m, i) for i in range(len(m.received.types)))
        send = f"{link.receiver}!{m.name}" + (f"({values})" if values else "")
        branches.append((m.tag, [*unpacking(m, link, modules), send]))
    if len(branches) == 1:
        body = "    " + ";\n    ".join(branches[0][1])
    else:
        cases = "\n      | ".join(f"{tag}: " + ";\n        ".join(then) for tag, then in branches)
        body = f"    CASE tag OF\n      {cases}\n    ELSE\n    END"
    return f"  PROCESS Give;\n{variables(link, fields, modules)}  BEGIN\n{body}\n  END Give;\n"


def local(message: Carried, i: int) -> str:
    return f"{message.name}_{i}"


def variables(link: Link, fields: list[tuple[str, Type]], modules: list[typed.Module]) -> str:
    return f"  VAR {' '.join(f'{n} : {type_name(link, modules, t)};' for n, t in fields)}\n" if fields else ""


def packing(message: Carried) -> list[str]:
    done, at = [], 0
    for i, t in enumerate(message.sent.types):
        x = local(message, i)
        if isinstance(t, ArrayType):
            size = basic(t.element)[1]
            inner = "; ".join(f"data[{at + j} + i * {size}] := {byte_of(f'{x}[i]', j)}" for j in range(size))
            done.append(f"FOR VAR i := 0 TO {t.length - 1} DO {inner} END")
        else:
            done += [f"data[{at + j}] := {byte_of(x, j)}" for j in range(size_of(t))]
        at += size_of(t)
    return done


def byte_of(x: str, j: int) -> str:
    return f"SYSTEM.VAL(UINT8, {x})" if j == 0 else f"SYSTEM.VAL(UINT8, LSR(SYSTEM.VAL(UINT32, {x}), {8 * j}))"


def unpacking(message: Carried, link: Link, modules: list[typed.Module]) -> list[str]:
    done, at = [], 0
    for i, t in enumerate(message.received.types):
        x = local(message, i)
        if isinstance(t, ArrayType):
            size = basic(t.element)[1]
            value = value_of(t.element, [f"data[{at + j} + i * {size}]" for j in range(size)], link, modules)
            done.append(f"FOR VAR i := 0 TO {t.length - 1} DO {x}[i] := {value} END")
        else:
            done.append(f"{x} := {value_of(t, [f'data[{at + j}]' for j in range(size_of(t))], link, modules)}")
        at += size_of(t)
    return done


def value_of(t: Type, data: list[str], link: Link, modules: list[typed.Module]) -> str:
    name, size = basic(t)
    base = getattr(t, "base", t)
    named = name or type_name(link, modules, base if isinstance(base, EnumerationType) else t)
    if size == 1:
        return f"SYSTEM.VAL({named}, {data[0]})"
    joined = f"UINT32({data[0]})"
    for j, byte in enumerate(data[1:], 1):
        joined = f"BOR({joined}, LSL(UINT32({byte}), {8 * j}))"
    return f"SYSTEM.VAL({named}, {joined})"
