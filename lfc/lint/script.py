"""What a test does with its board, read from the text of the test: its paths, as far as they can be followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MOST_PATHS = 64  # of one test
MOST_ROUNDS = 50  # of a loop that is unrolled
ENCODING = "latin-1"  # as `lfc.testing` sends

FLASH, SEND, EXPECT, EXPECT_FAULT, VERDICT, UNKNOWN = "flash", "send", "expect", "expect_fault", "verdict", "unknown"


@dataclass(frozen=True, slots=True)
class Step:
    """`what`: the program of a FLASH, the bytes of a SEND, the pattern of an EXPECT; of UNKNOWN why nothing more is
    followed."""

    kind: str
    line: int
    what: str | bytes | re.Pattern[str] = ""


@dataclass(slots=True)
class Script:
    """One test function. Each path is what is done on one way through it."""

    name: str
    line: int
    paths: list[list[Step]] = field(default_factory=list)


class NotPython(Exception):
    """Says where and why."""


def scripts_of(text: str, file: str) -> list[Script]:
    """The functions `test_...` that ask for the fixture `board`."""
    try:
        module = ast.parse(text, file)
    except SyntaxError as error:
        raise NotPython(f"{file}:{error.lineno}: {error.msg}") from None
    constants: dict[str, object] = {}
    for node in module.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = _Reader(constants).value(node.value)
            if value is not None:
                constants[node.targets[0].id] = value
    found = []
    functions = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)]
    for function in functions:
        if function.name.startswith("test") and "board" in _arguments(function):
            script = Script(function.name, function.lineno)
            reader = _Reader(dict(constants))
            script.paths = [path.steps for path in reader.sequence(function.body, [Path([])])]
            found.append(script)
    return sorted(found, key=lambda s: s.line)


def _arguments(node: ast.FunctionDef) -> set[str]:
    return {a.arg for a in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}


@dataclass(slots=True)
class Path:
    steps: list[Step]
    over: bool = False  # after a return, or where nothing more is followed

    def then(self, *steps: Step) -> Path:
        return Path([*self.steps, *steps], any(s.kind == UNKNOWN for s in steps))


class _Reader:
    def __init__(self, constants: dict[str, object]) -> None:
        self.constants = constants

    def sequence(self, body: list[ast.stmt], paths: list[Path]) -> list[Path]:
        for s in body:
            paths = [p for path in paths for p in ([path] if path.over else self.statement(s, path))][:MOST_PATHS]
        return paths

    def statement(self, s: ast.stmt, path: Path) -> list[Path]:
        match s:
            case ast.If():
                path = path.then(*self.calls(s.test))
                return self.sequence(s.body, [path]) + self.sequence(s.orelse, [path])
            case ast.For():
                return self.loop(s, path)
            case ast.While() | ast.Try() | ast.AsyncFor() | ast.Match():
                return [path.then(Step(UNKNOWN, s.lineno, "a loop or exception whose course is not known"))]
            case ast.With():
                for item in s.items:
                    if "raises" in ast.dump(item.context_expr):
                        return [path.then(Step(UNKNOWN, s.lineno, "what is expected to fail is not followed"))]
                return self.sequence(s.body, [path])
            case ast.Return() | ast.Raise():
                done = path.then(*self.calls(s))
                if isinstance(s, ast.Raise):
                    done = done.then(Step(VERDICT, s.lineno))
                return [Path(done.steps, True)]
            case ast.Assert():
                return [path.then(*self.calls(s), Step(VERDICT, s.lineno))]
            case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Pass():
                return [path]
            case ast.Assign(targets=[ast.Name(id=name)]):
                value = self.value(s.value)
                if value is None:
                    self.constants.pop(name, None)
                else:
                    self.constants[name] = value
                return [path.then(*self.calls(s.value))]
        return [path.then(*self.calls(s))]

    def loop(self, s: ast.For, path: Path) -> list[Path]:
        """Over what is known, round for round."""
        values = self.values(s.iter)
        if values is None or not isinstance(s.target, ast.Name) or s.orelse:
            return [path.then(Step(UNKNOWN, s.lineno, "a loop whose rounds are not known"))]
        paths = [path]
        for value in values[:MOST_ROUNDS]:
            self.constants[s.target.id] = value
            paths = self.sequence(s.body, paths)
        return paths

    def values(self, e: ast.expr) -> list[object] | None:
        if isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "range":
            numbers = [n for n in map(self.value, e.args) if isinstance(n, int)]
            if 1 <= len(numbers) == len(e.args) <= 3 and 0 not in numbers[2:]:
                return list(range(*numbers))
        if isinstance(e, ast.Tuple | ast.List):
            found = [self.value(x) for x in e.elts]
            return None if None in found else found
        value = self.value(e)
        return list(value) if isinstance(value, str) else None

    def calls(self, node: ast.AST) -> list[Step]:
        """Of the board, in the order in which they are evaluated."""
        found: list[Step] = []
        for call in _calls_within(node):
            if not isinstance(call.func, ast.Attribute) or not _is_board(call.func.value):
                if any(_is_board(a) for a in [*call.args, *(k.value for k in call.keywords)]):
                    found.append(Step(UNKNOWN, call.lineno, "the board is passed to another function"))
                continue
            found.append(self.call(call, call.func.attr))
        return found

    def call(self, call: ast.Call, name: str) -> Step:
        first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in NAMED), None)
        what = None if first is None else self.value(first)
        if name == "trace":
            return Step(VERDICT, call.lineno)
        if name == "expect_fault":
            return Step(EXPECT_FAULT, call.lineno, what if isinstance(what, str) else "")
        if name not in (FLASH, SEND, EXPECT):
            return Step(UNKNOWN, call.lineno, f"`board.{name}` is not known")
        if isinstance(what, str) and name == SEND:
            what = what.encode(ENCODING, "replace")
        if name == FLASH and not isinstance(what, str):
            return Step(UNKNOWN, call.lineno, "which program is flashed is not known")
        if what is None or (name == SEND and not isinstance(what, bytes)) or isinstance(what, int):
            return Step(UNKNOWN, call.lineno, f"what is {'sent' if name == SEND else 'expected'} is not known")
        assert isinstance(what, str | bytes | re.Pattern)
        return Step(name, call.lineno, what)

    def value(self, e: ast.expr) -> object | None:
        """Texts, bytes, numbers and compiled patterns; None: it is not known."""
        match e:
            case ast.Constant(value=str() | bytes() | int()):
                return e.value
            case ast.Name():
                return self.constants.get(e.id)
            case ast.BinOp(op=ast.Add()):
                left, right = self.value(e.left), self.value(e.right)
                same = type(left) is type(right) and isinstance(left, str | bytes | int)
                return left + right if same else None  # type: ignore[operator]
            case ast.JoinedStr():
                parts = [self.value(v.value if isinstance(v, ast.FormattedValue) else v) for v in e.values]
                plain = all(not isinstance(v, ast.FormattedValue) or v.format_spec is None for v in e.values)
                return "".join(map(str, parts)) if plain and None not in parts else None
            case ast.Call(func=ast.Attribute(attr="compile"), args=[pattern, *_]):
                text = self.value(pattern)
                try:
                    return re.compile(text) if isinstance(text, str) and len(e.args) == 1 else None
                except re.error:
                    return None
        return None


NAMED = ("program", "what")


def _is_board(e: ast.expr) -> bool:
    return isinstance(e, ast.Name) and e.id == "board"


def _calls_within(node: ast.AST) -> Iterator[ast.Call]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield from _calls_within(child)
    if isinstance(node, ast.Call):
        yield node
