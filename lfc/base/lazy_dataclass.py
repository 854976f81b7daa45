"""Dataclasses whose `__init__` is compiled when the first object is made.

`dataclasses.dataclass` compiles it when the module is imported, and makes a docstring by way of `inspect`: for the
hundred classes of programs and machines that is a fifth of a small check, which makes few objects of few of them.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        def made(cls):
            if not cls.__doc__:
                cls.__doc__ = cls.__name__
            if options.get("frozen"):
                return dataclasses.dataclass(**options)(cls)
            return lazily(dataclasses.dataclass(**options, init=False)(cls))

        return made if cls is None else made(cls)


def lazily(cls: Any) -> Any:
    def __init__(self: object, *given: object, **named: object) -> None:
        cls.__init__ = compiled_init(cls)
        cls.__init__(self, *given, **named)

    cls.__init__ = __init__
    return cls


def compiled_init(cls: Any) -> Any:
    """What `dataclass` makes of these fields: parameters in their order, then `__post_init__`."""
    parameters, body = ["self"], []
    names: dict[str, object] = {"made_here": object()}
    for f in dataclasses.fields(cls):
        assert not f.kw_only, "for fields by position"
        names[f"default_{f.name}"], names[f"factory_{f.name}"] = f.default, f.default_factory
        made = f.default_factory is not dataclasses.MISSING
        given = f.default is not dataclasses.MISSING
        if f.init:
            default = "=made_here" if made else f"=default_{f.name}" if given else ""
            parameters.append(f.name + default)
            value = f"factory_{f.name}() if {f.name} is made_here else {f.name}" if made else f.name
            body.append(f" self.{f.name} = {value}")
        elif made or given:
            body.append(f" self.{f.name} = " + (f"factory_{f.name}()" if made else f"default_{f.name}"))
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    text = f"def __init__({', '.join(parameters)}):\n" + ("\n".join(body) or " pass")
    exec(text, names)
    found: Any = names["__init__"]
    found.__qualname__ = f"{cls.__qualname__}.__init__"
    return found
