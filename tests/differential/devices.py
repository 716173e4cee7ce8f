"""Device functions: typed parameters, several returns, and calls of the functions written before."""

from __future__ import annotations

from .expr import Function, kind_of
from .statements import Place, block, indented


def device_functions(w) -> list[str]:
    """Up to two functions for the expressions that follow."""
    if not w.has("devices"):
        return []
    lines = []
    for _ in range(w.choices.between(1, 2)):
        lines += [*device_function(w), ""]
    return lines


def device_function(w) -> list[str]:
    """One function; it joins the scope."""
    kinds = [kind for kind in w.types if kind_of(kind) in "iufb" and kind != "float16"]
    parameters = tuple(w.choices.pick(kinds) for _ in range(w.choices.between(1, 3)))
    result = w.choices.pick([kind for kind in kinds if kind != "bool"])
    name, names = w.fresh("f"), [w.fresh("p") for _ in parameters]
    with w.inside():
        for parameter, kind in zip(names, parameters, strict=True):
            w.variable(parameter, kind)
        body = [f"r{name} = int64({w.of_type('int64', 1).text})"]
        w.variable(f"r{name}", "int64")
        place = Place(2, returns=lambda: f"return {w.of_type(result, 1).text}", in_kernel=False)
        for _ in range(w.choices.between(0, 2)):
            body += block(w, place, 2)
        body.append(f"return {w.of_type(result).text}")
    w.scope.functions = (*w.scope.functions, Function(name, parameters, result))
    return ["@cuda.jit(device=True)", f"def {name}({', '.join(names)}):", *indented(body)]
