"""What may come in unit 9."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

NINE = Real(-9, 9)
N = {"n": Whole(1, 70_003)}
SCALED = Domain(sizes=N, arrays={"x": NINE})

DOMAINS = {
    "one_stream": SCALED,
    "in_chunks": SCALED,
    "after_both": Domain(sizes=N, arrays={"x": NINE, "y": NINE}),
    "two_buffers": Domain(sizes={"n_batches": Whole(1, 70), "n": Whole(1, 20_011)}, arrays={"batches": Whole(-9, 9)}),
    "shared_job": SCALED,
    "as_graph": Domain(sizes={"n": Whole(1, 20_011), "replays": Whole(1, 70)}, arrays={"x": Whole(-999, 999)}),
}
