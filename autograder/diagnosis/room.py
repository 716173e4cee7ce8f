"""Room on the device that is the same whatever the input: large enough for every case, and too small for the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.outcome import Cause

DIFFERENT_INPUTS = 3  # sizes of the input that must have met the same room


@dataclass(frozen=True)
class DeviceRoom:
    """The largest array that one call of a host function allocated on the device. needed: bytes of its largest
    argument; line: of the learner's file, 0 where it is not known."""

    allocated: int
    needed: int
    line: int = 0


def fixed_room(rooms: Sequence[DeviceRoom], too_small: bool = False) -> Cause | None:
    """The cause where every call allocates the same number of bytes, more than any of the inputs has; else None.

    too_small: the longest input went wrong, and is left out.
    """
    longest = max((room.needed for room in rooms), default=0)
    met = [room for room in rooms if not (too_small and room.needed == longest)]
    sizes, inputs = {room.allocated for room in met}, {room.needed for room in met}
    if len(sizes) != 1 or len(inputs) < DIFFERENT_INPUTS or not max(sizes) > max(inputs):
        return None
    says = (
        f"Each call makes room for {max(sizes):,} bytes on the device, however long the input is: an array that needs "
        "more does not fit, and the kernel writes past its end."
    )
    remedy = "Take the size from an argument, as cuda.device_array_like(d_x) does."
    lines = (rooms[0].line,) if rooms[0].line else ()
    return Cause("short_only", "fixed_room", says, remedy, lines)
