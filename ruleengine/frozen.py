"""What is handed out cannot be changed: a frozen mapping, and frozen classes.

`dataclasses` writes and compiles six methods for every frozen class, half a millisecond each; the
hundred small classes that trees are made of would cost a command a sixth of its time. A class made
by `frozen` shares methods that are written once, and is a dataclass in all else: `fields`,
`replace` and `is_dataclass` know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields
from functools import cache, partial
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A dict that refuses every change with a `TypeError`; it can be copied and pickled."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a loaded ruleset cannot be changed; load it again with other options")

    __setitem__ = __delitem__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse
    __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Make a class frozen. It takes fields with or without defaults, and nothing else of what
    dataclasses can do: no `__post_init__`, no keyword-only and no hidden fields."""
    made: Any = dataclass(init=False, eq=False, repr=False, slots=True)(cls)
    made._setters = tuple(getattr(made, name).__set__ for name in made.__match_args__)
    for method in _METHODS:
        if method.__name__ not in cls.__dict__:
            setattr(made, method.__name__, method)
    frozen_class: type[T] = made
    return frozen_class


def _arranged(cls: type, values: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """The values of all fields in order. Raises `TypeError` for a wrong call."""
    names: tuple[str, ...] = cls.__match_args__  # type: ignore[attr-defined]
    if len(values) > len(names) or not named.keys() <= set(names[len(values) :]):
        raise TypeError(f"{cls.__name__} takes {', '.join(names)}, each once")
    given = list(values)
    makers = _makers(cls)
    for name in names[len(values) :]:
        if name in named:
            given.append(named[name])
        elif name in makers:
            given.append(makers[name]())
        else:
            raise TypeError(f"{cls.__name__} needs a value for {name}")
    return given


@cache
def _makers(cls: Any) -> dict[str, Callable[[], Any]]:
    """What makes the value of each field that has a default."""
    found: dict[str, Callable[[], Any]] = {}
    for field in fields(cls):
        if field.default is not MISSING:
            found[field.name] = partial(_same, field.default)
        elif field.default_factory is not MISSING:
            found[field.name] = field.default_factory
    return found


def _same(value: T) -> T:
    return value


def _values(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__match_args__])


def __init__(self: Any, *values: Any, **named: Any) -> None:
    setters = self._setters
    given: Sequence[Any] = values
    if named or len(values) != len(setters):
        given = _arranged(type(self), values, named)
    for set_one, one in zip(setters, given, strict=True):
        set_one(self, one)


def __setattr__(self: Any, name: str, _: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def __delattr__(self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def __eq__(self: Any, other: Any) -> bool:
    if other is self:
        return True
    if other.__class__ is not self.__class__:
        return NotImplemented
    for name in self.__match_args__:
        one, another = getattr(self, name), getattr(other, name)
        if one is not another and one != another:
            return False
    return True


def __hash__(self: Any) -> int:
    return hash(_values(self))


def __repr__(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def __reduce__(self: Any) -> tuple[type, tuple[Any, ...]]:
    return type(self), _values(self)


_METHODS = (__init__, __setattr__, __delattr__, __eq__, __hash__, __repr__, __reduce__)
