"""The actions stage as one call: from the typed program to the machine."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.analysis.known_channels import Arguments, known_channels
from lfc.actions.flow.closing import Hidden, hidden_formals
from lfc.actions.flow.environment_start import first_touch
from lfc.actions.flow.keyboard import keyboard_of
from lfc.actions.flow.lower import Surroundings, lower_initialisation, lower_process
from lfc.actions.flow.positions import number_positions, position_size
from lfc.actions.flow.property_modes import resolve_first_choice
from lfc.actions.flow.watch import weave
from lfc.actions.layout.block import interrupts_named, lay_out
from lfc.actions.layout.frames import aligned, lay_frame
from lfc.actions.layout.limits import check_initialisation_of_environment, check_limits
from lfc.actions.layout.steady import steady_module_ports
from lfc.actions.model.machine import BlockLayout, Body, Domain, Machine, PropertyMachine, RecordLayout
from lfc.actions.model.reach import Reach, modules_of_program, reach_from, uses_of
from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.bounds import MOST_IN_A_BYTE, Bounds, channel_bound, instance_bounds, slot_count
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Process, Variable, VariableKind
from lfc.semantics.model.visit import statements


def build_machine(
    program: typed.Program, diagnostics: Diagnostics, *, with_environment: bool = True, channels: int | None = None
) -> Machine:
    """Of a program without errors. Without the environment it is what a board gets: the program's part of positions,
    block and table is the same in both. `channels`: how many there can be, if that is not to be counted in the text.
    Monitors, which a board has none of, are woven into the program."""
    if program.counts_wraps:
        from lfc.actions.flow.counted_wraps import count_wraps

        count_wraps(program)
    own = modules_of_program(program)
    monitors = [m for m in program.modules if m.monitor] if with_environment else []
    own = [m for m in _with_imports(monitors) if m not in own] + own
    firmware = typed.Program(program.main, own)
    part = _Part("program", firmware, own)
    choose_width(program, slot_count(part.bounds), channel_bound(firmware))
    hidden = hidden_formals(program.all_processes())

    others = [m for m in program.modules if m not in own and not m.monitor] if with_environment else []
    part.keyboard = keyboard_of(others)
    surrounding = _Part("environment", program, others) if others else None
    if surrounding is not None and not check_initialisation_of_environment(others, surrounding.reach, diagnostics):
        surrounding, others = None, []  # after the report: the firmware can still be built

    init = Body("init", None, "program", False, [], {}, [], called=False, created=False)
    init.can_wait = part.initialisation_waits
    part.make_bodies(hidden)
    parts = [(m, part.surroundings(hidden)) for m in own]
    if surrounding is not None:
        surrounding.make_bodies(hidden)
        around = surrounding.surroundings(hidden)
        lower_initialisation(init, parts, _start_span(program.main), [(m, around) for m in others], first_touch(own))
    else:
        lower_initialisation(init, parts, _start_span(program.main))
    part.bodies.insert(0, init)
    part.lower(hidden)
    if monitors:
        surround = [] if surrounding is None else surrounding.bodies
        if surrounding is not None:
            surrounding.lower(hidden)
        weave([*part.bodies, *surround], monitors, part.function_of, diagnostics)

    positions, first_waiting = number_positions(part.bodies)
    module_ports = steady_module_ports(own, firmware.all_processes())
    layout = lay_out(
        part.bodies,
        positions,
        first_waiting,
        own,
        part.instances(),
        module_ports if part.keyboard is None else module_ports | {part.keyboard},
        channel_bound(firmware) if channels is None else channels,
        interrupts_named(own),
    )
    machine = Machine(program, part.bodies, part.body_of, layout, positions, part.function_of)
    machine.monitors = monitors
    around_it = [m for m in program.modules if m not in own]
    known = known_channels(own, firmware.all_processes(), module_ports, layout.max_channels, around_it)
    machine.constant_ports, machine.known_news = known.ports, known.news
    machine.known_elements, machine.unset_arrays = known.elements, known.unset
    machine.known_slots = known.slots
    machine.known_processes = never_changed(known.created, changed_by(firmware.all_processes(), own))
    if surrounding is not None:
        if not monitors:
            surrounding.lower(hidden)
        machine.environment = _environment(surrounding, program, layout, module_ports)
    properties = [p for m in program.modules if m in own or m in others for p in m.properties]
    machine.properties += [_property_machine(p, p.process, machine) for p in properties if p.process is not None]
    check_limits(machine, diagnostics)
    return machine


def _environment(
    surrounding: _Part, program: typed.Program, layout: BlockLayout, module_ports: set[Variable]
) -> Domain:
    """Its part of the block lies behind `layout`, the firmware's."""
    modules = surrounding.modules
    numbers, first = number_positions(surrounding.bodies)
    whole = lay_out(
        surrounding.bodies,
        numbers,
        first,
        modules,
        surrounding.instances(),
        module_ports | steady_module_ports(modules, [p for p in program.all_processes() if p.module in modules]),
        channel_bound(program),
        [n for n in interrupts_named(modules) if n not in layout.interrupts],
        after=layout,
    )
    return Domain(surrounding.bodies, surrounding.body_of, surrounding.function_of, whole, numbers)


def _with_imports(modules: Sequence[Module]) -> list[Module]:
    """In the order of initialisation."""
    found: list[Module] = []
    for m in modules:
        found += [i for i in [*_with_imports(m.imports), m] if i not in found]
    return found


def choose_width(program: typed.Program, slots: int, channels: int) -> None:
    """Where one byte does not hold their numbers, slots and ports have two. With an environment there are never so many
    (LF0723, LF0724), so that the program's part is the same with and without it."""
    program.wide = max(slots, channels) > MOST_IN_A_BYTE
    for module in program.modules:
        for t in module.channel_types:
            t.size = 2 if program.wide else 1


class _Part:
    """The program, or its environment, while its bodies are made."""

    def __init__(self, domain: str, program: typed.Program, modules: Sequence[Module]) -> None:
        self.domain = domain
        self.modules = modules
        handlers = [typed.CallProcess(w.handler.span, w.handler, []) for m in modules for w in m.watches]
        self.reach: Reach = reach_from([*(m.body for m in modules), handlers])
        self.initialisation_waits = any(_waits(m, self.reach) for m in modules)
        self.processes = [p for p in program.all_processes() if p in self.reach.uses]
        self.bounds: dict[Process, Bounds] = instance_bounds(program)
        self.bodies: list[Body] = []
        self.body_of: dict[Process, Body] = {}
        self.function_of: dict[Process, Body] = {}
        self.keyboard: Variable | None = None  # of the environment, that the console's bytes come from

    def shares(self, p: Process) -> bool:
        """The environment uses a process of the program: it has a body and slots of its own there."""
        return p.module not in self.modules

    def instances(self) -> dict[Process, int]:
        return {p: self.bounds[p].max_instances for p in self.processes}

    def make_bodies(self, hidden: dict[Process, Hidden]) -> None:
        for p in self.processes:
            can_wait = p in self.reach.can_wait
            called, created = p in self.reach.called, p in self.reach.created
            if can_wait or created:
                self.body_of[p] = self._body(p, hidden, can_wait, called and can_wait, created, True)
            if called and not can_wait:
                self.function_of[p] = self._body(p, hidden, False, True, False, False)
                self.body_of.setdefault(p, self.function_of[p])

    def _body(
        self, p: Process, hidden: dict[Process, Hidden], can_wait: bool, called: bool, created: bool, positions: bool
    ) -> Body:
        bounds = self.bounds[p]
        body = Body(
            p.qualified_name + ("@environment" if self.shares(p) else ""),
            p,
            self.domain,
            can_wait,
            [*p.formals, *hidden[p].values()],
            hidden[p],
            list(p.locals),
            max_calls=bounds.max_calls,
            recursive=p in self.reach.recursive,
            has_positions=positions,
            called=called,
            created=created,
        )
        self.bodies.append(body)
        return body

    def surroundings(self, hidden: dict[Process, Hidden]) -> Surroundings:
        changed = changed_by(self.processes, self.modules)
        return Surroundings(self.body_of, self.function_of, hidden, changed, self.keyboard)

    def lower(self, hidden: dict[Process, Hidden]) -> None:
        around = self.surroundings(hidden)
        for order, body in enumerate(self.bodies):
            body.order = order
            if body.process is not None:
                lower_process(body, body.process, around)


def never_changed(created: dict[Process, list[Arguments]], changed: set[Variable]) -> dict[Process, list[Arguments]]:
    """Of what each slot was created with: the value parameters that stay as they are."""

    def stays(formal: Variable) -> bool:
        return formal.kind is not VariableKind.VAR and formal not in changed

    return {p: [{f: v for f, v in slot.items() if stays(f)} for slot in slots] for p, slots in created.items()}


def changed_by(processes: Sequence[Process], modules: Sequence[Module]) -> set[Variable]:
    """What processes may change: what they name, and what the initialisation passes to them."""
    by_name = {
        access.variable
        for p in processes
        for s in statements(p.body)
        for access in accesses(s)
        if access.kind in WRITES or access.kind is Kind.ARGUMENT
    }
    passed = {
        access.variable
        for m in modules
        for s in statements(m.body)
        for access in accesses(s)
        if access.kind is Kind.ARGUMENT
    }
    return by_name | passed


def _waits(module: Module, reach: Reach) -> bool:
    uses = uses_of(module.body)
    return uses.has_point or any(p in reach.can_wait for p in uses.calls)


def _start_span(module: Module) -> Span:
    return module.span or Span(module.source, 0, 0)


def _property_machine(of: typed.Property, process: Process, machine: Machine) -> PropertyMachine:
    body = Body(of.name, process, "property", True, list(process.formals), {}, list(process.locals), created=True)
    lower_process(body, process, Surroundings({}, {}, {}, set()))
    resolve_first_choice(body)
    positions, first_waiting = number_positions([body])
    width = position_size(positions)
    body.frame = lay_frame(body, width, set())
    whole = machine.layout if machine.environment is None else machine.environment.layout
    start = aligned(whole.size, 4)
    offset = aligned(start + width, body.frame.align)
    record = RecordLayout(body, 0, 1, start, offset, body.frame.size, width, None, 0, {}, 0)
    return PropertyMachine(of, body, positions, record, first_waiting, offset + body.frame.size - start)
