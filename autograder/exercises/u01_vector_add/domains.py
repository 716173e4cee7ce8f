"""What may come in unit 1."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

NINE = Real(-9, 9)
N = {"n": Whole(0, 70_003)}
ADD = Domain(sizes=N, arrays={"a": NINE, "b": NINE})

DOMAINS = {
    "add_one_block": Domain(sizes={"n": Whole(0, 256)}, arrays=ADD.arrays),
    "vector_add": ADD,
    "blocks_for": Domain(sizes={"n": Whole(0, 1 << 40), "threads": Whole(1, 1_024)}),
    "forward_difference": Domain(sizes=N, arrays={"src": NINE}),
    "blend": Domain(sizes=N, scalars={"weight": Real(0, 1)}, arrays={"x": NINE, "y": NINE}),
    "add_on_device": ADD,
    "add_four": Domain(sizes=N, arrays=dict.fromkeys("abcd", NINE)),
    "vector_add_unrolled": ADD,
}
