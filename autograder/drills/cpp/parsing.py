"""Reads CUDA C++ with tree-sitter. Lines stay as they were typed."""

from __future__ import annotations

import re
from functools import cache

from autograder.drills.structure.errors import first_error

DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?![\w(])[ \t]*([^\n]*)$", re.MULTILINE)
LEFT_OUT = re.compile(
    r"^[ \t]*#[ \t]*(?:pragma|include)\b[^\n]*$|^[ \t]*using namespace std;|#pragma unroll(?: \d+)?", re.M
)
PROMISES = re.compile(
    r"__(?:launch_bounds|maxnreg|block_size)__\s*\([^()]*\)|__(?:forceinline|noinline)__|\balignas\(\d+\)"
)
KERNEL = re.compile(r"\b__global__\b")


class CppError(ValueError):
    """What the subset leaves out, or what is no C++. line: of the answer, 1 for its first; what: in words."""

    def __init__(self, line: int, what: str):
        self.line, self.what = line, what
        super().__init__(f"line {line}: {what}")


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


def field(node, name: str):
    """A child by its role. Raises: CppError where the source has none."""
    child = node.child_by_field_name(name)
    if child is None:
        raise refused(node, f"`{text_of(node)}` cannot be read")
    return child


def refused(node, what: str) -> CppError:
    """The error about a node."""
    return CppError(line_of(node), what)


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
    plain = PROMISES.sub(lambda found: " " * len(found[0]), LEFT_OUT.sub("", _without_defines(source)))
    root = _parser().parse(plain.encode()).root_node
    if broken := first_error(root):
        raise refused(broken, f"this is no C++ that can be read: `{text_of(broken)[:60]}`")
    return root


def _without_defines(source: str) -> str:
    """The text with what `#define TILE 32` defines in its places, line by line."""
    defined = dict(DEFINE.findall(source))
    source = DEFINE.sub("", source)
    for name, value in reversed(defined.items()):
        value = re.sub(r"//.*|/\*.*?\*/", "", value).strip()
        source = re.sub(rf"\b{name}\b", (f"({value})" if value else "").replace("\\", r"\\"), source)
    return source
