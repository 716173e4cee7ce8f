"""What pieces of Python are called in a sentence, and how deeply they are nested."""

from __future__ import annotations

import ast

MAX_DEPTH = 150  # of a statement's syntax tree; a sum of 100 terms is as deep, and what reads the tree recurses
IN_WORDS = {
    ast.With: "a `with` block",
    ast.Try: "`try`",
    ast.ClassDef: "a class",
    ast.Lambda: "a lambda",
    ast.Import: "an import",
    ast.ImportFrom: "an import",
    ast.FunctionDef: "a function inside a function",
    ast.AsyncFunctionDef: "an `async` function",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.Yield: "`yield`",
    ast.Await: "`await`",
    ast.Delete: "`del`",
    ast.AnnAssign: "an annotated variable",
    ast.AugAssign: "an assignment such as `+=`",
    ast.Assign: "an assignment to several names",
    ast.For: "a loop",
    ast.While: "a loop",
    ast.If: "an `if`",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.Starred: "a `*` argument",
    ast.ListComp: "a list comprehension",
    ast.GeneratorExp: "a generator expression",
    ast.Match: "`match`",
}


def in_words(node: ast.AST) -> str:
    """A clause for a node, as in "a lambda"."""
    return next((words for kind, words in IN_WORDS.items() if isinstance(node, kind)), f"`{type(node).__name__}`")


def depth_of(node: ast.AST) -> int:
    """Levels of a syntax tree, found without recursion."""
    depth, level = 0, [node]
    while level:
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        depth += 1
    return depth
