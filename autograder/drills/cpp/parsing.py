"""Reads CUDA C++ with tree-sitter, and finds where a name is used. Lines stay as they were typed."""

from __future__ import annotations

import re
from functools import cache

from autograder.drills.cpp.macros import MacroError, plain
from autograder.drills.structure.errors import first_error

CHANGES = ("assignment_expression", "update_expression")
KERNEL = re.compile(r"\b__global__\b")


class CppError(ValueError):
    """What the subset leaves out, or what is no C++. line: of the answer, 1 for its first; what: in words."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(f"line {line}: {what}")


class CppMistake(CppError):
    """What no compiler takes, as against what is left out here."""


def is_cpp(source: str) -> bool:
    """Is this answer meant as CUDA C++?"""
    return bool(KERNEL.search(source))


def text_of(node) -> str:
    """A node's source on one line."""
    return " ".join(node.text.decode().split())


def line_of(node) -> int:
    """Where a node begins."""
    return node.start_point[0] + 1


def named(node) -> list:
    """The children that say something."""
    return [child for child in node.named_children if child.type != "comment"]


def inside(node):
    """An expression without the parentheses round it."""
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    return node


def field(node, name: str):
    """A child by its role. Raises: CppError where the source has none."""
    child = node.child_by_field_name(name)
    if child is None:
        raise refused(node, f"`{text_of(node)}` cannot be read")
    return child


def refused(node, what: str) -> CppError:
    """The error about a node."""
    return CppError(line_of(node), what)


def mistaken(node, what: str) -> CppMistake:
    """The error about a node that no compiler takes."""
    return CppMistake(line_of(node), what)


@cache
def _parser():
    try:
        import tree_sitter
        import tree_sitter_cuda
    except ImportError as error:
        raise CppError(1, "CUDA C++ is read with tree-sitter: pip install tree-sitter tree-sitter-cuda") from error
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def parse(source: str):
    """The root of the syntax tree. Raises: CppError at the first line that is no C++."""
    try:
        root = _parser().parse(plain(source).encode()).root_node
    except MacroError as error:
        raise CppError(error.line, error.what) from error
    if (broken := first_error(root)) and broken.is_missing:
        raise mistaken(broken, f"`{broken.type}` is missing here")
    if broken:
        raise refused(broken, f"this is no C++ that can be read: `{text_of(broken)[:60]}`")
    return root


def set_first(node) -> bool:
    """Is a name that has no value yet set before it is read, in the order of the text?"""
    block = node
    while block.parent is not None and block.type != "compound_statement":
        block = block.parent
    uses = [each for each in _identifiers(block, node.text) if each.start_byte > node.end_byte]
    if not uses:
        return True
    parent = uses[0].parent
    is_target = parent.type == "assignment_expression" and parent.child_by_field_name("left") == uses[0]
    return is_target and text_of(parent.child_by_field_name("operator")) == "="


def _identifiers(node, name: bytes) -> list:
    """All places where a name stands, in the order in which they are evaluated: the right of `=` before its left."""
    if node.type == "identifier":
        return [node] if node.text == name else []
    children = list(node.named_children)
    if node.type == "assignment_expression":
        children.reverse()
    return [found for child in children for found in _identifiers(child, name)]


def decays(node, axes: int) -> bool:
    """Is an array of several dimensions used as a pointer anywhere in its function?"""
    function = node
    while function.parent is not None and function.type != "function_definition":
        function = function.parent
    return any(
        each.start_byte != node.start_byte and _subscripts_of(each) != axes
        for each in _identifiers(function, node.text)
    )


def _subscripts_of(node) -> int:
    """How many brackets stand behind a name; -1 where the address of what they name is taken."""
    count = 0
    while node.parent is not None and node.parent.type == "subscript_expression" and node.parent.children[0] == node:
        node, count = node.parent, count + 1
    return -1 if node.parent is not None and node.parent.type == "pointer_expression" else count


def changes_something(node) -> bool:
    """Is anything set inside an expression?"""
    return node.type in CHANGES or any(map(changes_something, node.named_children))
