"""Levels of the branches of a CHOICE: which of them there are in the world that is assumed (`--level`), and how often
faults may happen in it (`--fault-budget`). docs/theory/levels.md has the definitions.
"""

from __future__ import annotations

from lfc.semantics.model import typed
from lfc.semantics.model.types import BOOLEAN, UINT8
from lfc.semantics.names.context import Context
from lfc.syntax.grammar import tree

LEVELS = ("normal", "degraded", "faulty")
FAULTY = LEVELS.index("faulty")
COUNTER = "faults so far"


def choice_at_level(ctx: Context, node: tree.Choice) -> typed.Statement | None:
    levels = [level_of(ctx, b) for b in node.branches]
    if 0 not in levels:
        ctx.report("LF0654", node.span, "a CHOICE needs a branch that is `normal`, or has no level")
        return None
    world = ctx.module_scopes.world
    bodies = [ctx.statements(b.body) for b in node.branches]  # also of those that are left out: they have errors too
    kept = [(level, body) for level, body in zip(levels, bodies, strict=True) if level <= world.level]
    fair = fairness_of(ctx, node, [level for level, _ in kept])
    if world.budget is None or all(level != FAULTY for level, _ in kept):
        return typed.Choice(node.span, [body for _, body in kept], fair)
    counter = counter_of(ctx, node)
    if counter is None:
        return None
    faults = typed.VariableRef(node.span, UINT8, counter)
    within = typed.Relation(node.span, BOOLEAN, "<", faults, typed.Constant(node.span, UINT8, world.budget))
    counted = [([counting(node, counter), *body] if level == FAULTY else body) for level, body in kept]
    # Each statement stands in the tree once: the branches that remain when the budget is spent are made anew.
    again = [ctx.statements(b.body) for b, level in zip(node.branches, levels, strict=True) if level < FAULTY]
    rest = fairness_of(ctx, node, [level for level in levels if level < FAULTY])
    return typed.If(
        node.span, [(within, [typed.Choice(node.span, counted, fair)])], [typed.Choice(node.span, again, rest)]
    )


def fairness_of(ctx: Context, node: tree.Choice, levels: list[int]) -> tuple[str | None, ...]:
    """Of the branches of these levels: the normal ones are treated fairly, faults need never come."""
    if node.fairness is None:
        return ()
    if ctx.in_property:
        ctx.report("LF0802", node.span, "a property watches every run: it has no fair CHOICE")
    return tuple(node.fairness.lower() if level == 0 else None for level in levels)


def level_of(ctx: Context, branch: tree.ChoiceBranch) -> int:
    if branch.level is None:
        return 0
    if branch.level.text not in LEVELS:
        known = ", ".join(f"`{level}`" for level in LEVELS)
        ctx.report("LF0654", branch.level.span, f"there is no level `{branch.level.text}`; there are {known}")
        return 0
    return LEVELS.index(branch.level.text)


def counter_of(ctx: Context, node: tree.Choice) -> typed.Variable | None:
    """One for the whole program."""
    world = ctx.module_scopes.world
    if world.counter is None:
        counter = typed.Variable(COUNTER, UINT8, typed.VariableKind.MODULE, ctx.module, node.span, used=True)
        ctx.module.variables.append(counter)
        world.counter = counter
    owner = world.counter.owner
    if isinstance(owner, typed.Module) and owner.environment != ctx.module.environment:
        ctx.report("LF0654", node.span, "faults are counted in the program or in its environment, not in both")
        return None
    return world.counter


def counting(node: tree.Choice, counter: typed.Variable) -> typed.Statement:
    one = typed.Constant(node.span, UINT8, 1)
    return typed.Step(node.span, typed.VariableRef(node.span, UINT8, counter), one, down=False)
