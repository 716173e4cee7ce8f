"""Contracts of unit 19 of a plan: where tensors lie in memory, which bytes are taken, and from a file to a run."""

from __future__ import annotations

import numpy as np

from autograder.contract import Exercise, Guess
from autograder.exercises.u19_engine_runtime import arena_values, lives_values, plan_values, planning_slips
from autograder.exercises.u19_engine_runtime.values import UNIT
from autograder.exercises.u19_engine_runtime.workflow import values as workflow
from autograder.exercises.u19_engine_runtime.workflow.host import JudgedNetworks
from autograder.exercises.u19_engine_runtime.workflow.slips import NETWORKED

PLAN_ARENA = Exercise(
    id="engine_runtime.plan_arena",
    unit=UNIT,
    title="One arena for all tensors",
    task="Return where each tensor begins in one arena, how long the arena is, and the least that any plan needs. "
    "Sizes are rounded up to a multiple of align. The largest tensor is placed first, of equal ones the lower number; "
    "each lies at the lowest offset where it overlaps no tensor placed before whose life shares a step with its own.",
    function="plan_arena",
    arguments=arena_values.ARENA_ARGUMENTS,
    make=arena_values.make_arena,
    oracle=arena_values.planned,
    kind="host",
    on_host=True,
    cases=arena_values.ARENA_CASES,
    points=3,
    topics=("E12",),
    free_sizes=("n",),
    slips=planning_slips.ARENA,
    example={"n": 6, "align": 64},
    guesses={
        "offset": Guess(
            "returns",
            "the offset of the smallest of three tensors of 60, 250 and 100 bytes, if all of them live in step 2",
            ((60, 250, 100), (2, 1, 0), (3, 2, 2), 64),
            "256 bytes and 128 lie below it: it meets both, and the largest are placed first",
        )
    },
    why="What shares no step may share bytes, and nothing else may. Large tensors find a place while there still are "
    "wide ones; small ones fill the gaps that are left, and the sum of one step says how far from the least that is.",
)


TENSOR_LIVES = Exercise(
    id="engine_runtime.tensor_lives",
    unit=UNIT,
    title="Who lies in whose bytes, and until when",
    task="Step i writes tensor i and reads up to two tensors. Kind 0 writes to a place of its own. Kind 1 is a view of "
    "its first operand and lies there. Kind 2 writes over its first operand if no later step reads anything that lies "
    "there, and no output does; else to a place of its own. Where the operand is -1, it is no tensor of the arena, and "
    "the place is new. Return for each tensor the one in whose bytes it lies, and for each place the last step that "
    "reads anything in it (the one that wrote last where none does, n with an output), -1 for tensors without a place.",
    function="tensor_lives",
    arguments=lives_values.LIVES_ARGUMENTS,
    make=lives_values.make_lives,
    oracle=lives_values.lived,
    kind="host",
    on_host=True,
    cases=lives_values.LIVES_CASES,
    points=3,
    topics=("E12",),
    free_sizes=("n",),
    slips=planning_slips.LIVES,
    example={"n": 5},
    guesses={
        "place": Guess(
            "returns",
            "the place of tensor 3 of the example, if step 3 adds tensor 1 to tensor 2 and not 2 to 1",
            (((0, -1, -1, 0), (1, 0, -1, 0), (2, 0, -1, 0), (2, 2, 1, 1)),),
            "its first operand is tensor 2 now, which has a place of its own that nobody reads later",
            (0, 3),
        )
    },
    why="Bytes have lives, and tensors only borrow them: a view borrows the same bytes, and a step in place takes them "
    "over once nobody else wants them. So every question is asked of the place, and not of the tensor.",
)


LOAD_PLAN = Exercise(
    id="engine_runtime.load_plan",
    unit=UNIT,
    title="A plan, taken or refused",
    task="Write the weights of a plan to weights and return 0, or change nothing and return the first reason to refuse "
    "it: 1 it does not begin with WBPL, 2 bytes are missing or too many, 3 another version, 4 the checksum differs, 5 "
    "another device. A version that is not ours is told before anything else of the header is believed.",
    function="load_plan",
    arguments=plan_values.PLAN_ARGUMENTS,
    make=plan_values.make_plan,
    oracle=plan_values.read,
    kind="host",
    on_host=True,
    cases=plan_values.PLAN_CASES,
    points=3,
    topics=("E2",),
    free_sizes=("n_weights",),
    slips=planning_slips.PLANS,
    example={"n_weights": 2, "state": 0},
    guesses={
        "reason": Guess(
            "returns",
            "the reason against a plan of version 4 for device 80 without its last weight, where 3 and 90 are here",
            (tuple(plan_values.written(np.ones(2, np.float32), 4, 80)[:-4]), 3, 90, (0.0, 0.0)),
            "all three are reasons, and in another version the length may stand elsewhere: the version is told first",
        )
    },
    why="Each check reads only what the checks before it have made sure of: letters, then the version, the length, "
    "every byte, then what the bytes say. So every plan that is refused is refused for its real reason.",
)


RUN_NETWORK = Exercise(
    id="engine_runtime.run_network",
    unit=UNIT,
    title="From a file to a running engine",
    task="Write build(model, shapes), which returns the plan of an ONNX file as bytes, with one profile of min, opt "
    "and max for its one input; and load(plan), which returns run(x): the network's one result for one request, of any "
    "shape in the profile. What is not understood, not built, not loaded or outside the profile is a ValueError that "
    "says why, in the words of the parser (all errors) or of the logger. A plan is loaded once, with one context. "
    "Return what host.tries(build, load) does.",
    function="run_network",
    arguments=workflow.NETWORK_ARGUMENTS,
    make=workflow.make_networks,
    oracle=workflow.networked,
    kind="host",
    on_host=True,
    stand_ins={"host": JudgedNetworks.of},
    cases=workflow.NETWORK_CASES,
    points=4,
    topics=("E2", "E3", "E13"),
    free_sizes=(),
    slips=NETWORKED,
    example={"n_in": 4, "n_out": 3},
    calls=(
        ("build", "builder", "create_network", "no layers yet"),
        ("build", "parser", "parse", "layers, or errors"),
        ("build", "builder", "build_serialized_network", "the plan"),
        ("load", "runtime", "deserialize_cuda_engine", "an engine, or None"),
        ("load", "engine", "create_execution_context", "one context"),
        ("run", "context", "set_input_shape", "whether it fits"),
        ("run", "context", "set_tensor_address", "for x and y"),
        ("run", "context", "execute_async_v3", "begun, not done"),
    ),
    guesses={
        "prints": Guess(
            "prints",
            "how often build, load and run are called for one file, three starts of its service and 1,000 requests",
            ("print(1, 3, 1_000)",),
            "what depends on the file alone happens once, loading at every start, and a run for every request",
        )
    },
    why="Each object has one job and one lifetime: builder and parser end with the plan, an engine and its context "
    "stay, and only shapes and addresses belong to a request. None of them raises, so whoever asks turns None and "
    "False into words.",
)
