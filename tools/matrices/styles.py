"""Other ways to write an answer: each gives the same result at the same cost, so each must pass as the answer does.

Every function takes the syntax of a cell and the name of the function asked for, and returns new syntax, or None where
it does not apply. Nothing is written for an exercise: a new one has these styles as soon as it has a solution.
"""

from __future__ import annotations

import ast
import copy

from tools.matrices.syntax import Positions, changed, expression, function_in, meets


def grid_spelled_out(tree: ast.Module, name: str) -> ast.Module | None:
    """cuda.grid and cuda.gridsize as what they stand for."""
    return changed(tree, Positions("cuda.blockIdx.{}", "cuda.threadIdx.{}", sizes=True))


def early_return(tree: ast.Module, name: str) -> ast.Module | None:
    """The guard around the end of a kernel as a return before it."""
    new = copy.deepcopy(tree)
    body = function_in(new, name).body
    last = body[-1]
    if not isinstance(last, ast.If) or last.orelse or meets(last):
        return None
    leave = ast.If(ast.UnaryOp(ast.Not(), last.test), [ast.Return()], [])
    function_in(new, name).body = [*body[:-1], leave, *last.body]
    return new


def while_loops(tree: ast.Module, name: str) -> ast.Module | None:
    """Loops over ranges as loops with a counter."""
    return changed(tree, _Whiles())


def in_a_helper(tree: ast.Module, name: str) -> ast.Module | None:
    """The body of a kernel as a device function, which the kernel calls."""
    new = copy.deepcopy(tree)
    kernel = function_in(new, name)
    if not kernel.decorator_list:
        return None
    helper = copy.deepcopy(kernel)
    helper.name, helper.decorator_list = f"{name}_body", [expression("cuda.jit(device=True)")]
    arguments = ", ".join(argument.arg for argument in kernel.args.args)
    kernel.body = ast.parse(f"{helper.name}({arguments})").body
    new.body.insert(new.body.index(kernel), helper)
    return new


def from_a_factory(tree: ast.Module, name: str) -> ast.Module | None:
    """The function made by another one, around which it closes."""
    new = copy.deepcopy(tree)
    made = function_in(new, name)
    factory = ast.parse(f"def made_{name}():\n    return {name}\n\n{name} = made_{name}()").body
    factory[0].body.insert(0, made)  # type: ignore[attr-defined]
    at = new.body.index(made)
    new.body[at : at + 1] = factory
    return new


def other_names(tree: ast.Module, name: str) -> ast.Module | None:
    """Parameters and variables under other names."""
    new = copy.deepcopy(tree)
    function = function_in(new, name)
    if any(isinstance(node, ast.FunctionDef | ast.Lambda) for part in function.body for node in ast.walk(part)):
        return None
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own = stored | {argument.arg for argument in function.args.args}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = f"my_{node.id}"
        elif isinstance(node, ast.arg):
            node.arg = f"my_{node.arg}"
    return new


def updates_in_full(tree: ast.Module, name: str) -> ast.Module | None:
    """`x += y` as `x = x + y`."""
    return changed(tree, _Updates())


def conditions_nested(tree: ast.Module, name: str) -> ast.Module | None:
    """`if a and b` as an `if` within an `if`."""
    return changed(tree, _Nested())


STYLES = (
    grid_spelled_out,
    early_return,
    while_loops,
    in_a_helper,
    from_a_factory,
    other_names,
    updates_in_full,
    conditions_nested,
)


class _Whiles(ast.NodeTransformer):
    def visit_For(self, node: ast.For):
        self.generic_visit(node)
        call, inner = node.iter, [part for statement in node.body for part in ast.walk(statement)]
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and isinstance(node.target, ast.Name)):
            return node
        if node.orelse or any(isinstance(part, ast.Continue) for part in inner):
            return node
        bounds = [ast.unparse(argument) for argument in call.args]
        start, stop, step = ("0", *bounds, "1") if len(bounds) == 1 else (*bounds, "1")[:3]
        sign, name = ">" if step.startswith("-") else "<", node.target.id
        lines = f"{name}, stop_{name} = {start}, {stop}\nwhile {name} {sign} stop_{name}:\n    {name} += {step}"
        first, loop = ast.parse(lines).body
        loop.body = [*node.body, *loop.body]  # type: ignore[attr-defined]
        return [first, loop]


class _Updates(ast.NodeTransformer):
    def visit_AugAssign(self, node: ast.AugAssign):
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        return ast.Assign([node.target], ast.BinOp(read, node.op, node.value), lineno=0)


class _Nested(ast.NodeTransformer):
    def visit_If(self, node: ast.If):
        self.generic_visit(node)
        if node.orelse or not isinstance(node.test, ast.BoolOp) or not isinstance(node.test.op, ast.And):
            return node
        body = node.body
        for test in reversed(node.test.values):
            body = [ast.If(test, body, [])]
        return body[0]
