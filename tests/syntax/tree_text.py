"""A tree as short text: `Assign(x, 1)`. Names and literals are shown as written, lists in brackets."""

from __future__ import annotations

from dataclasses import fields

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.parser import parse_module


def shown(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case str():
            return value
        case int():
            return str(value)
        case list():
            return "[" + ", ".join(shown(item) for item in value) + "]"
        case tree.Name(text=text):
            return text or "''"
        case tree.IdentDef(text=text, exported=exported):
            return (text or "''") + "*" * exported
        case tree.Ident(name=name):
            return name
        case tree.IntLit(value=number, text=text) | tree.CharLit(value=number, text=text):
            return text if text == str(number) else f"{text}={number}"
        case tree.StringLit(value=text):
            return f'"{text}"'
        case tree.NamedType(module=module, name=name):
            return f"{module.text}.{name.text}" if module is not None else name.text
        case tree.Node():
            parts = [
                shown(getattr(value, f.name)) for f in fields(value) if f.name not in ("span", "source", "comments")
            ]
            return f"{type(value).__name__}({', '.join(parts)})"
    raise AssertionError(value)


def parsed(text: str) -> tuple[tree.Module, list[str]]:
    """The tree, and what was reported as `line:column code message`."""
    diagnostics = Diagnostics()
    module = parse_module(Source("Test.lf", text), diagnostics)
    return module, reports(diagnostics)


def reports(diagnostics: Diagnostics) -> list[str]:
    ordered = sorted(diagnostics.items, key=lambda d: d.span.start)
    return [f"{d.span.line}:{d.span.column} {d.code} {d.message}" for d in ordered]


def statement(text: str) -> str:
    module, said = parsed(f"MODULE M; BEGIN\n{text}\nEND M.")
    assert not said, said
    assert module.body is not None
    return ", ".join(shown(s) for s in module.body)


def expression(text: str) -> str:
    return statement(f"x := {text}").removeprefix("Assign(x, ").removesuffix(")")


def formula(text: str) -> str:
    return declaration(f"PROPERTY p = {text};").removeprefix("PropertyDecl(p, [], -, ").removesuffix(", -, [])")


def declaration(text: str) -> str:
    module, said = parsed(f"MODULE M;\n{text}\nEND M.")
    assert not said, said
    return ", ".join(shown(d) for d in module.declarations)
