"""Loops that can never end, read from their source: nothing in the loop changes what its condition reads."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from simt.compiling.schedule.sums import GROWS, adds_to_lock
from simt.errors import DeadlockError
from simt.lanes.masks import Mask
from simt.launching.geometry import volume
from simt.source.counts import count_text
from simt.source.deciding import only_step, variables_that_decide
from simt.source.recognise import CudaName
from simt.source.swaps import LOCKS, called_attribute, swap_calls
from simt.source.trees import names_stored
from simt.source.walking import walk

PURE_CALLS = (min, max, len, int, abs)
PURE_CUDA = ("grid", "gridsize")
NOT_STARTED = "not started"
LEAVES = (ast.Name, ast.Constant, ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)


@dataclass(frozen=True)
class Condition:
    """What the source says about a `while`. names: the numbers that its condition reads.

    constant: whether they keep their values for as long as it turns; looks: whether the loop reads memory, or calls
    something that may, and takes no lock: it may wait for what another thread leaves; dropped: (line, source, variable)
    of a statement that computes one of them anew and keeps nothing of it, as `i + step` does; None where there is none;
    decide: the variables that alone decide how long it turns, () where memory or a call has a say; step: (line, source,
    variable) of the one statement that sets a name of the condition, None for none or several; swap: a compare-and-
    swap that the loop looks at, None where it has none; adds, updates: how it takes a lock by a sum, and the arrays
    that its atomics update then, see `adds_to_lock`.
    """

    names: tuple[str, ...]
    constant: bool
    looks: bool = False
    dropped: tuple[int, str, str] | None = None
    swap: Swap | None = None
    decide: tuple[str, ...] = ()
    step: tuple[int, str, str] | None = None
    adds: str = ""
    updates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Swap:
    """A compare-and-swap in a loop. cell: what it changes; expected: what that must hold, as the source has it;
    is_lock: whether that is a constant, as for a lock; is_fixed: whether it is a variable that the loop never sets."""

    line: int
    cell: str
    expected: str
    is_lock: bool
    is_fixed: bool


def read_condition(compiler, node: ast.While) -> Condition:
    """Read a loop's condition and body. compiler: of the function around it."""
    names = {part.id for part in walk(node.test) if isinstance(part, ast.Name) and part.id in compiler.locals}
    owners = {ast.unparse(part.value) for part in walk(node.test) if isinstance(part, ast.Attribute)}
    stored = set().union(*map(names_stored, node.body))
    constant = _is_pure(compiler, node.test) and not names & stored and not any(_leaves(node.body))
    looks = any(isinstance(part, ast.Subscript | ast.Call) for part in walk(node)) and not _takes_a_lock(node)
    swap = next(_swaps(node, stored, compiler.locals), None)
    own = names - owners
    decide = variables_that_decide(node, own, lambda part: _is_pure(compiler, part))
    step = only_step(node, own)
    taken = adds_to_lock(compiler, node)
    return Condition(tuple(sorted(own)), constant, looks, _dropped(node, names), swap, decide, step, *taken)


def _swaps(loop: ast.While, stored: set[str], local: Container[str]) -> Iterator[Swap]:
    """Each compare-and-swap in the body of a loop. stored: the variables that the loop sets; local: all of them."""
    for swap in (swap for statement in loop.body for swap in swap_calls(statement)):
        is_fixed = isinstance(swap.expected, ast.Name) and swap.expected.id in local and swap.expected.id not in stored
        cell, expected = ast.unparse(swap.cell), ast.unparse(swap.expected)
        yield Swap(swap.call.lineno, cell, expected, swap.asks_for_a_constant, is_fixed)


def _takes_a_lock(loop: ast.While) -> bool:
    """Whether a loop looks at what a compare-and-swap or an exchange found."""
    dropped = {id(part.value) for part in walk(loop) if isinstance(part, ast.Expr)}
    return any(called_attribute(part) in LOCKS and id(part) not in dropped for part in walk(loop))


def _is_pure(compiler, test: ast.AST) -> bool:
    """Whether a condition reads variables, extents and constants alone: no memory, and nothing that counts."""
    if isinstance(test, LEAVES):
        return True
    if isinstance(test, ast.Attribute):
        return _is_pure(compiler, test.value)
    if isinstance(test, ast.Subscript):
        extent = isinstance(test.value, ast.Attribute) and test.value.attr == "shape"
        return extent and _is_pure(compiler, test.slice)
    if isinstance(test, ast.Call):
        function = compiler.static(test.func)
        known = function.path in PURE_CUDA if isinstance(function, CudaName) else function in PURE_CALLS
        return known and all(_is_pure(compiler, argument) for argument in test.args)
    if isinstance(test, ast.Compare | ast.BoolOp | ast.BinOp | ast.UnaryOp):
        return all(_is_pure(compiler, part) for part in ast.iter_child_nodes(test))
    return False


def _leaves(body: list[ast.stmt], inner: bool = False) -> Iterator[bool]:
    """True for each statement that leaves the loop around `body`. inner: in a loop of its own, where break stays."""
    for statement in body:
        if isinstance(statement, ast.Return | ast.Raise | ast.Assert) or isinstance(statement, ast.Break) and not inner:
            yield True
        within = inner or isinstance(statement, ast.While | ast.For)
        yield from _leaves(getattr(statement, "body", []), within)
        yield from _leaves(getattr(statement, "orelse", []), inner)
        for case in getattr(statement, "cases", []):
            yield from _leaves(case.body, inner)


def _dropped(node: ast.While, names: set[str]) -> tuple[int, str, str] | None:
    """The first statement of the body that works out a new value of a variable of the condition, and drops it."""
    for statement in node.body:
        for part in walk(statement):
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.BinOp | ast.Compare):
                left = part.value.left
                if isinstance(left, ast.Name) and left.id in names:
                    return part.lineno, ast.unparse(part.value), _meant(part.value)
    return None


def _meant(dropped: ast.BinOp | ast.Compare) -> str:
    """The assignment that was meant: `i += step` for `i + step`, `i = i + step` for `i == i + step`."""
    if isinstance(dropped, ast.Compare):
        return f"{ast.unparse(dropped.left)} = {ast.unparse(dropped.comparators[0])}"
    return ast.unparse(ast.AugAssign(cast(ast.Name, dropped.left), dropped.op, dropped.right))


def deadlock(env, mask: Mask, place, said: Condition, period: int = 1) -> DeadlockError:
    """What is told of a loop that never ends. mask: the lanes that stay in it; place: of its condition; period: turns
    after which all is as it was."""
    block, thread = env.batch.coordinates(int(env.root_index()[mask.first()]))
    text, waiting = place.site.text, env.batch.width - mask.count
    spinning = f"{_threads(mask.count)} go{'es' if mask.count == 1 else ''} round forever"
    others = f"; {_threads(waiting)} wait{'s' if waiting == 1 else ''} for the loop to end" if waiting else ""
    why = "another iteration of the loop changes nothing any more"
    if said.decide:
        names = " and ".join(said.decide)
        why = f"no iteration changes {names} any more"
        if period > 1:
            why = f"after {period} iterations {names} {'is' if len(said.decide) == 1 else 'are'} as before"
    elif period > 1:
        why = f"after {period} iterations all variables and all memory are as they were before"
    if said.adds:
        why = "whoever added first has the lock, and has not given it back"
    if said.constant:
        why = f"nothing in the loop changes {' or '.join(said.names)}" if said.names else "nothing leaves the loop"
    return DeadlockError(
        f"`{text}` stays true: {why}. {spinning}{others}.",
        place.site.function, place.site.line, block, thread, _way_out(env, mask, text, said, period),
    )  # fmt: skip


def _not_started(env) -> str:
    """Of a grid whose blocks have not all begun, how many have not; "" of any other."""
    n_blocks, options = volume(env.batch.options.grid), env.batch.options
    left = n_blocks - options.started
    return f"{left:,} of {n_blocks:,} blocks {'has' if left == 1 else 'have'} {NOT_STARTED}" if left else ""


def _held(env, mask: Mask, name: str) -> str:
    """The integer that a variable holds in all lanes of the mask; "" where they differ."""
    values = np.asarray(env.variables.get(name, 0.0))
    if values.dtype.kind not in "iu":
        return ""
    of_lanes = values if values.ndim == 0 or mask.bits is None else values[mask.bits]
    return str(int(of_lanes.flat[0])) if of_lanes.size and (of_lanes == of_lanes.flat[0]).all() else ""


def _way_out(env, mask: Mask, text: str, said: Condition, period: int) -> str:
    """What to do about a loop that never ends. text: its condition; the others: as in `deadlock`."""
    not_started = _not_started(env)
    if ".atomic.cas" in text or ".atomic.exch" in text or said.adds:
        return _of_lock(said)
    if said.dropped is not None:
        line, source, meant = said.dropped
        return f"Line {line}, `{source}`, works out a value and keeps nothing of it: write `{meant}`."
    if said.swap is not None and (said.swap.is_lock or said.swap.is_fixed):
        return _of_swap(said.swap)
    if period > 1:
        return (
            "The loop goes through the same places again and again, and what it looks for is not among them: give it "
            "a second way out, for a search that finds nothing."
        )
    if not_started and said.looks and not said.constant:
        return (
            f"{not_started}: if this loop waits for one of them, it waits for a place that only an ending block makes "
            "free, here and on a GPU. Blocks start in any order, so draw the number of a block from a counter with an "
            "atomic, a ticket, in place of blockIdx: whoever has a lower one has started."
        )
    if "[" in text and not said.constant:
        return (
            "No thread may wait for another one to write memory: within a block use cuda.syncthreads(), between "
            "blocks end the kernel and launch a second one."
        )
    if said.decide and said.step is not None and period == 1:
        line, source, name = said.step
        at = f" at {held}" if (held := _held(env, mask, name)) else " what it is"
        return (
            f"Line {line}, `{source}`, is all that changes {name}, and {name} stays{at}: end the loop there, or take a "
            "step that gets on."
        )
    return (
        "Change what the condition reads inside the loop: a counter that is not advanced, or a step that is 0, is the "
        "usual cause."
    )


def _of_lock(said: Condition) -> str:
    """What to do where a lock stays taken."""
    if said.adds == GROWS:
        return (
            "Each try adds to the lock, so it never holds 0 again: let whoever added in vain take it back, or open the "
            "lock with cuda.atomic.exch(lock, 0, 0)."
        )
    return (
        "Whoever holds the lock may be in the same warp, waiting for this very loop. Do the work inside the loop, "
        "as in `while not done: if cuda.atomic.cas(...) == 0: work, unlock, done = True`."
    )


def _of_swap(swap: Swap) -> str:
    """What to do where a compare-and-swap fails in every iteration."""
    if swap.is_lock:
        return (
            f"The swap of line {swap.line} expects {swap.expected}, and {swap.cell} never holds it again: whoever has "
            "the lock must open it before it goes on, and on every way, with cuda.atomic.exch."
        )
    return (
        f"The swap of line {swap.line} expects `{swap.expected}`, which the loop never sets anew, and {swap.cell} "
        f"holds another value by now: set `{swap.expected}` to what the swap returned, and look again."
    )


def _threads(count: int) -> str:
    return count_text(count, "thread")
