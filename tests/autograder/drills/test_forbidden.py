"""Write it cold: what a task forbids does not pass, however right its result is; what it leaves open does."""

from __future__ import annotations

import pytest

from autograder.drills.deck.load import find_card
from autograder.drills.kinds import write

ATOMIC_TREE = """
@cuda.jit
def tree_sum(src, partial):
    s = cuda.shared.array(1, float32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        s[0] = float32(0)
    cuda.syncthreads()
    if i < src.size:
        cuda.atomic.add(s, 0, src[i])
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        partial[cuda.blockIdx.x] = s[0]
"""
SERIAL_TREE = """
@cuda.jit
def tree_sum(src, partial):
    s = cuda.shared.array(256, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    if t == 0:
        acc = float32(0)
        for k in range(256):
            acc += s[k]
        partial[cuda.blockIdx.x] = acc
"""
SHUFFLED_TREE = """
@cuda.jit
def tree_sum(src, partial):
    s = cuda.shared.array(8, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    v = src[i] if i < src.size else float32(0)
    for k in range(5):
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, 16 >> k)
    if t % 32 == 0:
        s[t // 32] = v
    cuda.syncthreads()
    if t < 32:
        v = s[t] if t < 8 else float32(0)
        for k in range(3):
            v += cuda.shfl_down_sync(0xFFFFFFFF, v, 4 >> k)
        if t == 0:
            partial[cuda.blockIdx.x] = v
"""
BRANCHING_CLIP = """
@cuda.jit
def clipped_relu(src, limit, dst):
    i = cuda.grid(1)
    if i < src.size:
        v = src[i]
        if v < 0:
            v = float32(0)
        elif v > limit:
            v = limit
        dst[i] = v
"""
SELECTING_CLIP = """
@cuda.jit
def clipped_relu(src, limit, dst):
    i = cuda.grid(1)
    if i < src.size:
        v = src[i] if src[i] > float32(0) else float32(0)
        dst[i] = v if v < limit else limit
"""
ONE_LANE_SOFTMAX = """
@cuda.jit
def softmax(src, dst):
    row = cuda.grid(1) // 32
    if cuda.laneid == 0 and row < src.shape[0]:
        top = float32(-math.inf)
        for c in range(src.shape[1]):
            top = max(top, src[row, c])
        total = float32(0)
        for c in range(src.shape[1]):
            total += math.exp(src[row, c] - top)
        for c in range(src.shape[1]):
            dst[row, c] = math.exp(src[row, c] - top) / total
"""
ONE_LANE_SUMS = """
@cuda.jit
def row_sums(src, sums):
    row = cuda.grid(1) // 32
    if cuda.laneid == 0 and row < src.shape[0]:
        acc = float32(0)
        for c in range(src.shape[1]):
            acc += src[row, c]
        sums[row] = acc
"""


@pytest.mark.parametrize(
    ("name", "source", "misconception"),
    [
        ("d4.cold", ATOMIC_TREE, "atomics_in_place_of_a_tree"),
        ("d4.cold", SERIAL_TREE, "serial_sum"),
        ("b14.clip", BRANCHING_CLIP, "branch_on_the_value"),
        ("d10.cold", ONE_LANE_SOFTMAX, "one_lane_per_row"),
        ("d5.cold", ONE_LANE_SUMS, "one_lane_per_row"),
    ],
)
def test_what_a_task_forbids_does_not_pass(name, source, misconception):
    outcome = write.check(find_card(name), source, isolate=False)

    assert not outcome.passed
    assert misconception in {cause.misconception for cause in outcome.causes}, outcome


@pytest.mark.parametrize(("name", "source"), [("d4.cold", SHUFFLED_TREE), ("b14.clip", SELECTING_CLIP)])
def test_what_a_task_leaves_open_passes(name, source):
    outcome = write.check(find_card(name), source, isolate=False)

    assert outcome.passed, outcome
