"""Launches whose threads may need more registers than a block can have: to be compiled, where there is a compiler.

A block has 65,536 registers, so one of up to 256 threads always gets what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simt.hardware import LIMITS, MAX_REGISTERS_PER_THREAD, REGISTER_UNIT, WARP_SIZE
from simt.launching.geometry import norm3, volume
from simt.programs.launched import OneLaunch
from simt.programs.places import Functions, reached_by
from simt.programs.reports import Where
from simt.source.walking import walk
from simt.values.unasked import is_a, memory_on_device

BLOCK_REGISTERS = min(one.registers for one in LIMITS.values())
MOST_KERNELS = 4  # that one program has compiled: each takes half a second
PARTS_A_REGISTER = 2  # of the syntax, at least: kernels of fewer have fewer registers


def most_registers(threads: int) -> int:
    """The most that each thread of a block may have. They are handed out by the warp."""
    a_warp = BLOCK_REGISTERS // -(-threads // WARP_SIZE) // REGISTER_UNIT * REGISTER_UNIT
    return min(a_warp // WARP_SIZE, MAX_REGISTERS_PER_THREAD)


@dataclass(frozen=True)
class LargeBlock:
    """A launch of a kernel. arguments: small ones of the same types; shape: as in "[4, 1024]"."""

    kernel: Callable
    name: str
    arguments: tuple
    threads: int
    shape: str
    number: int
    called_at: Where


class LargeBlocks:
    """The first such launch of each kernel."""

    def __init__(self) -> None:
        self.all: list[LargeBlock] = []

    def note(self, launch: OneLaunch) -> None:
        """Keep a launch that ran, the first of its kernel, if it may need too many registers."""
        threads, function = volume(norm3(launch.block)), launch.function
        few = threads <= BLOCK_REGISTERS // (MAX_REGISTERS_PER_THREAD + 1) or len(self.all) >= MOST_KERNELS
        if few or function is None or _parts(function) < PARTS_A_REGISTER * most_registers(threads):
            return
        arguments = tuple(map(small_argument, launch.args))
        if not any(one is None for one in arguments):
            where = function.__name__, arguments, threads, launch.shape, launch.number, launch.called_at
            self.all.append(LargeBlock(launch.kernel, *where))


def _parts(function: Callable) -> int:
    """Nodes in the syntax of a kernel and what it calls."""
    return sum(1 for one in reached_by(function) for _ in walk(Functions.syntax_of(one)))


def small_argument(argument: Any) -> Any:
    """An argument of the same type that keeps no memory; None for what is neither an array nor a number."""
    memory = memory_on_device(argument)
    array = argument if memory is None and is_a(argument, np.ndarray) else memory
    if array is not None:
        small = np.zeros((2,) * array.ndim, array.dtype)
        return small if array.flags.c_contiguous or not array.flags.f_contiguous else np.asfortranarray(small)
    return argument if type(argument) in (int, float, bool, complex) or is_a(argument, np.generic) else None
