"""Every entry of the zoo whose counters are compared with the hardware's, and every planted race."""

from __future__ import annotations

from tests.zoo import (
    algorithms,
    atomics,
    atomics_shared,
    control_flow,
    global_shapes,
    global_walks,
    habits,
    products,
    races_barriers,
    races_counters,
    races_global,
    races_handovers,
    races_updates,
    races_warps,
    shared_memory,
    shared_tiles,
)
from tests.zoo.entry import Entry
from tests.zoo.planted import Planted

MEMORY = (global_walks, global_shapes, shared_memory, shared_tiles, atomics, atomics_shared)
PROGRAMS = (algorithms, products, control_flow, habits)
RACES = (races_barriers, races_handovers, races_updates, races_counters, races_warps, races_global)

ENTRIES: tuple[Entry, ...] = tuple(entry for module in (*MEMORY, *PROGRAMS) for entry in module.ENTRIES)
PLANTED: tuple[Planted, ...] = tuple(planted for module in RACES for planted in module.PLANTED)
