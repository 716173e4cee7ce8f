"""Does what nobody wrote make a difference? Then a read of it is a mistake; else it is worth a note.

The launch is run again on copies of its arguments, with other numbers in the shared and local memory that starts with
whatever was there: where all of its results are the same to the bit, none of them depends on what was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from simt.events import Finding
from simt.memory.shared_local import starting_with
from simt.programs.places import names_in
from simt.run import launch
from simt.values.unasked import is_a, memory_on_device

MOST_BYTES = 1 << 21  # of arguments that are copied before a launch
FILLS = (0x00, 0x7F)  # zeros, and numbers as large as there are; the launch itself began with NaN
ALLOCATE, SEEN = ("shared", "local"), ("print", "printf")
SAYS = "the results are the same whatever stands there, so it does no harm"


class OtherGarbage:
    """A launch that can be run again. Made before it runs."""

    def __init__(self, kernel: Any, function: Callable | None, grid: Any, block: Any, args: tuple) -> None:
        self._launch = kernel, grid, block
        self._args = args
        self._before = _copies(args) if function is not None and _allocates(function) else None

    def judged(self, findings: Iterable[Finding], dynamic_shared_bytes: int) -> Iterator[Finding]:
        """What was found, reads that make no difference as notes. Asked once the launch has come to its end."""
        matters: bool | None = None
        for one in findings:
            is_one = one.kind == "uninitialised_read" and not one.note and one.detail.get("space") in ALLOCATE
            if is_one and self._before is not None:
                matters = self._matters(dynamic_shared_bytes) if matters is None else matters
                if not matters:
                    says = f"{one.message.removesuffix('.')}; {SAYS}."
                    one = replace(one, message=says, note=True, detail={**one.detail, "no_matter": True})
            yield one

    def _matters(self, dynamic_shared_bytes: int) -> bool:
        assert self._before is not None
        results = _bytes(self._args)
        for fill in FILLS:
            again = [one.copy(order="K") if is_a(one, np.ndarray) else one for one in self._before]
            try:
                with starting_with(fill):
                    launch(*self._launch, *again, dynamic_shared_bytes=dynamic_shared_bytes)
            except Exception:  # as where an index comes of it
                return True
            if _bytes(again) != results:
                return True
        return False


def _allocates(function: Callable) -> bool:
    """Whether a kernel has shared or local arrays, and shows nothing that another run would show again."""
    names = names_in(function)
    return not names.isdisjoint(ALLOCATE) and names.isdisjoint(SEEN)


def _array(argument: Any) -> np.ndarray | None:
    memory = memory_on_device(argument)
    return argument if memory is None and is_a(argument, np.ndarray) else memory


def _copies(args: tuple) -> list | None:
    """The arguments as they are; None where they are too large, overlap, or are of other kinds."""
    arrays = [(one, _array(one)) for one in args]
    memory = [array for _, array in arrays if array is not None]
    if sum(one.nbytes for one in memory) > MOST_BYTES:
        return None
    if any(np.may_share_memory(one, other) for k, one in enumerate(memory) for other in memory[:k]):
        return None
    plain = all(array is not None or is_a(one, int, float, complex, np.generic) for one, array in arrays)
    return [np.array(array, order="K") if array is not None else one for one, array in arrays] if plain else None


def _bytes(args: Iterable[Any]) -> list[bytes]:
    return [array.tobytes() for one in args if (array := _array(one)) is not None]
