"""Messages and fields that a type does not have: gathered and reported as unknown names are, once for each name."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.model import types as ty
from lfc.semantics.names.unknown_names import MOST_COMPARED, closest

Member = ty.Message | ty.RecordField


@dataclass(slots=True)
class UnknownMembers:
    diagnostics: Diagnostics
    found: dict[tuple[ty.ChannelType | ty.RecordType, str], list[Span]] = field(default_factory=dict)
    seen: set[Member] = field(default_factory=set)

    def add(self, t: ty.ChannelType | ty.RecordType, name: str, span: Span) -> None:
        self.found.setdefault((t, name), []).append(span)

    def report(self, source: Source) -> None:
        """`source`: the module; only what it declares can be blamed."""
        for count, ((t, name), spans) in enumerate(self.found.items()):
            code, kind = ("LF0602", "message") if isinstance(t, ty.ChannelType) else ("LF0410", "field")
            if count >= MOST_COMPARED:
                self.diagnostics.report(code, spans[0], f"{t} has no {kind} `{name}`")
                continue
            members: list[Member] = [*(t.messages if isinstance(t, ty.ChannelType) else t.fields)]
            idle = [m for m in members if m not in self.seen and m.span is not None and m.span.source is source]
            suspect = closest(name, [m.name for m in idle])
            blamed = next((m for m in idle if m.name == suspect), None)
            if blamed is not None and blamed.span is not None and len(spans) > 1:
                self.seen.add(blamed)
                self.diagnostics.report(
                    code,
                    blamed.span,
                    f"{kind} `{blamed.name}` of {t} is never used, but `{name}` is, {len(spans)} times",
                    Note(f"`{name}` is used here", spans[0]),
                    fix=Fix(blamed.span, name, f"call it `{name}`"),
                )
                continue
            best = suspect or closest(name, [m.name for m in members])
            hint = f"; did you mean `{best}`?" if best else ""
            fix = Fix(spans[0], best, f"did you mean `{best}`?") if best else None
            where = next((m.span for m in members if m.name == best and m.span is not None), None)
            notes = [Note(f"`{best}` is declared here", where)] if where is not None else []
            self.diagnostics.report(code, spans[0], f"{t} has no {kind} `{name}`{hint}", *notes, fix=fix)
