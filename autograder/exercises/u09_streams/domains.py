"""What may come in unit 9."""

from __future__ import annotations

from autograder.running.cases.domain import SUMMED, Domain, Whole

N = {"n": Whole(1, 70_003)}
SCALED = Domain(sizes=N, arrays={"x": SUMMED})

DOMAINS = {
    "one_stream": SCALED,
    "in_chunks": SCALED,
    "after_both": Domain(sizes=N, arrays={"x": SUMMED, "y": SUMMED}),
    "two_buffers": Domain(sizes={"n_batches": Whole(1, 71), "n": Whole(1, 20_011)}, arrays={"batches": Whole(-9, 9)}),
    "shared_job": SCALED,
    "as_graph": Domain(sizes={"n": Whole(1, 20_011), "replays": Whole(1, 71)}, arrays={"x": Whole(-999, 999)}),
}
