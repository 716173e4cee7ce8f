"""A thread's position worked out by a formula that gives several threads one number."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from simt.events import Finding
from simt.source.walking import walk

Dims = tuple[int, int, int]
WORDS = ("threadIdx", "blockIdx", "blockDim")
MOST = 1 << 16  # threads whose numbers are worked out
BLOCKS = 8  # of each axis, which show it as well as all
OPERATORS = (ast.Add, ast.Mult)


def shared_positions(function: ast.AST, grid: Dims, block: Dims) -> Iterator[Finding]:
    """A note for the first such formula of a kernel, in a launch where threads that it tells apart get one number."""
    nodes = walk(function)
    known = _names(nodes)
    inner = {id(part) for node in nodes if isinstance(node, ast.BinOp) for part in (node.left, node.right)}
    for node in nodes:
        if not isinstance(node, ast.BinOp) or id(node) in inner or not (words := _words(node, known)):
            continue
        if {kind for kind, _ in words} != {"threadIdx", "blockIdx", "blockDim"}:
            continue
        if (twice := _twice(node, known, words, grid, block)) is not None:
            (axis, *_) = [axis for kind, axis in sorted(words) if kind == "threadIdx"]
            number, first, second = twice
            says = (
                f"Line {node.lineno} takes `{ast.unparse(node)}` for a position, and in this launch several threads "
                f"get one number by it: {first} and {second} both get {number}."
            )
            remedy = (
                f"A thread's position is cuda.blockIdx.{axis} * cuda.blockDim.{axis} + cuda.threadIdx.{axis}, which is "
                "what cuda.grid(1) gives, and cuda.grid(2) for two axes."
            )
            detail = {"unsure": "so the source says"}
            yield Finding("shared_position", says, (node.lineno,), remedy=remedy, detail=detail, note=True)
            return


def _word(node: ast.AST) -> tuple[str, str] | None:
    """("threadIdx", "x") of cuda.threadIdx.x."""
    inner = node.value if isinstance(node, ast.Attribute) and node.attr in ("x", "y", "z") else None
    name = inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else ""
    return (name, node.attr) if isinstance(node, ast.Attribute) and name in WORDS else None


def _names(nodes: list[ast.AST]) -> dict[str, tuple[str, str]]:
    """Variables that stand for a word, and are given nothing else."""
    given: dict[str, list[tuple[str, str] | None]] = {}
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            given.setdefault(node.id, []).append(None)
        for target in node.targets if isinstance(node, ast.Assign) else ():
            pairs = [(target, node.value)] if isinstance(node, ast.Assign) else []
            if isinstance(target, ast.Tuple) and isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for one, value in pairs:
                if isinstance(one, ast.Name) and (word := _word(value)):
                    given.setdefault(one.id, []).append(word)
    words = {name: [one for one in all_of if one] for name, all_of in given.items()}
    return {name: found[0] for name, found in words.items() if len(found) == 1 and len(given[name]) == 2}


def _words(node: ast.AST, known: Mapping[str, tuple[str, str]]) -> set[tuple[str, str]] | None:
    """What a formula is made of; None where it is made of anything else than words, sums and products."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, OPERATORS):
        left, right = _words(node.left, known), _words(node.right, known)
        return None if left is None or right is None else left | right
    word = known.get(node.id) if isinstance(node, ast.Name) else _word(node)
    return {word} if word else None


def _twice(
    node: ast.BinOp, known: Mapping[str, tuple[str, str]], words: set[tuple[str, str]], grid: Dims, block: Dims
) -> tuple[int, str, str] | None:
    """A number that two threads get, and which they are; None where each gets its own, or they are too many."""
    moving = sorted(one for one in words if one[0] in ("blockIdx", "threadIdx"))
    sizes = {"blockIdx": [min(one, BLOCKS) for one in grid], "threadIdx": list(block)}
    extents = [sizes[kind]["xyz".index(axis)] for kind, axis in moving]
    if np.prod(extents) > MOST:
        return None
    places = dict(zip(moving, np.indices(extents).reshape(len(moving), -1).astype(np.int64), strict=True))
    values = {word: places[word] if word in places else block["xyz".index(word[1])] for word in words}
    numbers = _value(node, known, values)
    order = np.argsort(numbers, kind="stable")
    same = np.flatnonzero(np.diff(numbers[order]) == 0)
    if not len(same):
        return None

    def who(lane: int) -> str:
        return ", ".join(f"{kind}.{axis} {places[kind, axis][lane]}" for kind, axis in moving)

    first, second = order[same[0]], order[same[0] + 1]
    return int(numbers[first]), who(first), who(second)


def _value(node: ast.AST, known: Mapping[str, tuple[str, str]], values: Mapping[tuple[str, str], Any]) -> Any:
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, known, values), _value(node.right, known, values)
        return left + right if isinstance(node.op, ast.Add) else left * right
    word = known.get(node.id) if isinstance(node, ast.Name) else _word(node)
    assert word is not None
    return values[word]
