"""A solution with one change that once named nothing, or a remedy that leads away: each stands for a class."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from tools.check_exercises import solution_of

SECOND_SEARCH = """    least = uint32(0)
    for bit in range(31, -1, -1):
        higher = least | uint32(1) << uint32(bit)
        if block_total(weight"""
CHANGED = {
    "one too many is counted": (
        "language_models.check_draft",
        {"refused)) - 1": "refused))"},
        "the number itself is wrong, and a condition around line 28 would only hide it",
    ),
    "all are counted that stay": (
        "language_models.check_draft",
        {"cuda.ffs(cuda.ballot_sync(FULL_WARP, refused)) - 1": "cuda.popc(cuda.ballot_sync(FULL_WARP, not refused))"},
        "`kept` is worked out at line 27, and came out as 31",
    ),
    "the second search begins with what the first found": (
        "language_models.choose_token",
        {SECOND_SEARCH: SECOND_SEARCH.removeprefix("    least = uint32(0)\n")},
        "begin it at 0 again",
    ),
    "channels in runs": (
        "engine_runtime.soft_threshold",
        {"[row % thresholds.size]": "[row // (x.shape[0] // thresholds.size)]"},
        "as if all images of channel 0 came first",
    ),
    "masked after the total": (
        "attention.attention_causal",
        {
            "first + lane <= i:": "first + lane < n:",
            "+ p  # of this lane's keys\n": "+ p\n        p = p if first + lane <= i else float32(0)\n",
        },
        "Later keys have no share in the result, but in the total",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_the_verdict_names_the_cause(name):
    identifier, changes, says = CHANGED[name]
    exercise = exercises.find(identifier)
    program = solution_of(exercise)
    source = program.source
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    outcome = check(exercise, replace(program, source=source), device="simt", isolate=False)

    assert says in " ".join(str(outcome).split())
    assert "Guard the line" not in str(outcome)
