"""Names a kernel cannot use: undefined, misspelt, or belonging to the host."""

from __future__ import annotations

import importlib
from typing import Any

from autograder.lint.rule import Answer, Context, rule
from simt.refusals import names


@rule(r"NameError: name '(\w+)' is not defined|global name '(\w+)' is not defined")
def undefined_name(context: Context) -> Answer:
    function = context.function
    known = {*function.__code__.co_varnames, *function.__globals__} - {function.__name__}
    return names.undefined(context.match[1] or context.match[2], sorted(known))


def _is_learners(name: str, context: Context) -> bool:
    """Whether the learner wrote the name. Others are in numba's own version of a NumPy function, which njit loads."""
    code = context.function.__code__
    return name in (*code.co_names, *code.co_freevars, *context.function.__globals__)


@rule(r"Untyped global name '(\w+)':?[^\n]*<class 'function'>")
def missing_device(context: Context) -> Answer:
    name = context.match[1]
    value = context.function.__globals__.get(name)
    if not _is_learners(name, context):
        return None
    if (getattr(value, "__module__", "") or "").startswith(("numpy", "math", "random")):
        return names.host_function(name)
    return names.plain_function(name)


@rule(r"Untyped global name '(\w+)':?[^\n]*<class '([^']+)'>")
def host_object(context: Context) -> Answer:
    name, kind = context.match.groups()
    if not _is_learners(name, context):
        return None
    if kind in ("builtin_function_or_method", "type"):
        return names.host_builtin(name)
    return names.host_value(name, kind.rpartition(".")[2])


@rule(r"= (?:global|freevar)\((\w+): [\[{]|Untyped global name '(\w+)': Cannot type empty (?:list|set)")
def host_list(context: Context) -> Answer:
    return names.host_list(context.match[1] or context.match[2])


@rule(r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'")
def module_attribute(context: Context) -> Answer:
    name, module = context.match[1] or context.match[4], context.match[2] or context.match[3]
    owner, written = importlib.import_module(module), f"{module.removeprefix('numba.')}.{name}"
    if not hasattr(owner, name):
        return names.misspelt(name, written, dir(owner))
    return names.host_of_cuda(written) if module == "numba.cuda" else names.of_another_module(written)


@rule(r"type object '(\w+)' has no attribute '(\w+)'")
def cuda_attribute(context: Context) -> Answer:
    from numba import cuda

    space, name = context.match.groups()
    owner: Any = getattr(cuda, space, None)
    return names.misspelt(name, f"cuda.{space}.{name}", dir(owner)) if owner is not None else None


RULES = (undefined_name, missing_device, host_object, host_list, module_attribute, cuda_attribute)
