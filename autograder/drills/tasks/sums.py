"""Many numbers into one: a tree in shared memory, one atomic per block, running sums."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget
from autograder.drills.tasks.task import RAGGED, SRC_DST, ceil_div, covering, make_src_dst, task, whole

THREADS = 256


def _make_partial(sizes, values, rng):
    n = sizes["n"]
    return {"src": whole(rng, n), "partial": np.zeros(max(1, ceil_div(n, THREADS)), np.float32)}


def _partial_oracle(v):
    padded = np.zeros(v["partial"].size * THREADS, np.float32)
    padded[: v["src"].size] = v["src"]
    return {"partial": padded.reshape(-1, THREADS).sum(axis=1)}


TREE = task(
    "tree_sum",
    (Argument("src", "in", "float32", "(n,)"), Argument("partial", "out", "float32", "(blocks,)")),
    _make_partial,
    _partial_oracle,
    RAGGED,
    lambda v: covering(v["src"].size, THREADS),
    "THREADS = 256\n# partial[b] = the sum of block b's elements, by a tree in shared memory\n"
    "# tree_sum[ceil(n / 256), 256](src, partial)\n@cuda.jit\ndef tree_sum(src, partial):\n    ...\n",
    budgets=(
        Budget(
            "shared_load_bank_conflicts", 0, {"n": 256},
            "threads that add neighbours far apart want words of one bank", "bank_conflicts",
        ),
        Budget(
            "atomic_operations", 0, {"n": 256},
            "a tree adds in pairs, and each of its cells has one thread that writes it", "atomics_in_place_of_a_tree",
        ),
        Budget(
            "shared_load_requests", 96, {"n": 256},
            "a tree of 256 cells has eight levels; one thread that adds them all up reads 256 times", "serial_sum",
        ),
    ),
)  # fmt: skip


def _make_total(sizes, values, rng):
    return {"src": whole(rng, sizes["n"]), "total": np.zeros(1, np.float32)}


ATOMIC_SUM = task(
    "one_atomic_a_block",
    (Argument("src", "in", "float32", "(n,)"), Argument("total", "inout", "float32", "(1,)", "starts at 0")),
    _make_total,
    lambda v: {"total": np.array([v["src"].sum()], np.float32)},
    RAGGED,
    lambda v: (4, 128),
    "THREADS = 128\n# total[0], which starts at 0, becomes the sum of src; one global atomic per block at most\n"
    "# one_atomic_a_block[4, 128](src, total), whatever n is\n"
    "@cuda.jit\ndef one_atomic_a_block(src, total):\n    ...\n",
    budgets=(
        Budget(
            "global_atomic_requests", 4, {"n": 1025},
            "every further atomic on total[0] waits for the one before it", "too_many_atomics",
        ),
    ),
)  # fmt: skip


SCAN = task(
    "block_scan",
    SRC_DST,
    make_src_dst,
    lambda v: {"dst": np.cumsum(v["src"], dtype=np.float32)},
    ({"n": 1}, {"n": 100}, {"n": 256}),
    lambda v: (1, 256),
    "THREADS = 256\n# dst[i] = src[0] + ... + src[i] for n <= 256, in one block\n"
    "# block_scan[1, 256](src, dst)\n@cuda.jit\ndef block_scan(src, dst):\n    ...\n",
    free_sizes=(),
)


def _make_keep(sizes, values, rng):
    n = sizes["n"]
    return {"src": whole(rng, n), "dst": np.zeros(n, np.float32), "count": np.zeros(1, np.int32)}


COMPACT = task(
    "count_positive",
    (Argument("src", "in", "float32", "(n,)"), Argument("count", "inout", "int32", "(1,)", "starts at 0")),
    lambda sizes, values, rng: {k: v for k, v in _make_keep(sizes, values, rng).items() if k != "dst"},
    lambda v: {"count": np.array([(v["src"] > 0).sum()], np.int32)},
    RAGGED,
    lambda v: covering(v["src"].size, 128),
    "# count[0], which starts at 0, becomes how many elements are positive; one atomic per warp, by a vote\n"
    "# count_positive[ceil(n / 128), 128](src, count)\n@cuda.jit\ndef count_positive(src, count):\n    ...\n",
    budgets=(
        Budget(
            "atomic_operations", 36, {"n": 1025},
            "a ballot counts a warp's lanes at once, so 36 warps need 36 atomics at most", "too_many_atomics",
        ),
    ),
)  # fmt: skip

TASKS = (TREE, ATOMIC_SUM, SCAN, COMPACT)
