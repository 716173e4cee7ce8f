"""Contracts of unit 19 where requests are served: shapes, threads, and several GPUs."""

from __future__ import annotations

from autograder.contract import Exercise, Guess
from autograder.exercises.u19_engine_runtime import serving_slips as slips
from autograder.exercises.u19_engine_runtime import serving_values as data
from autograder.exercises.u19_engine_runtime.devices import JudgedDevices
from autograder.exercises.u19_engine_runtime.streams import values as streams
from autograder.exercises.u19_engine_runtime.streams.compared import of_streams
from autograder.exercises.u19_engine_runtime.streams.device import JudgedStreams
from autograder.exercises.u19_engine_runtime.streams.slips import STREAMS
from autograder.exercises.u19_engine_runtime.threads import slips as gather_slips
from autograder.exercises.u19_engine_runtime.threads import values as gather_values
from autograder.exercises.u19_engine_runtime.threads.host import JudgedHost
from autograder.exercises.u19_engine_runtime.uneven import values as uneven
from autograder.exercises.u19_engine_runtime.uneven.engine import JudgedLengths
from autograder.exercises.u19_engine_runtime.uneven.slips import UNEVEN
from autograder.exercises.u19_engine_runtime.values import UNIT

CHOOSE_PROFILE = Exercise(
    id="engine_runtime.choose_profile",
    unit=UNIT,
    title="Shapes that change",
    task="Return the profile that serves each request, or -1. A profile serves what lies from its min to its max, both "
    "included, in batch and in length. Of several, the one whose opt has the number of elements, batch times length, "
    "nearest to the request's is taken; of equally near ones, the lowest number.",
    function="choose_profile",
    arguments=data.PROFILE_ARGUMENTS,
    make=data.make_profiles,
    oracle=data.chosen,
    kind="host",
    on_host=True,
    cases=data.PROFILE_CASES,
    points=2,
    topics=("E13",),
    free_sizes=("n", "n_profiles"),
    slips=slips.CHOICES,
    compared=slips.of_choices,
    example={"n": 4, "n_profiles": 2},
    guesses={
        "profile": Guess(
            "returns",
            "the example's profile for a request of (8, 60)",
            (((8, 60),), (((1, 1), (1, 64), (8, 128)), ((1, 1), (8, 128), (32, 128)))),
            "480 elements are 416 away from 64, and 544 from 1,024",
        )
    },
    why="A range says what may come, and opt what the kernels were timed for. So the range decides who may serve, "
    "and opt who serves best.",
)

BATCH_UNEVEN = Exercise(
    id="engine_runtime.batch_uneven",
    unit=UNIT,
    title="Sequences of uneven length",
    task="Run all sequences on an engine that takes rows of a few lengths, engine.ends. Each sequence belongs to the "
    "shortest length that holds it, and a batch has up to engine.most rows of one length, as few batches as possible. "
    "A row is the sequence and padding after it; the mask says which elements are the sequence's own. Answers come in "
    "the order of the sequences, -1 for one that is longer than every length. Return them, engine.runs and "
    "engine.elements.",
    function="batch_uneven",
    arguments=uneven.UNEVEN_ARGUMENTS,
    make=uneven.make_uneven,
    oracle=uneven.batched,
    kind="host",
    on_host=True,
    stand_ins={"engine": JudgedLengths.of},
    cases=uneven.UNEVEN_CASES,
    points=3,
    topics=("E13",),
    free_sizes=("n", "most"),
    slips=UNEVEN,
    example={"n": 5, "most": 2, "n_ends": 2},
    guesses={
        "elements": Guess(
            "returns",
            "the elements that run for sequences of 5, 3, 8, 2 and 4, buckets of 4 and 8, two rows in a batch",
            ((2, 4, 8), (0,) * 22, (0, 5, 8, 16, 18, 22)),
            "3 and 2 share a batch of 2 x 4, the sequence of 4 has one of 1 x 4, and 5 and 8 share one of 2 x 8",
            (2, 0),
        )
    },
    why="A sequence pays for the end of its own bucket, and never for somebody else's length. The mask comes from "
    "lengths: what an element is worth says nothing about whether it is real.",
)

SPREAD_WORK = Exercise(
    id="engine_runtime.spread_work",
    unit=UNIT,
    title="Several GPUs, and work by pull",
    task="Run requests 0 to n_requests - 1 in order on all devices. For each device in turn, build a plan if its model "
    "has none yet, and load it; then whoever is done, with loading or with a request, starts the next request. Return "
    "which device ran each request, and the time when the last one was done.",
    function="spread_work",
    arguments=data.WORK_ARGUMENTS,
    make=data.make_work,
    oracle=data.by(data.pulled),
    kind="host",
    on_host=True,
    stand_ins={"devices": JudgedDevices.of},
    cases=data.WORK_CASES,
    points=3,
    topics=("E15",),
    free_sizes=(),
    slips=slips.WORK,
    compared=slips.of_work,
    example={"n_devices": 2, "n_requests": 6},
    guesses={
        "time": Guess(
            "returns",
            "microseconds until four requests of 100 are done by two devices of one model, of which the second takes "
            "twice as long for everything",
            ((2, 0, 0, 1, 2, 100, 100, 100, 100), 4),
            "one build of 9,000 serves both; device 0 is loaded at 9,030 and runs requests 0, 2 and 3, device 1 runs "
            "request 1 from 9,060 to 9,260",
            (1, 0),
        )
    },
    why="A device asks when it has nothing to do, so nobody has to know how fast it is. All of them end within one "
    "request of each other, and there are only as many builds as there are models.",
)


GATHER_REQUESTS = Exercise(
    id="engine_runtime.gather_requests",
    unit=UNIT,
    title="Threads ask, batches run",
    task="Write submit(request), which each caller's thread runs and which returns the request's answer, and serve(), "
    "which each server's thread runs forever. Requests run in batches from the front of host.queue: as soon as there "
    "are `most`, or when the first one has waited for `patience`. Return what host.play(submit, serve, most, "
    "patience) does.",
    function="gather_requests",
    arguments=gather_values.GATHER_ARGUMENTS,
    make=gather_values.make_host,
    oracle=gather_values.gathered,
    kind="host",
    on_host=True,
    stand_ins={"host": JudgedHost.of},
    cases=gather_values.GATHER_CASES,
    points=4,
    topics=("F4", "E13"),
    free_sizes=(),
    slips=gather_slips.GATHERED,
    example={"n_callers": 3, "n_servers": 1, "most": 2},
    guesses={
        "prints": Guess(
            "prints",
            "microseconds when request 3 of the text's example has its answer, if the batch of two runs from 100 to "
            "400, and when its own batch would have begun with a second server",
            ("print(400 + 300, 100 + 250)",),
            "its patience ends at 350, but the one server is busy until 400",
        )
    },
    why="Whatever threads share is touched with the lock and with nothing else; who sleeps asks again after waking; "
    "who changes something tells; and nobody holds the lock while the device works. Then no order of steps can do "
    "harm.",
)

TWO_STREAMS = Exercise(
    id="engine_runtime.two_streams",
    unit=UNIT,
    title="Two streams keep copies and runs going",
    task="Run batches 0 to n_batches - 1, in order, in two streams in turns. Each stream has one buffer: fill it, put "
    "the copy up, the run and the copy down into the stream, and take the answer when the stream is done. Begin each "
    "batch as soon as the buffer of its stream is free, and wait for nothing else. Return the answers, and the clock "
    "when the last one was taken.",
    function="two_streams",
    arguments=streams.STREAM_ARGUMENTS,
    make=streams.make_batches,
    oracle=streams.by(streams.in_flight),
    kind="host",
    on_host=True,
    stand_ins={"device": JudgedStreams.of},
    cases=streams.STREAM_CASES,
    points=3,
    topics=("F4", "B1"),
    free_sizes=(),
    slips=STREAMS,
    compared=of_streams,
    example={"n_batches": 4},
    guesses={
        "clock": Guess(
            "returns",
            "the clock when three batches of the example have been taken",
            ((10, 40, 60, 20) * 3, 3),
            "batch 2 is filled from 130 to 140, copied up by 180, and runs to 240: batch 1 is done with both by then",
            (1, 0),
        )
    },
    why="While one batch runs, the other one is copied, and the host fills or takes. The only thing that is waited for "
    "is a buffer, since whoever fills it too early spoils two batches.",
)
