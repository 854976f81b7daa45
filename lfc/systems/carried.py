"""What a link carries: the messages of its ports, and their values as bytes."""

from __future__ import annotations

from collections.abc import Iterator

from lfc.base.lazy_dataclass import dataclass
from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    INTEGER,
    ArrayType,
    BooleanType,
    ChannelType,
    CharType,
    EnumerationType,
    IntegerType,
    Message,
    SetType,
    SubrangeType,
    Type,
)
from lfc.semantics.model.visit import communications, root_variable
from lfc.systems.description import BadSystem, End, Link

NUMBERS = (("UINT8", 1, 0, 255), ("INT8", 1, -128, 127), ("UINT16", 2, 0, 65535), ("INT16", 2, -32768, 32767))


@dataclass(frozen=True, slots=True)
class Carried:
    """A message, with its number on the line, as both ends know it."""

    tag: int
    sent: Message
    received: Message

    @property
    def name(self) -> str:
        return self.sent.name

    @property
    def size(self) -> int:
        return sum(size_of(t) for t in self.sent.types)


@dataclass(frozen=True, slots=True)
class Cable:
    """A link whose ports are known."""

    link: Link
    messages: tuple[Carried, ...]
    sender: typed.Module
    receiver: typed.Module

    @property
    def size(self) -> int:
        return max(m.size for m in self.messages)


def cable_of(link: Link, program: typed.Program) -> Cable:
    """Raises BadSystem where the two ports do not fit."""
    modules = {m.name: m for m in program.modules}
    sender, receiver = modules[link.sender.part], modules[link.receiver.part]
    sent, received = port_of(link, link.sender, sender), port_of(link, link.receiver, receiver)
    chosen = [m for m in sent.messages if not link.messages or m.name in link.messages]
    for name in link.messages:
        if all(m.name != name for m in sent.messages):
            raise BadSystem(f"link `{link.name}`: {link.sender} has no message `{name}`", f'"{name}"')
    there = {m.name: m for m in received.messages}
    carried = []
    for tag, m in enumerate(chosen):
        other = there.get(m.name)
        if other is None:
            what = "say with `messages` which ones the link carries"
            raise BadSystem(
                f"link `{link.name}`: {link.receiver} has no message `{m.name}`; {what}", str(link.receiver)
            )
        carried.append(Carried(tag, m, other))
        refuse_other_values(link, m, other)
    refuse_selected(link, sender, {id(m) for m in chosen})
    return Cable(link, tuple(carried), sender, receiver)


def port_of(link: Link, end: End, module: typed.Module) -> ChannelType:
    variable = next((v for v in module.variables if v.name == end.port), None)
    t = variable.type if variable is not None else None
    length = t.length if isinstance(t, ArrayType) else None
    t = t.element if isinstance(t, ArrayType) else t
    if variable is None or not isinstance(t, ChannelType) or not variable.exported:
        raise BadSystem(
            f"link `{link.name}`: the program of board `{end.part}` exports no port `{end.port}` "
            f"(`PORT {end.port}* : ...`)",
            str(end),
        )
    if (length is None) != (end.index is None) or (
        length is not None and end.index is not None and end.index >= length
    ):
        raise BadSystem(
            f"link `{link.name}`: `{end.port}` is "
            + (f"an array of {length} ports: name one of them, `{end.part}.{end.port}[0]`" if length else "one port"),
            str(end),
        )
    return t


def refuse_other_values(link: Link, sent: Message, received: Message) -> None:
    if [shape(t) for t in sent.types] != [shape(t) for t in received.types]:
        raise BadSystem(
            f"link `{link.name}`: `{sent.name}` carries ({types_of(sent)}) at {link.sender}, "
            f"and ({types_of(received)}) at {link.receiver}",
            f"[links.{link.name}]",
        )
    for t in sent.types:
        if shape(t) is None:
            raise BadSystem(
                f"link `{link.name}`: `{sent.name}` carries `{t}`, which cannot go over a line: numbers, characters, "
                "Booleans, sets, enumerations, their subranges and arrays of these can",
                f"[links.{link.name}]",
            )


def types_of(message: Message) -> str:
    return ", ".join(t.name for t in message.types)


def refuse_selected(link: Link, module: typed.Module, chosen: set[int]) -> None:
    """The link waits for several messages in a SELECT, which does not meet another."""
    if len(chosen) < 2:
        return
    for body in (module.body, *(p.body for p in processes_of(module.processes))):
        for event, clause in communications(body):
            if clause is not None and isinstance(event, typed.Send) and id(event.message) in chosen:
                port = root_variable(event.port)
                other = port is not None and port.owner is module and port.name != link.sender.port
                if not other:
                    raise BadSystem(
                        f"link `{link.name}` carries several messages, and `{event.message.name}` is sent in a SELECT "
                        f"(line {clause.span.line}): two SELECTs do not meet. Send it plainly, or from a port whose "
                        "link carries this message alone",
                        f"[links.{link.name}]",
                    )


def processes_of(processes: list[typed.Process]) -> Iterator[typed.Process]:
    for p in processes:
        yield p
        yield from processes_of(p.nested)


def shape(t: Type) -> object:
    """Equal for values that are the same at both ends. None: they cannot go over a line."""
    match t:
        case IntegerType() | BooleanType() | CharType() | SetType():
            return t.name
        case EnumerationType():
            return tuple(t.values)
        case SubrangeType():
            return shape(t.base), t.low, t.high
        case ArrayType():
            inner = shape(t.element)
            return None if inner is None or isinstance(t.element, ArrayType) else (t.length, inner)
    return None


def basic(t: Type) -> tuple[str, int]:
    """As which type a value goes over the line, and its bytes. An empty name: as its own."""
    match t:
        case IntegerType():
            return t.name, t.size
        case SetType():
            return t.name, t.bits // 8
        case BooleanType() | CharType():
            return t.name, 1
        case EnumerationType():
            return "", 1 if len(t.values) <= 256 else 2
        case SubrangeType() if t.base is INTEGER:
            fits = ((name, size) for name, size, low, high in NUMBERS if low <= t.low and t.high <= high)
            return next(fits, (INTEGER.name, INTEGER.size))
        case SubrangeType():
            return basic(t.base)
    raise AssertionError(t)


def size_of(t: Type) -> int:
    return t.length * basic(t.element)[1] if isinstance(t, ArrayType) else basic(t)[1]


def type_name(link: Link, modules: list[typed.Module], t: Type) -> str:
    """As another module names it. Raises BadSystem where it cannot."""
    for module in modules:
        for n in module.types:
            if n.type is t and n.exported:
                return f"{module.name}.{n.name}"
    match t:
        case IntegerType() | BooleanType() | CharType() | SetType():
            return t.name
        case SubrangeType() if t.base is INTEGER:
            return f"{t.low} .. {t.high}" if t.low >= 0 else f"-{-t.low} .. {t.high}"
        case ArrayType() if t.index is None:
            return f"ARRAY {t.length} OF {type_name(link, modules, t.element)}"
    raise BadSystem(
        f"link `{link.name}` carries values of the type `{t}`, which its module does not export: "
        "put a star behind its name",
        f"[links.{link.name}]",
    )
