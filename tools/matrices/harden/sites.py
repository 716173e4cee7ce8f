"""Mutants of a source: one place of it, written otherwise."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from autograder.answer.program import Program
from autograder.contract import Exercise


@dataclass(frozen=True)
class Mutant:
    """A source that differs from the original in one place. label: as in "cut_to_16_bits"; line: of the original."""

    label: str
    line: int
    was: str
    now: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.label} (line {self.line}): {self.was} -> {self.now}"


@dataclass
class Context:
    """What operators may ask about a function of the answer.

    scalars: names of the exercise's scalar arguments, with the values of the cases; arrays: of its array arguments,
    with the kind of their elements; kernel: whether the function runs on the device; counters: loop variables that are
    known to be whole numbers.
    """

    exercise: Exercise
    scalars: dict[str, list[float]]
    arrays: dict[str, str]
    kernel: bool
    counters: set[str] = field(default_factory=set)


Operator = Callable[[ast.AST, Context], Iterable[tuple[str, ast.AST | list[ast.stmt]]]]


KEPT = """

first_{name}, kept_by_{name} = {name}, {{}}


def {name}(*given):
    key = tuple(getattr(one, "shape", None) for one in given)
    if key not in kept_by_{name}:
        kept_by_{name}[key] = first_{name}(*given)
    return kept_by_{name}[key]
"""


def mutants_of(program: Program, exercise: Exercise, operators: Iterable[Operator], scalars) -> Iterator[Mutant]:
    """Every mutant of the learner's own source that is other Python."""
    tree = ast.parse(program.source)
    seen = {ast.unparse(tree)}
    if exercise.kind == "host" and exercise.arrays == "host":
        kept = KEPT.format(name=program.function)
        yield Mutant("result_kept", 1, "", "by the shapes of arguments", program.source + kept)
    for function in [node for node in tree.body if isinstance(node, ast.FunctionDef)]:
        context = _context(function, exercise, scalars)
        for parent, name, at, node in list(_places(function)):
            was = _short(node)
            for label, new in [made for operator in operators for made in operator(node, context)]:
                source = _source_with(tree, parent, name, at, new)
                if source and source not in seen:
                    seen.add(source)
                    yield Mutant(label, node.lineno, was, _short(new), source + "\n")


def _places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every statement and expression of a function's body: (parent, its field, place in a list, node)."""
    for parent in ast.walk(function):
        for name, value in ast.iter_fields(parent):
            if parent is function and name != "body":
                continue
            for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(node, ast.stmt | ast.expr) and hasattr(node, "lineno"):
                    yield parent, name, at, node


def _source_with(tree: ast.Module, parent: ast.AST, name: str, at: int | None, new) -> str:
    """The source of the tree with another node, or statements, at one place, which is put back; "" for no Python."""
    before = getattr(parent, name)
    if at is None:
        after = new
    else:
        news = new if isinstance(new, list) else [new]
        after = [*before[:at], *news, *before[at + 1 :]] or [ast.Pass()]
    setattr(parent, name, after)
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, TypeError, AttributeError):
        return ""
    finally:
        setattr(parent, name, before)


def _context(function: ast.FunctionDef, exercise: Exercise, scalars: dict[str, list[float]]) -> Context:
    kernel = any("jit" in ast.unparse(one) for one in function.decorator_list)
    own = [one.arg for one in function.args.args]
    arguments = [one for one in exercise.arguments if not (exercise.arrays == "host" and one.role == "out")]
    named = dict(zip(own, arguments, strict=False)) if function.name == exercise.function else {}
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For) and "range(" in ast.unparse(node.iter)]
    return Context(
        exercise,
        {name: scalars[one.name] for name, one in named.items() if one.role == "scalar" and one.name in scalars},
        {name: one.dtype for name, one in named.items() if one.role in ("in", "inout") and one.shape},
        kernel,
        {node.target.id for node in loops if isinstance(node.target, ast.Name)},
    )


def _short(node: ast.AST | list) -> str:
    text = "; ".join(
        ast.unparse(ast.fix_missing_locations(one)) for one in (node if isinstance(node, list) else [node])
    )
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def expression(text: str, **parts: ast.expr) -> ast.expr:
    """An expression of text, in which names stand for parts."""
    return _Filled(parts).visit(ast.parse(text, mode="eval").body)


class _Filled(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr]):
        self.parts = parts

    def visit_Name(self, node: ast.Name):
        return copy.deepcopy(self.parts[node.id]) if node.id in self.parts else node
