"""A system file: which boards there are, what runs on each, and which of their ports are linked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from lfc.base.lazy_dataclass import dataclass
from lfc.base.library_folder import LIBRARY_FOLDERS
from lfc.base.read_file import SETTING, read_file, toml_of
from lfc.base.source import Source, Span
from lfc.diagnostics.trail import note_read
from lfc.semantics.names.universe import PSEUDO_MODULES
from lfc.syntax.grammar.terminals import KEYWORDS

SUFFIX = ".toml"
PROJECT = "lf.toml"
PROOF = "links"  # `ring.toml:links` is the protocol alone
CODE = "LF0911"
MOST_LINKS = 63  # six bits of a frame's header
MOST_CONSTANT = 1 << 64  # what no type of LF has
MOST_RATE = 4_000_000
BUFFER, PROTOCOL = "buffer", "protocol"
SILENCE = "silence"
MODELS, FAULTS, OF_BOARDS = (BUFFER, PROTOCOL), ("loss", SILENCE), (SILENCE,)
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PORT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\.([A-Za-z_][A-Za-z0-9_]*)(?:\[([0-9]{1,9})\])?")
OF_SYSTEM = ("boards", "links", "line", "properties")
OF_BOARD, OF_LINK, OF_LINE = (
    ("run", "board", "const", "faults"),
    ("from", "to", "messages"),
    ("rate", "retry", "model", "faults"),
)


class BadSystem(Exception):
    """What is wrong with a system file; `near`: the text in it that this is about."""

    def __init__(self, message: str, near: str = "") -> None:
        super().__init__(message)
        self.near = near


@dataclass(frozen=True, slots=True)
class Part:
    """A board, and the program that runs on it. In the composition its main module has the board's name."""

    name: str
    file: str
    board: str | None  # which kind; None: it is checked, and no image is made for it
    constants: tuple[tuple[str, str], ...]  # other values of constants, by `NAME` or `Module.NAME`
    falls_silent: bool = False  # in the check its line may die, at any time and for ever


@dataclass(frozen=True, slots=True)
class End:
    part: str
    port: str
    index: int | None

    def __str__(self) -> str:
        return f"{self.part}.{self.port}" + (f"[{self.index}]" if self.index is not None else "")


@dataclass(frozen=True, slots=True)
class Link:
    """What is sent to the port `sender` of one board is received from the port `receiver` of another."""

    name: str
    number: int  # in headers of frames
    sender: End
    receiver: End
    messages: tuple[str, ...]  # empty: all of the port

    def ends_at(self, part: str) -> bool:
        return part in (self.sender.part, self.receiver.part)


@dataclass(frozen=True, slots=True)
class Line:
    """What carries the links: the serial lines of the boards, each of which hears all others."""

    rate: int = 9600
    retry: int = 100  # milliseconds without an answer, after which a frame is sent again
    model: str = MODELS[0]
    faults: tuple[str, ...] = ("loss",)


@dataclass(frozen=True, slots=True)
class System:
    source: Source
    parts: tuple[Part, ...]
    links: tuple[Link, ...]
    line: Line
    properties: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """Of the composition's main module."""
        stem = Path(self.source.path).name.removesuffix(SUFFIX)
        return stem if IDENTIFIER.fullmatch(stem) and not refused_name(stem) and not self.part(stem) else "System_"

    def part(self, name: str) -> Part | None:
        return next((p for p in self.parts if p.name == name), None)


def part_of_name(file: str) -> tuple[str, str] | None:
    """The system file and the board (empty: all of it) that a name of a program means; None: it is no system.
    `ring.toml` is the whole, `ring.toml:left` the program for one board, `ring.toml:links` the protocol alone."""
    if file.endswith(SUFFIX):
        return (file, "") if Path(file).name != PROJECT else None
    name, colon, part = file.rpartition(":")
    return (name, part) if colon and name.endswith(SUFFIX) and IDENTIFIER.fullmatch(part) else None


def system_source(file: str) -> Source:
    """Raises OSError."""
    content = read_file(file, SETTING)
    note_read(file, content)
    return Source(file, content.decode("utf-8", errors="replace"))


def span_in(source: Source, near: str) -> Span:
    """Where the text has it: as a table, a string, a key, or anywhere."""
    text = re.escape(near)
    for form in (rf"^\[({text})[\].]", rf'"({text})"', rf"^[ \t]*({text})\s*=", rf"^\[\w+\.({text})\]", f"({text})"):
        match = re.search(form, source.text, re.MULTILINE) if near else None
        if match is not None:
            return Span(source, *match.span(1))
    return Span(source, 0, 0)


def system_of(source: Source) -> System:
    """Raises BadSystem."""
    try:
        told = toml_of(source.text.encode())
    except ValueError as error:
        raise BadSystem(f"this is not valid TOML: {error}") from None
    refuse_unknown(told, OF_SYSTEM, "a system file")
    boards = table_of(told, "boards", "")
    if not boards:
        raise BadSystem("a system has boards: `[boards.NAME]`, with `run` and `board`")
    folder = Path(source.path).parent
    parts = tuple(part_of(name, t, folder) for name, t in boards.items())
    links = tuple(link_of(n, name, t) for n, (name, t) in enumerate(table_of(told, "links", "").items()))
    properties = table_of(told, "properties", "")
    for name, formula in properties.items():
        if not isinstance(formula, str) or not IDENTIFIER.fullmatch(name) or name in KEYWORDS:
            raise BadSystem(f'a property is a formula with a name: `{name} = "ALWAYS ..."`', name)
    system = System(source, parts, links, line_of(table_of(told, "line", "")), tuple(properties.items()))
    refuse_bad_links(system)
    for p in parts:
        if p.falls_silent and system.part(silent(p.name)) is not None:
            raise BadSystem(f"`{silent(p.name)}` says whether the line of board `{p.name}` is silent", silent(p.name))
    return system


def silent(part: str) -> str:
    """The variable, for properties too."""
    return f"silent_{part}"


def table_of(told: dict[str, Any], key: str, where: str) -> dict[str, Any]:
    found = told.get(key, {})
    if not isinstance(found, dict):
        raise BadSystem(f"`{where}{key}` is a table", key)
    return found


def refuse_unknown(told: dict[str, Any], keys: tuple[str, ...], of: str) -> None:
    for key in told:
        if key not in keys:
            raise BadSystem(f"unknown key `{key}`; {of} has {', '.join(keys)}", key)


def text_of(told: dict[str, Any], key: str, of: str) -> str:
    if key not in told:
        raise BadSystem(f"{of} has no `{key}`", of.rpartition(" ")[2].strip("`"))
    if not isinstance(told[key], str):
        raise BadSystem(f"`{key}` of {of} is a string", key)
    text: str = told[key]
    return text


def part_of(name: str, told: Any, folder: Path) -> Part:
    of = f"board `{name}`"
    if not isinstance(told, dict):
        raise BadSystem(f"{of} is a table, `[boards.{name}]`", name)
    why = refused_name(name)
    if why:
        raise BadSystem(f"a board cannot be named `{name}`: {why}", f"[boards.{name}]")
    refuse_unknown(told, OF_BOARD, of)
    constants = table_of(told, "const", f"boards.{name}.")
    board = text_of(told, "board", of) if "board" in told else None
    file = folder / text_of(told, "run", of)
    faults = faults_of(told, OF_BOARDS, (), of)
    return Part(name, str(file), board, tuple((n, constant_of(n, v)) for n, v in constants.items()), SILENCE in faults)


def faults_of(told: dict[str, Any], known: tuple[str, ...], usual: tuple[str, ...], of: str) -> tuple[str, ...]:
    faults = told.get("faults", list(usual))
    if not isinstance(faults, list) or any(f not in known for f in faults):
        raise BadSystem(f"`faults` of {of} is a list of some of {', '.join(known)}", "faults")
    return tuple(faults)


def refused_name(name: str) -> str:
    if not IDENTIFIER.fullmatch(name):
        return "it names a module of LF, so it is made of letters, digits and underscores"
    if name in KEYWORDS:
        return "this is a keyword of LF"
    if name == PROOF:
        return "`SYSTEM:links` is the protocol of the links"
    if name in PSEUDO_MODULES or any((folder / f"{name}.lf").is_file() for folder in LIBRARY_FOLDERS):
        return "the library has a module of this name"
    return ""


def constant_of(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int) and abs(value) < MOST_CONSTANT:
        return str(value)
    if isinstance(value, str) and value.strip():
        return value  # an expression of LF, as of -D
    raise BadSystem(f"the constant `{name}` is a number, true, false, or an expression of LF as a string", name)


def link_of(number: int, name: str, told: Any) -> Link:
    of = f"link `{name}`"
    if not isinstance(told, dict):
        raise BadSystem(f"{of} is a table, `[links.{name}]`", name)
    if not IDENTIFIER.fullmatch(name):
        raise BadSystem(f"a link cannot be named `{name}`: its name is made of letters, digits and underscores", name)
    if number >= MOST_LINKS:
        raise BadSystem(f"a system has at most {MOST_LINKS} links", name)
    refuse_unknown(told, OF_LINK, of)
    messages = told.get("messages", [])
    if not isinstance(messages, list) or not all(isinstance(m, str) for m in messages):
        raise BadSystem(f"`messages` of {of} is a list of names", "messages")
    sender, receiver = (end_of(text_of(told, key, of), of) for key in ("from", "to"))
    return Link(name, number, sender, receiver, tuple(messages))


def end_of(text: str, of: str) -> End:
    match = PORT.fullmatch(text)
    if match is None:
        raise BadSystem(f"{of} leads from a port of a board to another, `board.port` or `board.port[1]`", text)
    part, port, index = match.groups()
    return End(part, port, None if index is None else int(index))


def line_of(told: dict[str, Any]) -> Line:
    refuse_unknown(told, OF_LINE, "the line")
    numbers = {key: told.get(key, default) for key, default in (("rate", 9600), ("retry", 100))}
    for key, value in numbers.items():
        if type(value) is not int or not 0 < value <= MOST_RATE:
            raise BadSystem(f"`{key}` of the line is a whole number from 1 to {MOST_RATE}", key)
    model = told.get("model", MODELS[0])
    if model not in MODELS:
        raise BadSystem(f"`model` of the line is one of {', '.join(MODELS)}", "model")
    faults = faults_of(told, FAULTS, ("loss",), "the line")
    return Line(numbers["rate"], numbers["retry"], model, faults)


def refuse_bad_links(system: System) -> None:
    """Each message of a port goes over one link."""
    taken: dict[str, Link] = {}
    for link in system.links:
        for end in (link.sender, link.receiver):
            if system.part(end.part) is None:
                known = ", ".join(p.name for p in system.parts)
                raise BadSystem(f"link `{link.name}`: there is no board `{end.part}`; there are {known}", str(end))
        if link.sender.part == link.receiver.part:
            raise BadSystem(f"link `{link.name}` leads from a board to itself: a channel does that", str(link.sender))
        other = taken.setdefault(str(link.sender), link)
        if other is not link and not (
            link.messages and other.messages and not set(link.messages) & set(other.messages)
        ):
            raise BadSystem(
                f"links `{other.name}` and `{link.name}` both take messages from {link.sender}: say with `messages` "
                "which of them takes what",
                f"[links.{link.name}]",
            )
