"""What the source alone gives away: code that compiles, and does not do what it seems to say.

Every rule takes the syntax tree of one function, with the line numbers of its file, and yields findings. They hold for
kernels and, where it makes sense, for host functions too.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

from autograder.lint.from_source.float_indices import float_indices
from autograder.lint.from_source.habits import habits
from autograder.lint.report import NOTE, WARNING, LintFinding
from autograder.lint.source import calls_in, dotted_name

_REDUCTIONS = frozenset("sum mean prod min max argmin argmax std var any all amin amax".split())
_BARRIERS = ("cuda.syncthreads", "cuda.syncwarp")


def source_findings(
    tree: ast.FunctionDef,
    arrays: frozenset[str] = frozenset(),
    helpers: Mapping[str, ast.FunctionDef] | None = None,
    given: Mapping[str, ast.FunctionDef] | None = None,
) -> list[LintFinding]:
    """The findings of every rule. arrays: names of the parameters that are; helpers: what it may call, by name; given:
    the same of other cells, in which nothing is looked for."""
    findings = [finding for rule in _RULES for finding in rule(tree)]
    findings += [finding for one in (helpers or {}).values() for rule in _OF_ANY_LINE for finding in rule(one)]
    findings += float_indices(tree, helpers, given)
    return findings + list(whole_array_reductions(tree, arrays))


def bare_calls(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`cuda.syncthreads` or `cuda.synchronize` as a statement, without parentheses."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute)):
            continue
        name = dotted_name(node.value)
        if name.startswith("cuda.") or name.endswith(".synchronize"):
            yield LintFinding(
                kind="bare_call",
                misconception="missing_barrier" if name in _BARRIERS else "bare_call",
                says=f"`{name}` without parentheses only names the function: nothing is called and nobody waits.",
                remedy=f"Write {name}().",
                lines=(node.lineno,),
                severity=WARNING,
            )


def dropped_values(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`out[i] == a[i]` or `i + step` as a statement: worked out, and kept by nobody."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare | ast.BinOp | ast.Subscript):
            equal = isinstance(node.value, ast.Compare) and isinstance(node.value.ops[0], ast.Eq)
            yield LintFinding(
                kind="dropped_value",
                misconception="wrong_formula",
                says=f"`{ast.unparse(node.value)}` works out a value and keeps nothing of it"
                + (": == compares, and = stores." if equal else "."),
                remedy=f"Write {ast.unparse(node.value).replace(' == ', ' = ', 1)}."
                if equal
                else "Store it, or return it.",
                lines=(node.lineno,),
                severity=NOTE,
            )


def whole_array_reductions(tree: ast.FunctionDef, arrays: frozenset[str]) -> Iterator[LintFinding]:
    """`np.sum(x)`, `x.sum()` or `sum(x)` over a whole argument, carried out by every thread."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        reduced = _reduced_array(call)
        if reduced in arrays:
            yield LintFinding(
                kind="whole_array_reduction",
                misconception="whole_array_reduction",
                says=f"Every thread that comes to `{ast.unparse(call)}` walks through all of `{reduced}` by itself.",
                remedy="Let each thread handle its own elements, then combine them within the block.",
                lines=(call.lineno,),
                severity=WARNING,
            )


def _reduced_array(call: ast.Call) -> str:
    """The name that a reduction is applied to; "" for other calls."""
    name = dotted_name(call.func)
    owner, _, function = name.rpartition(".")
    if function not in _REDUCTIONS:
        return ""
    if owner in ("", "np", "numpy"):
        only = call.args[0] if len(call.args) == 1 else None
        return only.id if isinstance(only, ast.Name) else ""
    return owner


def silent_exceptions(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`raise` and `assert`, which end a thread without a word to the host."""
    lines = tuple(sorted(node.lineno for node in ast.walk(tree) if isinstance(node, (ast.Raise, ast.Assert))))
    if lines and _is_kernel(tree):
        yield LintFinding(
            kind="silent_exception",
            misconception="silent_exception",
            says="A thread that raises, or fails an assert, ends there, and nobody hears of it without debug=True.",
            remedy="Check sizes on the host before the launch, or write an error flag into an array.",
            lines=lines,
            severity=NOTE,
        )


def active_masks(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`cuda.activemask()` as the mask of a vote, a shuffle or a match: who is here, in place of who should be."""
    asked = [call for call in ast.walk(tree) if isinstance(call, ast.Call) and _is_cuda(call, "activemask")]
    names = {_assigned_name(tree, call) for call in asked} - {""}
    lines = {
        call.lineno
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and call.args and _takes_mask(call)
        if call.args[0] in asked or (isinstance(call.args[0], ast.Name) and call.args[0].id in names)
    }
    if lines:
        yield LintFinding(
            kind="active_mask",
            misconception="warp_mask",
            says="`cuda.activemask()` names the lanes that happen to be here, and not those that belong here: the "
            "hardware may bring the lanes of one branch to this line in several groups.",
            remedy="Ask while all lanes are there, before the branch: mask = cuda.ballot_sync(0xFFFFFFFF, condition).",
            lines=tuple(sorted(lines)),
            severity=NOTE,
        )


def _is_cuda(call: ast.Call, name: str) -> bool:
    return dotted_name(call.func) in (name, f"cuda.{name}")


def _takes_mask(call: ast.Call) -> bool:
    name = dotted_name(call.func).rpartition(".")[2]
    return name.endswith("_sync") or name == "syncwarp"


def grid_axes(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """`i, j = cuda.grid(2)` used as `a[i, j]`: the first number is x, and x should run along a row."""
    for fast, slow in _grid_pairs(tree):
        cells = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _indexed_by(node, fast, slow)]
        if cells:
            written = ast.unparse(cells[0])
            yield LintFinding(
                kind="grid_axes",
                misconception="swapped_axes",
                says=f"cuda.grid(2) gives x first, and neighbouring threads differ in x. In `{written}` x (`{fast}`) "
                "is the row, so neighbouring threads touch different rows and share no sector.",
                remedy=f"Swap the names: {slow}, {fast} = cuda.grid(2), and the two axes of the grid with them.",
                lines=tuple(sorted({cell.lineno for cell in cells})),
                severity=NOTE,
            )


def _grid_pairs(tree: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The names (x, y) of every `x, y = cuda.grid(2)`."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)):
            continue
        target = node.targets[0]
        if not isinstance(target, ast.Tuple):
            continue
        names = [element.id for element in target.elts if isinstance(element, ast.Name)]
        if dotted_name(node.value.func).endswith("cuda.grid") and len(names) == len(target.elts) == 2:
            yield names[0], names[1]


def _indexed_by(cell: ast.Subscript, first: str, last: str) -> bool:
    """Whether `cell` is written a[first, last], give or take arithmetic on either index."""
    if not (isinstance(cell.slice, ast.Tuple) and len(cell.slice.elts) == 2):
        return False
    names = [{node.id for node in ast.walk(index) if isinstance(node, ast.Name)} for index in cell.slice.elts]
    return first in names[0] and last not in names[0] and last in names[1] and first not in names[1]


def dynamic_shared_arrays(tree: ast.FunctionDef) -> Iterator[LintFinding]:
    """Several `cuda.shared.array(0, ...)`, which all begin at the same address unless they are sliced apart."""
    sliced = {node.value for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _has_lower(node)}
    apart = {value.id for value in sliced if isinstance(value, ast.Name)}
    whole = [
        call
        for call in calls_in(tree, "shared.array")
        if _is_dynamic(call) and call not in sliced and _assigned_name(tree, call) not in apart
    ]
    if len(whole) > 1:
        yield LintFinding(
            kind="dynamic_shared_alias",
            misconception="dynamic_shared_alias",
            says=f"All {len(whole)} dynamic shared arrays begin at the same address: each overwrites the others.",
            remedy="Slice one array into parts, as in first, second = buffer[:n], buffer[n:].",
            lines=tuple(sorted(call.lineno for call in whole)),
            severity=WARNING,
        )


def _has_lower(node: ast.Subscript) -> bool:
    return isinstance(node.slice, ast.Slice) and node.slice.lower is not None


def _is_dynamic(call: ast.Call) -> bool:
    shapes = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "shape")]
    return any(isinstance(shape, ast.Constant) and shape.value == 0 for shape in shapes)


def _assigned_name(tree: ast.FunctionDef, call: ast.Call) -> str:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and node.value is call and isinstance(node.targets[0], ast.Name):
            return node.targets[0].id
    return ""


def _is_kernel(tree: ast.FunctionDef) -> bool:
    """Whether a decorator says so, or there is none: undecorated functions are only linted as kernels."""
    return not tree.decorator_list or any("jit" in ast.unparse(decorator) for decorator in tree.decorator_list)


_OF_ANY_LINE = (bare_calls, dropped_values, habits)  # as wrong in a helper as in a kernel
_RULES: tuple[Callable[[ast.FunctionDef], Iterator[LintFinding]], ...] = (
    bare_calls,
    dropped_values,
    silent_exceptions,
    active_masks,
    grid_axes,
    dynamic_shared_arrays,
    habits,
)
