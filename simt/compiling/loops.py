"""Compilers of loops. Lanes leave a loop one by one; when few are left, the rest of it runs on those alone."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from simt.compiling.branch_types import before_loop, types_assigned
from simt.compiling.endless import deadlock, read_condition
from simt.compiling.schedule.sums import GROWS, TAKES_BACK
from simt.compiling.targets import compile_target
from simt.lanes.blend import narrow
from simt.lanes.fixpoint import Watch, cells_of, hold_nothing_below_zero
from simt.lanes.looping import begin_turn, continue_with, enter, finish, is_sparse, next_turn, still_in
from simt.memory.access import check_one_type
from simt.memory.ranges import range_arguments, range_type
from simt.memory.sequences import elements_of
from simt.memory.walks import Walk
from simt.values import is_lane, number, truth
from simt.values.numba_rules import I64, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from simt.closures import Body, Run
    from simt.compiling.compiler import Compiler
    from simt.compiling.counting import Told
    from simt.compiling.endless import Condition
    from simt.lanes.masks import Env, Loop, Mask
    from simt.source.sites import Place
    from simt.values import Value

FIRST_WATCHED_TURN = 64  # turns after which a loop is watched: does it come back to where it was?
LONGEST_WATCH = 4096  # turns


def compile_while(compiler: Compiler, node: ast.While) -> Body:
    """``while condition:``, with `else`."""
    loop = WhileLoop(
        compiler.expression(node.test),
        compiler.place(node.test),
        compiler.block(node.body),
        types_assigned(compiler, node.body),
        compiler.block(node.orelse) if node.orelse else None,
        compiler.traced,
        read_condition(compiler, node),
    )
    return loop.run


@dataclass(frozen=True, slots=True)
class WhileLoop:
    """A `while`, compiled. assigned: what its body gives which type; otherwise: its `else`; said: by its condition."""

    condition: Run
    place: Place
    body: Body
    assigned: Any
    otherwise: Body
    traced: Told
    said: Condition

    def run(self, env: Env, mask: Mask):
        before_loop(env, mask, self.assigned)
        loop = enter(env, self.place, self.otherwise)
        self.turns(env, mask, loop)
        return finish(env, mask, loop, self.otherwise)

    def turns(self, env: Env, mask: Mask | None, loop: Loop, decided=False):
        """Run until no lane is left. decided: the condition of the first iteration is known to hold."""
        batch, turn, watch, watched_from = env.batch, 0, None, FIRST_WATCHED_TURN
        try:
            while mask is not None:
                if turn == watched_from:
                    watched_from += min(turn, LONGEST_WATCH)
                    watch = _watch_anew(watch, env, mask, turn, self.said)
                changes, count = batch.changes, mask.count
                mask = self.one_turn(env, mask, loop, decided)
                decided = False
                turn += 1
                if watch is not None and watch.is_in_vain(mask):
                    watch.ends()
                    watch = None
                proven = self.said.constant and turn == 2 and not batch.raised
                still = mask is not None and batch.changes == changes and mask.count == count
                still = still or self.in_vain(env, turn)
                back = turn - watch.turn if watch is not None and watch.came_back(env) else 0
                if mask is not None and (proven or still or back):
                    raise deadlock(env, mask, self.place, self.said, 1 if proven or still else back)
                batch.check_deadline()
        finally:
            if watch is not None:
                watch.ends()

    def in_vain(self, env: Env, turn: int) -> bool:
        """Whether a loop goes round until a sum is 0 that it makes larger in every iteration, and that is above 0."""
        grows = self.said.adds == GROWS and turn % FIRST_WATCHED_TURN == 0
        return grows and hold_nothing_below_zero(env, self.said.updates)

    def one_turn(self, env: Env, mask: Mask, loop: Loop, decided: bool) -> Mask | None:
        """The condition and the body once: the lanes of the next iteration, None when the loop is over."""
        if not decided:
            value = truth(self.condition(env, mask))
            if self.traced:
                env.batch.emit.branch(env, mask, value, self.place)
            mask = still_in(value, mask) if type(value) is np.ndarray else (mask if value else None)
            if mask is None:
                return None
        if is_sparse(env, mask):
            continue_with(env, mask, loop, self._turns_of_few)
            return None
        begin_turn(env, mask, loop)
        return next_turn(env, self.body(env, mask), loop)

    def _turns_of_few(self, child: Env, inner: Loop):
        self.turns(child, child.full, inner, decided=True)


def _watch_anew(watch: Watch | None, env: Env, mask: Mask, turn: int, said: Condition) -> Watch:
    """A watch from this iteration on, in place of an older one."""
    if watch is not None:
        watch.ends()
    return Watch(env, mask, turn, said.decide, cells_of(env, said.updates) if said.adds == TAKES_BACK else None)


def compile_for(compiler: Compiler, node: ast.For):
    """``for target in range(...)`` and over tuples and arrays, with `else`."""
    target = compile_target(compiler, node.target)
    body, assigned = compiler.block(node.body), types_assigned(compiler, node.body)
    otherwise = compiler.block(node.orelse) if node.orelse else None
    place = compiler.place(node.iter)
    call = node.iter
    if isinstance(call, ast.Call) and compiler.static(call.func) is range:
        bounds = [compiler.expression(argument) for argument in call.args]
        return RangeLoop(bounds, target, body, otherwise, place, compiler.traced, assigned).run
    if isinstance(call, ast.List):  # a list written here is a tuple to Python itself
        call = ast.copy_location(ast.Tuple(call.elts, ast.Load()), call)
    sequence = _unrolled(compiler, call) or of_one_type(compiler.expression(call), ast.unparse(call))

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


def _unrolled(compiler: Compiler, node: ast.expr) -> Run | None:
    """The tuple of ``literal_unroll(values)``, whose items may be of any types; None for another expression."""
    if isinstance(node, ast.Call) and getattr(compiler.static(node.func), "__name__", "") == "literal_unroll":
        return compiler.expression(node)
    return None


def of_one_type(sequence: Run, written: str) -> Run:
    """A tuple that a loop goes over, which is compiled once for all of its items. Raises: KernelTypeError."""

    def run(env: Env, mask: Mask):
        items = sequence(env, mask)
        if type(items) is tuple:
            check_one_type(items, written)
        return items

    return run


def _items(env: Env, sequence, place: Place):
    """How many elements a loop runs over, 0 where lanes differ; then each, and which lanes have it, None for all.

    An element is a function of the mask that loads it when its turn comes.
    """
    elements = elements_of(sequence, place)
    if isinstance(elements, Walk):
        yield from elements.left_for(env)
        return
    differ = is_lane(elements.extent)
    yield 0 if differ else elements.extent
    for position in range(int(np.max(elements.extent, initial=0))):
        within = position < elements.extent if differ else None
        yield lambda mask, position=position: elements.at(env, mask, position), within


@dataclass(frozen=True, slots=True)
class RangeLoop:
    """A `for` over a range, compiled. assigned: what its body gives which type; otherwise: its `else`."""

    bounds: list[Run]
    target: Callable[[Env, Mask, Any], None]
    body: Body
    otherwise: Body
    place: Place
    traced: Told
    assigned: Any

    def run(self, env: Env, mask: Mask):
        given = [number(bound(env, mask)) for bound in self.bounds]
        dtype = range_type(given)
        start, stop, step = range_arguments([cast(value, I64) if value.dtype.kind == "f" else value for value in given])
        before_loop(env, mask, self.assigned)
        if any(is_lane(value) for value in (start, stop, step)):
            loop = enter(env, self.place, self.otherwise)
            first = np.broadcast_to(np.asarray(start, dtype), env.width)
            self.lane_turns(env, mask, loop, first, stop, step)
        else:
            steps = range(int(start), int(stop), int(step))
            loop = enter(env, self.place, self.otherwise, len(steps))
            self.uniform_turns(env, mask, loop, steps, dtype.type)
        return finish(env, mask, loop, self.otherwise)

    def uniform_turns(self, env: Env, mask: Mask, loop: Loop, steps: range, kind):
        """All lanes go round for the same numbers. kind: the NumPy type of these."""
        current, batch = mask, env.batch
        for value in steps:
            if self.traced:
                batch.emit.branch(env, current, True, self.place)
            begin_turn(env, current, loop)
            self.target(env, current, kind(value))
            current = next_turn(env, self.body(env, current), loop)
            if current is None:
                return
            batch.check_deadline()
        if self.traced:
            batch.emit.branch(env, current, False, self.place)

    def lane_turns(self, env: Env, mask: Mask, loop: Loop, value: Value, stop, step):
        """Each lane goes round for numbers of its own."""
        current, batch = mask, env.batch
        while current is not None:
            inside = _before(value, stop, step)
            if self.traced:
                batch.emit.branch(env, current, inside, self.place)
            current = still_in(inside, current)
            if current is None:
                return
            if is_sparse(env, current):
                continue_with(env, current, loop, partial(self._turns_of_few, value, stop, step))
                return
            begin_turn(env, current, loop)
            self.target(env, current, value)
            current = next_turn(env, self.body(env, current), loop)
            value = value + step.astype(value.dtype)
            batch.check_deadline()

    def _turns_of_few(self, value, stop, step, child: Env, inner: Loop):
        self.lane_turns(child, child.full, inner, *(narrow(one, child.index) for one in (value, stop, step)))


def _before(value: Value, stop, step):
    """Per lane, whether a range has not reached its end."""
    if is_lane(step):
        return np.where(step > 0, value < stop, value > stop)
    return value < stop if step > 0 else value > stop
