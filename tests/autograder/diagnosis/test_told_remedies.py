"""Remedies that once sent learners the wrong way: each is of a class, as an edit of the exercise's own solution."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from tests.autograder.diagnosis.unseen.played import PLAYED
from tests.part import a_part
from tools.check_exercises import solution_of

NO_GUARD_BELOW_A_REST = """@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x % THREADS
    out[i] = a[i] + b[i]
"""
KEPT_GRAPH = """KEPT = []


def as_graph(x, replays):
    stream = cuda.stream()
    add_one[1, 1](cuda.to_device(np.zeros(1, np.float32)))
    if not KEPT:
        with capture(stream) as graph:
            for _ in range(20):
                add_one[blocks_for(x.size), THREADS, stream](x)
        KEPT.append(graph)
    for _ in range(replays):
        KEPT[0].replay(stream)
    stream.synchronize()
"""
LAST_BARRIER = "        top = higher\n        cuda.syncthreads()  # no thread still reads the tiles\n"
MEETING = "        heard = cuda.shfl_up_sync(FULL_WARP, value, d)  # all lanes ask ...\n        if cuda.laneid >= d:\n"
WAIT = """        if k >= 2:
            copied[turn].synchronize()  # this buffer's last copy is over; the other stream goes on
"""
AMDAHL = "1 / (serial + parallel_share / workers)"

TOLD = {  # exercise, what becomes of its solution, what the verdict says, what it must not say
    "a rest of a constant is no length": ("vector_add.vector_add", NO_GUARD_BELOW_A_REST, "Guard the line", "% goes"),
    "a name that several streams had waits for none of them": (
        "streams.in_chunks",
        [("    cuda.synchronize()\n", "")],
        "Wait before you return: cuda.synchronize().",
        "stream.synchronize()",
    ),
    "a stream that waits in place of the host": (
        "streams.two_buffers",
        [("copied[turn].synchronize()", "copied[turn].wait(streams[turn])")],
        "lets a stream wait, and the host goes on. Let the host wait: `copied[turn].synchronize()`.",
        "cuda.synchronize()",
    ),
    "a wait behind the line that it should come before": (
        "streams.two_buffers",
        [(WAIT, ""), ("pinned[turn][:] = batches[k]\n", f"pinned[turn][:] = batches[k]\n{WAIT}")],
        "comes after line 12 has filled the buffer: wait first",
        "cuda.synchronize()",
    ),
    "a host that fills the device's part, too": (
        "streams.shared_job",
        [("out[cut:] = 2 * x[cut:] + 1", "out[:] = 2 * x + 1")],
        "let line 11 write only these",
        "",
    ),
    "warps that leave before a tile is filled by a given function": (
        "attention.attention_flash",
        [("    mine[w, lane] =", "    if i >= n:\n        return\n    mine[w, lane] =")],
        "Line 9 sends away the threads where `i >= n`",
        "Lines 12 and 14",
    ),
    "a tile is overwritten in a given function": (
        "attention.attention_flash",
        [(LAST_BARRIER, "        top = higher\n")],
        "overwrites it at line 12 of `fill` with no barrier between them. Line 14 leads to `fill`.",
        "",
    ),
    "a barrier that is missing behind a given function": (
        "attention.attention_flash",
        [("        cuda.syncthreads()  # both tiles are complete\n", "")],
        "Put cuda.syncthreads() after line 14, where every thread arrives.",
        "outside the if",
    ),
    "a double that a helper is handed": (
        "attention.softmax_safe",
        [("float32(-math.inf)", "-math.inf")],
        "because `math.inf` is a float64",
        "argument",
    ),
    "a vote whose line must not be guarded": (
        "warps.first_above",
        [("col < n_cols and src[row, col] > limit", "src[row, col] > limit")],
        "write `col < src.shape[1] and src[row, col] > limit`",
        "Guard the line",
    ),
    "a host function that gives another result each time has no blocks": (
        "compression.digit_of",
        [("return digit, keep", "return int(np.random.default_rng().integers(256)), keep")],
        "something other than the input decides it",
        "blocks run",
    ),
    "a value that is voted on one line further": (
        "warps.pack_bits",
        [("i < src.size and src[i] > limit", "src[i] > limit")],
        "Every lane has to reach line 8, so guard the value and not the line",
        "Guard the line",
    ),
    "a shuffle below an if": (
        "warps.scan_rows",
        [
            (MEETING, "        if cuda.laneid >= d:\n"),
            ("value += heard", "value += cuda.shfl_up_sync(FULL_WARP, value, d)"),
        ],
        "Lanes for which `cuda.laneid >= d` at line 8 is false never come",
        "",
    ),
    "digits that no rounding explains": (
        "performance.speedups",
        [("return 1 / (", "workers = min(workers, 1024)\n    return 1 / (")],
        "",
        "nearly right",
    ),
    "a float32 is a number": (
        "performance.speedups",
        [
            (
                "return 1 / (serial + parallel_share / workers)",
                "return np.float32(1 / (serial + parallel_share / workers))",
            )
        ],
        "is a number of type float32, and float64 is asked for",
        "something else came back",
    ),
    "a gap between the host's part and the device's": (
        "streams.shared_job",
        [("out[cut:] = 2 * x[cut:]", "out[cut + 1:] = 2 * x[cut + 1:]")],
        "neither by the device nor by the host",
        "Threads come to their neighbours",
    ),
    "a plain look at what other blocks leave": (
        "scan.scan_lookback",
        [
            (
                "wait_for(state, at)",
                "state[at] if at >= 0 else int64(PREFIX) << 32\n"
                "        while cuda.any_sync(FULL_WARP, word >> 32 == 0):\n"
                "            word = state[at] if at >= 0 else word",
            )
        ],
        "look at state with peek(state, ...)",
        "after this launch",
    ),
    "a plain store that other blocks wait for": (
        "scan.scan_lookback",
        [("cuda.atomic.exch(state, tile, word_of(SUM, total))", "state[tile] = word_of(SUM, total)")],
        "Write state with one atomic",
        "the host, or a launch before",
    ),
    "the row as an index of what has one element per column": (
        "attention.layer_norm",
        [("gamma[c]", "gamma[row]")],
        "the wrong variable is an index of gamma",
        "Guard the line",
    ),
    "a block's own rows by the number of the row, three times": (
        "attention.layer_norm",
        [("rows[warp, c]", "rows[row, c]")] * 3,
        "the wrong variable is an index of rows, there and wherever the function has it again",
        "make rows larger",
    ),
    "rows and columns of an operand exchanged": (
        "matmul.matmul_naive",
        [("b[k, col]", "b[col, k]")],
        "the indices of b have changed places",
        "Guard the line",
    ),
    "a barrier after a loop inside an if": (
        "attention.attention_flash",
        [(LAST_BARRIER, "        top = higher\n")],
        "Put cuda.syncthreads() after line 28, where every thread arrives.",
        "after line 21",
    ),
    "a graph that an earlier call captured": (
        "streams.as_graph",
        KEPT_GRAPH,
        "Called for the first time it is right, and after other calls it is not",
        "by hand",
    ),
    "a search that gives up": (
        "atomics.count_keys",
        [("while True:", "for _ in range(8):")],
        "gives up after `range(8)`",
        "the work of one thread",
    ),
}
FAST_ENOUGH = {  # right, and no thread waits for another that does more
    "an inner loop that ends with the data": (
        "matmul.matmul_tiled",
        [("for k in range(TILE):", "for k in range(min(TILE, a.shape[1] - k0)):")],
    ),
    "neighbours by shuffles while the next row is on its way": (
        "memory_kinds.blur_rows",
        """@cuda.jit
def blur_rows(x, out):
    edge = cuda.shared.array((2, 8), float32)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    col = 126 * cuda.blockIdx.x + t - 1
    inside = col >= 0 and col < x.shape[1]
    here = x[0, col] if inside and x.shape[0] > 0 else float32(0)
    for row in range(x.shape[0]):
        if lane == 0 or lane == 31:
            edge[row % 2, 2 * warp + lane // 31] = here
        cuda.syncthreads()
        ahead = x[row + 1, col] if inside and row + 1 < x.shape[0] else float32(0)
        left = cuda.shfl_up_sync(0xFFFFFFFF, here, 1)
        right = cuda.shfl_down_sync(0xFFFFFFFF, here, 1)
        if lane == 0 and warp > 0:
            left = edge[row % 2, 2 * warp - 1]
        if lane == 31 and warp < 3:
            right = edge[row % 2, 2 * warp + 2]
        if 1 <= t and t < 127 and inside:
            out[row, col] = float32(0.5) * here + float32(0.25) * (left + right)
        here = ahead
""",
    ),
}


def outcome_of(identifier, changed):
    """The verdict on a text, or on the solution with some of its text replaced."""
    exercise = exercises.find(identifier)
    solution = solution_of(exercise)
    source = changed if isinstance(changed, str) else solution.source
    for old, new in [] if isinstance(changed, str) else changed:
        assert old in source, old
        source = source.replace(old, new, 1)
    return check(exercise, replace(solution, source=source), device="simt", isolate=False)


@pytest.mark.parametrize("name", a_part(TOLD | PLAYED, 3))
def test_a_remedy_is_true_of_this_answer(name):
    identifier, changed, says, never = (TOLD | PLAYED)[name]
    outcome = outcome_of(identifier, changed)
    text = " ".join(str(outcome).split())

    assert outcome.points < outcome.max_points
    assert says in text
    assert not never or never not in text


@pytest.mark.parametrize("name", a_part(FAST_ENOUGH, 1))
def test_a_right_answer_that_makes_nobody_wait_is_not_told_that_it_does(name):
    outcome = outcome_of(*FAST_ENOUGH[name])

    assert outcome.passed, str(outcome)
