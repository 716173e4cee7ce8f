"""Which module imports which, lazy imports counted, and the circles among them; read from the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

Graph = Mapping[str, set[str]]  # module -> the modules that it imports
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")  # where statements hold others


def modules_of(root: Path, packages: Iterable[str]) -> dict[str, Path]:
    """Dotted name -> file of every module of these packages; a package stands for its ``__init__``."""
    paths = [path for package in packages for path in sorted((root / package).rglob("*.py"))]
    return {".".join(_parts(path.relative_to(root).with_suffix(""))): path for path in paths}


def _parts(path: Path) -> tuple[str, ...]:
    return path.parts[:-1] if path.name == "__init__" else path.parts


def graph_of(modules: Mapping[str, Path]) -> Graph:
    """Imports among the given modules, those inside functions too, those for a type checker alone not."""
    return {name: set(_imported(path, name, modules)) - {name} for name, path in modules.items()}


def _imported(path: Path, module: str, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one file imports. ``from a import b`` is a.b where that is a module, else a."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in import_statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        else:
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = (f"{base}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else base for name in names if name in modules or base in modules)


def import_statements(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import but those below ``if TYPE_CHECKING``."""
    for node, _ in statements(
        tree, lambda node: isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def _blocks(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a statement."""
    return (inner for block in BLOCKS for inner in getattr(node, block, ()))


def statements(
    tree: ast.Module,
    without: Callable[[ast.AST], bool] = lambda node: False,
    below: Callable[[ast.AST], Iterable[ast.AST]] = _blocks,
) -> Iterator[tuple[ast.AST, bool]]:
    """(node, whether inside a function) of a module; without: no such, and nothing below them.

    below: what one holds; by default statements alone, and no expression, which are most of a tree.
    """
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, lazy = pending.pop()
        if without(node):
            continue
        yield node, lazy
        lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        pending.extend((inner, lazy) for inner in below(node))


def circles(graph: Graph) -> list[list[str]]:
    """Groups of modules that reach each other, each sorted, the largest first (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in index:
                visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            place = stack.index(module)
            if len(stack) - place > 1:
                found.append(sorted(stack[place:]))
            del stack[place:]

    for module in graph:
        if module not in index:
            visit(module)
    return sorted(found, key=len, reverse=True)
