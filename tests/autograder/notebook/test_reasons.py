"""Why a prediction came out as it did: arithmetic with the numbers of the case that was judged."""

import dataclasses
import re
from operator import attrgetter

import numpy as np
import pytest

from autograder import exercises
from autograder.diagnosis import budget
from autograder.diagnosis.arithmetic import ROUNDED, PredictedCase, n
from autograder.diagnosis.budget import predict_case_name
from autograder.notebook.predicted.why import reason, shown_of, unexplained, why_of
from autograder.running import run_simt
from autograder.running.buffers import make_values
from tests.autograder.sample import ADD
from tests.course.costly import COSTLY
from tests.part import a_part
from tools.check_exercises import shortcomings, solution_of

PREDICTED = [one for one in exercises.all_exercises() if one.predictions]
OF_NO_SIZE = {  # what no size of a case changes
    "scan.scan_hillis_steele.float32_flops",  # of a whole block
    "scan.scan_device.kernel_launches",
    "scan.radix_sort.kernel_launches",
    "attention.attention_naive.kernel_launches",
    "atomics.histogram_shared.global_atomic_requests",
    "atomics.histogram_copies.atomic_max_contention",
    "atomics.count_keys.kernel_launches",
    "streams.after_both.host_waits",
    "irregular.mandelbrot.global_store_sectors_per_request",
    "irregular.mandelbrot_queue.atomic_operations",  # of tiles and blocks
    "irregular.mandelbrot_queue.barriers",
    "irregular.count_draws.atomic_operations",  # one per block
}


def counted(exercise):
    """What the course's own answer costs on the case that predictions are about; and the bytes that must move there."""
    case = next(case for case in exercise.cases if case.name == predict_case_name(exercise))
    values, function = make_values(exercise, case), solution_of(exercise).load()[1]
    must_move = budget.compulsory_bytes(exercise, values)
    ran = run_simt.run(exercise, function, values, traced=True, seed=None, seconds=100)
    assert ran.error is None
    return ran.counters, must_move


def test_no_prediction_of_the_course_is_without_a_reason():
    assert [] == [f"{one.id}.{name}" for one in PREDICTED for name in unexplained(one)]


def test_no_reason_is_of_something_that_is_not_predicted():
    assert [] == [f"{one.id}.{name}" for one in PREDICTED for name in one.reasons.keys() - one.predictions.keys()]


def test_a_new_exercise_whose_prediction_has_no_reason_is_complained_about():
    new = dataclasses.replace(ADD, predictions={"syncs": "warp_syncs"})
    complaint = "the prediction of syncs is without a reason: say in `reasons` what the number is made of"

    assert complaint in shortcomings(new, [])
    assert complaint not in shortcomings(dataclasses.replace(new, reasons={"syncs": lambda at: n(at.warps)}), [])


@pytest.mark.parametrize("exercise", a_part(PREDICTED, 2, attrgetter("id"), COSTLY))
def test_every_reason_comes_to_what_was_measured_and_says_so_in_one_line(exercise):
    counters, must_move = counted(exercise)
    for name, counter in exercise.predictions.items():
        measured = budget.measure(counter, counters, must_move)
        why = why_of(exercise, name, counters, measured)
        totals = re.findall(r"(?:=|they lie in|take fewer:) ([\d,]+(?:\.\d+)?)", why)

        assert float(totals[-1].replace(",", "")) == pytest.approx(measured, rel=ROUNDED, abs=0), why
        assert not why.startswith("your answer") and "\n" not in why and "  " not in why


@pytest.mark.parametrize("exercise", [one for one in PREDICTED if one.reasons], ids=lambda one: one.id)
def test_the_numbers_of_a_reason_are_those_of_the_case(exercise):
    said_of = {name: set() for name in exercise.reasons}
    for sizes in (case.sizes for case in exercise.cases if case.trace and _has_work(exercise, case)):
        here = shown_of(dataclasses.replace(exercise, predict_case=sizes), _OfSizes(sizes))
        for name, own in exercise.reasons.items():
            said_of[name].add(str(own(here)))

    always = {name for name, texts in said_of.items() if len(texts) == 1}
    assert always == {name for name in exercise.reasons if f"{exercise.id}.{name}" in OF_NO_SIZE}


def _has_work(exercise, case):
    """No array of it is empty; a size may be 0 that counts nothing, as one that says which activation."""
    return all(np.size(value) for value in make_values(exercise, case).values())


class _OfSizes(dict):
    """Counters that grow with the sizes of a case."""

    def get(self, counter, default=None):
        return self[counter]

    def __missing__(self, counter):
        return 4 * sum(self.values())


def test_arithmetic_has_brackets_where_they_are_needed_and_its_value_is_that_of_its_text():
    both = n(2, "row") + n(3, "more", "more")
    for count, value in (
        (both * n(4, "byte"), 20),
        (n(12, "pass", "passes") - both, 7),
        (n(60) / (n(3, "block") * n(4, "byte")), 5),
        (n(6, "block") * n(8, "warp") / n(2), 24),
    ):
        digits = re.sub(r"[a-z]{2,}", "", str(count)).replace("x", "*").replace(",", "")
        assert value == count.value == eval(digits)
    assert "(2 rows + 3 more) x 4 bytes = 20" == (both * n(4, "byte")).with_total()
    assert ["1 pass", "2 passes", "2.5 loads", "1,024", "0 loads"] == [
        str(one) for one in (n(1, "pass", "passes"), n(2, "pass", "passes"), n(2.5, "load"), n(1024.0), n(0, "load"))
    ]


def test_a_right_answer_that_works_otherwise_is_told_its_own_numbers_and_those_of_the_course():
    own = dataclasses.replace(ADD, reasons={"global_load_requests": lambda at: n(at.warps, "warp") * n(2, "load")})
    counters = {"global_load_requests": 64, "global_load_bytes": 8192}
    launched = shown_of(own, counters)

    assert f"{launched.warps} warps x 2 loads = 80" == why_of(own, "global_load_requests", counters, 80)
    assert (
        "your answer has 8,192 bytes / 128 bytes per request = 64; the course counts 40 warps x 2 loads = 80"
        == why_of(own, "global_load_requests", counters, 64)
    )


def test_a_zero_has_its_cause_in_words_behind_it():
    counters = {"global_load_requests": 64, "global_load_bytes": 0}
    none = dataclasses.replace(ADD, reasons={"global_load_requests": lambda at: n(at.warps, "warp") * n(0, "load")})

    assert why_of(none, "global_load_requests", counters, 0).endswith(
        "warps x 0 loads = 0. Each element is loaded once."
    )


def test_a_number_that_nothing_explains_is_told_by_the_blocks_it_comes_from():
    other = dataclasses.replace(ADD, predictions={"syncs": "warp_syncs"})
    blocks = shown_of(other, {}).blocks

    assert f"{blocks} blocks x 2 each = {2 * blocks}" == why_of(other, "syncs", {}, 2.0 * blocks)


def test_what_is_no_sum_over_blocks_is_told_as_it_is():
    other = dataclasses.replace(ADD, predictions={"waits": "host_waits"}, reasons={"waits": lambda at: n(1, "wait")})

    assert "your answer has 3; the course counts 1 wait = 1" == why_of(other, "waits", {}, 3.0)


def test_what_each_has_on_average_is_called_that():
    counters = {"global_load_requests": 37, "global_load_bytes": 4188}
    assert "37 requests x 113.2 bytes on average = 4,188" == reason("global_load_bytes", counters)
    assert "4,188 bytes / 113.2 bytes per request on average = 37" == reason("global_load_requests", counters)


def test_a_case_is_seen_with_its_launch():
    case = PredictedCase({"n": 8}, {}, 64, (2, 3), (33,))

    assert (8, 6, 33, 12) == (case["n"], case.blocks, case.threads, case.warps)


def test_conflicts_and_ratios_are_told_by_the_two_numbers_they_are_made_of():
    assert "95 passes - 25 requests = 70" == reason(
        "shared_load_bank_conflicts", {"shared_load_wavefronts": 95, "shared_load_requests": 25}
    )
    assert "96 flops / 64 bytes that must move = 1.5" == reason("flops_per_compulsory_byte", {"float32_flops": 96}, 64)
