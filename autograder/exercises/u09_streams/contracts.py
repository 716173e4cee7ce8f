"""Contracts of unit 09, one a rung. Every answer is host code; the kernels are given in the setup."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u09_streams import slips
from autograder.exercises.u09_streams import values as data
from autograder.exercises.u09_streams.values import UNIT

X = Argument("x", "in", "float32", "(n,)", "the numbers to scale, in pinned memory")
OUT = Argument("out", "out", "float32", "(n,)", "2 x + 1, in pinned memory")
N = {"n": 4099}
ONE_WAY = 4 * 4099  # bytes of one array of the shown case


def crossing(at_most: int, why: str) -> Budget:
    """A limit on the bytes that cross, both ways together."""
    return Budget("transferred_bytes", at_most, N, why, "too_many_transfers")


FROM_PINNED = Budget(
    "pageable_bytes",
    0,
    N,
    "The arrays lie in pinned memory. A copy from or into ordinary memory goes through a buffer of the driver's, keeps "
    "the host waiting and overlaps with nothing.",
    "not_pinned",
)
ALL_IN_STREAMS = Budget(
    "default_stream_operations",
    0,
    N,
    "Work that names no stream goes into the default stream, which waits for all others and makes them wait.",
    "default_stream",
)

OVERLAP = Budget(
    "overlap",
    0.75,
    N,
    "With k chunks the first copy up and the last copy down have nothing beside them: "
    "the longest part fills k of k + 1 steps.",
    "no_overlap",
    floor=True,
)

ONE_STREAM = Exercise(
    id="streams.one_stream",
    unit=UNIT,
    title="A queue of your own",
    task="Copy x up, run scale, and copy the result down into out, all in one stream that you make. "
    "Return when out is complete.",
    function="one_stream",
    arguments=(X, OUT),
    make=data.make_scaled,
    oracle=data.scaled,
    bound=data.scaled_bound,
    kind="host",
    by_order=True,
    arrays="pinned",
    cases=data.LENGTHS,
    points=2,
    topics=("B1", "B3"),
    slips=slips.SCALED,
    budgets=(
        Budget("streams", 1, N, "The work belongs in a stream of your own.", "default_stream", floor=True),
        ALL_IN_STREAMS,
        Budget("streams", 1, N, "One stream orders all of it: nothing has to wait for another.", "one_is_enough"),
        FROM_PINNED,
        crossing(2 * ONE_WAY, "x goes up once and out comes down once: 2 x 16,396 bytes."),
    ),
    predictions={"transferred_bytes": "transferred_bytes"},
    predict_case=N,
    why="A stream does its operations in order, so the kernel finds its input and the copy down finds the "
    "result. The host waits for all of it before the caller reads.",
)

IN_CHUNKS = Exercise(
    id="streams.in_chunks",
    unit=UNIT,
    title="While one chunk computes, the next one travels",
    task="The same result in chunks, each in a stream of its own, so that copies up, kernels and copies down overlap. "
    "The longest of the three parts must fill at least 75 % of the timeline.",
    function="in_chunks",
    arguments=(X, OUT),
    make=data.make_scaled,
    oracle=data.scaled,
    bound=data.scaled_bound,
    kind="host",
    by_order=True,
    arrays="pinned",
    cases=data.LENGTHS,
    points=4,
    topics=("B3", "B1", "B10"),
    slips=slips.CHUNKS,
    budgets=(
        OVERLAP,
        replace(OVERLAP, sizes={"n": 1024}, quiet=True),
        ALL_IN_STREAMS,
        FROM_PINNED,
        crossing(2 * ONE_WAY, "Chunks are parts of x: together they are as many bytes as x."),
    ),
    predictions={"overlap": "overlap"},
    reasons={
        "overlap": lambda at: (
            n(at.counters["kernel_launches"], "chunk")
            / (n(at.counters["kernel_launches"], "step") + n(1, "more", "more"))
        ),
    },
    predict_case=N,
    why="Chunks need nothing from each other and lie in different streams, so one goes up while another computes "
    "and a third comes down. Pinned memory lets the copies return at once, and the host go on queueing.",
)

AFTER_BOTH = Exercise(
    id="streams.after_both",
    unit=UNIT,
    title="Two streams, and one that waits for both",
    task="Scale x in one stream and y in another, then add the two results in either: out = (2 x + 1) + (2 y + 1). "
    "Nothing may make the host wait before the end.",
    function="after_both",
    arguments=(
        X,
        Argument("y", "in", "float32", "(n,)", "more numbers to scale, in pinned memory"),
        Argument("out", "out", "float32", "(n,)", "the sum of both, in pinned memory"),
    ),
    make=data.make_two,
    oracle=data.both_scaled,
    bound=data.both_bound,
    kind="host",
    by_order=True,
    arrays="pinned",
    cases=data.LENGTHS,
    points=3,
    topics=("B2", "B1"),
    slips=slips.BOTH,
    budgets=(
        Budget("streams", 2, N, "The two halves do not need each other: give each a stream.", "default_stream", True),
        Budget(
            "kernels_side_by_side",
            1,
            N,
            "Scaling y needs nothing of x: let its kernel wait for its own copy alone.",
            "no_overlap",
            floor=True,
        ),
        Budget(
            "host_waits", 1, N, "An event lets one stream wait for another, and the host goes on.", "host_waits_early"
        ),
        FROM_PINNED,
        crossing(3 * ONE_WAY, "x and y go up, out comes down: 3 x 16,396 bytes."),
    ),
    predictions={"host_waits": "host_waits"},
    reasons={
        "host_waits": lambda at: (
            n(2, "stream") * n(0, "wait") + n(1, "wait for out, at the end", "waits for out, at the end")
        ),
    },
    predict_case=N,
    why="The event orders one stream's result before the other's use of it, and nothing else, so the two halves "
    "still run side by side. The host goes on queueing, and waits once for the result.",
)

TWO_BUFFERS = Exercise(
    id="streams.two_buffers",
    unit=UNIT,
    title="Find the bug: a buffer that is refilled too early",
    task="Repair the draft: two pinned buffers take turns while batches travel to the device, and no buffer may be "
    "refilled before its copy is over. Return the sum of each batch.",
    function="two_buffers",
    arguments=(
        Argument("batches", "in", "float32", "(n_batches, n)", "ordinary memory, one batch per row"),
        Argument("sums", "out", "float32", "(n_batches,)", "the sum of each batch"),
    ),
    make=data.make_batches,
    oracle=data.batch_sums,
    kind="host",
    by_order=True,
    cases=data.BATCHES,
    points=3,
    topics=("B2", "B3", "B11"),
    slips=slips.BATCH_SUMS,
    budgets=(
        Budget(
            "streams",
            2,
            {"n_batches": 5, "n": 300},
            "With one stream the second buffer has nothing to do.",
            "default_stream",
            True,
        ),
        Budget(
            "device_allocations",
            3,
            {"n_batches": 5, "n": 300},
            "Two device buffers and the sums are enough, however many batches there are.",
            "allocates_per_batch",
        ),
        Budget(
            "page_locked_bytes",
            2 * 4 * 300,
            {"n_batches": 5, "n": 300},
            "Two pinned buffers take turns, however many batches there are: pinning takes far longer than copying it.",
            "allocates_per_batch",
        ),
        Budget(
            "pageable_bytes",
            4 * 300,
            {"n_batches": 5, "n": 300},
            "From ordinary memory a copy keeps the host waiting: let every batch go through one of two pinned buffers.",
            "not_pinned",
        ),
        Budget(
            "device_waits",
            1,
            {"n_batches": 5, "n": 300},
            "Waiting for the whole device before a buffer is filled again leaves the other stream with nothing to do: "
            "wait for that buffer's own copy, and for everything once, at the end.",
            "waits_for_everything",
        ),
        Budget(
            "kernels_side_by_side",
            1,
            {"n_batches": 5, "n": 300},
            "Waiting for a batch as soon as it is on its way leaves the other stream with nothing to do: wait for a "
            "buffer when it is about to be filled again.",
            "no_overlap",
            floor=True,
        ),
    ),
    guesses={"line": Guess("line", "the line of the draft that races with a copy")},
    why="Before the host refills a buffer it waits for that buffer's own copy, and for nothing else. So one "
    "buffer is filled while the other travels.",
)
