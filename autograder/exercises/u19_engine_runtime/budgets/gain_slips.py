"""Wrong results of unit 19's count_gains that betray their cause."""

from __future__ import annotations

from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.budgets.gain_values import RIGHT, counted

without = but_for(counted, RIGHT)


GAINS = (
    without(
        "inner_moved",
        "a fused kernel still writes and reads what only its own steps use: that stays in registers and moves no bytes",
        inner_stays=False,
    ),
    without(
        "read_twice",
        "a tensor that a kernel needs in two places counts twice: one kernel reads a tensor once",
        read_once=False,
    ),
    without(
        "read_later_forgotten",
        "a tensor that another kernel reads was not written: fused or not, the other kernel can only find it in memory",
        read_later=False,
    ),
    without(
        "output_forgotten",
        "a tensor that no step reads was not written: it is an output of the network",
        outputs=False,
    ),
    without(
        "weights_forgotten", "weights are not among the bytes that are read: they come from memory, too", weights=False
    ),
    without(
        "times_added",
        "the times of flops and bytes are added: they pass side by side, so the longer one counts",
        longer_counts=False,
    ),
    without(
        "bound_of_whole",
        "the bound is that of all flops and all bytes together: each kernel has a bound of its own, and one that waits "
        "for memory does not lend its arithmetic to the next",
        by_kernel=False,
    ),
    without(
        "launches_added",
        "the time of every launch is added: the host launches the next kernel while this one runs",
        beside=False,
    ),
    without(
        "launch_forgotten",
        "launches take no time: no kernel begins before the host has launched it, kernel i at (i + 1) · launch_us",
        launched=False,
    ),
    without(
        "peak_of_float32",
        "float16 has the peak of float32: its flops go through tensor cores, the last number of gpu",
        half_peak=False,
    ),
    without(
        "weights_stay_wide",
        "weights still have 4 bytes where everything else has 2: the engine stores them in float16, too",
        half_weights=False,
    ),
    without(
        "graph_launched_each",
        "the graph's kernels are launched one by one: the host launches a graph once",
        one_graph=False,
    ),
)
