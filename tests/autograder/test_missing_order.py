"""Where an order is missing, results that come out right are so by luck, and earn nothing."""

import pytest

from autograder.diagnosis import misconceptions
from autograder.judge import check
from autograder.verdict import RIGHT_BY_LUCK
from tests.autograder.answers import block_sum_with
from tests.autograder.sample import BLOCK_SUM

FIRST_BLOCK_ALONE = "        if cuda.blockIdx.x == 0:\n            cuda.syncthreads()\n        d //= 2"
RACES_FROM_THE_SECOND_BLOCK_ON = block_sum_with("        cuda.syncthreads()\n        d //= 2", FIRST_BLOCK_ALONE)
PARTS_FROM_THE_SECOND_BLOCK_ON = block_sum_with(
    "    cuda.syncthreads()\n    d =",
    "    if cuda.blockIdx.x == 0 or i < src.size:\n        cuda.syncthreads()\n    d =",
)


@pytest.mark.parametrize(
    "answer", [RACES_FROM_THE_SECOND_BLOCK_ON, PARTS_FROM_THE_SECOND_BLOCK_ON], ids=["race", "divergent barrier"]
)
def test_where_an_order_is_missing_nothing_is_earned_by_cases_that_come_out_right(answer):
    """Not even by those in which nobody heard it, as where nobody listened, or one block had all to do."""
    outcome = check(BLOCK_SUM, answer, device="simt", isolate=False)
    right = {case.name for case in outcome.cases if case.status == "right"}

    assert misconceptions.is_of_order(outcome.causes[0].kind), outcome
    assert 0.0 == outcome.points
    assert right <= {case.name for case in BLOCK_SUM.cases if not all(case.sizes.values())}
    assert RIGHT_BY_LUCK in {case.detail for case in outcome.cases}
