"""Steps of symbolic states in the engine: it executes decoded code and makes normal forms, and computes with numbers
alone. What operations make of terms, how questions about them are answered and which values they have, it
asks here, once; so answers are those of the interpreter in Python and of `normal_form`, which also go on with each path
that the engine hands over.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from weakref import finalize

from lfc.mcheck.engine.abi import (
    CELL_TERM,
    GLOBAL_PLACE,
    NULL_PLACE,
    Asked,
    IrPolicy,
    SymbolicPart,
    SymbolicStep,
    SymbolicStop,
    TermOp,
    ValueKind,
)
from lfc.mcheck.engine.library import library
from lfc.mcheck.symbolic.cells import Frames
from lfc.mcheck.symbolic.execution.code_words import TERM_OPS, as_signed, code_words
from lfc.mcheck.symbolic.execution.decode import NULL, Pointer
from lfc.mcheck.symbolic.execution.execute import (
    BLOCK,
    MOST_PATHS,
    MOST_STEPS,
    TOO_MANY_CASES,
    ActionEnd,
    FaultEnd,
    Interpreter,
    OutOfTime,
)
from lfc.mcheck.symbolic.execution.paths import Activation, Item, Path, Split
from lfc.mcheck.symbolic.normal_form import (
    Box,
    Normal,
    Normaliser,
    Shape,
    image_or_none,
    in_order,
    simplified,
    with_values,
    without,
)
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.ranges import Impossible
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, byte_of, joined, operation, select, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

NAMES = {int(number): name for name, number in TERM_OPS.items()}
MOST_SYMBOLS = 24  # of a term whose questions are remembered
POINTER_CELL = 1 << 31
UNDECIDED = (1 << 32) - 1
NUMBER, TERM, NOTHING = ValueKind.NUMBER, ValueKind.TERM, ValueKind.NOTHING
BETWEEN_LOOKS = 256  # answers: whether time is up is asked then
NO_MEMORY = "there is no memory for it"
Words = list[int]
Step = tuple[ActionEnd, Iterable[Normal]]


class Unread(Exception):
    """Where processes are depends on this, too."""

    def __init__(self, offset: int, size: int) -> None:
        self.offset, self.size = offset, size


class KnownBytes:
    """Of a block, only what has been read of it."""

    def __init__(self, reads: dict[tuple[int, int], int]) -> None:
        self.reads = reads

    def __getitem__(self, at: int | slice) -> object:
        offset, size = (at.start, at.stop - at.start) if isinstance(at, slice) else (at, 1)
        v = self.reads.get((offset, size))
        if v is None:
            raise Unread(offset, size)
        return list(v.to_bytes(size, "little")) if isinstance(at, slice) else v


class EngineSteps:
    def __init__(self, interpreter: Interpreter, normaliser: Normaliser, block_size: int, wide: bool) -> None:
        self.interpreter, self.normaliser, self.block_size = interpreter, normaliser, block_size
        self.code = code_words(interpreter.module, interpreter.policies, wide)
        self.local_block = {
            first + n: n
            for f, first in zip(self.code.functions, self.code.first_block, strict=True)
            for n in range(len(f.blocks))
        }
        self.library = library(wide)
        words = self.code.words
        at = ctypes.cast(words.buffer_info()[0], ctypes.POINTER(ctypes.c_int64))
        self.engine = self.library.mc_symbolic_new(at, len(words), block_size, interpreter.rounds)
        if not self.engine:
            raise MemoryError
        finalize(self, self.library.mc_symbolic_free, self.engine)
        self.terms: list[Term] = []
        self.number_of_term: dict[Term, int] = {}
        self.sets: list[ValueSet] = []
        self.number_of_set: dict[ValueSet, int] = {}
        self.shapes: list[Shape] = []
        self.number_of_shape: dict[int, int] = {}  # by identity
        self.explicits: list[tuple[bytes, tuple[tuple[int, int], ...]]] = []
        self.number_of_explicit: dict[bytes, int] = {}
        self.layouts: list[Frames] = []
        self.number_of_layout: dict[Frames, int] = {}
        self.nodes: list[tuple[dict[tuple[int, int], int], tuple[int, int]]] = [({}, (0, 0))]  # what is read, and next
        self.step = SymbolicStep(most_paths=MOST_PATHS, most_steps=MOST_STEPS)
        self._set(())  # number 0: none
        control = [x for offset, size in normaliser.cells.control for x in (offset, size)]
        self.library.mc_symbolic_control(self.engine, (ctypes.c_uint32 * len(control))(*control), len(control) // 2)
        self._count = ctypes.c_uint64()
        self._answers: dict[int, Callable[[Words], list[int]]] = {
            Asked.OPERATION: self._operation,
            Asked.BYTE: lambda w: self._value(byte_of(self.terms[w[1]], w[0] >> 8)),
            Asked.JOIN: self._join,
            Asked.SWITCH: self._switch,
            Asked.TRUTH: lambda w: self._question(w, Path.truth),
            Asked.NUMBER: lambda w: self._question(w, Path.number),
            Asked.INPUT: self._input,
            Asked.SYMBOL: lambda w: self._value(symbol(w[1], w[2])),
            Asked.FRAMES: self._frames,
            Asked.EXPLICIT: self._explicit,
            Asked.SIMPLE: self._simple,
            Asked.WITH_VALUES: self._with_values,
            Asked.IMAGE: self._image,
            Asked.SINGLE: lambda w: [self._set(sets.single(w[1]))],
            Asked.SHAPE: self._shape,
        }

    # --- steps -----------------------------------------------------------------------------------------------------

    def ends(self, shape: Shape, box: Box, name: str, arguments: Sequence[int], is_normal: bool = True) -> list[Step]:
        """Of a call with a block of the shape, which has no conditions: each end, with its normal forms. Raises
        TooMany, NotDecoded, OutOfTime."""
        s = self.step
        s.function, s.arguments, s.is_normal = self.code.numbers[name], len(arguments), is_normal
        for i, v in enumerate(arguments):
            s.argument[i] = v
        s.shape, s.symbols = self._number_of_shape(shape), len(box)
        s.mode = self.interpreter.may_widen | (self.interpreter.solver is not None) << 1
        numbers = (ctypes.c_uint32 * len(box))(*[self._set(v) for v in box])
        self.library.mc_symbolic_begin(self.engine, ctypes.byref(s), numbers)
        found: list[Step] = []
        answers = 0
        while True:
            stop = self.library.mc_symbolic_go(self.engine)
            if stop == SymbolicStop.ASKS:
                self._answer()
                answers += 1
            if stop == SymbolicStop.TICK or stop == SymbolicStop.ASKS and not answers % BETWEEN_LOOKS:
                if self.interpreter.is_over():
                    raise OutOfTime
            if stop in (SymbolicStop.TICK, SymbolicStop.ASKS):
                continue
            if not self._read(shape, found) and stop == SymbolicStop.HANDS_OVER:
                return self._all_by_interpreter(shape, box, name, arguments)
            if stop == SymbolicStop.DONE:
                return found
            if stop == SymbolicStop.TOO_MANY:
                raise TooMany(TOO_MANY_CASES)
            if stop == SymbolicStop.NO_MEMORY:
                raise TooMany(NO_MEMORY)

    def _all_by_interpreter(self, shape: Shape, box: Box, name: str, arguments: Sequence[int]) -> list[Step]:
        widths = dict(enumerate(shape.widths))
        found = self.interpreter.ends(name, arguments, shape.block(box), dict(enumerate(box)), widths)
        return [self._with_normals(end) for end in found]

    def _with_normals(self, end: ActionEnd) -> Step:
        return end, () if end.fault is not None else self.normaliser.of_end(end.path, end.block)

    def _answer(self) -> None:
        question = self.library.mc_symbolic_question(self.engine, ctypes.byref(self._count))
        words: Words = question[: self._count.value]
        answer = self._answers[words[0] & 0xFF](words)
        given = (ctypes.c_uint64 * len(answer))(*answer)
        if not self.library.mc_symbolic_answer(self.engine, given, len(answer)):
            raise TooMany(NO_MEMORY)

    # --- numbers of what is here -----------------------------------------------------------------------------------

    def _term(self, t: Term) -> int:
        found = self.number_of_term.get(t)
        if found is None:
            found = self.number_of_term[t] = len(self.terms)
            self.terms.append(t)
            symbols = sorted(t.symbols)
            own = (ctypes.c_uint32 * len(symbols))(*symbols)
            done = self.library.mc_symbolic_term(self.engine, found, t.width, t.op == SYMBOL, own, len(symbols))
            if not done:
                raise TooMany(NO_MEMORY)
        return found

    def _set(self, values: ValueSet) -> int:
        found = self.number_of_set.get(values)
        if found is None:
            found = self.number_of_set[values] = len(self.sets)
            self.sets.append(values)
            only = sets.only_value(values)
            done = self.library.mc_symbolic_set(self.engine, found, only is not None, only or 0)
            if not done:
                raise TooMany(NO_MEMORY)
        return found

    def _number_of_shape(self, shape: Shape) -> int:
        found = self.number_of_shape.get(id(shape))
        if found is None:
            runs = [x for offset, size, t in shape.runs for x in (offset, size, self._term(t))]
            found = self.number_of_shape[id(shape)] = len(self.shapes)
            self.shapes.append(shape)
            own = (ctypes.c_uint32 * len(runs))(*runs)
            if not self.library.mc_symbolic_shape(self.engine, found, shape.explicit, own, len(shape.runs)):
                raise TooMany(NO_MEMORY)
        return found

    def _value(self, v: int | Term) -> list[int]:
        return [TERM, self._term(v)] if isinstance(v, Term) else [NUMBER, v]

    def _box_of(self, words: Words) -> tuple[Term, dict[int, ValueSet]]:
        """A term, and the sets of its symbols."""
        t = self.terms[words[1]]
        return t, {n: self.sets[v] for n, v in zip(sorted(t.symbols), words[2:], strict=True)}

    # --- answers ---------------------------------------------------------------------------------------------------

    def _operands(self, words: Words, terms: int) -> list[int | Term]:
        return [self.terms[v] if terms >> i & 1 else v for i, v in enumerate(words)]

    def _operation(self, w: Words) -> list[int]:
        op, width, of = w[0] >> 8 & 0xFF, w[0] >> 16 & 0xFF, w[0] >> 24 & 0xFF
        x = self._operands(w[1:], w[0] >> 32)
        if op == TermOp.SELECT:
            return self._value(select(x[0], x[1], x[2], width))
        return self._value(operation(NAMES[op], width, of, *x))

    def _join(self, w: Words) -> list[int]:
        return self._value(joined(self._operands(w[1:], w[0] >> 8)))

    def _switch(self, w: Words) -> list[int]:
        of = self.code.switches[w[1]]
        asked: int | Term = 0
        for n in of.groups[w[2]]:
            asked = operation("or", 1, 1, asked, operation("eq", 1, of.width, self.terms[w[3]], n))
        return self._value(asked)

    def _question(self, w: Words, ask: Callable[[Path, Term], int]) -> list[int]:
        """Only what boxes can answer is remembered."""
        t, box = self._box_of(w)
        if len(box) > MOST_SYMBOLS:
            return [0]
        path = Path({}, box, {}, may_widen=self.interpreter.may_widen, solver=self.interpreter.solver)
        try:
            answer = int(ask(path, t))
        except Split as split:
            if split.about is not None or path.wide or any(len(way) != 1 for way in split.ways):
                return [0]
            ways = [next(iter(way.items())) for way in split.ways]
            return [len(ways), *(x for n, values in ways for x in (0, n, self._set(values)))]
        except (TooMany, Impossible):
            return [0]
        return [0] if path.wide else [1, answer]

    def _input(self, w: Words) -> list[int]:
        which, bits = w[0] >> 8 & 0xFF, w[0] >> 16 & 0xFF
        name = {IrPolicy.PORT: f"in{bits}", IrPolicy.ANY: f"any{bits}"}.get(IrPolicy(which), "console_in")
        before: list[object] = [None, None] if which == IrPolicy.ANY else [None]
        path = Path({}, {}, {})
        self.interpreter.policies[f"@lf_policy_{name}"](self.interpreter, path, [*before, *w[1:]])
        return [self._set(path.box[0])]

    def _frames(self, w: Words) -> list[int]:
        reads, own = self.nodes[w[1]]
        reads = reads | {own: w[2]} if w[1] else reads
        try:
            frames = self.normaliser.cells.frames(KnownBytes(reads))  # type: ignore[arg-type]
        except Unread as missing:
            self.nodes.append((reads, (missing.offset, missing.size)))
            return [0, len(self.nodes) - 1, missing.offset, missing.size]
        found = self.number_of_layout.get(frames)
        if found is None:
            found = self.number_of_layout[frames] = len(self.layouts)
            self.layouts.append(frames)
            cells = [x for c in self.normaliser.cells.of(frames) for x in (c.offset, c.size, int(c.lifted))]
            own_cells = (ctypes.c_uint32 * len(cells))(*cells)
            if not self.library.mc_symbolic_layout(self.engine, found, own_cells, len(cells) // 3):
                raise TooMany(NO_MEMORY)
        return [1, found]

    def _explicit(self, w: Words) -> list[int]:
        content = b"".join(v.to_bytes(8, "little") for v in w[1:])[: self.block_size]
        dead = self.normaliser.dead(content)
        kept = without(content, dead)
        found = self.number_of_explicit.get(kept)
        if found is None:
            found = self.number_of_explicit[kept] = len(self.explicits)
            self.explicits.append((kept, dead))
        return [found, *(x for place in dead for x in place)]

    def _simple(self, w: Words) -> list[int]:
        t, box = self._box_of(w)
        values = {n: v for n, v in ((n, sets.only_value(x)) for n, x in box.items()) if v is not None}
        return self._value(in_order(simplified(t, values), Canonical(box)))

    def _with_values(self, w: Words) -> list[int]:
        t, box = self._box_of(w)
        known = {n: v for n, v in ((n, sets.only_value(x)) for n, x in box.items()) if v is not None}
        return self._value(with_values(t, known, ()))

    def _image(self, w: Words) -> list[int]:
        t, box = self._box_of(w)
        values = image_or_none(t, [], box)
        return [0 if values is None else self._set(values)]

    def _shape(self, w: Words) -> list[int]:
        (explicit, dead), frames = self.explicits[w[1]], self.layouts[w[2]]
        cells = self.normaliser.cells.of(frames)
        widths: dict[int, int] = {}
        runs = []
        for v in w[3:]:
            cell, number, width = cells[v & 0xFFFF], v >> 16 & 0xFFFFFF, v >> 40
            widths[number] = width
            runs.append((cell.offset, cell.size, symbol(number, width)))
        shape = Shape(explicit, tuple(runs), tuple(widths[n] for n in range(len(widths))), frames, dead)
        return [self._number_of_shape(self.normaliser.same(shape))]

    # --- what has come out -----------------------------------------------------------------------------------------

    def _read(self, shape: Shape, found: list[Step]) -> bool:
        """Whether there is something."""
        at = self.library.mc_symbolic_output(self.engine, ctypes.byref(self._count))
        if not self._count.value:
            return False
        reader = Reader(self, at[: self._count.value], shape)
        while reader.at < len(reader.words):
            part, path = reader.head()
            if part == SymbolicPart.NORMAL:
                found.append(reader.normal(path))
            elif part == SymbolicPart.PATH:
                splits = reader.rest_of(path)
                found += [self._with_normals(end) for end in self.interpreter.ends_from(path, splits)]
            else:
                fault = FaultEnd(reader.next(), reader.next()) if part == SymbolicPart.FAULT else None
                path.memory[BLOCK] = reader.cells(64 + self.block_size, [])
                found.append(self._with_normals(ActionEnd(path, fault)))
        return True


class Reader:
    """Of the output, word by word."""

    def __init__(self, steps: EngineSteps, words: Words, shape: Shape) -> None:
        self.steps, self.words, self.at, self.shape = steps, words, 0, shape

    def next(self) -> int:
        self.at += 1
        return self.words[self.at - 1]

    def take(self, count: int) -> Words:
        self.at += count
        return self.words[self.at - count : self.at]

    def head(self) -> tuple[int, Path]:
        part, steps, assumed, count = self.take(4)
        of, widths = self.steps, self.shape.widths
        own = self.take(2 * count)
        box = dict(enumerate(map(of.sets.__getitem__, own[::2])))
        known = len(widths)
        path = Path({}, box, dict(enumerate((*widths, *own[2 * known + 1 :: 2]))))
        path.steps, path.assumed = steps, assumed
        path.may_widen, path.solver = of.interpreter.may_widen, of.interpreter.solver
        path.items = [self.item(*self.take(4)) for _ in range(self.next())]
        return part, path

    def item(self, kind: int, a: int, b: int, c: int) -> Item:
        if kind == 0:
            return "take", a
        if kind == 1:
            return "meet", a, b, c
        if kind == 2:
            return "choice", a
        if kind == 3:
            return "clock", 0
        return "read" if kind & 0xFF == 4 else f"in{kind >> 8}", self.steps.terms[a]

    def normal(self, path: Path) -> Step:
        of = self.steps
        shape, count = self.take(2)
        own = self.take(3 * count)
        box = tuple(map(of.sets.__getitem__, own[::3]))
        was = tuple(of.terms[v] if what == TERM else v for what, v in zip(own[1::3], own[2::3], strict=True))
        return ActionEnd(path), (Normal(of.shapes[shape], box, was, path),)

    def value(self) -> object:
        what, place, bits = self.take(3)
        if what == NUMBER:
            return bits
        if what == TERM:
            return self.steps.terms[bits]
        if what == NOTHING:
            return None
        offset = as_signed(bits) if what == ValueKind.POINTER else self.steps.terms[bits]
        return Pointer(self.place(place), offset)

    def place(self, number: int) -> int | str:
        if number == NULL_PLACE:
            return NULL.place
        return self.steps.code.globals[number - GLOBAL_PLACE] if number >= GLOBAL_PLACE else number

    def cells(self, count: int, pointers: list[object]) -> list[object]:
        terms = self.steps.terms
        return [
            c
            if c < CELL_TERM
            else terms[c - CELL_TERM]
            if c < POINTER_CELL
            else (pointers[(c - POINTER_CELL) >> 3] if pointers else NULL, c & 7)
            for c in self.take(count)
        ]

    def rest_of(self, path: Path) -> int:
        """Of a path that is on its way. Gives into how many its call has split."""
        decided, splits = self.take(2)
        path.decided = None if decided == UNDECIDED else decided
        path.alternatives = [tuple(self.take(3)) for _ in range(self.next())]  # type: ignore[misc]
        pointers = [self.value() for _ in range(self.next())]
        for number in range(self.next()):
            path.memory[number] = self.cells(self.next(), pointers)
        path.next_piece = len(path.memory)
        for _ in range(self.next()):
            path.activations.append(self.activation())
        return splits

    def activation(self) -> Activation:
        number, block, at, result, count = self.take(5)
        code = self.steps.code
        f = code.functions[number]
        registers = [self.value() for _ in range(count)]
        for first, second in code.pairs[number].items():
            if registers[second] is not None:
                registers[first] = registers[first], registers[second]
        return Activation(f, registers[: len(f.registers)], self.steps.local_block[block], at, as_signed(result))
