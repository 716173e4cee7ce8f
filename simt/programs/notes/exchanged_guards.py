"""Is an index compared with the extent of another axis than the one it goes along?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from simt.events import Finding
from simt.source.walking import walk


def exchanged_guards(function: ast.AST, shapes: Mapping[str, tuple[int, ...]]) -> Iterator[Finding]:
    """A note for each array. shapes: of the kernel's arrays, in this launch."""
    extents, indexed = _extents(function), _indexed(function)
    found: dict[str, tuple[int, bool, list[str]]] = {}
    for name, bound, line, counts in _bounds(function):
        extent = _extent(bound, extents)
        if extent is None:
            continue
        array, axis = extent
        shape, along = shapes.get(array, ()), indexed.get((array, name), set())
        wrong = [one for one in along if axis < len(shape) and one < len(shape) and shape[one] != shape[axis]]
        if len(shape) > 1 and axis not in along and len(wrong) == len(along) == 1:
            says = f"`{name}`, index {wrong[0]} of {array}, {'up to' if counts else 'with'} {array}.shape[{axis}]"
            found.setdefault(array, (line, counts, []))[2].append(says)
    for array, (line, counts, said) in found.items():
        says = (
            f"Line {line} {'counts' if counts else 'compares'} {', and '.join(said)}. The shape of {array} is "
            f"{shapes[array]}, so elements past the shorter axis are left out, or indices past it are let through."
        )
        own = f"the extent of its own axis: the first one of {array}[...] with shape[0]."
        remedy = (
            f"Count each index up to {own.replace(' with ', ' to ')}" if counts else f"Compare each index with {own}"
        )
        detail = {"unsure": "so the source says"}
        yield Finding("exchanged_guard", says, (line,), array=array, remedy=remedy, detail=detail, note=True)


def _bounds(function: ast.AST) -> Iterator[tuple[str, ast.expr, int, bool]]:
    """(variable, what it is held below, line, whether a loop counts it) of every comparison and loop."""
    for node in walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ORDERS):
            for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                if isinstance(side, ast.Name):
                    yield side.id, other, node.lineno, False
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call):
            called, given = node.iter.func, node.iter.args
            if isinstance(called, ast.Name) and called.id == "range" and given:
                yield node.target.id, given[min(1, len(given) - 1)], node.lineno, True


ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _extents(function: ast.AST) -> dict[str, tuple[str, int]]:
    """Variables that are extents of an array and nothing else: {name: (array, axis)}."""
    found: dict[str, tuple[str, int] | None] = {}
    for node in walk(function):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            value = node.value if isinstance(node, ast.Assign) else None
            whole = value.value if isinstance(value, ast.Attribute) and value.attr == "shape" else None
            if isinstance(target, ast.Tuple) and isinstance(whole, ast.Name):
                for axis, one in enumerate(target.elts):
                    if isinstance(one, ast.Name):
                        found[one.id] = None if one.id in found else (whole.id, axis)
            elif isinstance(target, ast.Name):
                extent = _extent(value, {}) if value is not None else None
                found[target.id] = None if target.id in found else extent
    return {name: extent for name, extent in found.items() if extent is not None}


def _extent(node: ast.expr | None, known: Mapping[str, tuple[str, int]]) -> tuple[str, int] | None:
    """(array, axis) of a.shape[0], or of a variable for it."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    shape, axis = node.value, node.slice.value
    if not isinstance(shape, ast.Attribute) or shape.attr != "shape" or type(axis) is not int or axis < 0:
        return None
    return (shape.value.id, axis) if isinstance(shape.value, ast.Name) else None


def _indexed(function: ast.AST) -> dict[tuple[str, str], set[int]]:
    """Along which axes of an array a variable goes: {(array, name): axes}."""
    found: dict[tuple[str, str], set[int]] = {}
    for node in walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Tuple):
            for axis, index in enumerate(node.slice.elts):
                for one in (part for part in walk(index) if isinstance(part, ast.Name)):
                    found.setdefault((node.value.id, one.id), set()).add(axis)
    return found
