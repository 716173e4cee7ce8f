"""Where a name of a function is used: set before it is read, or as a pointer."""

from __future__ import annotations

from autograder.drills.cpp.parsing import text_of


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
