"""What a function becomes when it is compiled, and where that is kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import TYPE_CHECKING, Any

from simt.compiling.branch_types import types_returned
from simt.compiling.counting import Told
from simt.compiling.schedule.spinning import locks_blocks
from simt.errors import KernelTypeError, UnsupportedError
from simt.memory.arrays import Array
from simt.refusals import Refusal, language
from simt.source.recognise import LIBRARIES, CudaName, is_device_array, is_from, python_function
from simt.source.trees import returned_array_at
from simt.values import wrap

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.values import Value

KEPT_AS = "__simt_closures__"  # attribute of a function: itself, and what is made of it once (`Kept`)


class CompiledFunction:
    """A kernel or device function as a closure.

    function: the Python function; parameters: names in order; variadic: the name after ``*``, or None;
    defaults: values of the last parameters; node: its syntax; body: closure of its statements;
    returns: types of what it returns, if in several places; returned_array_at: the line of a return that can be of no
    array, or 0;
    syncs_grid: whether it, or a function it calls, names cg.this_grid; locks_blocks: see `spinning`;
    device_arrays: id -> (name, array) of the global device arrays that they name.
    """

    def __init__(self, compiler: Compiler, defaults: tuple = ()):
        self.function, self.name, self.node = compiler.function, compiler.name, compiler.source.node
        self.parameters, self.defaults = compiler.parameters, defaults
        self.variadic = self.node.args.vararg.arg if self.node.args.vararg else None
        self.body = compiler.body()
        self.returned_array_at = returned_array_at(self.node)
        self.returns = () if isinstance(self.node, ast.Lambda) else types_returned(compiler, self.node.body)
        reached = list(compiler.reached(set()))
        self.syncs_grid = any(isinstance(value, CudaName) and value.path == "cg.this_grid" for _, value in reached)
        self.locks_blocks = locks_blocks(compiler)
        self.device_arrays = {id(value): (name, value) for name, value in reached if is_device_array(value)}

    def returned(self, result: Value, inlined: bool) -> Value:
        """What a call gives. Raises: UnsupportedError for an array that numba lets no call return. inlined: numba
        copies the body to where it is called, and then there is no such call."""
        if type(result) is Array and self.returned_array_at and not inlined:
            raise UnsupportedError(language.returned_array(self.name), self.name, self.returned_array_at)
        return result

    def bind(self, positional: list, keywords: dict) -> dict:
        """Values by parameter name. Raises KernelTypeError where the count does not fit, as numba does."""
        required = len(self.parameters)
        if len(positional) == required and not keywords and self.variadic is None:
            return dict(zip(self.parameters, positional, strict=True))
        given, takes = list(positional), f"it takes ({', '.join(self.parameters)})"

        def refused(says: str) -> KernelTypeError:
            return KernelTypeError(Refusal("wrong_count", f"{says}: {takes}.", "Pass one value for each parameter."))

        for name in keywords:
            if name not in self.parameters[len(given) :]:
                raise refused(f"`{self.name}` takes no {name} here")
        if len(given) > required and self.variadic is None:
            count = f"{required} argument{'' if required == 1 else 's'}"
            raise refused(f"`{self.name}` takes {count}, but {len(given)} were given")
        for position in range(len(given), required):
            name = self.parameters[position]
            from_end = position - required
            if name in keywords:
                given.append(keywords[name])
            elif -from_end <= len(self.defaults):
                given.append(wrap(self.defaults[from_end]))
            else:
                raise refused(f"`{self.name}` needs a value for {name}")
        variables = dict(zip(self.parameters, given, strict=False))
        if self.variadic is not None:
            variables[self.variadic] = tuple(given[required:])
        return variables


@dataclass(frozen=True)
class Kept:
    """What is made of a function once, by how much a launch tells. beside: what others found out about it, by name."""

    compilers: dict[Told, Compiler] = field(default_factory=dict)
    closures: dict[Told, CompiledFunction] = field(default_factory=dict)
    beside: dict[str, Any] = field(default_factory=dict)


def kept_of(function) -> Kept:
    """What a function keeps, and takes with it when it goes. What `functools.wraps` copied belongs to another one."""
    owner, kept = vars(function).get(KEPT_AS) or (None, None)
    if owner is not function:
        kept = Kept()
        setattr(function, KEPT_AS, (function, kept))
    return kept


def forget(function, seen: set | None = None) -> None:
    """Compile a function, and those that it calls, anew at the next launch: names may mean something else by now.

    numba keeps what a kernel was compiled with; whoever judges what stands in cells must not.
    """
    seen, plain = seen if seen is not None else set(), python_function(function)
    if plain is None or plain in seen or is_from(plain, LIBRARIES):
        return
    seen.add(plain)
    vars(plain).pop(KEPT_AS, None)
    for name in _names_of(plain.__code__):
        value = plain.__globals__.get(name)
        if value is not None and not isinstance(value, CudaName):
            forget(value, seen)


def _names_of(code: CodeType) -> Iterator[str]:
    """What a code object, or one inside it, reads of the module."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_of(constant)
