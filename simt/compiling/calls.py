"""Compilers of calls: intrinsics, types, built-ins, NumPy functions, methods and device functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling import builtin_calls
from simt.compiling.branch_types import unified_with
from simt.compiling.counting import counted_call
from simt.compiling.inner_functions import InnerFunction
from simt.compiling.methods import call_method
from simt.compiling.operands.refused_forms import held_to_form, held_to_form_in_place, no_members, one_number
from simt.compiling.refused import not_callable, wrong_arguments
from simt.compiling.signatures import converting
from simt.errors import DeadlockError, KernelError, UnsupportedError
from simt.lanes.masks import Env, Frame
from simt.memory.access import load, store
from simt.memory.arrays import Array
from simt.memory.shared_local import CALL_CHECKS, is_constant
from simt.memory.slices import element_indices
from simt.numerics import mathematics
from simt.refusals import language, names, numbers, types
from simt.source.host_objects import HostObject
from simt.source.libraries import library_of
from simt.source.overloads import implementation_of, method_of, methods_named
from simt.source.recognise import LIBRARIES, NUMBER_NAMES, CudaName, dtype_of, is_from, is_numba_type, python_function
from simt.threads.names import INTRINSICS
from simt.values import UNDEFINED, member_as_number
from simt.values.numba_rules import F16, cast
from simt.values.unasked import held
from simt.values.vectors import make_vector, vector_type

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Mask
    from simt.source.sites import Place
    from simt.values import Value

CALLS: dict[Any, Callable] = {**mathematics.CALLS, **builtin_calls.CALLS}
NUMBERS_OF_NUMPY = frozenset(np.dtype(char).type for char in "?bhilqBHILQefdFD")
NO_MEMBERS = ("selp", "fma")  # of numba.cuda's, what takes no member of an IntEnum
MAX_CALL_DEPTH = 60
NOT_DEVICE_FUNCTIONS = ("numpy", "numba.cuda.libdevice", "numba.cuda.stubs", "numba_cuda_mlir.cuda.libdevice")


def compile_call(compiler: Compiler, node: ast.Call, result_used: bool = True, target: str = ""):
    """A call; what is called is resolved now when it is a global."""
    arguments, values = _compile_arguments(compiler, node)
    function = compiler.static(node.func)
    place = compiler.place(node, result_used=result_used, target=target)
    if function is UNDEFINED:
        return _compile_dynamic(compiler, node, arguments, place)
    if (refusal := wrong_arguments(node, function)) is not None:
        raise compiler.unsupported(node, refusal)
    check = CALL_CHECKS.get(function.path) if isinstance(function, CudaName) else None
    if check is not None:
        check(compiler, node, place)
    call = _resolve(compiler, function, place, _literal_arguments(compiler, node))
    if call is None:
        raise compiler.unsupported(node, not_callable(compiler, node, function))

    def run_plain(env: Env, mask: Mask):
        return call(env, mask, *[value(env, mask) for value in values])

    def run(env: Env, mask: Mask):
        positional, keywords = arguments(env, mask)
        return call(env, mask, *positional, **keywords)

    return counted_call(compiler, node, function, run if values is None else run_plain)


def _compile_arguments(compiler: Compiler, node: ast.Call) -> tuple[Run, list[Run] | None]:
    """f(env, mask) -> (list, dict) of evaluated arguments, starred tuples spread out; and where all are plain, those of
    each, else None."""
    if any(keyword.arg is None for keyword in node.keywords):
        raise compiler.unsupported(node, "numba has no ** in calls: name the arguments")
    keywords = [(keyword.arg, compiler.expression(keyword.value)) for keyword in node.keywords]
    starred = [isinstance(argument, ast.Starred) for argument in node.args]
    values = [compiler.expression(a.value if isinstance(a, ast.Starred) else a) for a in node.args]
    if not any(starred):

        def evaluate(env: Env, mask: Mask):
            return [value(env, mask) for value in values], {name: value(env, mask) for name, value in keywords}

        return evaluate, None if keywords else values

    def evaluate_starred(env: Env, mask: Mask):
        positional: list[Value] = []
        for value, spread in zip(values, starred, strict=True):
            result = value(env, mask)
            positional.extend(result if spread else [result])
        return positional, {name: value(env, mask) for name, value in keywords}

    return evaluate_starred, None


def _compile_dynamic(compiler: Compiler, node: ast.Call, arguments, place: Place) -> Run:
    """A method of a value, or a function held by a local variable."""
    if isinstance(node.func, ast.Attribute):
        receiver, name = compiler.expression(node.func.value), node.func.attr
        methods = methods_named(name)

        def run_method(env: Env, mask: Mask):
            if methods:
                values = (receiver(env, mask), *arguments(env, mask)[0])
                if (taught := method_of(methods, values[0], values[1:])) is not None:
                    return call_device(env, mask, compiler.compile(taught), values, {})
            return call_method(env, mask, receiver(env, mask), name, arguments(env, mask)[0], place)

        return run_method
    callee = compiler.expression(node.func)

    def run(env: Env, mask: Mask):
        function = callee(env, mask)
        if isinstance(function, InnerFunction):
            positional, keywords = arguments(env, mask)
            return call_device(env, mask, function.compiled, positional, keywords, captured=function.captured)
        call = _resolve(compiler, function, place)
        if call is None:
            raise UnsupportedError(types.not_callable(place.site.text))
        positional, keywords = arguments(env, mask)
        return call(env, mask, *positional, **keywords)

    return run


def taught_attribute(compiler: Compiler, name: str) -> Callable | None:
    """f(env, mask, owner) of an attribute that a program taught numba, None for an owner without; None for others."""
    if not (choices := methods_named(name)):
        return None

    def read(env: Env, mask: Mask, owner: Value):
        taught = method_of(choices, owner, ())
        return None if taught is None else call_device(env, mask, compiler.compile(taught), (owner,), {})

    return read


def _literal_arguments(compiler: Compiler, node: ast.Call) -> tuple:
    """Per positional argument True for a literal, the name of a parameter that is passed on, or False."""
    return tuple(
        argument.id
        if isinstance(argument, ast.Name) and argument.id in compiler.locals
        else is_constant(compiler, argument)
        for argument in node.args
    )


def _resolve(compiler: Compiler, function, place: Place, literals=()):
    """f(env, mask, *arguments, **keywords) of a host object, or None when it is nothing a kernel can call."""
    if isinstance(function, CudaName):
        return _resolve_cuda(function.path, place)
    if isinstance(function, HostObject):
        return None
    meaning = getattr(function, "simt_meaning", None)  # an intrinsic that somebody else made, who says what it does
    if meaning is not None:
        return lambda env, mask, *values, **keywords: meaning(env, mask, place, *values, **keywords)
    name = getattr(function, "name", None) or getattr(function, "__name__", None)
    if type(function).__name__ == "ExternFunction":
        raise UnsupportedError(language.linked_code(name))
    vector = vector_type(name)
    if vector is not None:
        return lambda env, mask, *values: make_vector(*vector, values)
    placed = _known(builtin_calls.PLACED_CALLS, function)
    if placed is not None:
        return held_to_form_in_place(function, placed, place)
    known = _known(CALLS, function)
    if known is not None:
        return held_to_form(function, known, place)
    if (isinstance(function, type) and function in NUMBERS_OF_NUMPY) or is_numba_type(function):
        return _conversion(dtype_of(function), place)
    if isinstance(function, np.ufunc) and function in mathematics.UFUNCS_ON_A_GPU:
        return _array_expression(function, place)
    if isinstance(function, type) and issubclass(function, tuple) and hasattr(function, "_fields"):
        return lambda env, mask, *values, **named: function(*values, **named)
    device_function = python_function(function)
    if device_function is not None and not is_from(device_function, NOT_DEVICE_FUNCTIONS):
        plain = device_function is function and not is_from(function, LIBRARIES)
        inlined = (held(function, "targetoptions") or {}).get("inline") == "always"
        call = _device_call(compiler, device_function, place, literals, plain, inlined)
        return converting(call, getattr(function, "simt_signature", None), device_function.__name__)
    return None


def _known(calls: dict, function):
    try:
        return calls.get(function)
    except TypeError:  # what has no hash is no function of the list
        return None


def _resolve_cuda(path: str, place: Place):
    intrinsic = INTRINSICS.get(path)
    if intrinsic is not None and path in NO_MEMBERS:
        return lambda env, mask, *values, **keywords: intrinsic(
            env, mask, place, *no_members(values, place), **keywords
        )
    if intrinsic is not None:
        return lambda env, mask, *values, **keywords: intrinsic(
            env, mask, place, *map(member_as_number, values), **keywords
        )
    last = path.rsplit(".", 1)[-1]
    vector = vector_type(last)
    if vector is not None:
        return lambda env, mask, *values: make_vector(*vector, values)
    if last in NUMBER_NAMES:
        return _conversion(np.dtype(NUMBER_NAMES[last]), place)
    return None


def _conversion(dtype: np.dtype, place: Place):
    """A type called as a function: float32(x)."""
    return lambda env, mask, value: cast(one_number(value, dtype, place), dtype)


def _array_expression(ufunc: np.ufunc, place: Place) -> Run:
    """A NumPy function of scalars; of arrays, element by element into the last argument."""

    def run(env: Env, mask: Mask, *values):
        no_members(values, place)
        if any(getattr(value, "dtype", None) == F16 for value in values):
            raise UnsupportedError(numbers.half_for_numpy(place.site.text))
        if len(values) == ufunc.nin and not any(isinstance(value, Array) for value in values):
            return mathematics.apply_ufunc(ufunc, list(values))
        if len(values) != ufunc.nin + 1 or not isinstance(values[-1], Array):
            text = place.site.text
            raise UnsupportedError(types.allocates(text) if len(values) == ufunc.nin else types.miscounted(text))
        out = values[-1]
        for index in element_indices(out):
            env.batch.meter.count(1, env)
            env.batch.check_deadline()
            items = [load(env, mask, v, index, place) if isinstance(v, Array) else v for v in values[: ufunc.nin]]
            store(env, mask, out, index, mathematics.apply_ufunc(ufunc, items), place)
        return out

    return run


def _device_call(compiler: Compiler, function, place: Place, literals: tuple, plain: bool, inlined: bool) -> Run:
    """plain: no decorator compiles it for the GPU, so a kernel that one does compile needs an overload of it; inlined:
    numba copies its body into the caller."""
    given_literals = True in literals

    def run(env: Env, mask: Mask, *values, **keywords):
        called = function
        if plain and env.batch.options.jitted:
            if (taught := implementation_of(function, values, keywords, literals)) is None:
                raise UnsupportedError(names.plain_function(function.__name__, library_of(function, compiler.function)))
            called = taught
        callee = compiler.compile(called)
        known: frozenset[str] = frozenset()
        if given_literals or env.frame.literals:
            known = frozenset(
                name
                for name, literal in zip(callee.parameters, literals, strict=False)
                if literal is True or literal in env.frame.literals
            )
        emit = env.batch.emit
        if emit is None:
            return callee.returned(call_device(env, mask, callee, values, keywords, known), inlined)
        emit.batch.calls.append(place.site)
        try:
            return callee.returned(call_device(env, mask, callee, values, keywords, known), inlined)
        except KernelError as error:
            error.calls.insert(0, (place.site.function, place.site.line))
            raise
        finally:
            emit.batch.calls.pop()

    return run


def call_device(env: Env, mask: Mask, callee, values, keywords, literals=frozenset(), captured=None):
    """Run a device function for the active lanes, in an environment of its own but of the caller's width.

    literals: parameters that were given literals; captured: variables an inner function brings along.
    """
    if env.frame.depth >= MAX_CALL_DEPTH:
        raise DeadlockError(
            f"`{callee.name}` calls itself more than {MAX_CALL_DEPTH} times over, and a thread's stack is small.",
            remedy="See that every path of it ends in a return without a call, or write it as a loop.",
        )
    frame = Frame(env.frame.depth + 1, literals)
    inner = Env(env.width, env.batch, frame, caller=env)
    inner.alive = mask.count
    inner.variables.update(captured or ())
    inner.variables.update(callee.bind(values, keywords))
    callee.body(inner, mask)
    result = frame.returned
    for find in callee.returns:
        result = unified_with(result, find(inner))
    return result
