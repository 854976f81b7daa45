"""The typed program: what the semantic stage makes and every later stage reads.

Everything is resolved and every implicit rule is explicit:
- each expression has its type; operands of a `Binary` or `Relation` have been converted to one common type;
- an assigned, passed or sent value has exactly the type of what receives it: a widening is a `Convert` with
  `checked=False`, an assignment to a subrange a `Convert` with `checked=True`; only whole open arrays, strings and
  `SYSTEM.VAL` differ, as said at their classes;
- constant expressions are folded to `Constant`.
The stages after this one never look at the syntax tree.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Source, Span
from lfc.semantics.model.types import ChannelType, Message, RecordField, Type

# --- symbols ---------------------------------------------------------------------------------------------------


class VariableKind(Enum):
    MODULE = "module"
    LOCAL = "local"
    VALUE = "value parameter"
    VAR = "VAR parameter"
    LIMIT = "FOR limit"  # hidden: holds the limit of a FOR while the loop lasts, zero otherwise


@dataclass(slots=True, eq=False, repr=False)
class Variable:
    """A variable or a port (`is_port(type)`)."""

    name: str
    type: Type
    kind: VariableKind
    owner: Process | Module
    span: Span
    exported: bool = False
    address: int | None = None  # AT: a device register, not in the block
    nonatomic: bool = False
    max_channels: int | None = None  # MAX at a PORT, for all that the declaration makes
    declaration: Span | None = None  # a port's: of its `a, b : T MAX n`, the same for all its names
    used: bool = False  # set by name resolution whenever the name is looked up, be it to fold LEN or SIZE
    direction: str = ""  # of a parameter that is a port: `!` may only send, `?` only receive
    mark: Span | None = None  # of that sign in the text
    end: Span | None = None  # of a parameter: the end of its type, where the sign would stand
    writing: Variable | None = None  # NONATOMIC, written by the program alone: how many writes are under way

    @property
    def outside(self) -> bool:
        """Something outside of the program may change it at any time: each read of it is an input."""
        return self.address is not None or self.nonatomic

    def __repr__(self) -> str:
        return f"<variable {self.name}>"  # the generated one would print all that it hangs together with


@dataclass(slots=True, eq=False, repr=False)
class ExternalEffect:
    """READS or WRITES of an EXTERNAL process. `formal` is the parameter that every call passes for it, behind those
    that the text states; None for a device register."""

    variable: Variable
    writes: bool
    formal: Variable | None


@dataclass(slots=True, eq=False, repr=False)
class Process:
    """A PROCESS, or the body of a property process (`is_property`)."""

    name: str
    module: Module
    parent: Process | None  # the process it is nested in
    span: Span  # of its name
    exported: bool = False
    formals: list[Variable] = field(default_factory=list)
    locals: list[Variable] = field(default_factory=list)  # ports and hidden limits included, in order of declaration
    nested: list[Process] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    end_span: Span | None = None  # of its END
    server: bool = False
    max_stated: int | None = None  # MAX n in the source
    external: bool = False
    effects: list[ExternalEffect] = field(default_factory=list)  # of an EXTERNAL one
    is_property: bool = False
    is_procedure: bool = False  # a PROCEDURE: it has a result, and never waits
    result: Variable | None = None  # of a PROCEDURE: what RETURN assigns, a local variable of a function, else the last
    # formal, a VAR parameter; None: it is missing
    stated_effects: dict[Variable, bool] = field(default_factory=dict)  # of a PROCEDURE: READS (False), WRITES (True)
    reads: list[Variable] = field(default_factory=list)  # of a function: variables of modules, calls included
    may_not_end: Span | None = None  # of a function: its first WHILE, REPEAT or LOOP, calls included
    functions: list[Process] = field(default_factory=list)  # declared in it
    used: bool = False  # of a function: something calls it
    fairness: str | None = None  # weak, strong: marks in the source
    constants: list[NamedConstant] = field(default_factory=list)  # declared in it
    types: list[NamedType] = field(default_factory=list)

    @property
    def qualified_name(self) -> str:
        """Module.Outer.Inner"""
        outer = self.parent.qualified_name if self.parent else self.module.name
        return f"{outer}.{self.name}"

    @property
    def symbol(self) -> str:
        """Of an EXTERNAL one: the name of its C function."""
        return f"{self.module.name}_{self.name}"

    @property
    def stated_formals(self) -> list[Variable]:
        """Without those that stand for declared effects."""
        hidden = [e.formal for e in self.effects] + [self.result]
        return [f for f in self.formals if f not in hidden]

    @property
    def is_function(self) -> bool:
        """A PROCEDURE without an effect: its calls are expressions."""
        return self.is_procedure and (self.result is None or self.result.kind is VariableKind.LOCAL)

    def __repr__(self) -> str:
        return f"<process {self.name}>"


@dataclass(slots=True, eq=False, repr=False)
class NamedConstant:
    name: str
    type: Type
    value: int | bytes
    exported: bool
    span: Span
    used: bool = False  # set by name resolution whenever the name is looked up successfully
    free: bool = False  # as in Constant


@dataclass(slots=True, eq=False, repr=False)
class NamedType:
    name: str
    type: Type
    exported: bool
    span: Span
    used: bool = False  # set by name resolution whenever the name is looked up successfully


@dataclass(slots=True, eq=False, repr=False)
class ImportedName:
    """One entry of an IMPORT list. `module` is None for SYSTEM and Clock, which have no text."""

    alias: str  # the name it is known by here
    module: Module | None
    span: Span
    used: bool = False  # set by name resolution whenever something is looked up through it


@dataclass(slots=True, eq=False, repr=False)
class Property:
    """`PROPERTY p = formula;` or a property process."""

    name: str
    module: Module
    span: Span
    formula: Expr | None
    process: Process | None
    requirements: tuple[str, ...] = ()  # that it is for, as the text names them


@dataclass(slots=True, eq=False, repr=False)
class Assumption:
    """ASSUME: what comes in from outside lies in a range. Of a port or device register (`width` bits at `address`), of
    the value of a message that users of the module send, or of the console's characters."""

    span: Span
    name: str  # as the module says it
    low: int = 0
    high: int = 0
    width: int = 0
    address: int = 0
    port: Variable | None = None
    message: Message | None = None
    characters: tuple[int, ...] = ()
    spelled: str = ""  # those

    @property
    def text(self) -> str:
        if self.characters:
            return f'{self.name} in "{self.spelled}"'
        return f"{self.name} in {self.low}..{self.high}"


@dataclass(slots=True, frozen=True)
class TaggedAssertion:
    """An ASSERT that names requirements. They are no part of what it does."""

    span: Span
    requirements: tuple[str, ...]


@dataclass(slots=True, eq=False, repr=False)
class Module:
    name: str
    source: Source
    environment: bool = False
    imports: list[Module] = field(default_factory=list)
    imported_names: list[ImportedName] = field(default_factory=list)
    constants: list[NamedConstant] = field(default_factory=list)
    types: list[NamedType] = field(default_factory=list)
    channel_types: list[ChannelType] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)  # ports and hidden limits included
    processes: list[Process] = field(default_factory=list)  # of the outermost level
    functions: list[Process] = field(default_factory=list)  # PROCEDUREs without an effect, of the outermost level
    properties: list[Property] = field(default_factory=list)
    assumptions: list[Assumption] = field(default_factory=list)
    body: list[Statement] = field(default_factory=list)
    span: Span | None = None
    end_span: Span | None = None
    requirements: tuple[str, ...] = ()  # that it is for, as the text names them
    tagged: list[TaggedAssertion] = field(default_factory=list)
    monitor: bool = False
    watches: list[Watch] = field(default_factory=list)  # of a monitor
    alive: Variable | None = None  # of a monitor with AT END: counts the processes that live and are no servers

    def __repr__(self) -> str:
        return f"<module {self.name}>"


class Occasion(Enum):
    """When a handler of a monitor runs."""

    CALL = "call"
    RETURN = "return"
    MEETING = "meeting"
    PORTIN = "PORTIN"
    PORTOUT = "PORTOUT"
    END = "end"


@dataclass(slots=True, eq=False, repr=False)
class Watch:
    """`handler` runs on such an occasion. It takes the parameters of `process`, or the channel and the values of
    `message`, or width, address and value of an access, and compares those that must be equal to something itself."""

    occasion: Occasion
    handler: Process
    process: Process | None = None  # of CALL and RETURN
    message: Message | None = None  # of MEETING
    constants: tuple[int | None, ...] = ()  # of an access: what its width, address and value must be equal to


WRAPS, FAULT = "--wraps", "fault"  # among the definitions of a program


@dataclass(slots=True, eq=False, repr=False)
class Program:
    """A main module with all that it imports."""

    main: Module
    modules: list[Module]  # in the order of initialisation; the main module, then environments, last
    wide: bool = False  # slots and ports have two bytes; known once its machine is built
    definitions: dict[str, str] = field(default_factory=dict)  # of the command line: other values of constants

    @property
    def counts_wraps(self) -> bool:
        """Unsigned arithmetic that wraps is a fault."""
        return self.definitions.get(WRAPS) == FAULT

    def all_processes(self) -> list[Process]:
        """Every process of every module, outer before inner, in the order of the text; no property processes."""
        found: list[Process] = []

        def walk(processes: list[Process]) -> None:
            for p in processes:
                found.append(p)
                walk(p.nested)

        for m in self.modules:
            walk(m.processes)
        return found

    def all_functions(self) -> list[Process]:
        """Every PROCEDURE without an effect."""
        inside = [f for p in self.all_processes() for f in p.functions]
        return [f for m in self.modules for f in m.functions] + inside


# --- expressions -----------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Expr:
    span: Span
    type: Type


@dataclass(slots=True, eq=False, repr=False)
class Constant(Expr):
    """A scalar (int), or a string: bytes with the closing 0X included, type ARRAY n OF CHAR."""

    value: int | bytes
    free: bool = False  # no type was asked for: it may still take another that holds it (only the typing cares)


@dataclass(slots=True, eq=False, repr=False)
class VariableRef(Expr):
    variable: Variable


@dataclass(slots=True, eq=False, repr=False)
class FieldRef(Expr):
    base: Expr  # a designator
    field: RecordField


@dataclass(slots=True, eq=False, repr=False)
class IndexRef(Expr):
    base: Expr  # a designator of an array or open array, or a constant string
    index: Expr  # of any integer type, checked against 0..LEN-1 unless constant


@dataclass(slots=True, eq=False, repr=False)
class Unary(Expr):
    op: str  # "-" on integers (checked when signed) and sets (complement); "~" on BOOLEAN
    operand: Expr


@dataclass(slots=True, eq=False, repr=False)
class Binary(Expr):
    """Both operands have the type of the result. Integers: + - * DIV MOD. Sets: + - * /."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False, repr=False)
class Relation(Expr):
    """= # < <= > >= on two operands of one type (scalars; arrays of CHAR, strings and open arrays of CHAR, which may
    differ in length and are compared up to the first 0X or the end of the shorter). Sets: = # only. Ports: = # only.
    Also "<=" and ">=" on sets (inclusion)."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False, repr=False)
class Membership(Expr):
    """`element IN set`; an element outside of the set's range is simply not in it."""

    element: Expr
    set: Expr


@dataclass(slots=True, eq=False, repr=False)
class Logical(Expr):
    """& and OR, evaluated from left to right, the right one only if needed. In formulas over formulas as well."""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False, repr=False)
class Convert(Expr):
    """From one scalar type to another by value; `checked`: a value that `type` cannot hold is a fault."""

    operand: Expr
    checked: bool


@dataclass(slots=True, eq=False, repr=False)
class Reinterpret(Expr):
    """SYSTEM.VAL(T, x): the low bits of x, sign- or zero-extended as its own type says when T is wider."""

    operand: Expr


@dataclass(slots=True, eq=False, repr=False)
class SetConstructor(Expr):
    """{a, b..c}: elements of any integer type; one outside of 0..bits-1 is a fault; an empty range adds nothing."""

    elements: list[tuple[Expr, Expr | None]]


@dataclass(slots=True, eq=False, repr=False)
class FunctionCall(Expr):
    """A predeclared function that is not folded: ABS ODD LSL ASR ROR MIN MAX (of two), LEN (of an open array: the
    argument is its VariableRef), PORTIN PORTIN16 PORTIN32, and `Clock.Now`. ORD, CHR and conversions are `Convert`."""

    name: str
    arguments: list[Expr]


@dataclass(slots=True, eq=False, repr=False)
class CallFunction(Expr):
    """A call of a PROCEDURE without an effect. What it reads of variables of modules counts as operands."""

    process: Process
    arguments: list[Argument]


@dataclass(slots=True, eq=False, repr=False)
class Overlapped(Expr):
    """A read of a NONATOMIC scalar that only the program writes: its value, or any while `writing` is not 0."""

    value: Expr  # a designator
    writing: Expr  # the same place of what counts the writes that are under way


# --- atoms and operators of properties -------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class SlotVariable(Expr):
    """`P[i].x` (slot 0 without an index) in a property: a variable of a process; its initial value if there is none."""

    process: Process
    slot: Expr | None
    variable: Variable


@dataclass(slots=True, eq=False, repr=False)
class StatusAtom(Expr):
    """READY(P[i]), WAITING(P[i]), ENDED(P)."""

    status: str
    process: Process
    slot: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class TakenAtom(Expr):
    """TAKEN(port.message): the communication took place in this step."""

    port: Expr
    message: Message


@dataclass(slots=True, eq=False, repr=False)
class Temporal(Expr):
    """ALWAYS EVENTUALLY NEXT (left only), UNTIL WEAKUNTIL RELEASE IMPLIES IFF. With a bound: WITHIN (`EVENTUALLY left
    WITHIN`) and FOR (`ALWAYS left FOR`), whose operand is an expression of one state."""

    op: str
    left: Expr
    right: Expr | None
    milliseconds: int = 0


@dataclass(slots=True, eq=False, repr=False)
class TimerAtom(Expr):
    """What a timer of a property says, which none of its states knows: in code it is false. No text spells it."""

    milliseconds: int


# --- ports that the system provides ----------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class InterruptPort(Expr):
    """SYSTEM.INT[number]; its only message is INTERRUPT."""

    number: int


@dataclass(slots=True, eq=False, repr=False)
class IoPort(Expr):
    """SYSTEM.IOPORT, in environment modules: PORTIN(UINT8 width, UINT32 addr), PORTOUT(width, addr, UINT32 value),
    VALUE(UINT32)."""


SYSTEM_PORTS = (InterruptPort, IoPort)

# --- statements ------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Statement:
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Assign(Statement):
    """Scalars, whole arrays and records, ports. A string constant may be shorter than the array of CHAR it is
    assigned to (the rest becomes 0X)."""

    target: Expr
    value: Expr


@dataclass(slots=True, eq=False, repr=False)
class Step(Statement):
    """INC and DEC: target := target + amount or - amount, in the target's own type (integers: unsigned wraps, signed
    overflow is a fault; subranges and enumerations: computed as INTEGER, then checked)."""

    target: Expr
    amount: Expr
    down: bool


@dataclass(slots=True, eq=False, repr=False)
class Include(Statement):
    """INCL and EXCL."""

    set: Expr
    element: Expr
    exclude: bool


@dataclass(slots=True, eq=False, repr=False)
class New(Statement):
    port: Expr


@dataclass(slots=True, eq=False, repr=False)
class Assert(Statement):
    condition: Expr


@dataclass(slots=True, eq=False, repr=False)
class PortOut(Statement):
    width: int  # 8, 16, 32
    address: Expr  # UINT32
    value: Expr  # UINT8, UINT16, UINT32


@dataclass(slots=True, eq=False, repr=False)
class ConsoleWrite(Statement):
    """SYSTEM.WRITE(ch), of which the library's `Out` is made: one byte to the console. Does nothing in the checker."""

    value: Expr  # CHAR


@dataclass(slots=True, eq=False, repr=False)
class Spin(Statement):
    """Clock.Spin(t): the processor does nothing for so long, within the action. Takes no time in the checker."""

    microseconds: Expr  # UINT32


@dataclass(slots=True, eq=False, repr=False)
class Argument:
    """`value` for a value parameter (an open array: any designator or string of that element type);
    `designator` of the caller for a VAR parameter."""

    formal: Variable
    value: Expr


@dataclass(slots=True, eq=False, repr=False)
class CallProcess(Statement):
    process: Process
    arguments: list[Argument]


@dataclass(slots=True, eq=False, repr=False)
class CreateProcess(Statement):
    process: Process
    arguments: list[Argument]
    deadline: Expr | None  # UINT32 milliseconds


@dataclass(slots=True, eq=False, repr=False)
class Send(Statement):
    port: Expr
    message: Message
    values: list[Expr]
    fairness: str | None = None  # weak, strong, weak-live, strong-live: marks in the source


@dataclass(slots=True, eq=False, repr=False)
class Target:
    """Where a received value goes, or the constant that it must equal. `type` is the message's: the value is assigned
    to the designator as by `:=`, so `conversion` is what to do on the way (None when the types are the same)."""

    designator: Expr | None
    constant: Constant | None
    conversion: str | None  # None, "widen", "check"


@dataclass(slots=True, eq=False, repr=False)
class Receive(Statement):
    port: Expr
    message: Message
    targets: list[Target]
    fairness: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class ConsoleRead(Statement):
    """SYSTEM.READ(VAR ch: CHAR), of which the library's `In` is made: a scheduling point; waits for a byte."""

    target: Expr


@dataclass(slots=True, eq=False, repr=False)
class KeyRead(Receive):
    """A read of the console where the environment has EnvConsole, from whose port the byte comes. Whoever waits there
    may wait for ever, as at the console. Flow graphs have it in place of a ConsoleRead; the text does not."""


@dataclass(slots=True, eq=False, repr=False)
class Sleep(Statement):
    """Clock.Sleep(t): a scheduling point."""

    milliseconds: Expr  # UINT32


@dataclass(slots=True, eq=False, repr=False)
class If(Statement):
    branches: list[tuple[Expr, list[Statement]]]
    otherwise: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Case(Statement):
    selector: Expr
    branches: list[tuple[list[tuple[int, int]], list[Statement]]]  # labels as closed ranges
    otherwise: list[Statement] | None  # None: no match is a fault


@dataclass(slots=True, eq=False, repr=False)
class While(Statement):
    condition: Expr
    body: list[Statement]
    label: LoopLabel | None = None


@dataclass(slots=True, eq=False, repr=False)
class Repeat(Statement):
    body: list[Statement]
    until: Expr
    label: LoopLabel | None = None


@dataclass(slots=True, eq=False, repr=False)
class For(Statement):
    """`limit` is the hidden variable that holds `high` while the loop lasts; None when `high` is a Constant. It is set
    when the loop starts and reset to zero whenever the loop is left (EXIT and RETURN included)."""

    variable: Variable
    low: Expr
    high: Expr
    by: int  # not 0
    limit: Variable | None
    body: list[Statement]
    label: LoopLabel | None = None
    own: bool = False  # FOR VAR: the variable is set back to what it starts with whenever the loop is left


@dataclass(slots=True, eq=False, repr=False)
class Loop(Statement):
    body: list[Statement]
    label: LoopLabel | None = None


@dataclass(slots=True, eq=False, repr=False)
class Exit(Statement):
    """Leaves the innermost LOOP, or the loop of this name."""

    label: LoopLabel | None = None


@dataclass(slots=True, eq=False, repr=False)
class LoopLabel:
    """The name of a loop: the same object at the loop and at its EXITs."""

    name: str
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Return(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class AfterEvent(Statement):
    """WHEN Clock.After(milliseconds)."""

    milliseconds: Expr  # UINT32


@dataclass(slots=True, eq=False, repr=False)
class Clause:
    span: Span
    event: Send | Receive | AfterEvent
    guard: Expr | None
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Select(Statement):
    clauses: list[Clause]
    otherwise: list[Statement] | None


@dataclass(slots=True, eq=False, repr=False)
class Choice(Statement):
    """`fair`: of each branch how it is treated in the checker, `weak` or `strong`; empty: nothing is said of any."""

    branches: list[list[Statement]]
    fair: tuple[str | None, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Reschedule(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class Accept(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class NoMove(Statement):
    pass
