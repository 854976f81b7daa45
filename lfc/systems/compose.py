"""From a system file to a typed program: of the whole, or of one board's image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostic, Diagnostics
from lfc.front_end.load import check_source, load_program, read_environments
from lfc.semantics.analyse import analyse
from lfc.semantics.model.typed import Module, Program
from lfc.semantics.modules import HOST, ChipModules
from lfc.systems.carried import Cable, cable_of
from lfc.systems.description import (
    BUFFER,
    CODE,
    PROOF,
    BadSystem,
    Part,
    System,
    part_of_name,
    span_in,
    system_of,
    system_source,
)
from lfc.systems.instances import Instance, instance_of
from lfc.systems.medium import main_of_buffers, main_of_protocol
from lfc.systems.proof import proof_of
from lfc.systems.protocol import FRAMES, frames_module, links_module, module_name
from lfc.systems.serial_line import main_module, main_name

OF_THE_LINE = ("UART", "In")  # the console's input comes over the same line
# What generated texts have: imports for all that may be needed, and a variable for the silence of a line.
UNUSED, SHARED = "LF0711", "LF0707"


@dataclass(slots=True)
class Cables:
    """The links of a system, and the modules between which they are."""

    all: list[Cable]
    modules: list[Module]


@dataclass(slots=True)
class Composed:
    """The texts of a program: its main module, and those that it imports, by their names."""

    main: Source
    modules: dict[str, Source]
    definitions: dict[str, str]


def load_any(
    file: str,
    diagnostics: Diagnostics,
    *,
    path: Sequence[str | Path] = (),
    environments: Sequence[str | Path] = (),
    chip: ChipModules = HOST,
    definitions: Mapping[str, str] | None = None,
) -> Program | None:
    """A system (`ring.toml`), the program of one of its boards (`ring.toml:left`), or what any other file holds."""
    named = part_of_name(file)
    if named is None:
        return load_program(file, diagnostics, path=path, environments=environments, chip=chip, definitions=definitions)
    composed = compose(*named, diagnostics, path, chip, definitions or {})
    around = read_environments(environments, diagnostics, chip)
    if composed is None or around is None:
        return None
    found = Diagnostics()
    program = check_source(
        composed.main,
        found,
        path=path,
        environments=around,
        chip=chip,
        modules=composed.modules,
        definitions=composed.definitions,
    )
    items = [d for d in found.items if not (d.code in (UNUSED, SHARED) and is_generated(d.span.source, file))]
    diagnostics.items += list({told_at(d): d for d in reversed(items)}.values())[::-1]
    return program


def told_at(diagnostic: Diagnostic) -> tuple[object, ...]:
    """What several boards that run a module have to say of it is said once."""
    span = diagnostic.span
    return diagnostic.code, diagnostic.message, span.source.path, span.source.line_and_column(span.start)


def is_generated(source: Source, file: str) -> bool:
    return source.path.startswith(f"{named_system(file)}: ")


def named_system(file: str) -> str:
    named = part_of_name(file)
    return file if named is None else named[0]


def compose(
    file: str,
    part: str,
    diagnostics: Diagnostics,
    path: Sequence[str | Path] = (),
    chip: ChipModules = HOST,
    definitions: Mapping[str, str] | None = None,
) -> Composed | None:
    """None after errors."""
    try:
        source = system_source(file)
    except OSError as error:
        diagnostics.report("LF0903", span_in(Source(file, ""), ""), f"cannot read `{file}`: {error.strerror}")
        return None
    try:
        system = system_of(source)
        if part == PROOF:
            return proof(system)
        refuse_name(system, part)
        return composed_of(system, part, diagnostics, path, chip, definitions or {})
    except BadSystem as error:
        diagnostics.report(CODE, span_in(source, error.near), str(error))
        return None


def proof(system: System) -> Composed | None:
    """The protocol alone, over the line of this system."""
    alone, modules = proof_of(system)
    return linked(alone, modules, {}, Diagnostics(), ())


def refuse_name(system: System, part: str) -> None:
    if part and system.part(part) is None:
        raise BadSystem(f"there is no board `{part}`; there are {', '.join(p.name for p in system.parts)}")


def composed_of(
    system: System,
    part: str,
    diagnostics: Diagnostics,
    path: Sequence[str | Path],
    chip: ChipModules,
    given: Mapping[str, str],
) -> Composed | None:
    instances = instances_of(system, diagnostics, path)
    if instances is None:
        return None
    modules = {name: source for i in instances.values() for name, source in i.modules.items()}
    values = definitions_of(system.parts, instances)
    if not part:
        whole = linked(system, modules, values, diagnostics, path)
        return whole and Composed(whole.main, whole.modules, values | dict(given))
    cables = cables_of(system, modules, values, diagnostics, path)
    own = system.part(part)
    if cables is None or own is None:
        return None
    return image_of(system, own, cables, diagnostics, path, chip, given)


def cables_of(
    system: System,
    modules: Mapping[str, Source],
    values: Mapping[str, str],
    diagnostics: Diagnostics,
    path: Sequence[str | Path],
) -> Cables | None:
    """Of the boards side by side, without links."""
    apart = f"MODULE Boards;\nIMPORT {', '.join(p.name for p in system.parts)};\nEND Boards.\n"
    found = Diagnostics()  # warnings come again with the links
    paths = [Path(p) for p in path]
    program = analyse(text_of(system, "boards", apart), found, path=paths, modules=modules, definitions=values)
    if program is None or found.has_errors:
        diagnostics.take_over(found)
        return None
    return Cables([cable_of(link, program) for link in system.links], program.modules)


def linked(
    system: System,
    modules: Mapping[str, Source],
    values: dict[str, str],
    diagnostics: Diagnostics,
    path: Sequence[str | Path],
) -> Composed | None:
    """The whole."""
    cables = cables_of(system, modules, values, diagnostics, path)
    if cables is None:
        return None
    buffers = system.line.model == BUFFER
    text = main_of_buffers(system, cables.all, cables.modules) if buffers else main_of_protocol(system, cables.all)
    generated = {} if buffers else ends_of(system, cables)
    return Composed(text_of(system, system.name, text), {**modules, **generated}, values)


def ends_of(system: System, cables: Cables) -> dict[str, Source]:
    """The modules of the protocol."""
    texts = {FRAMES: frames_module(cables.all)}
    for p in system.parts:
        if any(link.ends_at(p.name) for link in system.links):
            texts[module_name(p.name)] = links_module(p.name, cables.all, cables.modules, system.line)
    return {name: text_of(system, name, text) for name, text in texts.items()}


def instances_of(system: System, diagnostics: Diagnostics, path: Sequence[str | Path]) -> dict[str, Instance] | None:
    found = {p.name: instance_of(p.name, p.file, diagnostics, path) for p in system.parts}
    for name, instance in found.items():
        linked = any(k.ends_at(name) for k in system.links)
        for module in OF_THE_LINE:
            if linked and instance is not None and module in instance.imported:
                raise BadSystem(
                    f"the program of board `{name}` uses `{module}`, and its serial line carries links",
                    f"[boards.{name}]",
                )
    complete = {name: i for name, i in found.items() if i is not None}
    return complete if len(complete) == len(found) else None


def definitions_of(parts: Sequence[Part], instances: Mapping[str, Instance]) -> dict[str, str]:
    """Constants by the names of the composition. What all boards share cannot have two values."""
    values: dict[str, str] = {}
    for part in parts:
        instance = instances[part.name]
        for name, value in part.constants:
            module, _, constant = name.rpartition(".")
            own = f"{part.name}_{module}" if module not in ("", instance.main) else part.name
            key = f"{own if own in instance.modules else module}.{constant}"
            if values.setdefault(key, value) != value:
                raise BadSystem(f"`{name}` is one constant for all boards, and has two values", name)
    return values


def image_of(
    system: System,
    part: Part,
    cables: Cables,
    diagnostics: Diagnostics,
    path: Sequence[str | Path],
    chip: ChipModules,
    given: Mapping[str, str],
) -> Composed | None:
    """With the drivers of the board's chip."""
    instance = instance_of(part.name, part.file, diagnostics, path, chip)
    if instance is None:
        return None
    links = module_name(part.name)
    sources = {name: text for name, text in ends_of(system, cables).items() if name in (FRAMES, links)}
    values = definitions_of([part], {part.name: instance})
    values |= {n if "." in n or n.startswith("-") else f"{part.name}.{n}": v for n, v in given.items()}
    text = text_of(system, main_name(part.name), main_module(part.name, cables.all, system.line))
    return Composed(text, instance.modules | sources, values)


def text_of(system: System, name: str, text: str) -> Source:
    return Source(f"{system.source.path}: {name}.lf", text)
