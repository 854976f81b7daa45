"""Dataclasses that are cheap to import: `__init__` is compiled when the first object is made.

`dataclasses.dataclass` compiles all methods when the module is imported, and makes a docstring by way of `inspect`: for
the two hundred classes of programs, machines and requests that was a third of a small check, which makes few objects of
few of them. A frozen class has methods that are common to all.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, slots=False, frozen=False, eq=True, repr=True):
        def made(cls):
            if not cls.__doc__:
                cls.__doc__ = cls.__name__
            own = frozen and repr and eq  # only of these, whose objects are few
            if frozen and not own:
                return dataclasses.dataclass(slots=slots, frozen=True, eq=eq, repr=repr)(cls)
            cls = dataclasses.dataclass(init=False, slots=slots, eq=eq and not own, repr=repr and not own)(cls)
            if own:
                add_methods(cls)
            cls.__init__ = first_init(cls)
            return cls

        return made if cls is None else made(cls)


def first_init(cls: Any) -> Any:
    def __init__(self: object, *given: object, **named: object) -> None:
        cls.__init__ = compiled_init(cls)
        cls.__init__(self, *given, **named)

    return __init__


def compiled_init(cls: Any) -> Any:
    """What `dataclass` makes of these fields: parameters in their order, then `__post_init__`."""
    parameters, body = ["self"], []
    names: dict[str, object] = {"_made_here": object(), "_store": object.__setattr__}
    for f in dataclasses.fields(cls):
        assert not f.kw_only, "for fields by position"
        names[f"_default_{f.name}"], names[f"_factory_{f.name}"] = f.default, f.default_factory
        made = f.default_factory is not dataclasses.MISSING
        given = f.default is not dataclasses.MISSING
        if f.init:
            parameters.append(f.name + ("=_made_here" if made else f"=_default_{f.name}" if given else ""))
            value = f"_factory_{f.name}() if {f.name} is _made_here else {f.name}" if made else f.name
            body.append(stored(cls, f.name, value))
        elif made or given:
            body.append(stored(cls, f.name, f"_factory_{f.name}()" if made else f"_default_{f.name}"))
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + ("\n".join(body) or " pass"), names)
    found: Any = names["__init__"]
    found.__qualname__ = f"{cls.__qualname__}.__init__"
    return found


def stored(cls: Any, name: str, value: str) -> str:
    return f" _store(self, {name!r}, {value})" if cls.__setattr__ is refuse_change else f" self.{name} = {value}"


# --- methods of frozen classes -------------------------------------------------------------------------------------


def add_methods(cls: Any) -> None:
    cls.__setattr__, cls.__delattr__ = refuse_change, refuse_change
    cls.__getstate__, cls.__setstate__ = values, take_values
    for name, method in (("__eq__", equal), ("__hash__", hashed), ("__repr__", shown)):
        if name not in cls.__dict__ or name == "__hash__" and cls.__dict__[name] is None:
            setattr(cls, name, method)


def values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__dataclass_fields__)


def take_values(self: Any, state: tuple[Any, ...]) -> None:
    for name, value in zip(self.__dataclass_fields__, state, strict=True):
        object.__setattr__(self, name, value)


def refuse_change(self: object, name: str, value: object = None) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def equal(self: Any, other: Any) -> Any:
    return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented


def hashed(self: Any) -> int:
    return hash(values(self))


def shown(self: Any) -> str:
    fields = (f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{self.__class__.__qualname__}({', '.join(fields)})"
