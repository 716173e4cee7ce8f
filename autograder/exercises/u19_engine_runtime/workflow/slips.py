"""Faults of unit 19's run_network in words: each is what the judge found first."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u19_engine_runtime.workflow.host import Found

SAYS = {
    "no_plan": "build does not return a plan that can be loaded: bytes(...) of what build_serialized_network gives",
    "no_profile": "the file leaves the rows open, and no profile says how many may come: set_shape of the input, and "
    "add_optimization_profile, before the build",
    "other_profile": "the engine's profile is not the one that was asked for: set_shape takes min, opt and max, in "
    "that order",
    "not_begun": "execute_async_v3 returned False, so nothing ran: shape and addresses of all tensors are set before",
    "other_stream": "the run was begun in another stream than host.stream, where nobody orders it after the upload",
    "not_waited_for": "the result was taken before the run was done: execute_async_v3 only begins it, so wait for "
    "the stream first",
    "wrong_result": "results are not those of the network: input and result have addresses of their own, and the "
    "result its own shape",
    "first_shape_alone": "the first request is right, and one of another shape is not: each run sets the input's shape "
    "and asks for the result's",
    "outside_taken": "a shape outside the profile was not refused with a ValueError that names it: set_input_shape "
    "returns False, and the context stays at the shape before",
    "context_each_run": "a context was made for each request: it has the memory of all activations, so one is made "
    "when the plan is loaded",
    "names_taken": "a network whose tensors have other names did not run: ask the network and the engine for them",
    "engines_mixed": "with a second plan loaded, the first engine gives other results: each run keeps its own context",
    "errors_swallowed": "a file with unknown operators was not refused in the parser's words: parse returns False, and "
    "the errors are asked for, one by one",
    "first_error_alone": "of two unknown operators one was told: the parser has num_errors errors",
    "build_not_told": "a build that failed was not refused in the logger's words: build_serialized_network "
    "returns None then",
    "damage_not_told": "a damaged plan was not refused in the logger's words: deserialize_cuda_engine returns None",
    "built_again": "an engine was built while a plan was loaded or run: that is what the plan is for",
}


def slip_of(name: str, says: str) -> Slip:
    """The fault of this name as a slip."""
    outputs = {"fault": np.int64(Found[name.upper()]), "proof": np.int64(0)}

    def produces(values: Values) -> dict:
        return outputs

    return Slip(name, says, produces)


NETWORKED = tuple(slip_of(name, says) for name, says in SAYS.items())
