"""Contracts of unit 19's soft_threshold and threshold_plugin: the kernel of an operator that the engine lacks, and its
way into a plan."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u19_engine_runtime import slips
from autograder.exercises.u19_engine_runtime import values as data
from autograder.exercises.u19_engine_runtime.layer import values as plugin
from autograder.exercises.u19_engine_runtime.layer.host import JudgedPlugins
from autograder.exercises.u19_engine_runtime.layer.slips import PLUGGED
from autograder.exercises.u19_engine_runtime.values import PICTURE, UNIT

SOFT_THRESHOLD = Exercise(
    id="engine_runtime.soft_threshold",
    unit=UNIT,
    title="An operator that the engine lacks",
    task="Move every element towards 0 by the threshold of its channel: x - t above t, x + t below -t, 0 between. Row "
    "r of x is channel r % n_channels. One thread per element: x of the grid along the pixels, y down the rows.",
    function="soft_threshold",
    arguments=data.THRESHOLD_ARGUMENTS,
    make=data.make_threshold,
    oracle=data.softened,
    bound=data.threshold_bound,
    cases=data.THRESHOLD_CASES,
    launch=data.a_thread_per_pixel,
    points=2,
    topics=("E14", "E3"),
    free_sizes=("n_images", "n_channels", "n_pixels"),
    cost=data.threshold_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            3.2,
            PICTURE,
            "32 neighbouring elements are 4 or 5 sectors, and their one threshold is 1",
            "uncoalesced",
        ),
    ),
    slips=slips.THRESHOLD,
    predictions={
        "global_load_requests": "global_load_requests",
        "global_store_bytes": "global_store_bytes",
    },
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_images"] * at["n_channels"], "row") * n(-(-at["n_pixels"] // 32), "warp") * n(2, "array")
        ),
        "global_store_bytes": lambda at: (
            n(at["n_images"] * at["n_channels"] * at["n_pixels"], "element") * n(4, "byte")
        ),
    },
    guesses={
        "index": Guess(
            "index",
            "the place in dst, counted row by row, that thread 35 of block 1 writes",
            (1, 35, "dst"),
            "thread 35 is row 1 of its block, lane 3; block 1 begins with pixel 32: 1 · 70 + 35",
        ),
        "line": Guess(
            "line",
            "the line of the draft that its verdict names",
            why="row counts images times channels, and there are only as many thresholds as channels",
        ),
    },
    predict_case=PICTURE,
    example=data.picture(1, 2, 4),
    why="max(x - t, 0) is what lies above, min(x + t, 0) what lies below, and at most one of them is not 0. So there "
    "is no branch, and the threshold is one sector for the whole warp.",
)

THRESHOLD_PLUGIN = Exercise(
    id="engine_runtime.threshold_plugin",
    unit=UNIT,
    title="A plugin, from a file into a plan and back",
    task="Write a V3 plugin of the last rung's kernel, and its creator: SoftThreshold, version 2, namespace course, "
    "with one field, thresholds (FLOAT32). It takes float32 tensors in LINEAR, any number of dimensions from two on, "
    "and gives one of the same type and shape. enqueue launches the kernel once on all pixels of all rows. Return what "
    "host.tries(creator) does.",
    function="threshold_plugin",
    arguments=plugin.PLUGIN_ARGUMENTS,
    make=plugin.make_plugins,
    oracle=plugin.plugged,
    kind="host",
    on_host=True,
    stand_ins={"host": JudgedPlugins.of},
    cases=plugin.PLUGIN_CASES,
    points=4,
    topics=("E14", "E3"),
    free_sizes=(),
    slips=PLUGGED,
    example={"n_channels": 3},
    calls=(
        ("parser", "creator", "create_plugin", "a plugin of the file's fields"),
        ("builder", "plugin", "get_capability_interface", "itself, for each side"),
        ("builder", "plugin", "get_output_data_types", "float32"),
        ("builder", "plugin", "get_output_shapes", "the input's"),
        ("builder", "plugin", "supports_format_combination", "float32, LINEAR"),
        ("builder", "plugin", "get_fields_to_serialize", "into the plan"),
        ("runtime", "creator", "create_plugin", "a plugin of the plan's fields"),
        ("context", "plugin", "clone", "one of its own"),
        ("context", "plugin", "enqueue", "one launch"),
    ),
    guesses={
        "prints": Guess(
            "prints",
            "blocks of 32 x 8 threads along x and along y for 2 images of 3 channels with 5 x 4 pixels",
            ("print(-(-5 * 4 // 32), -(-2 * 3 // 8))",),
            "20 pixels fit into 32 threads, and 6 rows into 8",
        )
    },
    why="A plugin answers for three sides at three times: what the builder asks says which tensors reach the kernel, "
    "fields are all that the plan keeps, and sizes are those of the run. So nothing but the fields may be remembered "
    "from build to run.",
)
