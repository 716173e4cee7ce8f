"""Is an index compared with the extent of another axis than the one it goes along?"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from simt.events import Finding
from simt.source.walking import walk


def exchanged_guards(function: ast.AST, shapes: Mapping[str, tuple[int, ...]]) -> Iterator[Finding]:
    """A note for each array. shapes: of the kernel's arrays, in this launch."""
    extents, indexed = _extents(function), _indexed(function)
    found: dict[str, tuple[int, list[str]]] = {}
    for node in (one for one in walk(function) if isinstance(one, ast.Compare) and len(one.ops) == 1):
        for side, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            extent = _extent(other, extents)
            if not isinstance(side, ast.Name) or extent is None or not isinstance(node.ops[0], ORDERS):
                continue
            array, axis = extent
            shape, along = shapes.get(array, ()), indexed.get((array, side.id), set())
            wrong = [one for one in along if axis < len(shape) and one < len(shape) and shape[one] != shape[axis]]
            if len(shape) > 1 and axis not in along and len(wrong) == len(along) == 1:
                says = f"`{side.id}`, index {wrong[0]} of {array}, with {array}.shape[{axis}]"
                found.setdefault(array, (node.lineno, []))[1].append(says)
    for array, (line, said) in found.items():
        says = (
            f"Line {line} compares {', and '.join(said)}. The shape of {array} is {shapes[array]}, so elements past "
            "the shorter axis are left out, or indices past it are let through."
        )
        remedy = f"Compare each index with the extent of its own axis: the first one of {array}[...] with shape[0]."
        detail = {"unsure": "so the source says"}
        yield Finding("exchanged_guard", says, (line,), array=array, remedy=remedy, detail=detail, note=True)


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
