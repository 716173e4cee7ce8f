"""Faults of unit 19's threshold_plugin in words: each is what the engine found first."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.u19_engine_runtime.layer.host import Fault

SAYS = {
    Fault.NOT_FOUND: "no creator stands in the registry under the file's name, version and namespace: "
    "SoftThreshold, 2, course",
    Fault.NO_FIELD_NAMES: "the creator names no field thresholds of type FLOAT32, so the parser hands none of the "
    "node's numbers over",
    Fault.OTHER_KEY: "the plugin has another name, version or namespace than its creator: the plan keeps the plugin's, "
    "and whoever loads it looks for a creator by that",
    Fault.OTHER_TYPE: "the type of the result is not that of the input: a list of one type, float32",
    Fault.OTHER_SHAPE: "the shape of the result is not that of the input, or holds numbers where a size is only known "
    "in a run: pass the input's expressions on",
    Fault.TAKES_ANY_TYPE: "the plugin says yes to tensors that are not float32, and the kernel reads float32 alone",
    Fault.TAKES_ANY_LAYOUT: "the plugin says yes to other layouts than LINEAR, and the kernel reads row after row",
    Fault.TAKES_NOTHING: "the plugin says no to float32 in LINEAR, at the place of its input or of its result, so no "
    "engine can be built",
    Fault.LOSES_FIELDS: "what the plan would keep are not the file's thresholds: one field, thresholds, FLOAT32, with "
    "the numbers that the creator was given",
    Fault.SHARES_NUMBERS: "a second plugin changed the first one's thresholds: each object keeps its own, and the "
    "class none",
    Fault.NO_CLONE: "clone gives no other plugin with the same thresholds: each context gets one of its own",
    Fault.BEYOND: "an array was asked for that is larger than the tensor at its address: images times channels are its "
    "rows, and all other sizes together its pixels",
    Fault.LEAVES_OUT: "elements of the result were never written: the grid covers all pixels along x and all rows, "
    "images times channels, along y",
    Fault.FIRST_SHAPE_ALONE: "results are right at one shape and not at another: take the sizes of each run from "
    "input_desc",
    Fault.WRONG_RESULT: "results are not those of the layer: rows are images times channels, each with all its pixels",
}


PLUGGED = tuple(
    Slip(fault.name.lower(), says, lambda values, fault=fault: {"fault": np.int64(fault), "proof": np.int64(0)})  # type: ignore[misc]
    for fault, says in SAYS.items()
)
