"""Every task that is to be written cold takes an answer in CUDA C++, and tells by its lines what is wrong with one."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

pytest.importorskip("tree_sitter_cuda")

from autograder.drills import kinds, replies
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.kinds import write
from autograder.drills.mock import coding
from tests.part import a_part

WRITTEN = yaml.safe_load((Path(replies.__file__).parent / "in_cpp.yaml").read_text(encoding="utf-8"))
RIGHT = [(name, number, code) for name, entry in WRITTEN.items() for number, code in enumerate(entry["right"])]
WRONG = [(name, each) for name, entry in WRITTEN.items() for each in entry["wrong"]]
OF_THE_TRANSLATION = re.compile(r"c_quotient|c_remainder|\w_flat\b|\bu?int\d+\(|float32\(|cuda\.|\.shape\[|libdevice")


def named(case) -> str:
    return f"{case[0]}-{case[1]}" if isinstance(case[1], int) else f"{case[0]}-{case[1]['fails_by']}"


@pytest.mark.parametrize("case", a_part(RIGHT, 8, named))
def test_a_right_answer_passes(case):
    name, _, code = case
    outcome = write.check(find_card(name), code, isolate=False)

    assert outcome.passed, outcome


@pytest.mark.parametrize("case", a_part(WRONG, 6, named))
def test_a_wrong_answer_is_told_by_its_cause_and_its_own_line(case):
    name, answer = case
    outcome = write.check(find_card(name), answer["code"], isolate=False)

    assert not outcome.passed
    assert answer["fails_by"] in (outcome.causes[0].kind, outcome.causes[0].misconception), outcome
    assert answer["line"] in (outcome.causes[0].lines or (0,)), outcome
    assert [] == OF_THE_TRANSLATION.findall(str(outcome))
    assert not answer["line"] or answer["code"].splitlines()[answer["line"] - 1].strip() in str(outcome)


def test_every_task_has_three_right_answers_and_two_wrong_ones():
    few = {name for name, each in WRITTEN.items() if len(each["right"]) < 3 or len(each["wrong"]) < 2}

    assert {card.id for card in all_cards().values() if card.kind == "write"} == set(WRITTEN)
    assert set() == few


def test_a_learner_is_shown_the_signature_and_may_answer_by_it():
    question = kinds.pose(find_card("a2.cold_guard"), "en", random.Random(0))

    assert "# CUDA C++: __global__ void negate(const float* src, float* dst, int n)" in question.code
    assert kinds.mark(question, WRITTEN["a2.cold_guard"]["right"][0]).right


def test_who_answers_in_cpp_is_shown_a_right_answer_in_cpp():
    question = kinds.pose(find_card("d7.cold"), "en", random.Random(0))

    assert "__global__" in kinds.mark(question, WRITTEN["d7.cold"]["wrong"][0]["code"]).truth
    assert "__global__" not in write.solution_like(question.card, question.card.data["solution"])


SIGNATURE = "__global__ void saxpy_in_single(float alpha, const float* x, const float* y, float* out, int n)"


@pytest.mark.parametrize(
    "code",
    [
        "const float TWO = 2.0f;\n__device__ float twice(float v) { return TWO * v; }\n" + SIGNATURE + " {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = twice(alpha) * x[i] + y[i];\n}\n",
        "__device__ void put(float* at, const float* x, int i, float v) { at[i] += v * *x; }\n" + SIGNATURE + " {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) { return; }\n    out[i] = y[i];\n"
        "    put(out, x + i, i, 2 * alpha);\n}\n",
    ],
)  # fmt: skip
def test_constants_and_device_functions_stay_in_single_precision(code):
    """numba takes a constant of the file for a double, which would be told as float64 by accident."""
    assert write.check(find_card("a10.single"), code, isolate=False).passed


EXCHANGED = """__global__ void count_positive(const float* src, int* count, int n) {
    __shared__ float all;
    if (threadIdx.x == 0) all = 0.0f;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && src[i] > 0.0f) atomicAdd(&all, 1.0f);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(count, (int)atomicExch(&all, 0.0f));
}
"""


def test_a_float_is_exchanged_as_its_bits():
    assert write.check(find_card("b15.count_positive"), EXCHANGED, isolate=False).costly  # right, with more atomics


def test_doubles_that_an_answer_asks_for_by_name_are_right_and_told_and_others_are_not():
    doubled = WRITTEN["b5.cold_sum"]["right"][0]
    assert "double" in doubled
    outcome = write.check(find_card("b5.cold_sum"), doubled, isolate=False)

    assert outcome.passed and outcome.points == outcome.max_points
    assert any("double precision" in note for note in outcome.notes)
    assert not write.check(
        find_card("b5.cold_sum"), doubled.replace("double", "float") + "// double", isolate=False
    ).notes


def test_a_kernel_in_cpp_is_traced_for_the_follow_ups_of_an_interview():
    card, code = find_card("b5.cold_sum"), WRITTEN["b5.cold_sum"]["right"][0]
    counters = coding.traced(card, code, {"n": 700}, 1)

    assert 4 == counters["atomic_operations"]
    assert 4 * 8 == counters["barriers"]
