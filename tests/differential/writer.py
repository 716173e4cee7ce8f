"""The state of a program being written: decisions, names in scope, and which features it may use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from . import limits
from .choices import Choices
from .expr import COMPLEX, FLOATS, SIGNED, UNSIGNED, ArrayName, Expr, Function

OPTIONAL = (
    "floats", "unsigned", "small", "devices", "shared", "warp", "atomics", "local", "tuples", "tables", "views",
    "matrices", "drift", "early", "whiles", "complex", "halves", "bits",
)  # fmt: skip
NOT_PORTABLE = ("unsigned", "small", "warp", "drift", "complex", "halves", "bits")


@dataclass
class Scope:
    """Names an expression may use. variables can be assigned; constants cannot; both map a name to its type."""

    variables: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    drifting: tuple[str, ...] = ()
    arrays: tuple[ArrayName, ...] = ()
    functions: tuple[Function, ...] = ()

    def names(self) -> dict[str, str]:
        return {**self.constants, **self.variables}


class Writer:
    """Writes expressions of wanted kinds; statements and phases are written with its help.

    portable: only what means the same in CPython with NumPy scalars, so that numba's simulator is an oracle: int64,
    float64 and bool, no warp operations.
    """

    def __init__(self, choices: Choices, portable: bool = False):
        self.choices, self.portable = choices, portable
        wanted = {name for name in OPTIONAL if choices.chance(45)}
        self.features = frozenset(wanted - set(NOT_PORTABLE)) if portable else frozenset(wanted)
        self.scope = Scope()
        self.types_of_names: dict[str, str] = {}
        self.bits_of_names: dict[str, int] = {}
        self._counters: dict[str, int] = {}

    def has(self, feature: str) -> bool:
        return feature in self.features

    @property
    def integer_types(self) -> tuple[str, ...]:
        types = ["int64"]
        if not self.portable:
            types += ["int32"]
        if self.has("small"):
            types += SIGNED[2:]
        if self.has("unsigned"):
            types += UNSIGNED
        return tuple(types)

    @property
    def types(self) -> tuple[str, ...]:
        """Types that variables and arrays may have."""
        types = [*self.integer_types, "bool"]
        if self.has("floats"):
            types += FLOATS[:1] if self.portable else FLOATS
        if self.has("complex"):
            types += COMPLEX
        if self.has("halves"):
            types += ["float16"]
        return tuple(types)

    def fresh(self, prefix: str) -> str:
        """A name not used before."""
        self._counters[prefix] = self._counters.get(prefix, 0) + 1
        return f"{prefix}{self._counters[prefix]}"

    def variable(self, name: str, kind: str) -> None:
        """A name that statements may assign; see `limits` for what an int64 may become."""
        self.scope.variables[name] = self.types_of_names[name] = kind
        self.bits_of_names[name] = limits.VARIABLE if kind == "int64" else 64

    def constant(self, name: str, kind: str, bits: int = 64) -> None:
        """A name that keeps its value, which fits so many bits."""
        self.scope.constants[name] = self.types_of_names[name] = kind
        self.bits_of_names[name] = bits

    @contextlib.contextmanager
    def inside(self, **changes) -> Iterator[None]:
        """A scope of its own: names added in it are unknown after it."""
        outer = self.scope
        self.scope = replace(outer, variables=dict(outer.variables), constants=dict(outer.constants), **changes)
        try:
            yield
        finally:
            self.scope = outer

    def integer(self, depth: int = 2) -> Expr:
        from .integers import integer

        return integer(self, depth)

    def floating(self, depth: int = 2) -> Expr:
        from .floats import floating

        return floating(self, depth)

    def half(self, depth: int = 2) -> Expr:
        from .halves import half

        return half(self, depth)

    def complex_number(self, depth: int = 2) -> Expr:
        from .complexes import complex_number

        return complex_number(self, depth)

    def condition(self, depth: int = 2) -> Expr:
        from .conditions import condition

        return condition(self, depth)

    def of_type(self, type_name: str, depth: int = 2) -> Expr:
        """An expression of exactly this type that may be stored anywhere: never one a compiler may fuse."""
        from .conversions import of_type

        return of_type(self, type_name, depth)
