"""Fingerprints of rules: the same in every process and Python version, blind to comments.

A function is described by its syntax (docstrings and annotations taken out) together with a description of everything
it refers to: the cells it closes over, the globals it names, what it reads off modules and, through those, the helpers
they call. Other things are described by their values. The description is then hashed.

Nothing is left out in silence: what has no value that could be written down, such as an open file, is refused.
"""

import builtins
import copyreg
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

from zermelo.errors import Indescribable
from zermelo.members import WRAPPERS, is_native, of_class, of_module, of_object
from zermelo.references import installed_version, is_library, package_of, references
from zermelo.source import function_text

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, range, type(Ellipsis), type(NotImplemented))


def fingerprint(thing: object) -> str:
    """16 hexadecimal digits that name ``thing``: a function, or a nest of constants and functions.

    Raises
    ------
    Indescribable
        As `describe`.
    """
    return hashlib.sha256(describe(thing).encode()).hexdigest()[:16]


def describe(thing: object) -> str:
    """Everything about ``thing`` that a fingerprint covers, as text.

    Raises
    ------
    Indescribable
        Something that it depends on has no value that could be written down; the message says what and where.
    """
    return Description().whole(thing)


class Description:
    """One walk through an object and all that it depends on."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, Any]] = {}
        """Functions, classes and objects met before, by identity: their number, and themselves, lest they go."""
        self._records: list[type] = []
        """Classes of the named tuples met."""
        self._path: list[str] = []
        self._home = ""
        """The package of the function under description."""

    def whole(self, thing: object) -> str:
        """The whole text; the classes of tuples come at the end, unless a function named them before."""
        try:
            text = self.of(thing)
            while self._records:
                kind = self._records.pop(0)
                text += f"|{self.of(kind)}" if id(kind) not in self._seen else ""
        except RecursionError:
            raise Indescribable(f"{self._place()} is nested too deeply to be described") from None
        return text

    def of(self, thing: Any) -> str:
        """The text of anything at all; functions, classes and objects met before are named by their number."""
        kind = type(thing)
        if kind in _PLAIN:
            return f"{kind.__name__}:{thing!r}"
        if isinstance(thing, dict | MappingProxyType) and kind in (dict, MappingProxyType):
            return self._of_dict(thing)
        if kind in (set, frozenset):
            return "set(" + ",".join(sorted(self._apart(item) for item in thing)) + ")"
        if kind in (tuple, list) or (isinstance(thing, tuple) and hasattr(kind, "_fields")):
            if kind not in (tuple, list):
                self._records.append(kind)
            return f"{kind.__name__}({self._listed(thing)})"
        name = getattr(thing, "__name__", "")
        if isinstance(name, str) and getattr(builtins, name, None) is thing:
            return f"name:{name}"
        if isinstance(thing, ModuleType) and is_library(name):
            return f"name:{name}"
        if id(thing) in self._seen:
            return f"again:{self._seen[id(thing)][0]}"
        self._seen[id(thing)] = len(self._seen), thing
        return self.object_text(thing)

    def object_text(self, thing: object) -> str:
        """The text of an object that was not met before and is not a plain value."""
        package = package_of(thing)
        if self._home not in ("", package) and isinstance(thing, FunctionType | type | ModuleType):
            version = installed_version(package)
            if version:
                return f"package:{package} {version}:{getattr(thing, '__qualname__', thing.__name__)}"
        if isinstance(thing, FunctionType):
            return self.function_text(thing)
        if isinstance(thing, type):
            return self._of_class(thing)
        if isinstance(thing, ModuleType):
            return f"module({self._members(of_module(vars(thing)))})"
        if type(thing) in WRAPPERS:
            return self._parts(type(thing).__name__, (getattr(thing, name) for name in WRAPPERS[type(thing)]))
        if isinstance(thing, Enum):
            return f"{self.of(type(thing))}.{thing.name}"
        return self._of_numpy(thing) or self._of_wrapper(thing) or self._of_instance(thing)

    def code_text(self, code: CodeType) -> str:
        """What a function's own code says."""
        return function_text(code)

    def function_text(self, function: FunctionType) -> str:
        """The text of a function with all that it refers to; a function of a library is described by its name."""
        home = str(function.__globals__.get("__name__", ""))
        if is_library(home):
            parts = [f"name:{home}.{function.__qualname__}"]
            cells = function.__closure__ or ()
            parts += [self.of(cell.cell_contents) for cell in cells]
        else:
            parts = [self.code_text(function.__code__)]
        if function.__defaults__ or function.__kwdefaults__:
            parts.append(self.of((function.__defaults__, function.__kwdefaults__)))
        if not is_library(home):
            with self._within(function.__qualname__), self._at_home(home.partition(".")[0]):
                for name, value in sorted(references(function), key=lambda reference: reference[0]):
                    with self._within(name):
                        parts.append(f"{name}={self.of(value)}")
            attributes = {name: value for name, value in vars(function).items() if name != "__wrapped__"}
            parts += [self.of(attributes)] if attributes else []
        return "function(" + ";".join(parts) + ")"

    def _of_dict(self, thing: Mapping[Any, Any]) -> str:
        """A dict sorted by keys; their own order follows if it differs, since rules may iterate over a dict."""
        keys = {self._apart(key): value for key, value in thing.items()}
        text = ",".join(f"{key}={self.of(keys[key])}" for key in sorted(keys))
        order = "" if list(keys) == sorted(keys) else f";order({','.join(keys)})"
        return "{" + text + order + "}"

    def _of_class(self, kind: type) -> str:
        """A class: its name and fields, and also its bases and what it defines, if it has more than fields."""
        if is_library(kind.__module__):
            return f"name:{kind.__module__}.{kind.__qualname__}"
        text = f"class:{kind.__name__}({','.join(getattr(kind, '_fields', ()))})"
        with self._within(kind.__qualname__):
            bases = [base for base in kind.__bases__ if base not in (object, tuple)]
            bases += [type(kind)] if not is_library(type(kind).__module__) else []
            own = of_class(kind)
            if bases or own:
                text += f"[{self._listed(bases)};{self._members(own)}]"
        return text

    def _of_numpy(self, thing: object) -> str:
        """An array, a scalar or a type of NumPy; if there is one, NumPy has been imported."""
        numpy = sys.modules.get("numpy")
        if numpy is None or not isinstance(thing, numpy.ndarray | numpy.generic | numpy.dtype):
            return ""
        if isinstance(thing, numpy.dtype):
            return f"dtype:{thing.descr if thing.names else thing.str}"
        if not isinstance(thing, numpy.generic) and type(thing) is not numpy.ndarray:
            return ""
        shape = f"{type(thing).__name__}:{self.of(thing.dtype)}:{thing.shape}"
        if thing.dtype.hasobject:
            return f"{shape}:{self.of(thing.tolist())}"
        return f"{shape}:{hashlib.sha256(thing.tobytes()).hexdigest()}"

    def _of_wrapper(self, thing: object) -> str:
        """A function that a library has wrapped, to compile it or to cache results: the function and the options."""
        inner = getattr(thing, "py_func", None) or getattr(thing, "__wrapped__", None)
        if not is_library(type(thing).__module__) or inner is None:
            return ""
        return self._parts(type(thing).__name__, (getattr(thing, "targetoptions", None), inner))

    def _of_instance(self, thing: Any) -> str:
        """Any other object: the parts of which a copy would be made."""
        kind = type(thing)
        if kind.__name__ == "builtin_function_or_method" and isinstance(thing.__self__, ModuleType):
            return f"{kind.__qualname__}:{thing.__name__}"
        if kind.__module__.startswith("numba.") and hasattr(thing, "mangling_args"):
            return f"type:{thing}"
        if kind.__module__.startswith("numpy") and hasattr(thing, "nin"):
            return f"ufunc:{thing.__name__}"
        if not is_library(kind.__module__):
            return self._parts("object", (kind, *of_object(thing), self._copied(thing) if is_native(kind) else None))
        return self._parts("object", (self._copied(thing),))

    def _copied(self, thing: object) -> Any:
        """The parts from which `copy` and `pickle` would make a copy."""
        kind = type(thing)
        try:
            copied = copyreg.dispatch_table[kind](thing) if kind in copyreg.dispatch_table else thing.__reduce_ex__(4)
        except Exception:
            raise Indescribable(f"{self._place()} is a {kind.__name__}, whose value cannot be written down") from None
        if isinstance(copied, str):
            return copied
        return [list(part) if isinstance(part, Iterator) else part for part in copied]

    def _members(self, namespace: dict[str, Any]) -> str:
        """Names and the objects that they stand for."""
        parts = []
        for name in sorted(namespace):
            with self._within(name):
                parts.append(f"{name}={self.of(namespace[name])}")
        return ",".join(parts)

    def _parts(self, name: str, parts: Iterable[Any]) -> str:
        return f"{name}({self._listed(parts)})"

    def _listed(self, parts: Iterable[Any]) -> str:
        return ",".join(map(self.of, parts))

    def _apart(self, thing: object) -> str:
        """The text of a key or of an item of a set, which must not depend on the order in which objects are met."""
        return type(self)().whole(thing)

    @contextmanager
    def _within(self, name: str) -> Iterator[None]:
        self._path.append(name)
        yield
        self._path.pop()

    @contextmanager
    def _at_home(self, package: str) -> Iterator[None]:
        before, self._home = self._home, package
        yield
        self._home = before

    def _place(self) -> str:
        return " of ".join(self._path[:-3:-1]) or "What is to be described"
