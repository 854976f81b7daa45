"""Random modules of every construct, written in a random layout with comments anywhere. They parse; nothing more."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Form = Callable[[], list[str]]
BRANCH = "\0"  # an OR that separates the branches of a CHOICE
_NAMES = ["a", "b", "port", "Long", "aRatherLongNameForThisPurpose", "x1", "TRUE", "INTEGER"]
_COMMENTS = ["(* c *)", "(**)", "(***)", "(* one (* two *) *)", "(* a\n   b *)", "(*\n*)", "(* OR *)", "(* END; *)"]
_LONG_COMMENT = "(* " + "long " * 25 + "*)"


class RandomText:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.deep = 0
        self.left = random.choice([20, 60, 200])  # names and literals that may still be written; then all is short
        self.comments = 0.0

    def module(self) -> str:
        r = self.random
        tokens = [*self._maybe("ENVIRONMENT"), "MODULE", "M", ";"]
        if r.random() < 0.4:
            tokens += ["IMPORT", *self._list(lambda: [self._name(), *(self._maybe_alias())]), ";"]
        tokens += self._declarations(in_module=True)
        tokens += self._body()
        tokens += ["END", "M", r.choice([".", ";"])]
        self.comments = r.choice([0.0, 0.02, 0.1, 0.4])
        return self._spell(tokens)

    # --- layout ----------------------------------------------------------------------------------------------------

    def _spell(self, tokens: list[str]) -> str:
        r = self.random
        airy = r.random()
        text = ""
        before = ""
        for token in tokens:
            starts_line = token == BRANCH and r.random() < 0.6
            if token == BRANCH:
                token = "OR" if starts_line else "|"
            filler = self._filler(airy, one_line=token == "OR" and not starts_line)
            if starts_line:
                filler += "\n" + self._filler(airy, one_line=True)
            if not filler and _must_part(before, token):
                filler = " "
            text += filler + token
            before = token
        return text + self._filler(airy, one_line=False)

    def _filler(self, airy: float, one_line: bool) -> str:
        r = self.random
        filler = ""
        while True:
            if not one_line and r.random() < airy * 0.5:
                filler += r.choice(["\n", "\n", "\n  ", "\n\n\n", "\r\n"])
            elif r.random() < 0.6:
                filler += r.choice([" ", " ", "  ", "\t"])
            if r.random() >= self.comments:
                return filler
            comment = r.choice(_COMMENTS) if r.random() < 0.9 else _LONG_COMMENT
            filler += comment.replace("\n", " ") if one_line else comment

    # --- pieces ----------------------------------------------------------------------------------------------------

    def _maybe(self, *tokens: str) -> list[str]:
        return list(tokens) if self.random.random() < 0.3 else []

    def _maybe_alias(self) -> list[str]:
        return [":=", self._name()] if self.random.random() < 0.3 else []

    def _name(self) -> str:
        self.left -= 1
        return self.random.choice(_NAMES)

    def _list(self, item: Callable[[], list[str]], separator: str = ",", most: int = 4) -> list[str]:
        tokens: list[str] = []
        count = self.random.choice([1, 1, 2, most, 3 * most if self.random.random() < 0.1 else most])
        for _ in range(count if self.left > 0 else 1):
            tokens += [*([separator] if tokens else []), *item()]
        return tokens

    def _names(self, star: bool) -> list[str]:
        return self._list(lambda: [self._name(), *(self._maybe("*") if star else [])], most=3)

    # --- declarations ----------------------------------------------------------------------------------------------

    def _declarations(self, in_module: bool) -> list[str]:
        tokens: list[str] = []
        for _ in range(self.random.randrange(4)):
            tokens += self.random.choice(
                [self._section, self._section, self._section, self._process, self._procedure]
            )()
            if in_module and self.random.random() < 0.2:
                tokens += self._property()
        return tokens

    def _section(self) -> list[str]:
        r = self.random
        keyword = r.choice(["CONST", "TYPE", "VAR", "PORT"])
        tokens = [keyword]
        for _ in range(r.choice([0, 1, 1, 1, 2, 3])):
            if keyword == "CONST":
                stated = [":", *self._type()] if r.random() < 0.3 else []
                value = self._initial() if stated else self._expression()
                tokens += [self._name(), *self._maybe("*"), *stated, "=", *value]
            elif keyword == "TYPE":
                tokens += [self._name(), *self._maybe("*"), "=", *self._type()]
            elif keyword == "VAR":
                at = ["AT", *self._expression(), *self._maybe("NONATOMIC")] if r.random() < 0.2 else []
                initial = [":=", *self._initial()] if r.random() < 0.3 else []
                tokens += [*self._names(True), *at, ":", *self._type(), *initial]
            else:
                most = ["MAX", *self._expression()] if r.random() < 0.3 else []
                tokens += [*self._names(True), ":", *self._maybe("ARRAY", "2", "OF"), "Long", *most]
            tokens.append(";")
        return tokens

    def _process(self) -> list[str]:
        r = self.random
        self.deep += 1
        tokens = ["PROCESS", "P", *self._maybe("*")]
        if r.random() < 0.7:
            tokens += ["(", *(self._list(self._formal, ";", 3) if r.random() < 0.8 else []), ")"]
        tokens += [*(["MAX", *self._expression()] if r.random() < 0.3 else []), *self._maybe("SERVER"), ";"]
        if self.deep < 3:
            tokens += self._declarations(in_module=False)
        tokens += [*self._body(), "END", "P", ";"]
        self.deep -= 1
        return tokens

    def _initial(self) -> list[str]:
        """An expression, or a constant array or record."""
        if self.random.random() < 0.6 or self.left <= 0:
            return self._expression()
        return ["[", *self._list(lambda: [*([self._name(), ":="] if self._maybe("x") else []), *self._initial()]), "]"]

    def _procedure(self) -> list[str]:
        r = self.random
        self.deep += 1
        tokens = ["PROCEDURE", "F", *self._maybe("*")]
        if r.random() < 0.8:
            tokens += ["(", *(self._list(self._formal, ";", 3) if r.random() < 0.8 else []), ")"]
        tokens += [":", *self._type()] if r.random() < 0.9 else []
        for keyword in ("READS", "WRITES"):
            tokens += [keyword, *self._names(False)] if r.random() < 0.2 else []
        tokens += [";", *(self._declarations(in_module=False) if self.deep < 3 else []), *self._body(), "END", "F", ";"]
        self.deep -= 1
        return tokens

    def _formal(self) -> list[str]:
        opened = ["ARRAY", "OF"] if self.random.random() < 0.2 else []
        direction = [self.random.choice("!?")] if self.random.random() < 0.2 else []
        return [*self._maybe("VAR"), *self._names(False), ":", *opened, *self._type(), *direction]

    def _property(self) -> list[str]:
        if self.random.random() < 0.5:
            return ["PROPERTY", "p", "=", *self._formula(), ";"]
        return ["PROPERTY", "p", ";", *self._declarations(False), "BEGIN", *self._statements(), "END", "p", ";"]

    def _body(self) -> list[str]:
        return ["BEGIN", *self._statements()] if self.random.random() < 0.8 else []

    def _type(self) -> list[str]:
        r = self.random
        self.deep += 1
        kind = r.randrange(8) if self.deep < 5 and self.left > 0 else 0
        tokens = [r.choice(["INTEGER", "Long"])]
        if kind == 1:
            tokens = ["ARRAY", *self._list(self._expression, most=2), "OF", *self._type()]
        elif kind == 2:
            tokens = ["RECORD", *self._list(lambda: [*self._names(True), ":", *self._type()], ";"), "END"]
        elif kind == 3:
            tokens = ["(", *self._names(False), ")"]
        elif kind == 4:
            tokens = [r.choice(["0", "'a'", "-1", "red"]), "..", *self._simple()]
        elif kind == 5:
            tokens = ["[", *self._list(self._message), "]"]
        elif kind == 6:
            tokens = ["M", ".", "T"]
        self.deep -= 1
        return tokens

    def _message(self) -> list[str]:
        return [self._name(), *(["(", *self._list(self._type, most=2), ")"] if self.random.random() < 0.5 else [])]

    # --- statements ------------------------------------------------------------------------------------------------

    def _statements(self) -> list[str]:
        self.deep += 1
        tokens: list[str] = []
        for _ in range(self.random.choice([0, 1, 1, 2, 3])):
            tokens += [*([";"] if tokens else []), *self._statement()]
        self.deep -= 1
        return tokens + ([";"] if self.random.random() < 0.05 else [])

    def _statement(self) -> list[str]:
        r = self.random
        simple = [self._simple_statement, self._communication]
        compound = [self._if, self._case, self._loop, self._select, self._choice]
        return r.choice(simple + (compound if self.deep < 5 and self.left > 0 else []))()

    def _simple_statement(self) -> list[str]:
        r = self.random
        values = self._list(self._expression) if r.random() < 0.8 else []
        forms: list[Form] = [
            lambda: [*self._designator(), ":=", *self._expression()],
            lambda: [*self._designator(), "(", *values, ")"],
            self._designator,
            lambda: ["CREATE", *self._designator(), "(", *self._expression(), ")"],
            lambda: ["CREATE", "P", "DEADLINE", *self._expression()],
            lambda: [r.choice(["EXIT", "RETURN", "RESCHEDULE", "ACCEPT", "NOMOVE"])],
            lambda: ["EXIT", self._name()],
            lambda: ["RETURN", *self._expression()],
        ]
        return r.choice(forms)()

    def _communication(self) -> list[str]:
        values = ["(", *self._list(self._expression), ")"] if self.random.random() < 0.6 else []
        mark = self.random.choice([[], [], [], ["WEAK"], ["STRONG"], ["WEAK", "LIVE"], ["STRONG", "LIVE"]])
        return [*self._designator(), self.random.choice("!?"), self._name(), *values, *mark]

    def _if(self) -> list[str]:
        tokens = ["IF", *self._expression(), "THEN", *self._statements()]
        while self.random.random() < 0.3:
            tokens += ["ELSIF", *self._expression(), "THEN", *self._statements()]
        return [*tokens, *self._else(), "END"]

    def _else(self) -> list[str]:
        return ["ELSE", *self._statements()] if self.random.random() < 0.3 else []

    def _case(self) -> list[str]:
        def branch() -> list[str]:
            return [*self._list(self._range, most=2), ":", *self._statements()]

        branches = self._list(branch, "|") if self.random.random() < 0.9 else []
        return ["CASE", *self._expression(), "OF", *self._maybe("|"), *branches, *self._else(), "END"]

    def _loop(self) -> list[str]:
        r = self.random
        by = ["BY", *self._expression()] if r.random() < 0.3 else []
        forms: list[Form] = [
            lambda: ["LOOP", *self._statements(), "END"],
            lambda: ["WHILE", *self._expression(), "DO", *self._statements(), "END"],
            lambda: ["REPEAT", *self._statements(), "UNTIL", *self._expression()],
            lambda: [
                *["FOR", "a", ":=", *self._expression(), "TO", *self._expression(), *by],
                *["DO", *self._statements(), "END"],
            ],
            lambda: [
                *["FOR", "VAR", "a", *([":", *self._type()] if r.random() < 0.5 else []), ":=", *self._expression()],
                *["TO", *self._expression(), *by, "DO", *self._statements(), "END"],
            ],
        ]
        name = [self._name(), ":"] if r.random() < 0.25 else []
        return [*name, *r.choice(forms)()]

    def _select(self) -> list[str]:
        tokens = ["SELECT"]
        for _ in range(self.random.choice([1, 2, 3])):
            event = self._communication() if self.random.random() < 0.8 else ["Clock", ".", "After", "(", "5", ")"]
            guard = ["&", "(", *self._expression(), ")"] if self.random.random() < 0.4 else []
            several = ["FOR", "a", "IN", *self._simple(), "..", *self._simple(), ":"] if self._maybe("x") else []
            tokens += ["WHEN", *several, *event, *guard, "THEN", *self._statements()]
        return [*tokens, *self._else(), "END"]

    def _choice(self) -> list[str]:
        return ["CHOICE", *self._list(self._statements, BRANCH, most=3), "END"]

    # --- expressions -----------------------------------------------------------------------------------------------

    def _designator(self) -> list[str]:
        tokens = [self._name()]
        while self.random.random() < 0.25 and self.left > 0:
            if self.random.random() < 0.5:
                tokens += [".", self._name()]
            else:
                tokens += ["[", *self._list(self._simple, most=2), "]"]
        return tokens

    def _range(self) -> list[str]:
        return [*self._simple(), *(["..", *self._simple()] if self.random.random() < 0.3 else [])]

    def _expression(self) -> list[str]:
        if self.random.random() < 0.3:
            return [*self._simple(), self.random.choice(["=", "#", "<", "<=", ">", ">=", "IN"]), *self._simple()]
        return self._simple()

    def _simple(self) -> list[str]:
        r = self.random
        tokens = [*(["-"] if r.random() < 0.1 else []), *self._term()]
        while self.left > 0 and r.random() < (0.25 if r.random() < 0.95 else 0.9):
            tokens += [r.choice(["+", "-", "OR"]), *self._term()]
        return tokens

    def _term(self) -> list[str]:
        tokens = self._factor()
        while self.random.random() < 0.2:
            tokens += [self.random.choice(["*", "/", "DIV", "MOD", "&"]), *self._factor()]
        return tokens

    def _factor(self) -> list[str]:
        r = self.random
        self.deep += 1
        kind = r.randrange(10) if self.deep < 7 and self.left > 0 else r.choice([0, 1])
        if kind == 0:
            self.left -= 1
            tokens = [r.choice(["0", "42", "2FFH", "'a'", "41X", '"text (* no comment *)"', "'''"])]
        elif kind < 4:
            tokens = self._designator()
        elif kind == 4:
            tokens = ["(", *self._formula(), ")"]
        elif kind == 5:
            tokens = ["~", *self._factor()]
        elif kind == 6:
            tokens = ["{", *(self._list(self._range) if r.random() < 0.8 else []), "}"]
        elif kind == 7:
            tokens = ["MAX", "(", *self._list(self._expression, most=2), ")"]
        else:
            tokens = [*self._designator(), "(", *self._list(self._expression), ")"]
        self.deep -= 1
        return tokens

    def _formula(self) -> list[str]:
        r = self.random
        self.deep += 1
        kind = r.randrange(6) if self.deep < 6 and self.left > 0 else 0
        tokens = self._expression()
        if kind == 1:
            tokens = [r.choice(["ALWAYS", "[]", "EVENTUALLY", "<>", "NEXT"]), *tokens]
        elif kind == 2:
            op = r.choice(["UNTIL", "WEAKUNTIL", "RELEASE", "IMPLIES", "->", "IFF", "<->"])
            tokens = [*tokens, op, *self._formula()]
        self.deep -= 1
        return tokens


def _must_part(before: str, token: str) -> bool:
    if not before:
        return False
    if (before[-1].isalnum() or before[-1] == "_") and (token[0].isalnum() or token[0] == "_"):
        return True
    return before[-1] in "<>=:.-*([" and token[0] in "<>=.-*]" or (before[-1].isdigit() and token[0] == ".")
