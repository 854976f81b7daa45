"""The outline of a text."""

from __future__ import annotations

from lsprotocol import types as lsp

from lfc.editor.analysis.analyse import Analysis
from lfc.editor.analysis.declarations import heading, one_line, source_text
from lfc.syntax.grammar import tree

LONGEST_DETAIL = 60


def document_symbols(analysis: Analysis) -> list[lsp.DocumentSymbol]:
    text = analysis.text
    if text is None or not text.tree.name.text:
        return []
    return Outline(analysis).of_module(text.tree)


class Outline:
    def __init__(self, analysis: Analysis) -> None:
        self.lines = analysis.lines

    def of_module(self, node: tree.Module) -> list[lsp.DocumentSymbol]:
        detail = "environment" if node.environment else ""
        symbol = self.symbol(node, node.name, lsp.SymbolKind.Module, detail)
        symbol.children = self.of_declarations(node.declarations)
        return [symbol]

    def of_declarations(self, declarations: list[tree.Decl]) -> list[lsp.DocumentSymbol]:
        found: list[lsp.DocumentSymbol] = []
        for node in declarations:
            if isinstance(node, tree.Section):
                found += self.of_declarations(list(node.declarations))
            else:
                found += self.of_declaration(node)
        return found

    def of_declaration(self, node: tree.Decl) -> list[lsp.DocumentSymbol]:
        match node:
            case tree.ConstDecl():
                return [self.symbol(node, node.name, lsp.SymbolKind.Constant, source_text(node.value))]
            case tree.TypeDecl():
                symbol = self.symbol(node, node.name, kind_of_type(node.type), source_text(node.type))
                symbol.children = self.of_type(node.type)
                return [symbol]
            case tree.VarDecl():
                detail = source_text(node.type)
                return [self.symbol(node, n, lsp.SymbolKind.Variable, detail) for n in node.names]
            case tree.PortDecl():
                detail = source_text(node.type)
                return [self.symbol(node, n, lsp.SymbolKind.Interface, detail) for n in node.names]
            case tree.ProcessDecl():
                detail = (
                    heading(node)
                    .removeprefix("PROCESS")
                    .removeprefix("PROCEDURE")
                    .strip()
                    .removeprefix(node.name.text)
                    .lstrip("* ")
                )
                symbol = self.symbol(node, node.name, lsp.SymbolKind.Function, detail)
                symbol.children = self.of_declarations(node.declarations)
                return [symbol]
            case tree.PropertyDecl():
                detail = "" if node.formula is None else source_text(node.formula)
                return [self.symbol(node, node.name, lsp.SymbolKind.Property, detail)]
        return []

    def of_type(self, node: tree.TypeNode) -> list[lsp.DocumentSymbol]:
        match node:
            case tree.RecordType():
                return [
                    self.symbol(group, n, lsp.SymbolKind.Field, source_text(group.type))
                    for group in node.groups
                    for n in group.names
                ]
            case tree.EnumType():
                return [self.symbol(n, n, lsp.SymbolKind.EnumMember) for n in node.names]
            case tree.ChannelType():
                return [self.symbol(m, m.name, lsp.SymbolKind.Event) for m in node.messages]
        return []

    def symbol(
        self, node: tree.Node, name: tree.Name | tree.IdentDef, kind: lsp.SymbolKind, detail: str = ""
    ) -> lsp.DocumentSymbol:
        """The name lies in the range, whatever the tree of a wrong text says."""
        start, end = min(node.span.start, name.span.start), max(node.span.end, name.span.end)
        detail = one_line(detail)
        return lsp.DocumentSymbol(
            name=name.text or "?",
            kind=kind,
            range=self.lines.range(start, end),
            selection_range=self.lines.range(name.span.start, name.span.end),
            detail=(detail if len(detail) <= LONGEST_DETAIL else detail[: LONGEST_DETAIL - 3] + "...") or None,
        )


def kind_of_type(node: tree.TypeNode) -> lsp.SymbolKind:
    match node:
        case tree.RecordType():
            return lsp.SymbolKind.Struct
        case tree.EnumType():
            return lsp.SymbolKind.Enum
        case tree.ChannelType():
            return lsp.SymbolKind.Interface
    return lsp.SymbolKind.Class
