"""What may come in unit 7."""

from __future__ import annotations

from autograder.running.cases.domain import ANY_FLOAT, SUMMED, Domain, Promises, Whole

N = {"n": Whole(0, 40_001)}
SCAN = Domain(sizes=N, arrays={"src": SUMMED})

DOMAINS = {
    "scan_hillis_steele": SCAN,
    "scan_blelloch": SCAN,
    "scan_block": SCAN,
    "scan_device": Domain(sizes=N, arrays={"src": Whole(-999, 999)}),
    "scan_lookback": SCAN,
    "compact": Domain(
        sizes=N,
        scalars={"limit": ANY_FLOAT},
        arrays={"src": ANY_FLOAT},
    ),
    "radix_sort": Domain(sizes={"n": Whole(1, 9_001)}, arrays={"keys": Whole(0, (1 << 32) - 1)}),
}

PROMISES = {
    "scan_device": Promises(exactly={"kernel_launches": "one kernel leaves the sum of each piece"}),
}
