"""Every name that a file imports from another one is there: tools and benchmarks have no type checker."""

import ast
from functools import cache
from pathlib import Path

from tools.parts.units import ROOT

OWN = ("autograder", "simt", "minitrt", "tools", "benchmarks", "tests")
FILES = sorted(path for folder in OWN for path in (ROOT / folder).rglob("*.py"))


def module_file(name: str):
    """The file of an own module, None where there is none."""
    path = ROOT.joinpath(*name.split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def names_of(file: Path) -> set[str]:
    """What a module binds anywhere outside functions; "*" where it works names out."""
    found: set[str] = set()
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add("*" if node.name == "__getattr__" else node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("globals", "vars"):
            found.add("*")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def missing(path):
    """ "module: name" of each import of an own name that is not there."""
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ImportFrom) or node.level or (node.module or "").partition(".")[0] not in OWN:
            continue
        file = module_file(node.module)
        if file is None and not ROOT.joinpath(*node.module.split(".")).is_dir():
            yield f"{node.module}: no such module"
            continue
        known = names_of(file) if file is not None else set()
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            folder = ROOT.joinpath(*name.split("."))
            if not known & {alias.name, "*"} and module_file(name) is None and not folder.is_dir():
                yield f"{node.module}: {alias.name}"


def test_every_own_name_that_is_imported_is_there():
    assert [] == [f"{path.relative_to(ROOT)}: {what}" for path in FILES for what in missing(path)]
