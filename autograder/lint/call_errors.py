"""Calls a kernel cannot make: atomics on one cell, launches, NumPy on whole arrays, wrong arguments."""

from __future__ import annotations

import ast

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import dotted_name
from simt.refusals import calls, names, numbers, types

_ATOMIC = (
    r"not enough values to unpack|too many values to unpack|has no attribute 'dtype'|atomic|positional argument|ndim"
)


@rule(_ATOMIC)
def atomic_form(context: Context) -> Answer:
    atomics = [call for call in context.expressions(ast.Call) if ".atomic." in dotted_name(call.func)]
    if not atomics:
        return None
    call, name = atomics[0], dotted_name(atomics[0].func)
    if len(call.args) == (4 if name.endswith(".cas") else 3) and not isinstance(call.args[0], ast.Subscript):
        return calls.atomic_types(name)
    return calls.atomic_form(name, call)


@rule(r"Cannot cast (Uni)?Tuple\(.* to int64")
def tuple_index(context: Context) -> Answer:
    atomics = [call for call in context.expressions(ast.Call) if ".atomic." in dotted_name(call.func)]
    single = [call for call in atomics if len(call.args) > 1 and isinstance(call.args[1], ast.Tuple)]
    return calls.atomic_index(dotted_name(single[0].func), single[0]) if single else None


@rule(r"^<ufunc '(\w+)'>")
def numpy_operator(context: Context) -> Answer:
    name = context.match[1] if context.match else ""
    found = [call for call in context.expressions(ast.Call) if dotted_name(call.func).endswith(f".{name}")]
    if found:
        return calls.numpy_operator(found[0])
    tree = context.tree.body if context.tree else ()
    lines = (part for statement in tree for part in ast.walk(statement) if isinstance(part, ast.AugAssign))
    updated = next((part for part in lines if part.lineno == context.line and isinstance(part.target, ast.Name)), None)
    return types.misfit(ast.unparse(updated.target), "array", ast.unparse(updated), "number") if updated else None


@rule(r"unsupported type for input operand: float16")
def numpy_of_a_half(context: Context) -> Answer:
    written = [call for call in context.expressions(ast.Call) if dotted_name(call.func).startswith(("np.", "numpy."))]
    return numbers.half_for_numpy(ast.unparse(written[0])) if written else None


@rule(r"getitem\(type\(CUDADispatcher")
def nested_launch(context: Context) -> Answer:
    return calls.nested_launch()


@rule(r"Function\(<function (\w+) at 0x|unsupported NumPy function 'numpy\.(\w+)'")
def numpy_function(context: Context) -> Answer:
    name = context.match[1] or context.match[2]
    written = [dotted_name(call.func) for call in context.expressions(ast.Call)]
    called = next((call for call in written if call.endswith(name)), name)
    return calls.numpy_call(called) if called.startswith(("np.", "numpy.")) else None


@rule(rf">>> ({'|'.join(calls.BARRIERS_THAT_COUNT + calls.VOTES)})\((?:[^\n]*, )?(\w+)\)")
def condition_type(context: Context) -> Answer:
    name, dtype = context.match.groups()
    written = [call for call in context.expressions(ast.Call) if dotted_name(call.func).endswith(name) and call.args]
    return calls.condition_type(written[0], dtype) if written else None


@rule(r"maximum recursion depth exceeded")
def numpy_that_njit_knows(context: Context) -> Answer:
    """Once njit has loaded what numba has for CPUs, some functions of NumPy send type inference round in circles."""
    written = [dotted_name(call.func) for call in context.expressions(ast.Call)]
    called = next((call for call in written if call.startswith(("np.", "numpy."))), "")
    return names.of_another_module(f"numpy.{called.partition('.')[2]}") if called else None


@rule(r"^(?:\w+\.)?(\w+)\(\) (missing|takes|got) [^\n]*")
def wrong_call(context: Context) -> Answer:
    name = context.match[1]
    written = [ast.unparse(call) for call in context.expressions(ast.Call) if dotted_name(call.func).endswith(name)]
    return calls.wrong_arguments(written[0] if written else f"{name}(...)", name, context.match[0])


RULES = (
    tuple_index,
    numpy_operator,
    numpy_of_a_half,
    atomic_form,
    nested_launch,
    numpy_function,
    condition_type,
    numpy_that_njit_knows,
    wrong_call,
)
