"""Compilers of loops. Lanes leave a loop one by one; when few are left, the rest of it runs on those alone."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.branch_types import before_loop, types_assigned
from simt.compiling.endless import deadlock, read_condition
from simt.compiling.fixpoint import watched
from simt.errors import KernelTypeError
from simt.lanes.blend import narrow
from simt.lanes.masks import COMPACT_BELOW, COMPACT_FROM, Loop, Mask, join, mask_from
from simt.lanes.turning import Turning
from simt.memory.access import load
from simt.memory.arrays import Array
from simt.values import is_lane, truth
from simt.values.numba_rules import range_dtype
from simt.values.vectors import Parts

if TYPE_CHECKING:
    from simt.closures import Body
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env
    from simt.source.sites import Place
    from simt.values import Value

FIRST_WATCHED_TURN = 64  # turns after which a loop is watched for a fixpoint that overwrites the same values
LONGEST_WATCH = 4096  # turns between two watched ones, at most


def next_turn(env: Env, after: Mask | None, loop: Loop) -> Mask | None:
    """Lanes of the next turn: those that finished the body and those that hit `continue`."""
    if loop.continued is None:
        return after
    bits, loop.continued = loop.continued, None
    return join(after, mask_from(bits, env.width), env.width)


def after_loop(env: Env, mask: Mask) -> Mask | None:
    """All lanes that entered the loop, minus those that returned in it."""
    if env.left is None:
        return mask
    return mask_from(~env.left if mask.bits is None else mask.bits & ~env.left, env.width)


def enter(env: Env, place: Place, otherwise, of: int = 0) -> Loop:
    """Begin a loop. of: how often it turns, 0 where that differs from lane to lane, or nobody knows."""
    loop = Loop(env, otherwise is not None, Turning(place, of))
    env.frame.loops.append(loop)
    env.batch.turning.append(loop.turning)
    return loop


def begin_turn(env: Env, mask: Mask, loop: Loop) -> None:
    """The lanes of a mask go round: counted as one statement, beside those of the body."""
    loop.turning.begin(mask.count)
    env.batch.meter.count(1, env)


def continue_with(env: Env, mask: Mask, loop: Loop, rest) -> None:
    """Run the rest of a loop, `rest(child, inner)`, in an environment that holds only the lanes of `mask`."""
    child = env.child(mask)
    inner = Loop(child, loop.counts_breaks, loop.turning)
    env.frame.loops.append(inner)
    rest(child, inner)
    env.frame.loops.pop()
    env.absorb(child)
    adopt_breaks(loop, inner, child)


def finish(env: Env, mask: Mask, loop: Loop, otherwise) -> Mask | None:
    """Leave a loop: run its `else` for the lanes that did not break."""
    env.frame.loops.pop()
    env.batch.turning.pop()
    survivors = after_loop(env, mask)
    if otherwise is None or survivors is None:
        return survivors
    if loop.broken is None:
        return otherwise(env, survivors)
    remaining = ~loop.broken if survivors.bits is None else survivors.bits & ~loop.broken
    went_on = mask_from(remaining, env.width)
    broke = mask_from(loop.broken if survivors.bits is None else survivors.bits & loop.broken, env.width)
    return broke if went_on is None else join(otherwise(env, went_on), broke, env.width)


def still_in(condition, mask: Mask) -> Mask | None:
    """The lanes for which a loop's condition holds."""
    bits = condition if mask.bits is None else condition & mask.bits
    count = int(np.count_nonzero(bits))
    if count == mask.count:
        return mask
    return Mask(bits, count) if count else None


def is_sparse(env: Env, mask: Mask) -> bool:
    return mask.count < COMPACT_BELOW * env.width and env.width >= COMPACT_FROM


def adopt_breaks(loop: Loop, inner: Loop, child) -> None:
    """Tell a loop which lanes broke out of its continuation in a child environment."""
    if inner.broken is None:
        return
    if loop.broken is None:
        loop.broken = np.zeros(loop.env.width, bool)
    loop.broken[child.index[inner.broken]] = True


def compile_while(compiler: Compiler, node: ast.While) -> Body:
    """``while condition:``, with `else`."""
    condition, place = compiler.expression(node.test), compiler.place(node.test)
    body, assigned = compiler.block(node.body), types_assigned(compiler, node.body)
    otherwise = compiler.block(node.orelse) if node.orelse else None
    traced, said = compiler.traced, read_condition(compiler, node)

    def one_turn(env: Env, mask: Mask, loop, decided):
        """The condition and the body once: the lanes of the next turn, None when the loop is over."""
        if not decided:
            value = truth(condition(env, mask))
            if traced:
                env.batch.emit.branch(env, mask, value, place)
            mask = still_in(value, mask) if type(value) is np.ndarray else (mask if value else None)
            if mask is None:
                return None
        if is_sparse(env, mask):
            continue_with(env, mask, loop, lambda child, inner: turns(child, child.full, inner, decided=True))
            return None
        begin_turn(env, mask, loop)
        return next_turn(env, body(env, mask), loop)

    def turns(env: Env, mask: Mask, loop, decided=False):
        """Run until no lane is left. decided: the condition of the first turn is known to hold."""
        batch, turn, watched_turn = env.batch, 0, FIRST_WATCHED_TURN
        while mask is not None:
            changes, count = batch.changes, mask.count
            if turn == watched_turn:
                watched_turn += min(turn, LONGEST_WATCH)
                mask, fixed = watched(one_turn, env, mask, loop, decided)
            else:
                mask = one_turn(env, mask, loop, decided)
                fixed = batch.changes == changes
            decided = False
            turn += 1
            proven = said.constant and turn == 2 and not batch.raised
            if mask is not None and (proven or fixed and mask.count == count):
                raise deadlock(env, mask, place, said)
            batch.check_deadline()

    def run(env: Env, mask: Mask):
        before_loop(env, mask, assigned)
        loop = enter(env, place, otherwise)
        turns(env, mask, loop)
        return finish(env, mask, loop, otherwise)

    return run


def compile_for(compiler: Compiler, node: ast.For):
    """``for target in range(...)`` and over tuples and arrays, with `else`."""
    from simt.compiling.statements import compile_target

    target = compile_target(compiler, node.target)
    body, assigned = compiler.block(node.body), types_assigned(compiler, node.body)
    otherwise = compiler.block(node.orelse) if node.orelse else None
    place = compiler.place(node.iter)
    call = node.iter
    if isinstance(call, ast.Call) and compiler.static(call.func) is range:
        bounds = [compiler.expression(argument) for argument in call.args]
        return _range_loop(bounds, target, body, otherwise, place, compiler.traced, assigned)
    if isinstance(call, ast.List):  # a list written here is a tuple to Python itself
        call = ast.copy_location(ast.Tuple(call.elts, ast.Load()), call)
    sequence = compiler.expression(call)

    def run(env: Env, mask: Mask):
        before_loop(env, mask, assigned)
        items = _items(env, sequence(env, mask), place)
        loop = enter(env, place, otherwise, next(items))
        current = mask
        for item, within in items:
            if within is not None and (current := still_in(within, current)) is None:
                break
            begin_turn(env, current, loop)
            target(env, current, item(current))
            current = next_turn(env, body(env, current), loop)
            if current is None:
                break
            env.batch.check_deadline()
        return finish(env, mask, loop, otherwise)

    return run


def _items(env: Env, sequence, place: Place):
    """How many elements a loop runs over, 0 where lanes differ; then each, and which lanes have it, None for all.

    An element is a function of the mask that loads it when its turn comes.
    """
    if isinstance(sequence, Array):
        extent = sequence.shape[0]
        yield 0 if is_lane(extent) else int(extent)
        for position in range(int(np.max(extent, initial=0))):
            within = position < extent if is_lane(extent) else None
            yield lambda mask, position=position: load(env, mask, sequence, np.int64(position), place), within
    elif isinstance(sequence, Parts):
        raise sequence.refused("cannot be looped over")
    elif isinstance(sequence, tuple):
        yield len(sequence)
        for item in sequence:
            yield lambda mask, item=item: item, None
    else:
        raise KernelTypeError(
            f"cannot loop over a value of type {type(sequence).__name__}: use range(...), a tuple or an array"
        )


def _range_loop(bounds, target, body, otherwise, place: Place, traced, assigned) -> Body:
    def run(env: Env, mask: Mask):
        values = [bound(env, mask) for bound in bounds]
        for value in values:
            if not hasattr(value, "dtype") or value.dtype.kind not in "biu":
                raise KernelTypeError("`range` needs integers: use // or int(...)")
        dtype = range_dtype(tuple(value.dtype for value in values))
        start, stop, step = _range_arguments(values)
        before_loop(env, mask, assigned)
        if any(is_lane(value) for value in (start, stop, step)):
            loop = enter(env, place, otherwise)
            first = np.broadcast_to(np.asarray(start, dtype), env.width)
            lane_turns(env, mask, loop, first, stop, step)
        else:
            steps = range(int(start), int(stop), int(step))
            loop = enter(env, place, otherwise, len(steps))
            uniform_turns(env, mask, loop, steps, dtype.type)
        return finish(env, mask, loop, otherwise)

    def uniform_turns(env: Env, mask: Mask, loop, steps, kind):
        current, batch = mask, env.batch
        for value in steps:
            if traced:
                batch.emit.branch(env, current, True, place)
            begin_turn(env, current, loop)
            target(env, current, kind(value))
            current = next_turn(env, body(env, current), loop)
            if current is None:
                return
            batch.check_deadline()
        if traced:
            batch.emit.branch(env, current, False, place)

    def lane_turns(env: Env, mask: Mask, loop, value: Value, stop, step):
        current, batch = mask, env.batch
        while current is not None:
            inside = _before(value, stop, step)
            if traced:
                batch.emit.branch(env, current, inside, place)
            current = still_in(inside, current)
            if current is None:
                return
            if is_sparse(env, current):
                continue_with(env, current, loop, partial(narrowed, value, stop, step))
                return
            begin_turn(env, current, loop)
            target(env, current, value)
            current = next_turn(env, body(env, current), loop)
            value = value + step.astype(value.dtype)
            batch.check_deadline()

    def narrowed(value, stop, step, child: Env, inner: Loop):
        lane_turns(child, child.full, inner, *(narrow(one, child.index) for one in (value, stop, step)))

    return run


def _range_arguments(values: list):
    """(start, stop, step) of one, two or three arguments of range."""
    start, stop = (np.int64(0), values[0]) if len(values) == 1 else values[:2]
    step = values[2] if len(values) == 3 else np.int64(1)
    if np.any(np.asarray(step) == 0):
        raise KernelTypeError("`range` has step 0, so it would never end: start with a step of 1")
    return start, stop, step


def _before(value: Value, stop, step):
    """Per lane, whether a range has not reached its end."""
    if is_lane(step):
        return np.where(step > 0, value < stop, value > stop)
    return value < stop if step > 0 else value > stop
