"""Typed expressions on one line, for exact expectations: `(+ INTEGER x INTEGER(b) 1)`."""

from __future__ import annotations

from lfc.diagnostics.model import Severity
from lfc.semantics.analyse import analyse_text
from lfc.semantics.expressions.conversions import shown
from lfc.semantics.model import typed
from lfc.semantics.model.types import Type


def show(e: typed.Expr) -> str:
    """Constants as `value:TYPE`; `T(x)` is a conversion that loses nothing, `T!(x)` a checked one."""
    match e:
        case typed.Constant():
            return f"{shown(e)}:{e.type}"
        case typed.VariableRef():
            return e.variable.name
        case typed.FieldRef():
            return f"{show(e.base)}.{e.field.name}"
        case typed.IndexRef():
            return f"{show(e.base)}[{show(e.index)}]"
        case typed.Convert():
            return f"{e.type}{'!' if e.checked else ''}({show(e.operand)})"
        case typed.Reinterpret():
            return f"VAL({e.type}, {show(e.operand)})"
        case typed.Unary():
            return f"({e.op} {e.type} {show(e.operand)})"
        case typed.Binary() | typed.Relation() | typed.Logical():
            t: Type = e.left.type if isinstance(e, typed.Relation) else e.type
            return f"({e.op} {t} {show(e.left)} {show(e.right)})"
        case typed.Membership():
            return f"(IN {e.set.type} {show(e.element)} {show(e.set)})"
        case typed.SetConstructor():
            parts = [show(a) if b is None else f"{show(a)}..{show(b)}" for a, b in e.elements]
            return f"{e.type}{{{', '.join(parts)}}}"
        case typed.FunctionCall():
            return f"{e.name}:{e.type}({', '.join(show(a) for a in e.arguments)})"
        case typed.CallFunction():
            return f"({e.process.name} {e.type} {' '.join(show(a.value) for a in e.arguments)})"
        case typed.Temporal():
            return f"({e.op} {show(e.left)}{'' if e.right is None else ' ' + show(e.right)})"
        case typed.StatusAtom():
            slot = "" if e.slot is None else f"[{show(e.slot)}]"
            return f"{e.status}({e.process.name}{slot})"
        case typed.TakenAtom():
            return f"TAKEN({show(e.port)}.{e.message.name})"
        case typed.SlotVariable():
            slot = "" if e.slot is None else f"[{show(e.slot)}]"
            return f"{e.process.name}{slot}.{e.variable.name}"
        case typed.InterruptPort():
            return f"SYSTEM.INT[{e.number}]"
        case typed.IoPort():
            return "SYSTEM.IOPORT"
    raise TypeError(type(e).__name__)


def codes(text: str, **more: object) -> list[tuple[str, int]]:
    """Code and line of each diagnostic, from top to bottom."""
    _, diagnostics = analyse_text(text, **more)  # type: ignore[arg-type]
    return [(d.code, d.span.line) for d in sorted(diagnostics.items, key=lambda d: (d.span.source.path, d.span.start))]


def program(text: str, **more: object) -> typed.Program:
    """Of a text without errors."""
    found, diagnostics = analyse_text(text, **more)  # type: ignore[arg-type]
    errors = [(d.code, d.message) for d in diagnostics.items if d.severity is Severity.ERROR]
    assert found is not None and not errors, errors
    return found


DECLARATIONS = """MODULE Test;
IMPORT SYSTEM, Clock;
CONST five = 5; small = UINT8(5); greeting = "hello"; mask = {1, 2};
TYPE
  Color = (red, green, blue);
  Digit = 0 .. 9; Letter = 'a' .. 'z'; Warm = red .. green;
  Row = ARRAY 4 OF INTEGER; Name = ARRAY 8 OF CHAR;
  Point = RECORD x, y : INTEGER; name : Name END;
  Line = [data(INTEGER), byte(UINT8), digit(Digit), both(INT16, CHAR), text(Name), pass(Line), end];
VAR
  i8 : INT8; i16 : INT16; i, j : INTEGER; u8 : UINT8; u16 : UINT16; u32 : UINT32;
  b, b2 : BOOLEAN; ch : CHAR; s, t : SET; s8 : SET8; s16 : SET16; c, c2 : Color;
  d : Digit; l : Letter; w : Warm; row : Row; rows : ARRAY 3 OF Row; a : ARRAY 4 OF INTEGER;
  name, name2 : Name; p : Point;
  register AT 25H : SET8;
PORT q, q2 : Line; ports : ARRAY 2 OF Line; matrix : ARRAY 2 OF ARRAY 3 OF Line;
"""


def statement(text: str) -> typed.Statement:
    """A statement after DECLARATIONS."""
    return program(f"{DECLARATIONS}BEGIN\n{text}\nEND Test.").main.body[0]


def assigned(text: str) -> str:
    """The value that is assigned in `v := e`."""
    found = statement(text)
    assert isinstance(found, typed.Assign)
    return show(found.value)


def statement_codes(text: str) -> list[str]:
    """The codes of a statement after DECLARATIONS."""
    return [code for code, _ in codes(f"{DECLARATIONS}BEGIN\n{text}\nEND Test.")]
