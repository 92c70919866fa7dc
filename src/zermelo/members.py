"""What is in a class, an object or a module, without what Python itself puts there."""

from enum import Enum
from functools import cached_property
from types import FunctionType, MethodType
from typing import Any, Final

from zermelo.references import is_library

WRAPPERS: Final[dict[type, tuple[str, ...]]] = {
    MethodType: ("__func__", "__self__"),
    property: ("fget", "fset", "fdel"),
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    cached_property: ("func",),
}
"""The types that wrap a function, and their attributes that hold it."""
_OF_CLASSES: Final = frozenset({
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__",
    "__class_getitem__", "__classcell__", "__conditional_annotations__", "__dataclass_params__", "__dict__", "__doc__",
    "__firstlineno__", "__match_args__", "__module__", "__orig_bases__", "__parameters__", "__qualname__", "__slots__",
    "__slotnames__",
    "__static_attributes__", "__type_params__", "__weakref__", "_abc_impl", "_field_defaults", "_fields"
})  # fmt: skip
"""The names that Python itself puts into a class, or that its description has elsewhere."""
_OF_MODULES: Final = {"__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__name__", "__package__",
                   "__spec__", "__path__", "__annotations__"}  # fmt: skip

_CONTAINERS: Final[tuple[Any, ...]] = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset)


def is_native(kind: type) -> bool:
    """Whether objects of a class may hold more than attributes, because a base is a library's class such as `deque`."""
    bases = {base for base in kind.__mro__ if is_library(base.__module__)} - {object, *_CONTAINERS}
    return any("__dict__" not in vars(base) and vars(base).get("__slots__") != () for base in bases)


def of_module(namespace: dict[str, Any]) -> dict[str, Any]:
    """The names that the author of a module defines in it."""
    return {name: value for name, value in namespace.items() if name not in _OF_MODULES}


def of_class(kind: type) -> dict[str, Any]:
    """The names that the author of a class defines; members of an enumeration and fields of a dataclass by value."""
    own = vars(kind).items()
    if issubclass(kind, Enum):
        members = {name: member.value for name, member in kind.__members__.items()}
        return members | {name: value for name, value in own if _is_users(value)}
    found = {name: value for name, value in own if not _is_made(kind, name, value)}
    if "__dataclass_fields__" in found:
        fields = found["__dataclass_fields__"].values()
        found["__dataclass_fields__"] = [(one.name, one.default, one.default_factory, one.compare) for one in fields]
        options = kind.__dict__["__dataclass_params__"]
        found["__dataclass_params__"] = (options.eq, options.order, options.frozen, options.unsafe_hash)
    return found | getattr(kind, "_field_defaults", {})


def of_object(thing: object) -> tuple[dict[str, Any], Any]:
    """The attributes of an object, also those in slots; and its items, if it is one of Python's containers."""
    kind = type(thing)
    slots = {name: getattr(thing, name) for name in sorted(_slots(kind)) if hasattr(thing, name)}
    own = getattr(thing, "__dict__", {}).items()
    # A cached property is in there once it was asked for.
    found = slots | {name: value for name, value in own if not isinstance(getattr(kind, name, None), cached_property)}
    return found, next((base(thing) for base in _CONTAINERS if isinstance(thing, base)), None)


def _is_users(value: object) -> bool:
    """Whether something in an enumeration was written by its author, and not by the library."""
    inner = [getattr(value, name) for name in WRAPPERS.get(type(value), ())] or [value]
    return any(isinstance(one, FunctionType) and not is_library(_home(one)) for one in inner)


def _is_made(kind: type, name: str, value: object) -> bool:
    """Whether something in a class was made by Python: slots' descriptors, the methods of tuples and dataclasses."""
    if name in _OF_CLASSES or type(value).__name__ in ("member_descriptor", "getset_descriptor", "_tuplegetter"):
        return True
    if name == "__hash__" and value is None:
        return True
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    if not isinstance(value, FunctionType):
        return False
    if hasattr(kind, "_fields") and (_home(value) == "collections" or _home(value).startswith("namedtuple_")):
        return True
    made = value.__code__.co_filename == "<string>" and hasattr(kind, "__dataclass_fields__")
    return not value.__closure__ and (made or is_library(_home(value)))


def _home(function: FunctionType) -> str:
    return str(function.__globals__.get("__name__", ""))


def _slots(kind: type) -> set[str]:
    """The names of all slots of a class and its bases."""
    names: set[str] = set()
    for one in kind.__mro__:
        slots = vars(one).get("__slots__", ())
        names |= {slots} if isinstance(slots, str) else set(slots)
    return names - {"__dict__", "__weakref__"}
