"""Ways to do the work for a part of the output only, read from an answer that does all of it.

Every store of a kernel to an output, and every atomic on one, gets a condition on the place that it goes to. The rest
of the answer stays, so that each of these is right but for what it leaves out.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from tools.matrices.syntax import changed, expression

Rewrite = Callable[[ast.Module, str], ast.Module | None]
NOWHERE = "1 << 40"
OF_PLACES = {
    "the_first_row": "{row} == 0",
    "the_first_warp": "{column} < 32",
    "even_places": "{column} % 2 == 0",
    "odd_rows": "{row} % 2 == 1",
    "all_but_the_first": "{row} > 0",
    "all_but_the_last": "{column} != {columns} - 1",
    "all_but_the_last_row": "{row} != {rows} - 1",
    "the_first_half": "{row} < ({rows} + 1) // 2",
    "the_second_half": "{column} >= {columns} // 2",
}
OF_BLOCKS = {
    "the_first_block": "cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z == 0",
    "even_blocks": "(cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z) % 2 == 0",
    "the_last_block": "cuda.blockIdx.x == cuda.gridDim.x - 1 and cuda.blockIdx.y == cuda.gridDim.y - 1",
}


CONDITIONS = OF_PLACES | OF_BLOCKS


def only_where(condition: str, arrays: Callable[[str], bool], told: bool = False) -> Rewrite:
    """A rewrite that keeps the stores where a condition on their place holds, which names row, column and extents.

    arrays: whether a parameter of that name is meant. told: what is left out is stored outside its array in place of
    nowhere, so that whoever judges it says whether anything was left out.
    """

    def rewrite(tree: ast.Module, name: str) -> ast.Module | None:
        return changed(tree, _Stores(condition, arrays, told))

    return rewrite


class _Stores(ast.NodeTransformer):
    """Stores to some parameters of kernels, each below a condition."""

    def __init__(self, condition: str, arrays: Callable[[str], bool], told: bool):
        self.condition, self.arrays, self.told = condition, arrays, told
        self.parameters: set[str] = set()
        self.n_stores = 0

    def visit_FunctionDef(self, node: ast.FunctionDef):
        if not any("jit" in ast.unparse(decorator) for decorator in node.decorator_list):
            return self.generic_visit(node)
        before = self.parameters
        self.parameters = {argument.arg for argument in node.args.args if self.arrays(argument.arg)}
        node.body = [new for statement in node.body for new in _listed(self.visit(statement))]
        self.parameters = before
        return node

    def visit_Assign(self, node: ast.Assign):
        target = node.targets[0]
        if len(node.targets) > 1 or not self._is_place(target):
            return node
        value = f"value{self.n_stores}"
        made = ast.Assign([ast.Name(value, ast.Store())], node.value)
        return [made, *self._guarded(target, lambda place: ast.Assign([_at(target, place)], expression(value)))]

    def visit_AugAssign(self, node: ast.AugAssign):
        target = node.target
        if not self._is_place(target):
            return node
        return self._guarded(target, lambda place: ast.AugAssign(_at(target, place), node.op, node.value))

    def visit_Expr(self, node: ast.Expr):
        call = node.value
        if not (isinstance(call, ast.Call) and "atomic" in ast.unparse(call.func) and self._is_array(call.args[0])):
            return node

        def updated(place: str) -> ast.stmt:
            return ast.Expr(ast.Call(call.func, [call.args[0], expression(place), *call.args[2:]], call.keywords))

        return self._guarded(ast.Subscript(call.args[0], call.args[1], ast.Store()), updated)

    def _is_array(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self.parameters

    def _is_place(self, node: ast.AST) -> bool:
        if not (isinstance(node, ast.Subscript) and self._is_array(node.value)):
            return False
        return not any(isinstance(part, ast.Slice) for part in ast.walk(node.slice))

    def _guarded(self, target, store: Callable[[str], ast.stmt]) -> list[ast.stmt]:
        """A store below its condition. Its value, which other threads may help with, is worked out by everybody."""
        parts = list(target.slice.elts) if isinstance(target.slice, ast.Tuple) else [target.slice]
        names = [f"place{self.n_stores}_{axis}" for axis in range(len(parts))]
        placed = [
            ast.Assign([ast.Name(n, ast.Store())], copy.deepcopy(part)) for n, part in zip(names, parts, strict=True)
        ]
        array = ast.unparse(target.value)
        words = {"row": names[0], "column": names[-1], "rows": f"{array}.shape[0]", "columns": f"{array}.shape[-1]"}
        self.n_stores += 1
        otherwise = [store(", ".join([NOWHERE] * len(names)))] if self.told else []
        kept = ast.If(expression(self.condition.format(**words)), [store(", ".join(names))], otherwise)
        return [*placed, kept]


def _at(target, place: str) -> ast.Subscript:
    return ast.Subscript(target.value, expression(place), ast.Store())


def _listed(node) -> Iterator[ast.stmt]:
    yield from node if isinstance(node, list) else [node] if node is not None else []
