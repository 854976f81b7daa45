"""What may stand at the cursor: names in scope, messages of a port, members, modules, keywords."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types as lsp

from lfc.base.library_folder import LIBRARY_FOLDERS
from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.declarations import value_text
from lfc.editor.analysis.designators import Cursor, cursor_at, entity, meaning, members, scope_at, type_of
from lfc.editor.features.predeclared import PREDECLARED
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.types import Message, RecordField
from lfc.semantics.names.occurrences import Entity
from lfc.semantics.names.scope import Predeclared
from lfc.semantics.names.universe import ATOMS, PSEUDO_MODULES, SLOPPY_SPELLINGS
from lfc.syntax.grammar.terminals import KEYWORDS, NUMBER

TRIGGERS = [".", "!", "?"]
DOT, BANG, QMARK, COMMA, SEMICOLON, BECOMES = (
    NUMBER[n] for n in ("DOT", "BANG", "QMARK", "COMMA", "SEMICOLON", "BECOMES")
)
IMPORT, CREATE, END, PROPERTY, MODULE = (NUMBER[n] for n in ("IMPORT", "CREATE", "END", "PROPERTY", "MODULE"))
KINDS: dict[type[object], lsp.CompletionItemKind] = {
    typed.Variable: lsp.CompletionItemKind.Variable,
    typed.NamedConstant: lsp.CompletionItemKind.Constant,
    typed.NamedType: lsp.CompletionItemKind.Class,
    typed.Process: lsp.CompletionItemKind.Function,
    typed.Property: lsp.CompletionItemKind.Property,
    typed.ImportedName: lsp.CompletionItemKind.Module,
    Message: lsp.CompletionItemKind.Event,
    RecordField: lsp.CompletionItemKind.Field,
    Predeclared: lsp.CompletionItemKind.Function,
}
SNIPPETS = {
    "IF": "IF ${1:condition} THEN\n  $0\nEND",
    "WHILE": "WHILE ${1:condition} DO\n  $0\nEND",
    "FOR": "FOR ${1:i} := ${2:0} TO ${3:9} DO\n  $0\nEND",
    "REPEAT": "REPEAT\n  $0\nUNTIL ${1:condition}",
    "LOOP": "LOOP\n  $0\nEND",
    "SELECT": "SELECT\n  WHEN ${1:port}?${2:message} THEN\n    $0\nEND",
    "CASE": "CASE ${1:x} OF\n  ${2:0} : $0\nEND",
    "PROCESS": "PROCESS ${1:Name};\nBEGIN\n  $0\nEND ${1:Name};",
    "PROCEDURE": "PROCEDURE ${1:Name}(${2:x : INTEGER}) : ${3:INTEGER};\nBEGIN\n  RETURN $0\nEND ${1:Name};",
    "PROPERTY": "PROPERTY ${1:name} = ALWAYS (${0:TRUE});",
}


def completion(analysis: Analysis, position: lsp.Position, with_snippets: bool = False) -> list[lsp.CompletionItem]:
    cursor = cursor_at(analysis, analysis.lines.offset(position))
    if cursor is None:
        return []
    if cursor.kind == DOT:
        of = meaning(analysis, cursor.last - 1)
        return [] if of is None else [item(n, e) for n, e in members(analysis, of)]
    if cursor.kind in (BANG, QMARK):
        return messages(analysis, cursor)
    if is_in_import(cursor):
        return modules(analysis)
    if cursor.kind == MODULE:
        return [lsp.CompletionItem(Path(analysis.source.path).stem, kind=lsp.CompletionItemKind.Module)]
    if cursor.kind == CREATE:
        return [item(n, e) for n, e in names(cursor) if isinstance(e, typed.Process | typed.ImportedName)]
    return [*closing(cursor), *(item(n, e) for n, e in names(cursor)), *keywords(with_snippets)]


def item(name: str, e: Entity) -> lsp.CompletionItem:
    kind = KINDS.get(type(e))
    if isinstance(e, typed.Variable) and ty.is_port(e.type):
        kind = lsp.CompletionItemKind.Interface
    if isinstance(e, typed.NamedConstant) and isinstance(e.type, ty.EnumerationType):
        kind = lsp.CompletionItemKind.EnumMember
    return lsp.CompletionItem(name, kind=kind, detail=detail_of(e) or None)


def detail_of(e: Entity) -> str:
    """Cheap: it is made for every name in scope."""
    match e:
        case typed.Variable() | RecordField():
            return str(e.type)
        case typed.NamedConstant():
            return str(e.type) if isinstance(e.type, ty.EnumerationType) else f"= {value_text(e)}"
        case typed.NamedType():
            return "" if e.type.name == e.name else str(e.type)
        case typed.Process():
            return f"({'; '.join(formal_text(v) for v in e.stated_formals)})" if e.formals else ""
        case Message():
            return f"({', '.join(map(str, e.types))})" if e.types else ""
        case Predeclared():
            return PREDECLARED.get(e.name, ("", ""))[0]
    return ""


def formal_text(v: typed.Variable) -> str:
    return f"{'VAR ' * (v.kind is typed.VariableKind.VAR)}{v.name} : {v.type}"


def messages(analysis: Analysis, cursor: Cursor) -> list[lsp.CompletionItem]:
    t = type_of(meaning(analysis, cursor.last - 1))
    if isinstance(t, ty.ChannelType):
        return [item(m.name, m) for m in t.messages]
    text = analysis.source.text[: analysis.tokens.starts[cursor.last]].rstrip()
    if text.endswith("SYSTEM.IOPORT"):
        there = ["VALUE"] if cursor.kind == BANG else ["PORTIN", "PORTOUT"]
    else:
        there = ["INTERRUPT"] if text.endswith("]") and "SYSTEM.INT[" in text[-40:] else []
    return [lsp.CompletionItem(n, kind=lsp.CompletionItemKind.Event) for n in there]


def is_in_import(cursor: Cursor) -> bool:
    """In the list of an IMPORT: names, commas and `:=` back to the keyword."""
    tokens, at = cursor.analysis.tokens, cursor.last
    while at >= 0 and tokens.kinds[at] in (COMMA, BECOMES, NUMBER["IDENT"]):
        at -= 1
    return at >= 0 and tokens.kinds[at] == IMPORT and tokens.kinds[cursor.last] in (IMPORT, COMMA, BECOMES)


def modules(analysis: Analysis) -> list[lsp.CompletionItem]:
    found = dict.fromkeys(PSEUDO_MODULES)
    path = analysis.source.path
    folders = [] if path.startswith("<") else [Path(path).parent]
    for folder in (*folders, *LIBRARY_FOLDERS, *analysis.setting.chip.folders):
        try:
            found.update(dict.fromkeys(sorted(f.stem for f in folder.glob("*.lf") if str(f) != path)))
        except OSError:
            continue
    found.update(dict.fromkeys(f.removesuffix(".lf") for f in analysis.setting.chip.texts))
    return [lsp.CompletionItem(n, kind=lsp.CompletionItemKind.Module) for n in found if n.isidentifier()]


def names(cursor: Cursor) -> Iterator[tuple[str, Entity]]:
    """In scope, inner ones first, as far as they may be used here: only processes before their declaration."""
    analysis, seen = cursor.analysis, set[str]()
    everywhere = is_in_property(cursor)
    for scope in scope_at(analysis, cursor.offset).outward():
        for name, symbol in scope.names.items():
            e = entity(symbol)
            if e is None or name in seen or isinstance(e, typed.Property) or name in SLOPPY_SPELLINGS:
                continue
            if isinstance(e, Predeclared) and e.name in ATOMS and not everywhere:
                continue
            if everywhere or not is_declared_later(analysis, e, cursor.offset):
                seen.add(name)
                yield name, e


def is_declared_later(analysis: Analysis, e: Entity, offset: int) -> bool:
    if not isinstance(e, typed.Variable | typed.NamedConstant | typed.NamedType):
        return False
    return e.span.source is analysis.source and e.span.start > offset


def is_in_property(cursor: Cursor) -> bool:
    place = cursor.analysis.place_at(cursor.offset)
    if place is not None and place.process.is_property:
        return True
    kinds, at = cursor.analysis.tokens.kinds, cursor.last
    while at >= 0 and kinds[at] not in (SEMICOLON, PROPERTY):
        at -= 1
    return at >= 0 and kinds[at] == PROPERTY


def closing(cursor: Cursor) -> list[lsp.CompletionItem]:
    """Behind END: the name of what ends."""
    if cursor.kind != END:
        return []
    analysis = cursor.analysis
    place, text = analysis.place_at(analysis.tokens.starts[cursor.last]), analysis.text
    found = [place.process.name] if place is not None else []
    found += [text.module.name] if text is not None else []
    return [lsp.CompletionItem(n, kind=lsp.CompletionItemKind.Text, sort_text=f"!{n}") for n in found]


def keywords(with_snippets: bool) -> Iterator[lsp.CompletionItem]:
    for word in KEYWORDS:
        yield lsp.CompletionItem(word, kind=lsp.CompletionItemKind.Keyword, sort_text=f"~{word}")
    for word, text in SNIPPETS.items() if with_snippets else ():
        yield lsp.CompletionItem(
            f"{word} ...",
            kind=lsp.CompletionItemKind.Snippet,
            filter_text=word,
            sort_text=f"~{word}~",
            insert_text=text,
            insert_text_format=lsp.InsertTextFormat.Snippet,
        )
