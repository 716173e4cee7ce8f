"""Positions worked out with the wrong size: the block's in place of the grid's, and the other way round."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from simt.events import Finding
from simt.source.walking import walk

BLOCK = "cuda.blockDim.x"
GRID = ("cuda.gridsize(1)", "cuda.gridDim.x")
OTHERS = {"y", "z", "laneid", "thread_rank", "atomic"}  # names by which threads of other rows do something else
Dims = tuple[int, int, int]
UNSURE = {"unsure": "so the source says"}


def wrong_sizes(function: ast.AST) -> Iterator[Finding]:
    """All of them, of a kernel that counts its threads along one axis."""
    yield from _short_strides(function)
    yield from _wrong_blocks(function)


def unused_axes(functions: Iterable[ast.AST], grid: Dims, block: Dims) -> Iterator[Finding]:
    """A note where a launch has several axes, and nothing that runs asks for any but x. functions: the kernel first."""
    several = [
        axis
        for axis, (blocks, threads) in zip("xyz", zip(grid, block, strict=True), strict=True)
        if blocks * threads > 1
    ]
    nodes = [node for function in functions for node in walk(function)]
    asked = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    calls = {axes for node in nodes if (axes := _position_axes(node))}
    if several in ([], ["x"]) or "x" not in several or not ("x" in asked or calls) or asked & OTHERS or calls - {1}:
        return
    ways = grid[1] * grid[2] * block[1] * block[2]
    says = (
        f"This launch has threads along {' and '.join(several)}, and the kernel asks for x alone: {ways} threads "
        "each do the same as one another."
    )
    remedy = "Launch with one number of threads and one of blocks; or take each axis, as in x, y = cuda.grid(2)."
    yield Finding("unused_axis", says, (), remedy=remedy, detail=UNSURE, note=True)


def missing_axes(function: ast.AST, grid: Dims, block: Dims, arrays: dict[str, tuple[int, ...]]) -> Iterator[Finding]:
    """A note where a kernel takes `x, y = cuda.grid(2)` and stores at y, which is 0 in this launch. arrays: shapes."""
    threads = [blocks * size for blocks, size in zip(grid, block, strict=True)]
    nodes = walk(function)
    stores = [one for one in nodes if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)]
    for axis, name in _names_of_axes(nodes):
        if threads[axis] > 1 or max(threads) == 1 or _moves(nodes, name):
            continue
        for store in stores:
            if several := _one_of_several(store, name, arrays):
                says = (
                    f"This launch has one thread along {'xyz'[axis]}, so `{name}` is 0 in every thread, and line "
                    f"{store.lineno} stores in one of {several} of `{ast.unparse(store.value)}`."
                )
                remedy = "Launch with a number of blocks and threads for each axis, as in kernel[(8, 8), (16, 16)]."
                yield Finding("missing_axis", says, (store.lineno,), remedy=remedy, detail=UNSURE, note=True)
                return


def _names_of_axes(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    """(1, "y") and so on, of `x, y = cuda.grid(2)`."""
    for node in nodes:
        if isinstance(node, ast.Assign) and _position_axes(node.value) and isinstance(node.targets[0], ast.Tuple):
            for axis, one in enumerate(node.targets[0].elts[: _position_axes(node.value)]):
                yield axis, one.id if isinstance(one, ast.Name) else ""


def _moves(nodes: list[ast.AST], name: str) -> bool:
    """Whether a name begins a loop, or is given other values, so that one thread comes to several places."""
    given = [one for one in nodes if isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Store)]
    loops = [one for one in nodes if isinstance(one, ast.Call) and getattr(one.func, "id", "") == "range"]
    return not name or len(given) > 1 or any(name in ast.unparse(one) for one in loops)


def _one_of_several(store: ast.Subscript, name: str, arrays: dict[str, tuple[int, ...]]) -> str:
    """ "4 columns", where a store has this name as its index along an axis of several; "" elsewhere."""
    shape = arrays.get(store.value.id, ()) if isinstance(store.value, ast.Name) else ()
    indices = store.slice.elts if isinstance(store.slice, ast.Tuple) else [store.slice]
    for axis, (index, size) in enumerate(zip(indices, shape, strict=False)):
        if isinstance(index, ast.Name) and index.id == name and size > 1 and len(shape) == len(indices):
            return f"{size:,} {('rows', 'columns')[axis] if len(shape) == 2 else f'places along axis {axis}'}"
    return ""


def _position_axes(node: ast.AST) -> int:
    """2 of cuda.grid(2) or cuda.gridsize(2); 0 of anything else."""
    if not isinstance(node, ast.Call) or len(node.args) != 1 or not isinstance(node.args[0], ast.Constant):
        return 0
    named = getattr(node.func, "attr", getattr(node.func, "id", ""))
    axes = node.args[0].value
    return axes if named in ("grid", "gridsize") and isinstance(axes, int) else 0


def _short_strides(function: ast.AST) -> Iterator[Finding]:
    """for k in range(cuda.grid(1), n, cuda.blockDim.x), or the same with `while`."""
    for node in walk(function):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call) and len(node.iter.args) == 3:
            start, _, step = node.iter.args
            if ast.unparse(node.iter.func) == "range" and ast.unparse(step) == BLOCK and _is_of_grid(function, start):
                yield _stride(node.iter.lineno)
        elif isinstance(node, ast.While):
            for one in (inner for part in node.body for inner in walk(part)):
                adds = (
                    isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add) and ast.unparse(one.value) == BLOCK
                )
                if isinstance(one, ast.AugAssign) and adds and _is_of_grid(function, one.target):
                    yield _stride(one.lineno)


def _stride(line: int) -> Finding:
    says = (
        f"The loop at line {line} begins at the thread's position in the grid and goes on by {BLOCK}, the threads of "
        "one block: with several blocks it comes to elements that other blocks do, too."
    )
    remedy = "Go on by all threads of the grid: cuda.gridsize(1)."
    return Finding("short_stride", says, (line,), remedy=remedy, detail=UNSURE, note=True)


def _is_of_grid(function: ast.AST, node: ast.expr) -> bool:
    """Whether an expression is the position in the grid, or a name that is given it and nothing else."""
    text = ast.unparse(node)
    if "cuda.grid(1)" in text or "cuda.blockIdx.x" in text:
        return True
    given = [
        one.value
        for one in walk(function)
        if isinstance(node, ast.Name) and isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == text
    ]
    return len(given) == 1 and not isinstance(given[0], ast.Name) and _is_of_grid(function, given[0])


def _wrong_blocks(function: ast.AST) -> Iterator[Finding]:
    """cuda.threadIdx.x + cuda.blockIdx.x * cuda.gridDim.x"""
    for node in walk(function):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
            continue
        sides = {ast.unparse(side): side for side in (node.left, node.right)}
        product = next(
            (one for one in sides.values() if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Mult)), None
        )
        if product is None or "cuda.threadIdx.x" not in sides:
            continue
        factors = {ast.unparse(product.left), ast.unparse(product.right)}
        wrong = next((one for one in GRID if factors == {"cuda.blockIdx.x", one}), None)
        if wrong is not None:
            what = "all threads of the grid" if wrong == GRID[0] else "the blocks of the grid"
            says = (
                f"`{ast.unparse(node)}` at line {node.lineno} counts {what} where the threads of a block belong: "
                "blocks are to begin one block apart."
            )
            remedy = f"Write cuda.threadIdx.x + cuda.blockIdx.x * {BLOCK}, or cuda.grid(1)."
            yield Finding("short_stride", says, (node.lineno,), remedy=remedy, detail=UNSURE, note=True)
