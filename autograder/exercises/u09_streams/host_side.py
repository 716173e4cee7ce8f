"""Contracts of unit 09 about the host: what it does while the device works, and how few calls it makes."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Argument, Budget, Case, Exercise
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u09_streams import slips
from autograder.exercises.u09_streams import values as data
from autograder.exercises.u09_streams.contracts import FROM_PINNED, ONE_WAY, OUT, N, X
from autograder.exercises.u09_streams.values import UNIT


def shares(length: int) -> tuple[Budget, Budget]:
    """What the device and the host have of so many elements."""
    sizes, one_way = {"n": length}, 4 * length
    return (
        Budget(
            "host_to_device_bytes",
            one_way // 2,
            sizes,
            "The device is faster: at least half is its part.",
            "unfair",
            True,
        ),
        Budget("host_to_device_bytes", one_way * 9 // 10, sizes, "A tenth or more is the host's part.", "host_idles"),
    )


SHARED_JOB = Exercise(
    id="streams.shared_job",
    unit=UNIT,
    title="The host works, too",
    task="Launch the device's part of out = 2 x + 1 first, compute the rest with NumPy while it runs, then wait. "
    "The device takes at least half of the elements, and not all of them.",
    function="shared_job",
    arguments=(X, OUT),
    make=data.make_scaled,
    oracle=data.scaled,
    bound=data.scaled_bound,
    kind="host",
    by_order=True,
    arrays="pinned",
    cases=(*data.LENGTHS, Case({"n": data.LONGER}, last=True)),
    points=2,
    topics=("B4", "B1"),
    slips=slips.SCALED,
    host_finishes=True,
    predictions={"transferred_bytes": "transferred_bytes", "host_bytes_beside": "host_bytes_beside"},
    reasons={
        "host_bytes_beside": lambda at: (
            (n(at["n"], "element") - n(at.counters["host_to_device_bytes"] // 4, "of the device", "of the device"))
            * n(4, "byte")
        )
    },
    predict_case=N,
    budgets=(
        *shares(N["n"]),
        *(replace(share, quiet=True) for length in (31, 257, data.LONGER) for share in shares(length)),
        Budget("host_waits", 1, N, "Wait once, after the host's own part is done.", "host_waits_early"),
        FROM_PINNED,
        Budget(
            "host_bytes_beside",
            ONE_WAY // 10,
            N,
            "Launch first: what the host writes before the device has something to do, or after it is done, overlaps "
            "nothing.",
            "host_works_alone",
            floor=True,
        ),
    ),
    why="All work of the device is queued before the host computes, so both are at work at once, on different "
    "elements. The wait at the end is for the device's part alone.",
)

AS_GRAPH = Exercise(
    id="streams.as_graph",
    unit=UNIT,
    title="Twenty launches in one call",
    task="x lies on the device. Add 1 to it in 20 launches of add_one per pass, for `replays` passes: "
    "capture one pass as a graph, and replay it. One launch may compile the kernel first; all others are replays.",
    function="as_graph",
    arguments=(
        Argument("x", "inout", "float32", "(n,)", "on the device; each pass adds 20"),
        Argument("replays", "scalar", "int64", "", "passes, 1 or more"),
    ),
    make=data.make_chain,
    oracle=data.after_chain,
    kind="host",
    by_order=True,
    arrays="device",
    cases=data.CHAINS,
    points=3,
    topics=("B17",),
    slips=slips.CHAIN,
    budgets=(
        Budget(
            "launch_calls",
            4,
            {"n": 300, "replays": 3},
            "3 replays and one launch to compile: a graph starts its 20 kernels with one call.",
            "not_replayed",
        ),
        Budget(
            "launch_calls",
            3,
            {"n": 300, "replays": 3},
            "A graph holds one pass, and each pass is a replay of it.",
            "not_replayed",
            floor=True,
        ),
        Budget(
            "kernel_launches",
            3 * 20,
            {"n": 300, "replays": 3},
            "A pass is 20 launches of add_one: the graph saves calls of the host, not kernels.",
            "not_replayed",
            floor=True,
        ),
    ),
    predictions={"launch_calls": "launch_calls"},
    reasons={
        "launch_calls": lambda at: n(at["replays"], "replay") + n(1, "launch to compile", "launches to compile"),
    },
    predict_case={"n": 300, "replays": 3},
    why="The sequence is captured once, so each pass costs the host one call for twenty kernels. Replays in one "
    "stream follow each other, so every pass finds what the one before left.",
)
