"""An index that is not what is meant: `%` before `-`, counted from the end, of a thread in place of a block."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnosis.advice.guards import at_line, axis_outside, elements_at, written_out
from simt.events import Finding

FIRST = {ast.Mod: "%", ast.FloorDiv: "//"}  # operators that go before + and -


def advice_on_indices(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about an index outside its array."""
    if finding.kind != "out_of_bounds":
        return None
    if rest := _rest_of_another(finding, function, line):
        return "", rest
    for place in _indices(finding, function, line):
        found = (
            _rest_of_a_part(place, function)
            or _from_the_end(finding, place)
            or _of_a_block(finding, place, function, line)
        )
        if found:
            return "", found
    return None


def advice_on_searches(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """("", what to do) about `place += 1` in a `while` that looks for a free place, and nothing leads back to 0."""
    if finding.kind != "out_of_bounds" or finding.detail.get("wraps") or finding.detail.get("negative"):
        return None
    names = [one.slice for one in elements_at(function, line, finding.array)]
    for call in at_line(function, line, ast.Call):
        if len(call.args) > 1 and ast.unparse(call.args[0]) == finding.array:
            names.append(call.args[1])
    places = {one.id for one in names if isinstance(one, ast.Name)}
    for loop in at_line(function, line, ast.While):
        for moved, at in _moved_by_one_side(loop):
            if moved in places and any(name.id == moved for name in _begun_before(function, loop)):
                return "", (
                    f"Line {at + finding.lines[0] - line} moves `{moved}` on, and behind the last place comes the "
                    f"first one: write `{moved} = ({moved} + 1) % {finding.array}.size`."
                )
    return None


def _moved_by_one_side(loop: ast.While) -> Iterator[tuple[str, int]]:
    """(name, line) of every `place += 1` and `place = place + 1` in a loop."""
    for step in ast.walk(loop):
        if isinstance(step, ast.AugAssign) and isinstance(step.op, ast.Add):
            yield ast.unparse(step.target), step.lineno
        elif isinstance(step, ast.Assign) and isinstance(step.value, ast.BinOp) and isinstance(step.value.op, ast.Add):
            if ast.unparse(step.value.left) == (target := ast.unparse(step.targets[0])):
                yield target, step.lineno


def _begun_before(function: ast.FunctionDef, loop: ast.While) -> Iterator[ast.Name]:
    """The variables that begin before a loop, at a place that somebody works out."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and node.lineno < loop.lineno and isinstance(node.value, ast.Call):
            yield from (target for target in node.targets if isinstance(target, ast.Name))


def _indices(finding: Finding, function: ast.FunctionDef, line: int) -> Iterator[ast.expr]:
    """What is written between the brackets, along the axis that is outside, variables written out."""
    axis = axis_outside(finding.detail)
    for element in elements_at(function, line, finding.array):
        parts = element.slice.elts if isinstance(element.slice, ast.Tuple) else [element.slice]
        if len(parts) == len(finding.detail.get("shape", ())):
            yield written_out(parts[axis], function)


def _rest_of_a_part(place: ast.expr, function: ast.FunctionDef) -> str:
    """`i - shift % n`, where the rest of `i - shift` is meant."""
    if not (isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add | ast.Sub)):
        return ""
    right = place.right
    if not (isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mod)) or not is_length(right.right, function):
        return ""
    sign = "+" if isinstance(place.op, ast.Add) else "-"
    whole, length = f"{ast.unparse(place.left)} {sign} {ast.unparse(right.left)}", ast.unparse(right.right)
    return (
        f"% goes before {sign}: `{ast.unparse(place)}` takes the rest of `{ast.unparse(right.left)}` alone. For the "
        f"rest of the whole, write `({whole}) % {length}`."
    )


def _rest_of_another(finding: Finding, function: ast.FunctionDef, line: int) -> str:
    """`place = (place + 1) % keys.size` for a place in table: what goes round the end of another array."""
    if len(finding.detail.get("shape", ())) != 1 or finding.detail.get("negative"):
        return ""
    names = [one.slice for one in elements_at(function, line, finding.array)]
    names += [one.args[1] for one in at_line(function, line, ast.Call) if _is_element(one, finding.array)]
    places = {one.id for one in names if isinstance(one, ast.Name)}
    stated = [one for one in ast.walk(function) if isinstance(one, ast.Assign)]
    values = [one.value for one in stated if {ast.unparse(target) for target in one.targets} & places]
    for value in (*values, *names):
        if not (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod)):
            continue
        text = ast.unparse(value.right)
        if text.endswith(".size") and text.removesuffix(".size") not in (finding.array, ""):
            whole = ast.unparse(ast.BinOp(value.left, ast.Mod(), ast.Name(f"{finding.array}.size")))
            at = value.lineno + finding.lines[0] - line
            return (
                f"Line {at} goes round the end of {text.removesuffix('.size')}, and "
                f"this is a place in {finding.array}: take `{whole}`."
            )
    return ""


def _is_element(call: ast.Call, array: str) -> bool:
    return len(call.args) > 1 and ast.unparse(call.args[0]) == array


def is_length(node: ast.expr, function: ast.FunctionDef) -> bool:
    """Whether this is the length of an array, or what the function was handed or unpacked as one: no number of threads,
    and no constant of the module."""
    text = ast.unparse(written_out(node, function))
    if isinstance(node, ast.Name) and text == node.id:
        elements = {ast.unparse(one.value) for one in ast.walk(function) if isinstance(one, ast.Subscript)}
        handed = {one.arg for one in function.args.args} - elements
        return node.id in handed | _lengths_unpacked(function)
    return text.endswith(".size") or text.startswith("len(") or ".shape[" in text and text.endswith("]")


def _lengths_unpacked(function: ast.FunctionDef) -> set[str]:
    """The names that `n_rows, n_cols = src.shape` gives to lengths."""
    pairs = [(node.targets[0], node.value) for node in ast.walk(function) if isinstance(node, ast.Assign)]
    return {
        part.id
        for target, value in pairs
        if ast.unparse(value).endswith(".shape")
        for part in ast.walk(target)
        if isinstance(part, ast.Name)
    }


def _from_the_end(finding: Finding, place: ast.expr) -> str:
    """`tile[-t]`, which begins at the first element and not at the last."""
    if not (isinstance(place, ast.UnaryOp) and isinstance(place.op, ast.USub)) or isinstance(
        place.operand, ast.Constant
    ):
        return ""
    name, array = ast.unparse(place.operand), finding.array
    length = f"{array}.size" if len(finding.detail["shape"]) == 1 else f"{array}.shape[{axis_outside(finding.detail)}]"
    return (
        f"`-{name}` is 0 where {name} is 0, so it does not begin at the last element. To count from the end, write "
        f"`{length} - 1 - {name}`."
    )


def _of_a_block(finding: Finding, place: ast.expr, function: ast.FunctionDef, line: int) -> str:
    """`if t == 0: partial[cuda.grid(1)] = ...`: one thread of each block, and the place of a thread in the grid."""
    if finding.detail.get("access") == "load" or ast.unparse(place) != "cuda.grid(1)":
        return ""
    for node in at_line(function, line, ast.If):
        test = node.test
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)):
            continue
        asked = ast.unparse(written_out(test.left, function)), ast.unparse(test.comparators[0])
        if asked == ("cuda.threadIdx.x", "0"):
            return (
                "One thread of each block comes here, and `cuda.grid(1)` counts all threads. The place of its block "
                f"is cuda.blockIdx.x: write {finding.array}[cuda.blockIdx.x]."
            )
    return ""


def advice_on_own_memory(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """(what happens, what to do) about a local array that is read as if other threads had filled it."""
    if finding.kind != "uninitialised_read" or finding.detail.get("space") != "local":
        return None
    calls = [ast.unparse(node) for node in ast.walk(function) if isinstance(node, ast.Call)]
    made = next((call for call in calls if call.startswith("cuda.local.array")), "")
    if not made or not any(call.startswith("cuda.syncthreads") for call in calls):
        return None
    return "", (
        f"A local array is a thread's own: every thread has another {finding.array}, and sees nothing of what others "
        f"store in theirs. One for the whole block is `{made.replace('local', 'shared', 1)}`."
    )
