"""What may come in unit 9."""

from __future__ import annotations

from autograder.running.cases.domain import SUMMED, Domain, Promises, Whole

N = {"n": Whole(1, 70_003)}
SCALED = Domain(sizes=N, arrays={"x": SUMMED})

DOMAINS = {
    "one_stream": SCALED,
    "in_chunks": SCALED,
    "after_both": Domain(sizes=N, arrays={"x": SUMMED, "y": SUMMED}),
    "two_buffers": Domain(sizes={"n_batches": Whole(1, 131), "n": Whole(1, 20_011)}, arrays={"batches": Whole(-9, 9)}),
    "shared_job": SCALED,
    "as_graph": Domain(sizes={"n": Whole(1, 20_011), "replays": Whole(0, 71)}, arrays={"x": Whole(-999, 999)}),
}

PROMISES = {
    "one_stream": Promises(exactly={"streams": "all in one stream that you make"}),
    "in_chunks": Promises(exactly={"overlap": "at least 75 %"}),
    "after_both": Promises(exactly={"host_waits": "Nothing may make the host wait before the end"}),
    "shared_job": Promises(
        exactly={
            "host_waits": "then wait",
            "host_to_device_bytes": "at least half of the elements, and not all of them",
        }
    ),
    "as_graph": Promises(
        exactly={
            "launch_calls": "One launch may compile the kernel first; all others are replays",
            "kernel_launches": "20 launches of add_one per pass",
        }
    ),
}
