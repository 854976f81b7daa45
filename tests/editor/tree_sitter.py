"""Writes the parser for tree-sitter from the grammar: `editors/tree-sitter/src/parser.c`.

    python -m tests.editor.tree_sitter

The grammar of lfc, with three changes. Where an OR separates the branches of a CHOICE (a matter of the brackets around
it: `_mark_branches` in lfc/syntax/grammar/lexer.py), productions are those of a second set: so the state of the parser
knows it. Nothing derives the empty text: tree-sitter has no nodes for that. And each act (`-> act`) is a nonterminal of
its own, which is the node that queries see. Lark makes LALR(1) tables of it, without a conflict; they are written as
tree-sitter's runtime reads them (version 14 of its interface).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from lfc.syntax.grammar.tables import GRAMMAR, tables_of
from lfc.syntax.grammar.terminals import KEYWORDS, OF_MONITORS, SPELLING, TERMINALS
from tests.conftest import ROOT

FOLDER = ROOT / "editors" / "tree-sitter"
FILE = FOLDER / "src" / "parser.c"
VERSION = 14
# Acts that only pass values on, or make lists: no nodes.
HIDDEN = {"one_item", "one_branch", "add_item", "add_after", "add_before", "add_branch", "new_list", "second", "absent"}
HIDDEN |= {"present", "empty_formals"}
OPENERS = {"IF", "CASE", "WHILE", "REPEAT", "FOR", "LOOP", "SELECT", "CHOICE", "RECORD", "LPAR", "LSQB", "LBRACE"}
CLOSERS = {"END", "UNTIL", "RPAR", "RSQB", "RBRACE"}
NAMED = {
    "IDENT": "identifier",
    "INTEGER": "integer_literal",
    "DECIMAL": "decimal_literal",
    "CHARACTER": "character_literal",
    "STRING": "string_literal",
}
START = "module"  # whose node is the root
IN_CHOICE = "__in_choice"
IN_MONITOR = "__in_monitor"
# What may end before the ON of a monitor: elsewhere a name may stand there.
BEFORE_ON = {"declarations", "declaration", "constants", "types", "variables", "ports", "assumptions"}
BEFORE_ON |= {"handlers", "handler", "statements"}
CONTEXTUAL = tuple(OF_MONITORS)  # names, where the grammar has no place for them
Production = tuple[str, tuple[str, ...], str | None]  # left side, right side, act


def productions() -> list[Production]:
    """Those of the grammar; what recovery puts into a tree is none of a text."""
    from lark import Lark

    rules: Any = Lark(GRAMMAR.read_text(encoding="utf-8"), start="module", parser="lalr", lexer="contextual").rules
    found = []
    for rule in rules:
        right = tuple(s.name for s in rule.expansion)
        if not any(name.startswith("ERROR_") for name in right):
            found.append((rule.origin.name, right, rule.alias))
    return found


def with_context(rules: Sequence[Production]) -> list[Production]:
    """Sets: directly in a CHOICE, directly in a monitor, and elsewhere; as far as they are used."""
    by_left: dict[str, list[Production]] = {}
    for rule in rules:
        by_left.setdefault(rule[0], []).append(rule)
    found, ahead, seen = list[Production](), [START], {START}
    for left in ahead:
        name = plain(left)
        for _, right, act in by_left[name]:
            symbols = placed(right, left.endswith(IN_CHOICE), by_left)
            if left.endswith(IN_MONITOR) or act == "monitor":
                symbols = tuple(s + IN_MONITOR if s in BEFORE_ON else s for s in symbols)
            if "OR_BRANCH" in right and not left.endswith(IN_CHOICE):
                continue
            found.append((left, symbols, act))
            for symbol in symbols:
                if plain(symbol) in by_left and symbol not in seen:
                    seen.add(symbol)
                    ahead.append(symbol)
    return found


def plain(symbol: str) -> str:
    return symbol.removesuffix(IN_CHOICE).removesuffix(IN_MONITOR)


def placed(right: tuple[str, ...], in_choice: bool, nonterminals: dict[str, Any]) -> tuple[str, ...]:
    """The symbols of a production in the set to which their place belongs."""
    inside, found = [in_choice], list[str]()
    for symbol in right:
        if symbol in CLOSERS and len(inside) > 1:
            inside.pop()
        found.append(symbol + IN_CHOICE if symbol in nonterminals and inside[-1] else symbol)
        if symbol in OPENERS:
            inside.append(symbol == "CHOICE")
    return tuple(found)


def without_empty(rules: Sequence[Production]) -> list[Production]:
    """Every production with and without each symbol that may be empty."""
    empty: set[str] = set()
    while more := {left for left, right, _ in rules if left not in empty and all(s in empty for s in right)}:
        empty |= more
    nonterminals = {left for left, _, _ in rules}
    only = {left for left in nonterminals if all(not r for n, r, _ in rules if n == left)}  # nothing but empty
    found: dict[Production, None] = {}
    for left, right, act in rules:
        for kept in product(*([True, False] if s in empty else [True] for s in right)):
            chosen = tuple(s for s, keep in zip(right, kept, strict=True) if keep)
            if chosen and not only & set(chosen) and not (act is None and chosen == (left,)):
                if chosen != (left,):
                    found[left, chosen, act] = None
    return list(found)


def with_acts(rules: Sequence[Production]) -> list[Production]:
    """Each act that is a node gets a nonterminal, of its set."""
    found: dict[Production, None] = {}
    for left, right, act in rules:
        if act is None or act in HIDDEN or left == START:
            found[left, right, None] = None
            continue
        node = f"node_{act}_of_{left}"
        found[left, (node,), None] = None
        found[node, right, act] = None
    return list(found)


def tables(rules: Sequence[Production]) -> dict[str, Any]:
    """By lark. Raises ValueError at a conflict."""
    lines = [f"%declare {' '.join(sorted({s for _, right, _ in rules for s in right if s.isupper()}))}"]
    lefts = dict.fromkeys(left for left, _, _ in rules)
    lines += [f"{n}: {' | '.join(' '.join(r) for left, r, _ in rules if left == n)}" for n in lefts]
    return tables_of("\n".join(lines) + "\n")


def parser() -> dict[str, Any]:
    rules = with_acts(without_empty(with_context(productions())))
    return tables(rules) | {"acts": {left: act for left, _, act in rules if act is not None} | {START: START}}


# --- as tree-sitter's runtime reads it -------------------------------------------------------------------------------


class Symbols:
    """Numbers: the end, terminals, comments, then nonterminals."""

    def __init__(self, made: dict[str, Any]) -> None:
        self.terminals: list[str] = [t for t in made["terminals"] if t != "$END"]
        self.nonterminals: list[str] = made["nonterminals"]
        self.comment = len(self.terminals) + 1
        self.tokens = self.comment + 1
        self.acts: dict[str, str] = made["acts"]
        self.of_terminal = [0 if t == "$END" else self.terminals.index(t) + 1 for t in made["terminals"]]

    def __len__(self) -> int:
        return self.tokens + len(self.nonterminals)

    def rows(self) -> list[tuple[str, bool, bool, int]]:
        """Name, visible, named, and the public number: nodes of one name are one symbol to queries."""
        found: list[tuple[str, bool, bool, int]] = [("end", False, True, 0)]
        for n, t in enumerate(self.terminals, 1):
            found.append((NAMED.get(t) or SPELLING[TERMINALS.index(t)], True, t in NAMED, n))
        found[self.terminals.index("OR_BRANCH") + 1] = ("OR", True, False, self.terminals.index("OR") + 1)
        found.append(("comment", True, True, self.comment))
        first: dict[str, int] = {}
        for n, name in enumerate(self.nonterminals, self.tokens):
            act = self.acts.get(name)
            shown = act or f"_{name}"
            found.append((shown, act is not None, act is not None, first.setdefault(shown, n)))
        return found


class Actions:
    """The list of actions that rows of the table point to; entry 0 has none."""

    def __init__(self) -> None:
        self.text = ["{.entry = {0, false}}"]
        self.known: dict[str, int] = {}

    def number(self, action: str, reusable: bool = True) -> int:
        if action not in self.known:
            self.known[action] = len(self.text)
            self.text += [f"{{.entry = {{1, {str(reusable).lower()}}}}}", f"{{.action = {{{action}}}}}"]
        return self.known[action]


def row_of(made: dict[str, Any], symbols: Symbols, actions: Actions, state: int) -> dict[int, int]:
    """Symbol to action, or to the state that follows. tree-sitter's states begin at 1: 0 is that of errors."""
    found = {symbols.comment: actions.number(".shift = {0, 0, true, false}")}
    taken = iter(made["actions"][state])
    for terminal, n in zip(taken, taken, strict=True):
        symbol = symbols.of_terminal[terminal]
        if symbol == 0 and state == made["accept"]:
            found[symbol] = actions.number(".type = 2")
        elif n >= 0:
            found[symbol] = actions.number(f".shift = {{0, {n + 1}, false, false}}")
        else:
            left, length, _ = made["rules"][~n]
            found[symbol] = actions.number(f".reduce = {{1, {length}, {symbols.tokens + left}, 0, 0}}")
    gone = iter(made["gotos"][state])
    return found | {symbols.tokens + nonterminal: n + 1 for nonterminal, n in zip(gone, gone, strict=True)}


def lexical_states(made: dict[str, Any]) -> list[int]:
    """What a word may mean in each state: bits, as lexer.h names them."""
    names, semicolon = made["terminals"], made["terminals"].index("SEMICOLON")
    rows = [dict(zip(row[::2], row[1::2], strict=True)) for row in made["actions"]]
    behind_semicolon = {row[semicolon] for row in rows if row.get(semicolon, -1) >= 0}
    found = []
    for state, row in enumerate(rows):
        valid = {names[t] for t in row}
        contextual = sum(4 << bit for bit, name in enumerate(CONTEXTUAL) if name in valid)
        found.append(("OR_BRANCH" in valid) + 2 * (state in behind_semicolon) + contextual)
    return found


def small(rows: Iterable[dict[int, int]], tokens: int) -> tuple[list[int], list[int]]:
    """The compact form: symbols grouped by what they lead to, tokens apart; and where each state begins."""
    data, starts = list[int](), list[int]()
    for row in rows:
        groups: dict[tuple[bool, int], list[int]] = {}
        for symbol, value in sorted(row.items()):
            groups.setdefault((symbol < tokens, value), []).append(symbol)
        starts.append(len(data))
        data.append(len(groups))
        for (_, value), members in groups.items():
            data += [value, len(members), *members]
    return data, starts


def text() -> str:
    made = parser()
    symbols, actions = Symbols(made), Actions()
    recover = actions.number(".type = 3", False)
    states = range(len(made["actions"]))
    rows = [row_of(made, symbols, actions, s) for s in states]
    errors = dict.fromkeys(range(symbols.tokens), recover)
    errors[symbols.comment] = actions.number(".shift = {0, 0, true, false}")
    data, starts = small([errors, *rows], symbols.tokens)
    named = symbols.rows()
    keyword = {t: n for n, t in enumerate(symbols.terminals, 1) if t in {*KEYWORDS, *OF_MONITORS} - {"OR"}}
    tokens = {t: n for n, t in enumerate(symbols.terminals, 1) if t not in keyword or t in ("ALWAYS", "EVENTUALLY")}
    tokens |= {t: keyword[t] for t in ("IFF", "IMPLIES", *CONTEXTUAL)} | {"COMMENT": symbols.comment}
    single = [(SPELLING[TERMINALS.index(t)], n) for t, n in tokens.items() if t in TERMINALS]
    single = [(s, n) for s, n in single if len(s) == 1 and s not in "(<:.>-["]
    return TEMPLATE.format(
        tokens="\n".join(f"#define T_{t} {n}" for t, n in sorted(tokens.items())),
        longest=max(map(len, keyword)),
        keywords="\n".join(f'    {{"{t}", {n}}},' for t, n in sorted(keyword.items())),
        single="\n".join(f"    {{'{s}', {n}}}," for s, n in single),
        names="\n".join(f'    "{name}",' for name, _, _, _ in named),
        metadata="\n".join(f"    {{{str(v).lower()}, {str(n).lower()}, false}}," for _, v, n, _ in named),
        public=wrapped(n for _, _, _, n in named),
        small=wrapped(data),
        starts=wrapped(starts),
        actions="\n".join(f"    {a}," for a in actions.text),
        modes=wrapped(f"{{{n}, 0}}" for n in (0, *lexical_states(made))),
        primary=wrapped(range(len(states) + 1)),
        version=VERSION,
        symbol_count=len(symbols),
        token_count=symbols.tokens,
        state_count=len(states) + 1,
    )


def wrapped(values: Iterable[object]) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(", ".join(map(str, values)), 115, initial_indent="    ", subsequent_indent="    "))


TEMPLATE = """\
/* The parser of LF for tree-sitter: `python -m tests.editor.tree_sitter` writes it from grammar.lark of lfc.
 * The declarations are those of tree-sitter's interface for parsers, version {version}. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint16_t TSStateId;
typedef uint16_t TSSymbol;
typedef struct TSLexer TSLexer;

struct TSLexer {{
  int32_t lookahead;
  TSSymbol result_symbol;
  void (*advance)(TSLexer *, bool skip);
  void (*mark_end)(TSLexer *);
  uint32_t (*get_column)(TSLexer *);
  bool (*is_at_included_range_start)(const TSLexer *);
  bool (*eof)(const TSLexer *);
}};

typedef union {{
  struct {{
    uint8_t type; /* 0 */
    TSStateId state;
    bool extra, repetition;
  }} shift;
  struct {{
    uint8_t type; /* 1 */
    uint8_t child_count;
    TSSymbol symbol;
    int16_t dynamic_precedence;
    uint16_t production_id;
  }} reduce;
  uint8_t type; /* 2: accept, 3: recover */
}} TSParseAction;

typedef union {{
  TSParseAction action;
  struct {{
    uint8_t count;
    bool reusable;
  }} entry;
}} TSParseActionEntry;

typedef struct {{
  uint16_t lex_state, external_lex_state;
}} TSLexMode;

typedef struct {{
  bool visible, named, supertype;
}} TSSymbolMetadata;

typedef struct {{
  uint32_t version, symbol_count, alias_count, token_count, external_token_count, state_count, large_state_count;
  uint32_t production_id_count, field_count;
  uint16_t max_alias_sequence_length;
  const uint16_t *parse_table, *small_parse_table;
  const uint32_t *small_parse_table_map;
  const TSParseActionEntry *parse_actions;
  const char *const *symbol_names, *const *field_names;
  const void *field_map_slices, *field_map_entries;
  const TSSymbolMetadata *symbol_metadata;
  const TSSymbol *public_symbol_map;
  const uint16_t *alias_map;
  const TSSymbol *alias_sequences;
  const TSLexMode *lex_modes;
  bool (*lex_fn)(TSLexer *, TSStateId);
  bool (*keyword_lex_fn)(TSLexer *, TSStateId);
  TSSymbol keyword_capture_token;
  struct {{
    const bool *states;
    const TSSymbol *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, TSLexer *, const bool *);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  }} external_scanner;
  const TSStateId *primary_state_ids;
}} TSLanguage;

{tokens}

#define LONGEST_KEYWORD {longest}

static const struct {{
  const char *name;
  TSSymbol symbol;
}} KEYWORDS[] = {{
{keywords}
}};

static const struct {{
  char character;
  TSSymbol symbol;
}} SINGLE[] = {{
{single}
}};

#include "lexer.h"

static const char *const symbol_names[] = {{
{names}
}};

static const TSSymbolMetadata symbol_metadata[] = {{
{metadata}
}};

static const TSSymbol public_symbol_map[] = {{
{public}
}};

static const uint16_t small_parse_table[] = {{
{small}
}};

static const uint32_t small_parse_table_map[] = {{
{starts}
}};

static const TSParseActionEntry parse_actions[] = {{
{actions}
}};

static const TSLexMode lex_modes[] = {{
{modes}
}};

static const TSStateId primary_state_ids[] = {{
{primary}
}};

static const uint16_t alias_map[] = {{0}};

#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
const TSLanguage *tree_sitter_lf(void);

const TSLanguage *tree_sitter_lf(void) {{
  static const TSLanguage language = {{
      .version = {version},
      .symbol_count = {symbol_count},
      .token_count = {token_count},
      .state_count = {state_count},
      .production_id_count = 1,
      .small_parse_table = small_parse_table,
      .small_parse_table_map = small_parse_table_map,
      .parse_actions = parse_actions,
      .symbol_names = symbol_names,
      .symbol_metadata = symbol_metadata,
      .public_symbol_map = public_symbol_map,
      .alias_map = alias_map,
      .lex_modes = lex_modes,
      .lex_fn = lex,
      .primary_state_ids = primary_state_ids,
  }};
  return &language;
}}
"""


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
