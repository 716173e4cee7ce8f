"""Ways to leave the work to one thread, to one block, to everybody or to the host, read from an answer that does it.

Every function takes the syntax of a cell and the name of the function asked for, and returns new syntax, or None where
it does not apply: where threads meet, one of them cannot do the work of the others in a loop around it.
"""

from __future__ import annotations

import ast
import copy

from tools.matrices.syntax import AXES, Positions, changed, cuda_calls, expression, function_in, meets

INDENTED = "    "
PLACED = ("grid", "threadIdx", "blockIdx")


def nothing(tree: ast.Module, name: str) -> ast.Module | None:
    """A function that does nothing but what the first statement does."""
    new = copy.deepcopy(tree)
    function_in(new, name).body = [ast.Return()]
    return new


def no_launch(tree: ast.Module, name: str) -> ast.Module | None:
    """A host function without its launches."""
    return changed(tree, _Launches(None))


def launched_as(grid: str, block: str):
    """A host function whose launches have another configuration; "" leaves a part as it is."""

    def rewrite(tree: ast.Module, name: str) -> ast.Module | None:
        return changed(tree, _Launches((grid, block)))

    return rewrite


def one_block(tree: ast.Module, name: str) -> ast.Module | None:
    """The first block does what all of them should."""
    loops = [f"for b{axis} in range(cuda.gridDim.{axis}):" for axis in AXES]
    only = " and ".join(f"cuda.blockIdx.{axis} == 0" for axis in AXES)
    after = "cuda.syncthreads()" if meets(tree) else ""
    return _in_loops(tree, name, "b", Positions("b{}", "cuda.threadIdx.{}"), only, loops, after)


def one_thread_a_block(tree: ast.Module, name: str) -> ast.Module | None:
    """One thread of a block does what all of it should."""
    loops = [f"for t{axis} in range(cuda.blockDim.{axis}):" for axis in AXES]
    only = " and ".join(f"cuda.threadIdx.{axis} == 0" for axis in AXES)
    return None if meets(tree) else _in_loops(tree, name, "t", Positions("cuda.blockIdx.{}", "t{}"), only, loops)


def one_thread_a_row(tree: ast.Module, name: str) -> ast.Module | None:
    """The first thread along x does what its row of the grid should."""
    loops = ["for bx in range(cuda.gridDim.x):", "for tx in range(cuda.blockDim.x):"]
    positions = Positions("cuda.blockIdx.{}", "cuda.threadIdx.{}", changed={"blockIdx.x": "bx", "threadIdx.x": "tx"})
    if meets(tree) or not any(name.endswith(".y") or name == "grid" for name in cuda_calls(tree)):
        return None
    return _in_loops(tree, name, "bt", positions, "cuda.grid(3)[0] == 0", loops, axes="x")


def _everything(only: str):
    loops = [f"for b{axis} in range(cuda.gridDim.{axis}):" for axis in AXES]
    loops += [f"for t{axis} in range(cuda.blockDim.{axis}):" for axis in AXES]

    def rewrite(tree: ast.Module, name: str) -> ast.Module | None:
        return None if meets(tree) else _in_loops(tree, name, "bt", Positions("b{}", "t{}"), only, loops)

    return rewrite


def one_thread(tree: ast.Module, name: str) -> ast.Module | None:
    """The very first thread does everything."""
    return _everything("cuda.grid(3)[0] + cuda.grid(3)[1] + cuda.grid(3)[2] == 0")(tree, name)


def everything_by_everybody(tree: ast.Module, name: str) -> ast.Module | None:
    """Every thread does everything."""
    return _everything("True")(tree, name)


def _in_loops(tree: ast.Module, name: str, given: str, positions, only: str, loops: list[str], after="", axes=AXES):
    """The kernel's body as a device function with positions as parameters, called in loops by some threads."""
    new = copy.deepcopy(tree)
    kernel = function_in(new, name)
    others = [node for node in new.body if node is not kernel]
    if any(position in called for node in others for called in cuda_calls(node) for position in PLACED):
        return None  # a helper asks for its place itself
    helper = positions.visit(copy.deepcopy(kernel))
    helper.name, helper.decorator_list = f"{name}_at", [expression("cuda.jit(device=True)")]
    places = [f"{letter}{axis}" for letter in given for axis in axes]
    helper.args.args += [ast.arg(place) for place in places]
    arguments = ", ".join([*(argument.arg for argument in kernel.args.args), *places])
    lines = [f"if {only}:"] + [f"{INDENTED * (depth + 1)}{loop}" for depth, loop in enumerate(loops)]
    inner = INDENTED * (len(loops) + 1)
    lines += [f"{inner}{helper.name}({arguments})"] + ([f"{inner}{after}"] if after else [])
    kernel.body = ast.parse("\n".join(lines)).body
    new.body.insert(new.body.index(kernel), helper)
    return new


class _Launches(ast.NodeTransformer):
    """Launches taken out, or with other configurations. to: (grid, block), "" for a part that stays."""

    def __init__(self, to: tuple[str, str] | None):
        self.to = to

    def visit_Expr(self, node: ast.Expr):
        call = node.value
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Subscript)):
            return node
        if self.to is None:
            return ast.Pass()
        if isinstance(call.func.slice, ast.Tuple):
            for place, written in enumerate(self.to):
                if written:
                    call.func.slice.elts[place] = expression(written)
        return node
