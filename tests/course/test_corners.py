"""What may come, and what is found there alone."""

import ast
import re
from dataclasses import replace

import numpy as np
import pytest

from autograder import exercises
from autograder.judge import check
from autograder.running import buffers
from autograder.running.cases.corners import corner_cases
from autograder.running.cases.domain import Domain
from autograder.running.cases.more_cases import other_launches
from tests.course.only_in_a_corner import ONLY_IN_A_CORNER
from tests.course.right_otherwise import RIGHT_OTHERWISE
from tests.part import a_part
from tools.check_exercises import solution_of
from tools.parts.units import ROOT

SAMPLE = 6  # a commit tries one of so many
DECLARED = [exercise for exercise in exercises.all_exercises() if exercise.domain != Domain()]


def judged(name: str, changes: dict[str, str]):
    """The outcome of the solution with these pieces of text exchanged."""
    exercise = exercises.find(name)
    program = solution_of(exercise)
    for old, new in changes.items():
        assert old in program.source
        program = replace(program, source=program.source.replace(old, new))
    ast.parse(program.source)
    return check(exercise, program, device="simt", isolate=False)


@pytest.mark.parametrize("mistake", a_part(ONLY_IN_A_CORNER, SAMPLE, lambda one: f"{one[0]}-{one[1]}"))
def test_a_mistake_that_no_ordinary_case_shows_does_not_pass(mistake):
    name, _, changes = mistake

    assert not judged(name, changes).passed


@pytest.mark.parametrize("answer", a_part(RIGHT_OTHERWISE, SAMPLE, lambda one: f"{one[0]}-{one[1]}"))
def test_what_is_right_in_a_style_of_its_own_passes_whole(answer):
    name, _, changes = answer

    outcome = judged(name, changes)

    assert outcome.passed and outcome.points == outcome.max_points, str(outcome)


def test_each_number_that_is_handed_over_comes_with_three_values_at_least():
    constant = {
        f"{exercise.id} {name}": sorted(values)
        for exercise in exercises.all_exercises()
        for name, values in values_of_scalars(exercise).items()
        if len(values) < 3
    }

    assert {} == constant, "an answer that has the number in place of the argument passes"


def values_of_scalars(exercise) -> dict[str, set]:
    """The values that each scalar has in cases and corners, up to three of each."""
    seen: dict[str, set] = {argument.name: set() for argument in exercise.arguments if argument.role == "scalar"}
    cases = iter((*exercise.cases, *corner_cases(exercise)) if seen else ())
    while any(len(values) < 3 for values in seen.values()) and (case := next(cases, None)):
        values = buffers.make_values(exercise, case)
        for name, known in seen.items():
            number = np.asarray(values[name])
            known |= {number.item()} if number.dtype.kind in "biuf" and number.shape == () else {0, 1, 2}
    return seen


@pytest.mark.parametrize("exercise", a_part(DECLARED, SAMPLE, lambda one: one.id))
def test_every_corner_has_arguments_and_a_name_of_its_own(exercise):
    corners = corner_cases(exercise)
    for case in corners:
        values = buffers.make_values(exercise, case)
        expected = exercise.expected_of(buffers.fresh(exercise, values, None))

        assert {*exercise.names} == {*values}
        assert all(np.shape(expected[name]) == np.shape(values[name]) for name in expected)

    names = [case.name for case in (*exercise.cases, *corners)]
    assert corners and len(names) == len({*names})


FIXED_BLOCKS = {  # whose text says how many threads a block has, though other blocks would do as well
    "vector_add.add_one_block": "always launched as one block of 256",
    "shared_memory.stencil_1d": "its tile holds the elements of 256 threads",
    "reductions.sum_atomic": "one atomic per block is right, too, after a tree of 256",
    "shared_memory.blur_column": "a block may hold a line of its 128 columns in shared memory",
    "shared_memory.blur_wide": "a block may hold a line of its 512 columns in shared memory",
    "warps.transpose_by_lanes": "a warp has 32 columns, and shared memory for 8 of them is right, though costly",
    "warps.count_matched": "counters of a block's own are right, though costly, and take its 256 threads to clear",
    "memory_access.gather_rows": "blocks are 32 x 8, so that a warp is 32 threads along x",
    "performance.poly_four": "256 is the width of every block of the unit",
    "performance.follow_four": "256 is the width of every block of the unit",
    "performance.standardise": "256 is the width of every block of the unit",
    "matmul.matmul_coalesced": "blocks are 32 x 8, so that a warp is one row of a block",
    "attention.softmax_online": "four rows a block, a warp each",
    "irregular.spmv_warps": "blocks of 128 threads, four rows each",
    "compression.count_digits": "four blocks of 256 threads, one for each digit",
    "engine_graph.query_key_value": "a block may hold inputs of its 8 rows in shared memory",
    "engine_graph.lstm_step": "a block may hold the state of its 8 rows in shared memory",
    "language_models.four_bit_product": "blocks of 128 threads are right: four warps with two rows each",
    "memory_kinds.filter_constant": "a block may stage the signal of its 128 threads",
    "atomics.histogram_global": "a histogram of its own for each block is right already, cleared by 256 threads",
    "atomics.best_under_lock": "block_best, which is given, takes 256 threads",
    "atomics.best_packed": "block_best, which is given, takes 256 threads",
}
OTHER_BLOCKS = ((96,), (64,), (16, 12), (8, 6, 4))
SAID = (
    "other blocks",
    "other grids",
    "other numbers of threads",
    "tries others",
    "every launch",
    "any number of blocks",
)
IN_BLOCKS = [one for one in exercises.all_exercises() if one.kind == "kernel" and one.launch]


@pytest.mark.parametrize("exercise", a_part(IN_BLOCKS, SAMPLE, lambda one: one.id))
def test_a_kernel_that_is_right_in_other_blocks_is_tried_in_some(exercise):
    if exercise.launches or exercise.domain.blocks or exercise.id in FIXED_BLOCKS:
        return
    _, own, *_ = exercise.launch(buffers.make_values(exercise, exercise.cases[0]))
    axes = 1 if isinstance(own, int) else len(own)
    other = next(one for one in OTHER_BLOCKS if len(one) == axes)
    tried = replace(exercise.domain, blocks=(other[0] if axes == 1 else other,))
    (case,) = other_launches(replace(exercise, domain=tried))

    assert not check(exercise, solution_of(exercise), device="simt", isolate=False, cases=(case,)).passed


@pytest.mark.parametrize("exercise", [one for one in IN_BLOCKS if one.domain.blocks], ids=lambda one: one.id)
def test_a_task_says_that_its_kernel_is_launched_with_other_blocks(exercise):
    source = (ROOT / "solutions" / exercise.unit / f"{exercise.unit}.py").read_text(encoding="utf-8")
    rung = source.split(f'solution="{exercise.function}"')[0].rsplit("\n# ## ", 1)[1]

    assert any(words in rung for words in SAID)


LIMITS = re.compile(r"(?:at most|up to|below|at least) (\d[\d,]*)|(\d[\d,]*) or more|(\d+) to (\d[\d,]*)")
ALLOWED = {"infinit": np.isinf, "NaN": np.isnan}  # words of a text, and a number of the domain that they speak of


def limits_in(text: str) -> set[int]:
    """The numbers that a text bounds something by."""
    return {int(n.replace(",", "")) for found in LIMITS.findall(text) for n in found if n}


def known_of(exercise) -> set[float]:
    """Every end and odd value of an exercise's domain, and one beside each."""
    domain = exercise.domain
    numbers = [*domain.sizes.values(), *domain.scalars.values(), *domain.arrays.values()]
    ends = [float(n) for one in numbers for n in (one.low, one.high, *one.also)]
    return {n + k for n in ends for k in (-1, 0, 1)}


@pytest.mark.parametrize("exercise", a_part(DECLARED, SAMPLE, lambda one: one.id))
def test_what_an_argument_is_bounded_by_in_words_is_an_end_of_its_domain(exercise):
    known = known_of(exercise)
    named = {**exercise.domain.sizes, **exercise.domain.scalars, **exercise.domain.arrays}
    for argument in exercise.arguments:
        if argument.name in named and argument.role != "out":
            assert limits_in(argument.meaning) <= known, argument.name


@pytest.mark.parametrize("exercise", DECLARED, ids=lambda one: one.id)
def test_a_size_that_no_text_bounds_ends_at_an_odd_number(exercise):
    words = exercise.task + " ".join(argument.meaning for argument in exercise.arguments)
    bounds = {int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\d|\d", words)}
    for name, span in exercise.domain.sizes.items():
        is_a_power = not span.high & (span.high - 1)

        assert span.high % 2 or span.step > 1 or is_a_power or span.high in bounds, name


@pytest.mark.parametrize("exercise", [one for one in DECLARED if one.domain.arrays], ids=lambda one: one.id)
def test_infinities_and_nan_of_which_a_text_speaks_may_come(exercise):
    cases = [buffers.make_values(exercise, case) for case in exercise.cases if case.values != "exact"]
    made = [array for values in cases for array in values.values() if np.asarray(array).dtype.kind == "f"]
    also = [n for numbers in exercise.domain.arrays.values() for n in (*numbers.also, numbers.high)]
    for word, is_one in ALLOWED.items():
        spoken_of = [one for one in exercise.task.split(".") if word in one and not re.search(r"\bno\b", one, re.I)]

        assert not spoken_of or any(is_one(np.asarray(array)).any() for array in (*made, also)), word


@pytest.mark.parametrize("exercise", [one for one in IN_BLOCKS if one.domain.blocks], ids=lambda one: one.id)
def test_other_blocks_are_deep_where_no_text_says_that_they_are_flat(exercise):
    source = (ROOT / "solutions" / exercise.unit / f"{exercise.unit}.py").read_text(encoding="utf-8")
    rung = source.split(f'solution="{exercise.function}"')[0].rsplit("\n# ## ", 1)[1]
    flat = [block for block in exercise.domain.blocks if isinstance(block, tuple) and len(block) > 2 and block[2] < 2]

    assert not flat or "one thread deep" in rung, "a guard along z that is left out shows nowhere"


CLAMPED = re.compile(r"min\(\w+, (\w+)\.size - 1\)")


@pytest.mark.parametrize("exercise", IN_BLOCKS, ids=lambda one: one.id)
def test_an_array_whose_last_element_a_text_reads_for_a_missing_one_is_never_empty(exercise):
    source = (ROOT / "solutions" / exercise.unit / f"{exercise.unit}.py").read_text(encoding="utf-8")
    rung = source.split(f'solution="{exercise.function}"')[0].rsplit("\n# ## ", 1)[1]
    advised = {*CLAMPED.findall("\n".join(line for line in rung.splitlines() if line.startswith("# ")))}
    cases = [*exercise.cases, *corner_cases(exercise)] if advised & exercise.names else []
    made = [buffers.make_values(exercise, case) for case in cases]

    assert all(np.size(values[name]) for values in made for name in advised & exercise.names)
