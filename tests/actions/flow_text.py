"""Flow graphs as text, so that a test can show one."""

from __future__ import annotations

from lfc.actions.model.machine import (
    Advance,
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    CannotMove,
    Choose,
    Finish,
    Goto,
    Suspend,
    Switch,
)
from lfc.semantics.model import typed


def flow_text(body: Body) -> str:
    """One line for each block; with the positions that enter it."""
    lines = []
    for block in body.blocks:
        entered = [f"{p.kind}{'' if p.clause is None else p.clause}" for p in body.positions if p.entry is block]
        parts = [statement_text(s) for s in block.statements] + [end_text(block)]
        where = f" ({', '.join(entered)})" if entered else ""
        lines.append(f"{block.number}{where}: {'; '.join(parts)}")
    return "\n".join(lines)


def statement_text(s: typed.Statement) -> str:
    match s:
        case Advance():
            return f"{expression_text(s.target)} += {s.amount}"
        case typed.Assign():
            return f"{expression_text(s.target)} := {expression_text(s.value)}"
        case typed.CallProcess() | typed.CreateProcess():
            arguments = ", ".join(expression_text(a.value) for a in s.arguments)
            return f"{type(s).__name__[:-7].lower()} {s.process.name}({arguments})"
    return type(s).__name__.lower()


def end_text(block: Block) -> str:
    match block.end:
        case Goto():
            return f"{'back to' if block.end.backward else 'to'} {block.end.target.number}"
        case Branch():
            condition = expression_text(block.end.condition)
            return f"if {condition} to {block.end.then.number} else {block.end.otherwise.number}"
        case Switch():
            cases = [f"{labels} to {target.number}" for labels, target in block.end.cases]
            otherwise = "fault" if block.end.otherwise is None else f"to {block.end.otherwise.number}"
            return f"switch {', '.join(cases)} else {otherwise}"
        case Choose():
            return f"choose {', '.join(str(b.number) for b in block.end.branches)}"
        case CallWaiting():
            return statement_text(block.end.call).replace("call", "enter")
        case Suspend():
            return f"stop at {block.end.position.kind}"
        case Attempt() | Finish() | CannotMove():
            return type(block.end).__name__.lower()
    raise AssertionError("a block without an end")


def expression_text(e: typed.Expr) -> str:
    match e:
        case typed.Constant():
            return str(e.value)
        case typed.VariableRef():
            return e.variable.name
        case typed.Convert():
            return expression_text(e.operand)
        case typed.Relation() | typed.Binary():
            return f"{expression_text(e.left)} {e.op} {expression_text(e.right)}"
        case typed.Unary():
            return f"{e.op}{expression_text(e.operand)}"
        case typed.IndexRef():
            return f"{expression_text(e.base)}[{expression_text(e.index)}]"
    return type(e).__name__
