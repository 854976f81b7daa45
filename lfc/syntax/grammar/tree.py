"""The syntax tree: what the parser makes and what the formatter and the semantic stage read.

One class per construct of the grammar. Nothing is resolved here: `a.b` is a `Field` whether `a` is a module, a
record or a process. Every node has a `span`. Trees are compared by `same_tree`, which ignores spans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from lfc.base.source import Source, Span


@dataclass(slots=True, eq=False, repr=False)
class Node:
    span: Span


# --- names -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Name(Node):
    """An occurrence of an identifier."""

    text: str


@dataclass(slots=True, eq=False, repr=False)
class IdentDef(Node):
    """An identifier where it is declared; the star exports it."""

    text: str
    exported: bool


# --- expressions -----------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Expr(Node):
    pass


@dataclass(slots=True, eq=False, repr=False)
class IntLit(Expr):
    value: int
    text: str  # as written: 42, 2FFH


@dataclass(slots=True, eq=False, repr=False)
class DecimalLit(Expr):
    """A number with a decimal point."""

    digits: int  # all of them: 205 for 20.5
    places: int  # how many stand behind the point
    text: str


@dataclass(slots=True, eq=False, repr=False)
class CharLit(Expr):
    value: int  # 0..255
    text: str  # as written: 'a', 41X


@dataclass(slots=True, eq=False, repr=False)
class StringLit(Expr):
    value: str
    text: str


@dataclass(slots=True, eq=False, repr=False)
class Ident(Expr):
    name: str


@dataclass(slots=True, eq=False, repr=False)
class Field(Expr):
    """`base.name`: a qualified name, a record field, a process variable in a formula."""

    base: Expr
    name: Name


@dataclass(slots=True, eq=False, repr=False)
class Index(Expr):
    base: Expr
    indices: list[Expr]


@dataclass(slots=True, eq=False, repr=False)
class Call(Expr):
    """`callee(arguments)`: a process, a predeclared function or procedure, a conversion."""

    callee: Expr
    arguments: list[Expr]


@dataclass(slots=True, eq=False, repr=False)
class Unary(Expr):
    op: str  # + - ~ and in formulas ALWAYS EVENTUALLY NEXT
    operand: Expr


@dataclass(slots=True, eq=False, repr=False)
class TimedFormula(Expr):
    """`EVENTUALLY operand WITHIN bound MS`, `ALWAYS operand FOR bound MS`."""

    op: str  # ALWAYS, EVENTUALLY
    operand: Expr
    bound: Expr
    unit: Ident


@dataclass(slots=True, eq=False, repr=False)
class Binary(Expr):
    op: str  # * / DIV MOD & + - OR = # < <= > >= IN and in formulas UNTIL WEAKUNTIL RELEASE IMPLIES IFF
    left: Expr
    right: Expr


@dataclass(slots=True, eq=False, repr=False)
class Paren(Expr):
    """Parentheses are kept, for the formatter and for spans."""

    inner: Expr


@dataclass(slots=True, eq=False, repr=False)
class SetElement(Node):
    low: Expr
    high: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class SetLit(Expr):
    elements: list[SetElement]


@dataclass(slots=True, eq=False, repr=False)
class InitialItem(Node):
    """An element, or `field := value`."""

    name: Name | None
    value: Expr


@dataclass(slots=True, eq=False, repr=False)
class Aggregate(Expr):
    """`[1, 2, 3]`, `[x := 1, y := 2]`: a constant array or record, in CONST and as an initial value."""

    items: list[InitialItem]


@dataclass(slots=True, eq=False, repr=False)
class ErrorExpr(Expr):
    """Stands where an expression could not be parsed; it has the error type and silences followers."""


# --- types -----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class TypeNode(Node):
    pass


@dataclass(slots=True, eq=False, repr=False)
class NamedType(TypeNode):
    module: Name | None
    name: Name


@dataclass(slots=True, eq=False, repr=False)
class ArrayType(TypeNode):
    lengths: list[Expr]  # empty: an open array, only in formal types
    element: TypeNode


@dataclass(slots=True, eq=False, repr=False)
class FieldGroup(Node):
    names: list[IdentDef]
    type: TypeNode


@dataclass(slots=True, eq=False, repr=False)
class RecordType(TypeNode):
    groups: list[FieldGroup]


@dataclass(slots=True, eq=False, repr=False)
class EnumType(TypeNode):
    names: list[Name]


@dataclass(slots=True, eq=False, repr=False)
class SubrangeType(TypeNode):
    low: Expr
    high: Expr


@dataclass(slots=True, eq=False, repr=False)
class FixedType(TypeNode):
    """`low .. high BY step`"""

    low: Expr
    high: Expr
    step: Expr


@dataclass(slots=True, eq=False, repr=False)
class MessageDecl(Node):
    name: Name
    types: list[TypeNode]


@dataclass(slots=True, eq=False, repr=False)
class ChannelType(TypeNode):
    messages: list[MessageDecl]


@dataclass(slots=True, eq=False, repr=False)
class ErrorTypeNode(TypeNode):
    pass


# --- declarations ----------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Decl(Node):
    pass


@dataclass(slots=True, eq=False, repr=False)
class ConstDecl(Decl):
    name: IdentDef
    type: TypeNode | None  # stated: CONST t : T = ...
    value: Expr


@dataclass(slots=True, eq=False, repr=False)
class TypeDecl(Decl):
    name: IdentDef
    type: TypeNode


@dataclass(slots=True, eq=False, repr=False)
class VarDecl(Decl):
    names: list[IdentDef]
    address: Expr | None
    type: TypeNode
    nonatomic: bool = False  # extension: VAR x AT 25H NONATOMIC : T, VAR x NONATOMIC : T
    initial: Expr | None = None  # x : T := e


@dataclass(slots=True, eq=False, repr=False)
class PortDecl(Decl):
    names: list[IdentDef]
    type: TypeNode
    max: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class AssumptionDecl(Decl):
    """What comes in from outside: `register IN low .. high`; `console IN "0-9"` has no high bound."""

    of: Expr
    low: Expr
    high: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class Section(Decl):
    """CONST, TYPE, VAR, PORT or ASSUME with its declarations; kept for the formatter."""

    keyword: str
    declarations: list[ConstDecl] | list[TypeDecl] | list[VarDecl] | list[PortDecl] | list[AssumptionDecl]


@dataclass(slots=True, eq=False, repr=False)
class Formal(Node):
    is_var: bool
    names: list[Name]
    type: TypeNode
    direction: str = ""  # of a port: ! or ?
    mark: Span | None = None  # where that stands


@dataclass(slots=True, eq=False, repr=False)
class Attribute(Node):
    """MAX e, SERVER, and marks that extend the language (FAIR, STRONG, ...)."""

    keyword: str
    value: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class Effect(Node):
    """READS or WRITES of an EXTERNAL process or a PROCEDURE, and variables of its module."""

    keyword: str
    names: list[Name]


@dataclass(slots=True, eq=False, repr=False)
class ProcessDecl(Decl):
    name: IdentDef
    formals: list[Formal]
    has_parens: bool
    attributes: list[Attribute]
    result: TypeNode | None  # of a PROCEDURE; None: it is missing
    effects: list[Effect]  # of an EXTERNAL one, or of a PROCEDURE
    declarations: list[Decl]
    body: list[Statement] | None  # None: no BEGIN
    closing: Name | None
    is_procedure: bool = False


@dataclass(slots=True, eq=False, repr=False)
class PropertyDecl(Decl):
    """A property process: `body` is set; a formula: `formula` is set."""

    name: Name
    declarations: list[Decl]
    body: list[Statement] | None
    formula: Expr | None
    closing: Name | None
    requirements: list[Name]  # that it is for


@dataclass(slots=True, eq=False, repr=False)
class Import(Node):
    alias: Name  # the name it is known by here
    module: Name


@dataclass(slots=True, eq=False, repr=False)
class Module(Node):
    source: Source
    environment: bool
    name: Name
    imports: list[Import]
    declarations: list[Decl]
    body: list[Statement] | None
    closing: Name | None
    comments: list[Comment] = field(default_factory=list)
    beside: Name | None = None  # MONITOR ... OF this module
    handlers: list[Handler] | None = None  # of a MONITOR, which has no body
    requirements: list[Name] = field(default_factory=list)  # that it is for


@dataclass(slots=True, eq=False, repr=False)
class Handler(Node):
    occasions: list[Occasion]  # none: AT END
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Occasion(Node):
    """When a handler runs: a call (or its return), a meeting, an access to a port."""

    what: Expr  # a designator
    values: list[Expr] | None  # names that take the event's values, and constants that they must equal
    returns: bool


@dataclass(slots=True, eq=False, repr=False)
class Comment(Node):
    text: str  # with its (* *)


# --- statements ------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class Statement(Node):
    pass


@dataclass(slots=True, eq=False, repr=False)
class Assign(Statement):
    target: Expr
    value: Expr


@dataclass(slots=True, eq=False, repr=False)
class CallStatement(Statement):
    """`P(x)`, `P` without arguments, or a predeclared procedure."""

    call: Expr  # a Call, or a designator without parentheses


@dataclass(slots=True, eq=False, repr=False)
class TaggedCall(CallStatement):
    """`ASSERT(x > 0) {REQ: SYS-12}`"""

    requirements: list[Name]


@dataclass(slots=True, eq=False, repr=False)
class Create(Statement):
    call: Expr
    deadline: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class Send(Statement):
    port: Expr
    message: Name
    values: list[Expr]
    fairness: str | None = None  # WEAK, STRONG, WEAK LIVE, STRONG LIVE; after the communication, not in its span


@dataclass(slots=True, eq=False, repr=False)
class Receive(Statement):
    port: Expr
    message: Name
    targets: list[Expr]
    fairness: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class IfBranch(Node):
    condition: Expr
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class If(Statement):
    branches: list[IfBranch]
    otherwise: list[Statement] | None


@dataclass(slots=True, eq=False, repr=False)
class CaseLabel(Node):
    low: Expr
    high: Expr | None


@dataclass(slots=True, eq=False, repr=False)
class CaseBranch(Node):
    labels: list[CaseLabel]
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Case(Statement):
    selector: Expr
    branches: list[CaseBranch]
    otherwise: list[Statement] | None


@dataclass(slots=True, eq=False, repr=False)
class While(Statement):
    """Oberon-07's ELSIF in WHILE is not LF."""

    condition: Expr
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Repeat(Statement):
    body: list[Statement]
    until: Expr


@dataclass(slots=True, eq=False, repr=False)
class For(Statement):
    variable: Name
    type: TypeNode | None  # FOR VAR i : T := ...
    low: Expr
    high: Expr
    by: Expr | None
    body: list[Statement]
    declares: bool = False  # FOR VAR


@dataclass(slots=True, eq=False, repr=False)
class Loop(Statement):
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Exit(Statement):
    label: Name | None = None  # of a named loop


@dataclass(slots=True, eq=False, repr=False)
class NamedLoop(Statement):
    """`search: LOOP ... END`"""

    label: Name
    loop: Statement  # WHILE, REPEAT, FOR, LOOP


@dataclass(slots=True, eq=False, repr=False)
class Return(Statement):
    value: Expr | None = None  # of a PROCEDURE


@dataclass(slots=True, eq=False, repr=False)
class After(Statement):
    """`Clock.After(t)` as the event of a WHEN; `call` is the whole designator with its argument."""

    call: Expr


@dataclass(slots=True, eq=False, repr=False)
class Replica(Node):
    """FOR i IN 0 .. 3 : before the event of a clause that stands for several."""

    variable: Name
    low: Expr
    high: Expr


@dataclass(slots=True, eq=False, repr=False)
class When(Node):
    replica: Replica | None
    event: Send | Receive | After | ErrorStatement  # ErrorStatement: not understood, reported
    guard: Expr | None
    body: list[Statement]


@dataclass(slots=True, eq=False, repr=False)
class Select(Statement):
    clauses: list[When]
    otherwise: list[Statement] | None


@dataclass(slots=True, eq=False, repr=False)
class ChoiceBranch(Node):
    body: list[Statement]
    level: Name | None = None  # `{normal}`, `{degraded}`, `{faulty}`


@dataclass(slots=True, eq=False, repr=False)
class Choice(Statement):
    branches: list[ChoiceBranch]
    fairness: str | None = None  # WEAK, STRONG: of its normal branches


@dataclass(slots=True, eq=False, repr=False)
class Reschedule(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class Accept(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class NoMove(Statement):
    pass


@dataclass(slots=True, eq=False, repr=False)
class ErrorStatement(Statement):
    """Stands where a statement could not be parsed."""


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of their fields."""
    for f in fields(node):
        value = getattr(node, f.name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, Node):
                    yield item


def same_tree(a: object, b: object) -> bool:
    """Equal but for spans, comments and the spelling of literals (`text` of IntLit, CharLit, StringLit)."""
    stack = [(a, b)]
    while stack:
        x, y = stack.pop()
        if type(x) is not type(y):
            return False
        if isinstance(x, Node):
            for f in fields(x):
                if f.name in ("span", "source", "comments", "mark"):
                    continue
                if f.name == "text" and isinstance(x, IntLit | CharLit | StringLit):
                    continue
                stack.append((getattr(x, f.name), getattr(y, f.name)))
        elif isinstance(x, list):
            assert isinstance(y, list)
            if len(x) != len(y):
                return False
            stack.extend(zip(x, y, strict=True))
        elif x != y:
            return False
    return True
