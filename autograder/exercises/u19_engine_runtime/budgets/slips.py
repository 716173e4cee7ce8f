"""Wrong results of unit 19's mend_layers and fit_budget that betray their cause."""

from __future__ import annotations

from autograder.exercises.common_slips import but_for
from autograder.exercises.u19_engine_runtime.budgets.edge_values import RIGHT as BUDGETED
from autograder.exercises.u19_engine_runtime.budgets.edge_values import budgeted
from autograder.exercises.u19_engine_runtime.budgets.layer_values import RIGHT, mended

without = but_for(mended, RIGHT)


LAYERS = (
    without(
        "longest_taken",
        "the longest layers are named: a long one may be as fast as it can be, so compare each with its bound",
        bounded=False,
        saves_excess=True,
    ),
    without(
        "ratio_taken",
        "layers are ordered by how many times as long as their bound they take: a short one that takes three times as "
        "long gains less than a long one that takes a quarter more",
        ratio=True,
    ),
    without(
        "times_added",
        "the times of flops and bytes are added: they pass side by side, so the longer one is the bound",
        longer_counts=False,
    ),
    without("bytes_not_asked", "the bound is that of flops alone: memory may take longer", n_bytes=False),
    without("flops_not_asked", "the bound is that of bytes alone: arithmetic may take longer", flops=False),
    without("least_first", "the layers with least to gain are named: order by falling gain", descending=False),
    without(
        "nothing_to_gain_named",
        "a layer without anything to gain is named: -1 stands there where fewer than three have any",
        nothing_to_gain=False,
    ),
    without("sides_exchanged", "the two sides of the ridge are exchanged: 1 is memory, 0 is arithmetic", sides=False),
    without(
        "share_of_three",
        "the share is of these layers' own time: it is asked of the time of all layers",
        of_all=False,
    ),
    without(
        "whole_time_saved",
        "the whole time of these layers counts as saved: at their bound they still take as long as the bound says",
        saves_excess=False,
    ),
)


over_budget = but_for(budgeted, BUDGETED)


LATE = (
    "the deadline is compared with a run alone, or with nothing: the first picture of a batch waits for the last one, "
    "and then for the run"
)
BUDGETS = (
    over_budget(
        "idle_for_free", "the time between two runs takes no energy: idle_watts go on until the next batch", idle=False
    ),
    over_budget("per_batch", "energy is that of a whole batch: divide by its pictures", per_picture=False),
    over_budget("gathering_forgotten", LATE, gathers=False),
    over_budget("gathering_forgotten", LATE, deadline=False),
    over_budget(
        "one_wait_too_many",
        "a picture waits once too often: between the first and the last of a batch there are batch - 1 periods",
        one_too_many=True,
    ),
    over_budget(
        "does_not_keep_up",
        "a way was chosen that is slower than pictures come: a run has to end before the next batch is there",
        keeps_up=False,
    ),
    over_budget(
        "peak_for_average",
        "the watts of a run are compared with most_watts: that is meant on average, with the time when nothing runs",
        average=False,
    ),
    over_budget("power_not_asked", "a way that is too hot was chosen: nobody asked for the power", power=False),
    over_budget("memory_not_asked", "a way that is too large was chosen: nobody asked for the memory", memory=False),
    over_budget(
        "fastest_taken", "the fastest way was chosen: the one that takes the least energy is asked for", by_time=True
    ),
)
