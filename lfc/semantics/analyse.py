"""From texts to a typed program: loads the modules, analyses each after those that it imports."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.declarations import analyse_process, declare_all, declare_processes, initial_values
from lfc.semantics.definitions import assumed_world, parsed_definitions, report_unknown
from lfc.semantics.expressions import aggregates, atoms, functions
from lfc.semantics.expressions import operators as expressions
from lfc.semantics.model import typed
from lfc.semantics.modules import HOST, ChipModules, Finder, Parsed
from lfc.semantics.monitors import analyse_monitor
from lfc.semantics.names.context import Context, ModuleScopes
from lfc.semantics.names.occurrences import Occurrences, Text
from lfc.semantics.names.scope import Scope
from lfc.semantics.names.universe import PSEUDO_MODULES, UNIVERSE
from lfc.semantics.names.unknown_names import did_you_mean
from lfc.semantics.properties import analyse_property, refuse_same_names
from lfc.semantics.safe_registers import split_writes
from lfc.semantics.statements import communication
from lfc.semantics.statements import control as statements
from lfc.semantics.statements import functions as procedures
from lfc.semantics.statements.calls import report_created_with_outer_variables
from lfc.semantics.statements.functions import complete_functions
from lfc.syntax.grammar import tree

RULES = (
    aggregates,
    atoms,
    communication,
    expressions,
    functions,
    procedures,
    statements,
)  # loaded for the rules that they add
STACK = 12_000  # Python frames: DEEPEST expressions inside of the deepest statements that the parser lets through

DEEPEST_IMPORTS = 200  # modules that import each other in a chain


def analyse(
    main: Source,
    diagnostics: Diagnostics,
    *,
    path: Sequence[Path] = (),
    environments: Sequence[Source] = (),
    chip: ChipModules = HOST,
    instead: Sequence[Source] = (),
    modules: Mapping[str, Source] | None = None,
    definitions: Mapping[str, str] | None = None,
    occurrences: Occurrences | None = None,
) -> typed.Program | None:
    """The typed program of a main module, and of environments for it; None when its text has errors of syntax.
    `instead`: of the files at their paths, for modules that are imported. `modules`: by name, whatever files there
    are. `definitions`: other values of constants.
    `occurrences` takes what names stand for."""
    finder = Finder(diagnostics, list(path), chip=chip, instead={s.path: s for s in instead}, modules=modules or {})
    return _analyse(main, finder, environments, definitions or {}, occurrences)


def analyse_text(
    text: str,
    diagnostics: Diagnostics | None = None,
    *,
    name: str = "Test.lf",
    files: Mapping[str, str] | None = None,
    environments: Sequence[str] = (),
    definitions: Mapping[str, str] | None = None,
) -> tuple[typed.Program | None, Diagnostics]:
    """For tests: `files` are modules that can be imported, by file name."""
    found = Diagnostics() if diagnostics is None else diagnostics
    sources = [Source(f"Environment{i}.lf", e) for i, e in enumerate(environments)]
    finder = Finder(found, (), files or {})
    return _analyse(Source(name, text), finder, sources, definitions or {}), found


def _analyse(
    main: Source,
    finder: Finder,
    environments: Sequence[Source],
    definitions: Mapping[str, str],
    occurrences: Occurrences | None = None,
) -> typed.Program | None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, STACK))
    try:
        loading = Loading(finder)
        loading.scopes.occurrences = occurrences
        parsed = finder.parse(main)
        name = parsed.module.name.text
        if parsed.module.handlers is not None and not (occurrences is not None and loading.load_watched(main, parsed)):
            message = f"`{name}` is a MONITOR: check the program that it watches, `--monitor {name}.lf`"
            finder.diagnostics.report("LF0816", parsed.module.name.span, message)
            return None
        loading.scopes.definitions = parsed_definitions(definitions, name, finder.diagnostics)
        loading.scopes.world = assumed_world(definitions)
        module = loading.load(main, parsed)
        for source in environments:
            loading.load_environment(source)
        if not loading.complete:
            return None
        report_unknown(loading.scopes.definitions, loading.order, finder.diagnostics)
        refuse_same_names(loading.order, finder.diagnostics)
        program = typed.Program(module, loading.order, definitions=dict(definitions))
        if not finder.diagnostics.has_errors:
            split_writes(program, finder.diagnostics)
        return program
    finally:
        sys.setrecursionlimit(before)


@dataclass(slots=True)
class Loading:
    """The modules of a program by name; each is loaded once."""

    finder: Finder
    scopes: ModuleScopes = field(default_factory=ModuleScopes)
    order: list[typed.Module] = field(default_factory=list)  # dependencies first
    loaded: dict[str, typed.Module | None] = field(default_factory=dict)  # None: not found
    under_way: list[str] = field(default_factory=list)
    complete: bool = True  # no errors of syntax anywhere

    @property
    def diagnostics(self) -> Diagnostics:
        return self.finder.diagnostics

    def load(self, source: Source, parsed: Parsed) -> typed.Module:
        node = parsed.module
        module = typed.Module(node.name.text, source, node.environment, span=node.name.span)
        module.requirements = tuple(dict.fromkeys(r.text for r in node.requirements))
        module.monitor = node.handlers is not None
        module.end_span = node.closing.span if node.closing is not None else _end(source)
        self.loaded[module.name] = module
        self.under_way.append(module.name)
        if not parsed.complete:
            self.complete = False
            self.scopes.incomplete.add(module)
        first = len(self.diagnostics.items)
        scope = Scope(UNIVERSE)
        ctx = Context(self.diagnostics, module, scope, self.scopes)
        for node_import in node.imports:
            self._import(ctx, node_import)
        self.scopes.scopes[module] = scope
        if ctx.occurrences is not None:
            ctx.occurrences.texts.append(Text(module, node, scope))
            ctx.note(node.name.span, module)
            ctx.occurrences.note_closing(node.closing, module)
        if node.handlers is None:
            analyse_module(ctx, node)
        else:
            analyse_monitor(ctx, node, self._beside(node.beside))
        if parsed.complete:
            ctx.unknown_members.report(source)
            ctx.unknown.report(ctx.seen, lambda name: self._import_fix(name, node))
        else:
            self._drop_followers_of_syntax(source, first)
        self.under_way.pop()
        self.order.append(module)
        return module

    def _drop_followers_of_syntax(self, source: Source, first: int) -> None:
        """What a broken text seems to declare and to nest is not to be trusted."""
        items = self.diagnostics.items
        items[first:] = [d for d in items[first:] if d.span.source is not source]

    def load_environment(self, source: Source) -> None:
        parsed = self.finder.parse(source)
        name = parsed.module.name
        if not parsed.module.environment and parsed.module.handlers is None and parsed.complete:
            fix = Fix(Span(source, parsed.module.span.start, parsed.module.span.start), "ENVIRONMENT ", "say so")
            message = f"module `{name.text}` is given as an environment, but is not an ENVIRONMENT MODULE"
            self.diagnostics.report("LF0809", name.span, message, fix=fix)
        earlier = self.loaded.get(name.text)
        if earlier is not None and earlier.source.path == source.path:
            return  # another environment imports it
        if earlier is not None:
            self.diagnostics.report("LF0303", name.span, f"there is another module `{name.text}` in this program")
            return
        self.load(source, parsed)

    def load_watched(self, source: Source, parsed: Parsed) -> bool:
        """For an editor, which shows a monitor by itself: the module that it is for, if there is one in a file."""
        beside = parsed.module.beside
        if beside is None:
            return True
        found = self.finder.find(beside.text, source)
        if found is None or found.path == source.path:
            return False
        self.load(found, self.finder.parse(found))
        return beside.text in self.loaded

    def _beside(self, name: tree.Name | None) -> typed.Module | None:
        """The module that a monitor is for; None after a report, or if it is for none."""
        if name is None:
            return None
        module = self.loaded.get(name.text)
        if module is None:
            there = [m.name for m in self.order if not m.environment and not m.monitor]
            hint, fix = did_you_mean(name.text, there, name.span)
            message = f"this program has no module `{name.text}`, which the monitor is for{hint}"
            self.diagnostics.report("LF0305", name.span, message, fix=fix)
        return module

    # --- imports ---------------------------------------------------------------------------------------------------

    def _import(self, ctx: Context, node: tree.Import) -> None:
        name = node.module.text
        imported = typed.ImportedName(node.alias.text, None, node.alias.span)
        if name in PSEUDO_MODULES:
            ctx.pseudo_modules[imported] = name
        else:
            imported.module = self._module(ctx, node)
            if imported.module is not None and node.alias is not node.module:
                ctx.note(node.module.span, imported.module)
            if imported.module is not None and imported.module not in ctx.module.imports:
                ctx.module.imports.append(imported.module)
        ctx.declare(imported.alias, imported, imported.span)
        ctx.module.imported_names.append(imported)

    def _module(self, ctx: Context, node: tree.Import) -> typed.Module | None:
        """None after a report."""
        name, span = node.module.text, node.module.span
        if name in self.under_way:
            circle = [*self.under_way[self.under_way.index(name) :], name]
            if len(circle) == 2:
                message = f"module `{name}` imports itself"
            else:
                message = "modules import each other in a circle: " + " imports ".join(f"`{m}`" for m in circle)
            self.diagnostics.report("LF0306", span, message)
            return None
        if name not in self.loaded and len(self.under_way) >= DEEPEST_IMPORTS:
            message = f"imports are nested more than {DEEPEST_IMPORTS} deep here"
            self.diagnostics.report("LF0207", span, message)
            self.loaded[name] = None
        if name not in self.loaded:
            self._load_imported(ctx, node)
        module = self.loaded[name]
        if module is not None and module.monitor:
            message = f"`{name}` is a MONITOR: it watches a program and is no part of one (`lfc check --monitor`)"
            self.diagnostics.report("LF0311", span, message)
        elif module is not None and module.environment and not ctx.module.environment:
            message = f"`{name}` is an ENVIRONMENT module: it stands in for the hardware and is no part of a program"
            self.diagnostics.report("LF0311", span, message)
        return module

    def _load_imported(self, ctx: Context, node: tree.Import) -> None:
        name, span = node.module.text, node.module.span
        before = len(self.diagnostics.items)
        source = self.finder.find(name, ctx.module.source)
        self.loaded[name] = None
        if source is None:
            if len(self.diagnostics.items) == before:
                self.finder.report_missing(name, span, ctx.module.source)
            return
        parsed = self.finder.parse(source)
        inner = parsed.module.name
        if inner.text != name and inner.text:
            note = Note(f"it is imported as `{name}` here", span)
            message = f"this file holds module `{inner.text}`, not `{name}`"
            if parsed.complete:
                self.diagnostics.report("LF0307", inner.span, message, note)
            parsed.module.name = tree.Name(inner.span, name)
        self.loaded[name] = self.load(source, parsed)

    def _import_fix(self, name: str, node: tree.Module) -> tuple[bool, Fix | None]:
        """Whether a module of this name could be imported, and how."""
        if not name.isidentifier() or not self.finder.exists(name, node.source):
            return False, None
        source = node.source
        if node.imports:
            end = node.imports[-1].span.end
            return True, Fix(Span(source, end, end), f", {name}", f"import `{name}`")
        semicolon = source.text.find(";", node.name.span.end)
        if semicolon < 0 or source.text[node.name.span.end : semicolon].strip():
            return True, None
        return True, Fix(Span(source, semicolon + 1, semicolon + 1), f"\nIMPORT {name};", f"import `{name}`")


def analyse_module(ctx: Context, node: tree.Module) -> None:
    """Declarations in the order of the text, then the insides of processes, the module's statements, the properties."""
    processes = declare_processes(ctx, node.declarations)
    properties = declare_all(ctx, node.declarations, processes)
    for process_node, process in processes.items():
        analyse_process(ctx, process_node, process)
    ctx.module.body = initial_values(ctx, ctx.module) + ctx.statements(node.body)
    for property_node in properties:
        analyse_property(ctx, property_node)
    report_created_with_outer_variables(ctx)
    complete_functions(ctx)


def _end(source: Source) -> Span:
    length = len(source.text)
    return Span(source, max(length - 1, 0), length)
