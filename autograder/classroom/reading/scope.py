"""Which names a piece of a program brings into view, as far as reading its imports and assignments tells."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.classroom.reading import allowed, constant_arrays, constants
from autograder.words import count_text

MAX_READ = 500_000  # elements of constants, each time that one is used in another
MAX_TABLE_BYTES = 4 << 20  # of all constant tables that one program may hold; a GPU's constant memory is 64 KiB


SHORTER = "Write it shorter: what repeats goes into a loop or a device function."


class NotAllowed(Exception):
    """The text holds something the judge does not take from a submission. `line` is 1-based, 0 when unknown; `mend`
    says what to do, where that is not to take out what does not belong there.
    """

    def __init__(self, what: str, line: int = 0, mend: str = ""):
        super().__init__(what)
        self.line, self.mend = line, mend


@dataclass
class Scope:
    """Names at module level.

    modules: imported names as what they are, {"np": "numpy", "cuda": "numba.cuda", "sqrt": "math.sqrt"};
    functions: functions, and trusted values of any other kind; values: constants by name; opaque: what the unit imports
    for itself, which no kernel may use.
    """

    modules: dict[str, str] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    values: dict[str, Any] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)
    table_bytes: int = 0  # of all tables bound so far, those that were bound again included
    read: list[int] = field(default_factory=lambda: [0])  # elements of constants that others are made of, in all copies

    @classmethod
    def of_trusted(cls, sources: Iterable[str]) -> Scope:
        """What the unit's own setup cells define. They are trusted, so whatever is not understood is merely opaque."""
        scope = cls()
        for source in sources:
            for node in ast.parse(source).body:
                scope._add_trusted(node)
        return scope

    def copy(self) -> Scope:
        names = dict(self.modules), set(self.functions), dict(self.values), set(self.opaque)
        return Scope(*names, self.table_bytes, self.read)

    def add_import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Bind what an import statement binds. Raises NotAllowed for a module or name off the list."""
        for name, target in import_names(node).items():
            self._forget(name)
            self.modules[name] = target

    def add_assignment(self, target: ast.expr, value: ast.expr) -> None:
        """Bind ``NAME = constant`` or ``A, B = constants``. Raises constants.NotConstant for anything else."""
        if isinstance(target, ast.Name):
            return self._add_constant(target.id, value)
        names = [part.id for part in getattr(target, "elts", ()) if isinstance(part, ast.Name)]
        values = constants.evaluate(value, self.known())
        if not isinstance(target, ast.Tuple) or len(names) != len(target.elts) or not isinstance(values, tuple | list):
            raise constants.NotConstant("only names can be given constants")
        if len(values) != len(names):
            raise constants.NotConstant(f"{count_text(len(values), 'value')} for {count_text(len(names), 'name')}")
        for name, item in zip(names, values, strict=True):
            self._bind(name, item)

    def _bind(self, name: str, value: Any) -> None:
        """Keep a constant, as long as all tables of the program together stay small."""
        if isinstance(value, np.ndarray):
            self.table_bytes += value.nbytes
            if self.table_bytes > MAX_TABLE_BYTES:
                raise constants.NotConstant("all tables together would be too large")
        self._forget(name)
        self.values[name] = value

    def _add_constant(self, name: str, value: ast.expr) -> None:
        if (
            isinstance(value, ast.Name | ast.Attribute)
            and (target := self.resolve(constants.dotted(value)))
            and known_member(target)
        ):
            self._forget(name)
            self.modules[name] = target
            return
        self._bind(name, constants.evaluate(value, self.known()))

    def add_function(self, name: str) -> None:
        self._forget(name)
        self.functions.add(name)

    def resolve(self, name: str) -> str:
        """The full name behind a dotted one: "np.float32" -> "numpy.float32"; "" when its root is no import."""
        first, _, rest = name.partition(".")
        base = self.modules.get(first, "")
        return f"{base}.{rest}" if base and rest else base

    def known(self) -> constants.Known:
        """What `constants.evaluate` may look up: constants, casts and functions, by name."""
        return self._value_of

    def _value_of(self, name: str) -> Any:
        """What a dotted name stands for in a constant expression. Raises KeyError where it stands for none of these."""
        if name in self.values:
            self._spend(self.values[name])
            return self.values[name]
        first = name.partition(".")[0]
        target = self.resolve(name)
        if not target:
            if name in constants.FUNCTIONS and first not in self.functions and first not in self.opaque:
                return constants.FUNCTIONS[name]  # Python's own, unless the cell or the unit gave the name away
            raise KeyError(name)
        module, _, last = target.rpartition(".")
        if module in ("numba", "numpy", "numba.types") and last in allowed.TYPES and _cast(last):
            return _cast(last)
        if module in ("math", "numpy") and last in constants.MATHEMATICS:
            return constants.MATHEMATICS[last]
        if module == "numpy" and last in constant_arrays.MAKERS and self.table_bytes <= MAX_TABLE_BYTES:
            self._spend_elements(constant_arrays.LARGEST // 16)
            return constant_arrays.MAKERS[last]
        raise KeyError(name)

    def _spend(self, value: Any) -> None:
        """Count a value that a constant is made of: lists of lists grow tenfold with each line."""
        self._spend_elements(constant_arrays.elements_in(value, MAX_READ - self.read[0]))

    def _spend_elements(self, n: int) -> None:
        self.read[0] += n
        if self.read[0] > MAX_READ:
            raise constants.NotConstant("all constants together take too much work")

    def _add_trusted(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom) and len(node.names) > 1:
            for one in single_imports(node):  # what a unit needs for itself is no reason to take the rest away
                self._add_trusted(one)
            return
        try:
            if isinstance(node, ast.Import | ast.ImportFrom):
                return self.add_import(node)
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                return self.add_assignment(node.targets[0], node.value)
        except (NotAllowed, constants.NotConstant):
            pass
        if isinstance(node, ast.FunctionDef):
            return self.add_function(node.name)
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        for name in bound_names(node):
            self._forget(name)
            (self.opaque if is_import else self.functions).add(name)

    def _forget(self, name: str) -> None:
        for kind in (self.modules, self.values):
            kind.pop(name, None)
        for kind in (self.functions, self.opaque):
            kind.discard(name)


def single_imports(node: ast.Import | ast.ImportFrom) -> list[ast.Import | ast.ImportFrom]:
    """An import as imports of one name each, in their order."""
    parts: list[ast.Import | ast.ImportFrom] = []
    for alias in node.names:
        one = ast.Import([alias]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [alias], node.level)
        parts.append(ast.copy_location(one, node))
    return parts


def import_names(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """What one import statement binds. Raises NotAllowed for any module or name off the list."""
    names = {}
    for alias in node.names:
        if isinstance(node, ast.Import):
            if alias.name not in allowed.MODULES:
                raise NotAllowed(f"`import {alias.name}`", node.lineno)
            top = alias.name.partition(".")[0]  # `import numba.cuda` binds numba
            names[alias.asname or top] = alias.name if alias.asname else top
        elif node.level or alias.name not in allowed.MODULES.get(node.module or "", ()):
            raise NotAllowed(f"`from {'.' * node.level}{node.module or ''} import {alias.name}`", node.lineno)
        else:
            names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def known_member(target: str) -> bool:
    """Whether a full name such as ``numba.cuda.shared.array`` is one that a kernel may use."""
    if any(part.startswith("_") for part in target.split(".")):
        return False
    if target in allowed.MODULES:
        return True
    module = next((name for name in MODULES_LONGEST_FIRST if target.startswith(f"{name}.")), "")
    first, *rest = target[len(module) + 1 :].split(".")
    if not module or first not in allowed.MODULES[module] or first == "jit":
        return False
    if module == "numba.cuda" and rest and first in allowed.CUDA_PARTS:
        if rest[0] not in allowed.CUDA_PARTS[first]:
            return False
        rest = rest[1:]
    return all(part in allowed.VALUES for part in rest)


MODULES_LONGEST_FIRST = sorted(allowed.MODULES, key=len, reverse=True)


def bound_names(node: ast.stmt) -> set[str]:
    """Names that a module-level statement may bind, looking into blocks but not into functions."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    names = {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store | ast.Del)
    }
    for part in ast.walk(node):
        if part is not node and isinstance(part, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            names |= bound_names(part)
    return names


def _cast(name: str) -> type | None:
    """NumPy's scalar type of a type's name; None for `void` and the like."""
    kind = getattr(np, "bool_" if name == "boolean" else name, None)
    return kind if isinstance(kind, type) and issubclass(kind, np.generic) and name != "void" else None
