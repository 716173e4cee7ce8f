"""Locks: warps that take one in a loop go through what follows one after the other, as on a GPU.

In lock step the lanes that left `while cuda.atomic.cas(lock, 0, 0, 1) != 0: pass` would wait for those that go round in
it, and these for the lock: an end that no GPU comes to, unless both are in one warp. So from such a loop to the next
barrier, a block of statements is run for one warp after the other. A warp that cannot go on yet, since it waits for
what another one does there, comes again after the others.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.endless import NOT_STARTED
from simt.compiling.schedule.interleaving import calls_one_of
from simt.compiling.schedule.sums import (
    ADDING,
    GROWS,
    TAKES_BACK,
    adds_to_lock,
    amount_of,
    atomics,
    set_to_zero,
    stays,
    stores,
)
from simt.errors import DeadlockError, UnsupportedError
from simt.hardware import WARP_SIZE
from simt.lanes.masks import Mask, join
from simt.source.recognise import python_function
from simt.source.staying import decides
from simt.source.swaps import LOCKS
from simt.source.trees import names_stored
from simt.source.walking import walk
from simt.values import as_lanes

if TYPE_CHECKING:
    from simt.closures import Body
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env

BARRIERS = ("syncthreads", "cg")
TAKING = (*(f"atomic.{name}" for name in LOCKS), "atomic.or_", "atomic.max")

NEVER_OPENED = (
    "Whoever took the lock never gives it back. End the critical section with cuda.threadfence() and an atomic that "
    "opens it, as in cuda.atomic.exch(lock, 0, 0), on every path."
)

Compiled = tuple[ast.stmt, "Body"]


def one_by_one(compiler: Compiler, statements: list[Compiled], run_all: Callable[[list], Body]) -> list[Compiled]:
    """The statements of a block with those that hold a lock in one closure. run_all: makes the closure of several."""
    at = next((k for k, (node, _) in enumerate(statements) if _spins(compiler, node)), None)
    if at is None:
        return statements
    rest = statements[at + 1 :]
    end = next((k for k, (node, _) in enumerate(rest) if calls_one_of(compiler, node, BARRIERS)), len(rest))
    opened = _gives_back(compiler, statements[at][0])
    held = Held(run_all(statements[at : at + 1]), run_all(rest[:end]) if end else None, opened)
    return [*statements[:at], (statements[at][0], held), *one_by_one(compiler, rest[end:], run_all)]


def locks_blocks(compiler: Compiler) -> bool:
    """Whether a barrier stands between taking a lock and opening it: a thread takes it for its whole block."""
    nodes = [node for node in walk(compiler.source.node) if hasattr(node, "lineno")]
    spins = [node for node in nodes if isinstance(node, ast.While | ast.Expr | ast.Assign) and _spins(compiler, node)]
    for spin in spins:
        locks = _named(spin)
        behind = [node for node in nodes if node.lineno > (spin.end_lineno or spin.lineno)]
        calls = [node for node in behind if isinstance(node, ast.Call)]
        barriers = [node.lineno for node in calls if calls_one_of(compiler, node, BARRIERS[:1])]
        stored = [node for node in behind if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
        opening = [node.lineno for node in calls if _named(node) & locks]
        opening += [node.lineno for node in stored if ast.unparse(node.value) in locks]
        if barriers and max(opening, default=0) > min(barriers):
            return True
    return False


def _named(node: ast.AST) -> set[str]:
    """The names that calls in a piece of source are handed."""
    calls = [part for part in walk(node) if isinstance(part, ast.Call)]
    return {ast.unparse(operand) for call in calls for operand in call.args if isinstance(operand, ast.Name)}


def _spins(compiler: Compiler, node: ast.stmt, seen: frozenset = frozenset()) -> bool:
    """Whether a statement is a loop that waits for a lock, or calls a device function that takes one and keeps it."""
    if isinstance(node, ast.While):
        return _waits(compiler, node)
    call = getattr(node, "value", None) if isinstance(node, ast.Expr | ast.Assign) else None
    function = python_function(compiler.static(call.func)) if isinstance(call, ast.Call) else None
    if function is None or function in seen:
        return False
    try:
        callee = compiler.compiler_of(function)
    except UnsupportedError:  # no device function of Python: a type, or a function of a library
        return False
    body = callee.source.node.body
    if not isinstance(body, list):  # a lambda
        return False
    at = next((k for k, one in enumerate(body) if _spins(callee, one, seen | {function})), None)
    return at is not None and not any(stores(one) or any(atomics(callee, one)) for one in body[at + 1 :])


def _waits(compiler: Compiler, loop: ast.While) -> bool:
    """Whether a loop only looks at a lock and tries to take it: atomics of what stays as it is for as long as the loop
    turns, as `0`, `FREE` and `cuda.blockIdx.x + 1` do, and nothing stored in an array."""
    found = list(atomics(compiler, loop))
    if not found or stores(loop) or not decides(loop, [call for _, call in found]):
        return False
    stored = names_stored(loop)
    adds, _ = adds_to_lock(compiler, loop)
    adds_up = adds == TAKES_BACK or adds == GROWS and set_to_zero(compiler, loop)
    return all(
        len(call.args) > 2
        and all(stays(operand, stored) for operand in call.args[2:])
        and (path in TAKING or path in ADDING and (adds_up or amount_of(compiler, path, call) == 0))
        for path, call in found
    )


def _gives_back(compiler: Compiler, taking: ast.stmt) -> bool:
    """Whether a function may open the lock that a statement takes: another atomic, a store or a call has that array.

    True as well of a function that only takes it, as `acquire(lock)`, since its caller opens it.
    """
    locks = _named(taking)
    within = {id(part) for part in walk(taking)}
    others = [part for part in walk(compiler.source.node) if id(part) not in within]
    stored = [part.value for part in others if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store)]
    handed = [operand for part in others if isinstance(part, ast.Call) for operand in part.args]
    return not stored or any(ast.unparse(part) in locks for part in (*stored, *handed))


class Held:
    """What runs from taking a lock to the next barrier, for one warp after the other; a closure like any other."""

    def __init__(self, spin: Body, rest: Body | None, opened: bool = True):
        """opened: whether anything in the source may give the lock back."""
        self.spin, self.rest, self.opened = spin, rest, opened

    def __call__(self, env: Env, mask: Mask) -> Mask | None:
        waiting, after = _warps(env, mask), None
        while waiting:
            held_up = []
            for warp in waiting:
                try:
                    left = _undone(self.spin, env, warp)
                except DeadlockError as error:
                    kept = warp.count == 1 or not self.opened
                    error.remedy = NEVER_OPENED if kept and NOT_STARTED not in error.remedy else error.remedy
                    held_up.append((warp, error))
                    continue
                after = join(after, self.rest(env, left) if self.rest and left is not None else left, env.width)
            if len(held_up) == len(waiting):
                raise held_up[0][1]
            waiting = [warp for warp, _ in held_up]
        return after


def _undone(spin: Body, env: Env, mask: Mask) -> Mask | None:
    """Run a loop that may turn out endless, and leave no trace of it then but the iterations that changed nothing."""
    loops, turning = len(env.frame.loops), len(env.batch.turning)
    try:
        return spin(env, mask)
    except DeadlockError:
        del env.frame.loops[loops:], env.batch.turning[turning:]
        raise


def _warps(env: Env, mask: Mask) -> list[Mask]:
    """The lanes of a mask by warp, in an order that the seed decides."""
    thread, per_block = as_lanes(env.register("thread"), env.width), env.batch.options.warps_per_block
    who = as_lanes(env.register("block"), env.width) * per_block + thread // WARP_SIZE
    active = np.arange(env.width) if mask.bits is None else mask.index
    warps = np.unique(who[active])
    if len(warps) < 2:
        return [mask]
    if env.batch.shuffle is not None:
        env.batch.shuffle.shuffle(warps)
    masks = []
    for warp in warps:
        bits = np.zeros(env.width, bool)
        bits[active[who[active] == warp]] = True
        masks.append(Mask(bits, int(np.count_nonzero(bits))))
    return masks
