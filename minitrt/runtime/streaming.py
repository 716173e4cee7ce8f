"""Weight streaming: what of an engine's constants lies on the device, and what stays in host memory.

Kernels read the rest where it is, in pinned memory that the GPU sees, over the bus and each time they run. Constants go
to the device in the order in which they are first used, until the budget is spent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minitrt.plan.plan import Plan
from minitrt.tactics.contract import Packed

FLAG = "WEIGHT_STREAMING"


def streamable_bytes(plan: Plan) -> int:
    """Bytes of all constants, each counted once; 0 for an engine that was not built with the flag."""
    if FLAG not in plan.flags:
        return 0
    if plan.device is None:
        arrays = [value.data for profile in plan.profiles for value in profile.graph.constants()]
    else:
        launches = [one for p in plan.profiles for choice in p.choices for one in choice.launches]
        arguments = [getattr(a, "of", a) for one in launches for a in one.args]
        arrays = [argument.data for argument in arguments if isinstance(argument, Packed)]
    return sum(array.nbytes for array in {id(array): array for array in arrays}.values())


class Places:
    """Where constants lie. on_device, on_host: make memory that holds an array; it has an `address`."""

    def __init__(self, plan: Plan, on_device: Callable[[np.ndarray], Any], on_host: Callable[[np.ndarray], Any]):
        self.plan, self.on_device, self.on_host = plan, on_device, on_host
        self.held: dict[int, tuple[Any, np.ndarray]] = {}
        self.used = 0

    def address(self, array: np.ndarray) -> int:
        """Where a constant lies; it is sent when it is first asked for. The array is kept, so that its id stays its
        own."""
        if id(array) not in self.held:
            fits = self.plan.weight_budget is None or self.used + array.nbytes <= self.plan.weight_budget
            self.used += array.nbytes if fits else 0
            self.held[id(array)] = (self.on_device if fits else self.on_host)(array), array
        return self.held[id(array)][0].address
