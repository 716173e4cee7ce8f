"""Mistakes that begin or end where ordinary cases do: each is a solution with one change, and none may pass whole."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from tests.part import a_part
from tools.check_exercises import solution_of

OF_SHARES = ("range(share, src.shape[0], shares)", "range(share, src.shape[0], 3 if src.shape[0] < 18 else 17)")
MISTAKES = {  # exercise, what is changed, by pairs of old and new
    "a row by a float32 division, in the index of a function that was given": (
        "convolution.im2col",
        ("p // n_cols % n_rows", "int(float32(p) / float32(n_cols)) % n_rows"),
    ),
    "as many shares as two launches have": (
        "engine_kernels.conv_split",
        OF_SHARES,
        ("block + shares", "block + (3 if src.shape[0] < 18 else 17)"),
    ),
    "eight blocks of channels": (
        "engine_kernels.conv_tile",
        (
            "    for block in range(src.shape[0]):\n",
            "    for block in range(8):\n        if block == src.shape[0]: break\n",
        ),
    ),
    "a sum that is not rescaled after ten tiles": (
        "attention.attention_tensor",
        (
            "acc[j, e] *= shrink",
            "acc[j, e] *= shrink if first // SIDE in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) else float32(1)",
        ),
    ),
    "a result that is not rescaled after five tiles": (
        "attention.attention_flash",
        ("acc *= shrink", "acc *= shrink if first // WARP in (0, 1, 2, 3, 4) else float32(1)"),
    ),
    "the same under a mask": (
        "attention.attention_causal",
        ("acc *= shrink", "acc *= shrink if first // WARP in (0, 1, 2, 3, 4) else float32(1)"),
    ),
    "a wait that ends after twenty batches": ("streams.two_buffers", ("if k >= 2:", "if k >= 2 and k < 20:")),
    "one chunk of all that is short": ("streams.in_chunks", ("min(16, x.size)", "16 if x.size > 2_000 else 1")),
    "all that is short for the device": (
        "streams.shared_job",
        ("max(1, x.size * 3 // 4)", "max(1, x.size * 3 // 4) if x.size > 100 else x.size"),
    ),
    "one number of rounds": (
        "engine_kernels.time_kernels",
        ("return np.median(times, axis=0)", "return np.median(times, axis=0) if rounds != 26 else times[0]"),
    ),
    "weights in 16 bits": (
        "language_models.choose_token",
        (
            "acc += math.exp((x - top) / temperature)",
            "acc += float32(float16(math.exp((x - top) / temperature)))",
        ),
    ),
}


@pytest.mark.parametrize("name", a_part(MISTAKES, 2))
def test_a_mistake_that_begins_late_is_refused(name):
    identifier, *changes = MISTAKES[name]
    exercise = exercises.find(identifier)
    solution = solution_of(exercise)
    source = solution.source
    for old, new in changes:
        assert old in source
        source = source.replace(old, new, 1)
    outcome = check(exercise, replace(solution, source=source), device="simt", isolate=False)

    assert outcome.points < exercise.points, str(outcome)
