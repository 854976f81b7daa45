"""A run that violates a property, made of what the search for cycles found: steps, blocks, and what the atoms say."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lfc.actions.layout.frames import aligned
from lfc.actions.model.machine import Machine, PropertyMachine
from lfc.mcheck.counterexample.replay import Replayer
from lfc.mcheck.engine.abi import STAYS
from lfc.mcheck.properties.emptiness import Lasso
from lfc.mcheck.properties.product import ProductSearch
from lfc.mcheck.properties.unfairness import PassedOver, never_run, passed_over
from lfc.mcheck.properties.unwind_lasso import as_the_program_goes
from lfc.mcheck.request.property import Watched
from lfc.run.names import variable_text
from lfc.trace.items import Item


@dataclass(slots=True)
class ViolatingRun:
    """`cycle`: the step with which the cycle begins; len(steps): the run ends, and its last state stays for ever."""

    steps: list[list[Item]]
    blocks: list[bytes]
    cycle: int
    atoms: list[list[str]]  # of each step: the atoms that changed (all of them at the first), as text
    automaton: list[str]  # its state before each step, and after the last; of a property process what it stands for
    unfair: list[str]  # processes that could run somewhere on the cycle and never do
    passed_over: list[PassedOver]  # communications that could take place somewhere on the cycle and never do
    shortest: bool = False  # of a run that is lost: no other one is shorter
    lost: bool = False  # there is no cycle: whatever comes after these steps, the property is violated


def violating_run(machine: Machine, product: ProductSearch, w: Watched, lasso: Lasso) -> ViolatingRun:
    """Replayed before it is returned. Raises TooLong."""
    if product.search.exchanges:
        lasso, blocks, slots = as_the_program_goes(product.search, lasso)
    steps = lasso.steps
    ended = next((i for i, (_, _, ordinal) in enumerate(steps) if ordinal == STAYS), len(steps))
    letters = [product.letter(root, ordinal) for root, _, ordinal in steps[:ended]]
    if not product.search.exchanges:
        slots = [slot for _, slot in letters]
        blocks = [product.block(root) for root, _, _ in steps[: ended + 1]]
        if ended == len(steps):
            blocks.append(blocks[lasso.prefix])
    ages = product.search.timing.ages is not None
    if ages:
        clocks = product.search.times_along([ordinal for _, _, ordinal in steps[:ended]])
    else:
        clocks = product.clocks([root for root, _, _ in steps[: ended + 1]])
    if clocks and ended == len(steps) and not ages:
        clocks.append(clocks[min(lasso.prefix, len(clocks) - 1)])
    replayer = Replayer(machine, product.search)
    items = replayer.items_along(blocks, slots, clocks)
    cycle = min(lasso.prefix, ended)
    unfair = never_run(machine, items[cycle:], blocks[cycle:])
    over = passed_over(machine, replayer.run, items[cycle:], blocks[cycle:], lambda: product.search.interrupted)
    if w.automaton is None:
        process = product.watched.watchers[w.watcher]
        told = [state_text(machine, process, blocks[0], state) for state in lasso.states]
    elif w.timers:
        told = [timed_state_text(w, state) for state in lasso.states]
    else:
        told = [f"automaton in {q}" for _, q, _ in steps]
    states = told[: ended + 1]
    if states and ended == len(steps):
        states.append(states[lasso.prefix])
    lost = lasso.prefix == len(steps)
    atoms = atom_lines(w, [letter for letter, _ in letters])
    if w.timers:
        atoms = with_times(atoms, product.search.times_along([ordinal for _, _, ordinal in steps[:ended]]))
    shortest = lasso.shortest and product.search.finds_shortest
    return ViolatingRun(items, blocks, cycle, atoms, states, unfair, over, shortest, lost)


def state_text(machine: Machine, process: PropertyMachine, block: bytes, state: bytes) -> str:
    """Where a property process is, and its variables. `state`: its bytes, which follow the program's block."""
    whole = block + bytes(aligned(len(block), 4) - len(block)) + state
    record = process.record
    number = int.from_bytes(whole[record.position_offset :][: record.position_size], "little")
    if number == 0 or process.body.frame is None:
        return f"{process.of.name} has ended"
    position = process.positions[number - 1]
    at = record.offset + record.frame0
    values = [
        f"{v.name} = {variable_text(machine, v, whole, at + offset)}"
        for v, offset in process.body.frame.variables.items()
    ]
    return f"{process.of.name} at line {position.span.line}{' with ' if values else ''}{', '.join(values)}"


NOT_RUNNING = 2**32 - 1


def timed_state_text(w: Watched, state: bytes) -> str:
    q, *ages = (int.from_bytes(state[at : at + 4], "little") for at in range(0, len(state), 4))
    running = ", ".join(
        f"{age if age <= t.milliseconds else f'more than {t.milliseconds}'} of {t.milliseconds} ms"
        for t, age in zip(w.timers, ages, strict=True)
        if age != NOT_RUNNING
    )
    return f"automaton in {q}" + (f", {running}" if running else "")


def with_times(lines: list[list[str]], times: list[int]) -> list[list[str]]:
    """Where time has passed: when that is."""
    before = [-1, *times[1:-1]]
    return [[f"at {t} ms"] * (t != earlier) + line for line, t, earlier in zip(lines, times[1:], before, strict=False)]


def atom_lines(w: Watched, letters: list[int]) -> list[list[str]]:
    lines = []
    known: int | None = None
    for letter in letters:
        changed = [
            f"{'' if letter >> place & 1 else '~'}{short(name)}"
            for name, place in w.shown_atoms
            if known is None or (letter ^ known) >> place & 1
        ]
        lines.append(changed)
        known = letter
    return lines


def short(atom: str) -> str:
    return atom if re.fullmatch(r"\w+(\([^()]*\))?", atom) else f"({atom})"
