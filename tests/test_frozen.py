"""Classes that share the methods of frozen dataclasses."""

from __future__ import annotations

import copy
import importlib
import pickle
import pkgutil
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest

import ruleengine
from ruleengine.frozen import frozen


@frozen
class Base:
    """Two fields, one with a default."""

    start: int
    words: tuple[str, ...] = ()


@frozen
class More(Base):
    """A further field, made anew each time."""

    found: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.found)


@dataclass(frozen=True, slots=True)
class Plain:
    """What `dataclasses` makes of the same."""

    start: int
    words: tuple[str, ...] = ()


def test_it_is_what_dataclasses_make() -> None:
    for one, other in ((Base(1), Plain(1)), (Base(2, ("a",)), Plain(2, ("a",)))):
        assert repr(one).removeprefix("Base") == repr(other).removeprefix("Plain")
        assert hash(one) == hash(other)
        assert [f.name for f in fields(one)] == [f.name for f in fields(other)]
        assert not hasattr(one, "__dict__")
    assert Base.__match_args__ == Plain.__match_args__


def test_values_by_place_and_by_name() -> None:
    assert More(1, ("a",), {"b": 2}) == More(start=1, found={"b": 2}, words=("a",))
    assert More(1, words=("a",)) == More(1, ("a",), {})
    assert More(1).found is not More(1).found
    assert (bool(More(1)), bool(More(1, found={"a": 1}))) == (False, True)


def test_equal_only_to_its_own_kind() -> None:
    assert Base(1) == Base(1)
    assert Base(1) != Base(2)
    assert Base(1) != More(1)
    other: object = Plain(1)
    assert Base(1) != other


@pytest.mark.parametrize(
    ("values", "named"),
    [((), {}), ((1, (), {}, 4), {}), ((1,), {"start": 2}), ((1,), {"end": 2}), ((), {"words": ()})],
)
def test_a_wrong_call(values: tuple[object, ...], named: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="More"):
        More(*values, **named)  # type: ignore[arg-type]


def test_nothing_can_be_changed() -> None:
    one = Base(1)
    with pytest.raises(FrozenInstanceError):
        one.start = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.start
    with pytest.raises(FrozenInstanceError):
        one.other = 2  # type: ignore[attr-defined]
    assert replace(one, start=2) == Base(2)
    assert one == Base(1)


def test_copies() -> None:
    one = More(1, ("a",), {"b": 2})
    assert pickle.loads(pickle.dumps(one)) == one
    again = copy.deepcopy(one)
    assert again == one
    assert again.found is not one.found


def test_no_class_of_the_engine_asks_for_more_than_that() -> None:
    found = 0
    for module in pkgutil.walk_packages(ruleengine.__path__, "ruleengine."):
        if module.name.endswith("__main__"):
            continue
        for kind in vars(importlib.import_module(module.name)).values():
            if not isinstance(kind, type) or "_setters" not in kind.__dict__:
                continue
            found += 1
            assert not hasattr(kind, "__post_init__"), kind
            assert all(f.init and f.compare and f.repr and not f.kw_only for f in fields(kind)), (
                kind
            )
    assert found > 90
