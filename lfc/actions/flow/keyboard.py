"""The console of a program whose environment has EnvConsole: a read of it receives from the port `typed` of that
module.

So who types is a process like any other, and a read that nobody answers waits. Nothing else of the program changes; the
port is set once, so that a waiting process keeps no more than at the console: the program's part of the block stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lfc.base.library_folder import LIBRARY
from lfc.semantics.model import typed
from lfc.semantics.model.types import ChannelType

MODULE, PORT = "EnvConsole", "typed"


def keyboard_of(environment: Iterable[typed.Module]) -> typed.Variable | None:
    for m in environment:
        if m.name == MODULE and LIBRARY in Path(m.source.path).parents:
            return next((v for v in m.variables if v.name == PORT), None)
    return None


def read_of_key(s: typed.ConsoleRead, keyboard: typed.Variable) -> typed.KeyRead:
    assert isinstance(keyboard.type, ChannelType)
    (byte,) = keyboard.type.messages
    port = typed.VariableRef(s.span, keyboard.type, keyboard)
    return typed.KeyRead(s.span, port, byte, [typed.Target(s.target, None, None)])
