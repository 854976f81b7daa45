"""Line tables: which IR comes from which LF source line. Off while nobody asked. May import: emit, scope, unit."""

from __future__ import annotations

from lfc.actions.model import Body
from lfc.codegen.emit import Function
from lfc.codegen.scope import Scope
from lfc.codegen.unit import Unit
from lfc.source import Span


def enter_function(unit: Unit, f: Function, body: Body) -> None:
    """Attaches a subprogram, if line tables are wanted."""


def locate(s: Scope, span: Span) -> None:
    """What is emitted from here on comes from `span`."""


def module_metadata(unit: Unit) -> list[str]:
    return []
