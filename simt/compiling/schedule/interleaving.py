"""Threads out of lock step: between two points where threads meet, one half of the warps runs before the other.

A launch with `lockstep=False` does this. The statements of a function are cut where threads may wait for or talk to
each other: at barriers, warp operations, calls that may hold one, and loops that look at memory to know when to end.
Each piece in between is run for a random half of the warps, then for the rest; of a block of one warp, for half of its
lanes. A barrier that is missing then shows in the result, under some seeds.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import UnsupportedError
from simt.hardware import WARP_SIZE
from simt.lanes.masks import Mask, join
from simt.source.recognise import CudaName, python_function
from simt.source.walking import walk
from simt.values import UNDEFINED, as_lanes

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env

MEETS = ("syncthreads", "syncwarp", "shfl", "cg", "activemask", "lanemask", "fp16")
SHARE = 0.5  # of the warps that go first


def pieces(compiler: Compiler, statements: list[ast.stmt], steps: tuple) -> list[tuple[bool, tuple]]:
    """(whether all threads run it together, its steps) of every piece, in order. statements: those of the steps."""
    found: list[tuple[bool, list]] = []
    for node, step in zip(statements, steps, strict=True):
        together = may_meet(compiler, node)
        if together or not found or found[-1][0]:
            found.append((together, []))
        found[-1][1].append(step)
    return [(together, tuple(part)) for together, part in found]


def may_meet(compiler: Compiler, node: ast.AST, seen: frozenset = frozenset()) -> bool:
    """Whether threads may wait for each other, or exchange values, inside this syntax."""
    for one in walk(node):
        if isinstance(one, ast.While) and any(isinstance(part, (ast.Subscript, ast.Call)) for part in walk(one.test)):
            return True
    return calls_one_of(compiler, node, MEETS, seen)


def calls_one_of(compiler: Compiler, node: ast.AST, names: tuple[str, ...], seen: frozenset = frozenset()) -> bool:
    """Whether a call inside this syntax is, holds or may hold something of cuda whose name begins like one of these."""
    return any(isinstance(one, ast.Call) and _call_is_one(compiler, one, names, seen) for one in walk(node))


def _call_is_one(compiler: Compiler, call: ast.Call, names: tuple[str, ...], seen: frozenset) -> bool:
    function = compiler.static(call.func)
    if isinstance(function, CudaName):
        return function.path.startswith(names) or names is MEETS and function.path.endswith("_sync")
    if function is UNDEFINED:  # a method, or a function defined inside the kernel
        return not isinstance(call.func, ast.Attribute) or call.func.attr == "sync"
    device_function = python_function(function)
    if device_function is None or device_function in seen:
        return False
    try:
        callee = type(compiler)(device_function, compiler.traced)
    except UnsupportedError:  # no device function of Python: a type, or a function of a library
        return False
    look = may_meet if names is MEETS else partial(calls_one_of, names=names)
    return look(callee, callee.source.node, seen=seen | {device_function})


def run_in_turns(env: Env, mask: Mask, parts: list[tuple[bool, tuple]], run) -> Mask | None:
    """Run the pieces of a block of statements; run(env, mask, steps) runs some of them. Returns the lanes left."""
    batch = env.batch
    for together, steps in parts:
        if together:
            mask = run(env, mask, steps)
        else:
            batch.apart = False
            try:
                after = None
                for group in _groups(env, mask):
                    after = join(after, run(env, group, steps), env.width)
            finally:
                batch.apart = True
            mask = after
        if mask is None:
            return None
    return mask


def _groups(env: Env, mask: Mask) -> list[Mask]:
    """The lanes of a mask in two groups, in the order in which they run; one where chance puts all into it."""
    thread, per_block = as_lanes(env.register("thread"), env.width), env.batch.options.warps_per_block
    who = thread
    if per_block > 1:
        who = as_lanes(env.register("block"), env.width) * per_block + thread // WARP_SIZE
    first = (env.batch.shuffle.random(int(who.max()) + 1) < SHARE)[who]
    groups = [first, ~first] if mask.bits is None else [mask.bits & first, mask.bits & ~first]
    counts = [int(np.count_nonzero(bits)) for bits in groups]
    return [Mask(bits, count) for bits, count in zip(groups, counts, strict=True) if 0 < count < mask.count] or [mask]
