"""A function while it is translated: its names, scopes, and lines of Python, each with the C++ line that it says."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from autograder.drills.cpp.kinds_of_number import BITS, Value
from autograder.drills.cpp.parsing import CppError, line_of, mistaken, refused, text_of

RESERVED = {
    *keyword.kwlist, *keyword.softkwlist, *BITS, "float32", "float64", "boolean", "cuda", "math", "np", "libdevice",
    "abs", "min", "max", "round", "range", "len", "print", "bool", "int", "float", "c_quotient", "c_remainder", "sum",
}  # fmt: skip
INDENT = "    "
LEFT_OUT = "is left out of the C++ that is interpreted here"
EXPRESSIONS: dict[str, Callable[[Body, Any], Value]] = {}  # a node's type -> what reads it; each module adds its own
STATEMENTS: dict[str, Callable[[Body, Any], None]] = {}


@dataclass(frozen=True)
class Variable:
    """What a name of C++ stands for. name: in Python; kind: of the number, or of what it points to or holds.

    form: "number", "pointer" or "array"; shape: of an array, () for one shared number; at: the variable that holds a
    pointer's offset, "" where it stays at the beginning; known: a constant's value.
    """

    name: str
    kind: str
    form: str = "number"
    shape: tuple[int, ...] = ()
    at: str = ""
    const: bool = False
    known: int | None = None
    text: str = ""  # what stands for it in Python, of a constant outside of functions
    of: str = ""  # the record that its numbers are parts of, in memory
    rows: tuple[int, ...] = ()  # of a pointer, the shape of what it points to


@dataclass(frozen=True)
class DeviceFunction:
    """A device function. parameters: kind and form of each; returns: a kind or a record, "" for void.

    changes: parameters that are references and are set inside, which it gives back behind what it returns.
    """

    name: str
    parameters: tuple[Variable, ...]
    returns: str
    changes: tuple[str, ...] = ()


@dataclass
class Body:
    """The state of a translation. lines: Python; places: the C++ line of each."""

    functions: dict[str, DeviceFunction]
    returns: str = ""  # the kind of number, or the record, that the function gives back
    moved: frozenset[str] = frozenset()  # names that are set anywhere in the function
    lines: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    scopes: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    taken: dict[str, tuple] = field(default_factory=dict)  # Python name -> what it is
    depth: int = 1
    line: int = 1  # of C++, of the statement under way
    outside: bool = False  # of all functions
    may_hoist: bool = True  # False where a part of an expression runs under a condition
    after: list[list] = field(default_factory=list)  # what `continue` does before it goes on, by loop
    records: dict[str, Any] = field(default_factory=dict)  # structures of the answer, by name
    shared_bytes: int | None = None  # that the launch gives, where the answer names it
    templates: dict[str, Any] = field(default_factory=dict)  # of device functions, by name
    constants: dict[str, str] = field(default_factory=dict)  # arrays outside of functions -> the line that reads them
    lambdas: dict[str, Any] = field(default_factory=dict)
    changes: tuple[str, ...] = ()  # references that it gives back besides
    narrow: set[str] = field(default_factory=set)  # arrays in registers, or of which nobody knows where they are
    hosts: set[str] = field(default_factory=set)  # functions of the host, which no kernel may call
    build: Callable[[str], None] | None = None  # what makes a function of an instance's text

    def emit(self, text: str) -> None:
        self.lines.append(INDENT * self.depth + text)
        self.places.append(self.line)

    def value(self, node) -> Value:
        """The value of an expression. Raises: CppError for what is left out, by name."""
        if node.type not in EXPRESSIONS:
            raise refused(node, f"`{text_of(node)[:60]}` {LEFT_OUT}")
        return EXPRESSIONS[node.type](self, node)

    def run(self, node) -> None:
        """One statement. Raises: CppError for what is left out, by name."""
        if node.type not in STATEMENTS:
            raise refused(node, f"`{text_of(node)[:60]}` {LEFT_OUT}")
        self.line = line_of(node)
        STATEMENTS[node.type](self, node)

    def declare(self, node, name: str, kind: str, **more) -> Variable:
        """A new name in this scope. One that another scope had for something else gets a number."""
        if name in self.scopes[-1]:
            raise mistaken(node, f"`{name}` is declared twice")
        what = (kind, more.get("form", "number"), more.get("shape", ()))
        plain = name.replace(".", "_")
        free = f"{plain}_" if plain in RESERVED or plain in self.functions else plain
        visible = {found.name for scope in self.scopes for found in scope.values()}
        number = 2
        python = free
        while python in visible or self.taken.get(python, what) != what:
            python, number = f"{free}_{number}", number + 1
        self.taken[python] = what
        found = Variable(python, kind, **more)
        self.scopes[-1][name] = found
        return found

    def known(self, name: str) -> Variable | None:
        """What a name stands for here; None where nothing declared it."""
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def find(self, node, name: str) -> Variable:
        """What a name stands for here. Raises: CppError where nothing declared it."""
        found = self.known(name)
        if found is None:
            raise mistaken(node, f"`{name}` is not declared")
        return found

    def kept(self, node, value: Value) -> Value:
        """The value in a variable of its own, set before the statement under way."""
        if not self.may_hoist:
            raise refused(node, "an assignment inside a condition, `?:`, `&&` or `||` is left out: write it before")
        return Value(self.kept_value(value.code), value.kind)

    def kept_index(self, text: str) -> str:
        """A part of an index, worked out once where it reads memory."""
        if not any(sign in text for sign in ("[", "cuda.atomic", "_sync(")):
            return text
        return self.kept_value(text)

    def kept_value(self, text: str) -> str:
        """A variable that is set to a value before the statement under way."""
        name = self.name_for_a_value()
        self.emit(f"{name} = {text}")
        return name

    def kept_several(self, text: str, count: int) -> list[str]:
        """Variables that are set to the parts of a tuple before the statement under way."""
        names = [self.name_for_a_value() for _ in range(count)]
        self.emit(f"{', '.join(names)} = {text}")
        return names

    def insert(self, place: int, text: str) -> None:
        """A line before those from `place` on."""
        self.lines.insert(place, INDENT * self.depth + text)
        self.places.insert(place, self.line)

    def name_for_a_value(self) -> str:
        """A name that nothing has yet."""
        number = 1
        while f"kept_{number}" in self.taken:
            number += 1
        self.taken[f"kept_{number}"] = ("", "kept", ())
        return f"kept_{number}"

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Names declared inside end with it."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    @contextmanager
    def block(self) -> Iterator[None]:
        """Lines inside stand deeper; a block without a line says pass."""
        self.depth += 1
        before = len(self.lines)
        try:
            yield
            if len(self.lines) == before:
                self.emit("pass")
        finally:
            self.depth -= 1

    @contextmanager
    def conditional(self) -> Iterator[None]:
        """What is inside may not run, so nothing of it may be done beforehand."""
        allowed, self.may_hoist = self.may_hoist, False
        try:
            yield
        finally:
            self.may_hoist = allowed


__all__ = ["Body", "CppError", "DeviceFunction", "Variable"]
