"""Faults of unit 19's threshold_plugin in words: each is what the engine found first."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip
from autograder.exercises.u19_engine_runtime.layer.host import Objection

SAYS = {
    "not_found": "no creator stands in the registry under the file's name, version and namespace: "
    "SoftThreshold, 2, course",
    "no_field_names": "the creator names no field thresholds of type FLOAT32, so the parser hands none of the "
    "node's numbers over",
    "other_key": "the plugin has another name, version or namespace than its creator: the plan keeps the plugin's, "
    "and whoever loads it looks for a creator by that",
    "other_type": "the type of the result is not that of the input: a list of one type, float32",
    "other_shape": "the shape of the result is not that of the input, or holds numbers where a size is only known "
    "in a run: pass the input's expressions on",
    "takes_any_type": "the plugin says yes to tensors that are not float32, and the kernel reads float32 alone",
    "takes_any_layout": "the plugin says yes to other layouts than LINEAR, and the kernel reads row after row",
    "takes_nothing": "the plugin says no to float32 in LINEAR, at the place of its input or of its result, so no "
    "engine can be built",
    "loses_fields": "what the plan would keep are not the file's thresholds: one field, thresholds, FLOAT32, with "
    "the numbers that the creator was given",
    "shares_numbers": "a second plugin changed the first one's thresholds: each object keeps its own, and the "
    "class none",
    "no_clone": "clone gives no other plugin with the same thresholds: each context gets one of its own",
    "beyond": "an array was asked for that is larger than the tensor at its address: images times channels are its "
    "rows, and all other sizes together its pixels",
    "leaves_out": "elements of the result were never written: the grid covers all pixels along x and all rows, "
    "images times channels, along y",
    "first_shape_alone": "results are right at one shape and not at another: take the sizes of each run from "
    "input_desc",
    "wrong_result": "results are not those of the layer: rows are images times channels, each with all its pixels",
}


PLUGGED = tuple(
    Slip(name, says, lambda values, at=at: {"fault": np.int64(at), "proof": np.int64(0)})  # type: ignore[misc]
    for name, says, at in ((name, says, Objection[name.upper()]) for name, says in SAYS.items())
)
