"""Where one edit of one line makes every case right, the verdict names that line, and the last hint shows the edit."""

from dataclasses import replace

import pytest

from autograder import exercises
from autograder.judge import check
from autograder.outcome import Cause
from autograder.repair import words
from autograder.repair.edits import Edit
from autograder.repair.hints import ladder_of
from autograder.repair.search import edits_of, repairs
from autograder.repair.trials import STEPS_A_LAUNCH, Trials
from autograder.running import run_simt
from tests.autograder.diagnosis.test_told_remedies import outcome_of
from tests.part import a_part
from tools.check_exercises import solution_of

ONE_LINE = {  # exercise, what becomes of its solution, the line, what is said of it, what the last hint shows
    "a mask that leaves out a query's own key": (
        "attention.attention_causal",
        [("first + lane <= i", "first + lane < i")],
        19,
        "the number at the border falls on the wrong side",
        "if first + lane <= i",
    ),
    "a loop that goes on after the first hit": (
        "warps.first_above",
        [("                break\n", "")],
        14,
        "nothing ends the loop once `votes != 0` is true",
        "break",
    ),
    "a shuffle the other way": (
        "warps.scan_rows",
        [("shfl_up_sync", "shfl_down_sync")],
        8,
        "`shfl_down_sync` is the wrong function",
        "cuda.shfl_up_sync(",
    ),
    "a sum that begins anew with every tile": (
        "matmul.matmul_tiled",
        [("TILE):\n        tile_a", "TILE):\n        acc = float32(0)\n        tile_a")],
        12,
        "it should not be there",
        "# nothing",
    ),
    "a mean of one lane's elements": (
        "attention.layer_norm",
        [("mean = warp_sum(acc)", "mean = acc")],
        17,
        "`acc` is what one lane has, and the sum over all is needed",
        "warp_sum(acc)",
    ),
    "two loops that end too early": (
        "convolution.conv_direct",
        [("for a in range(k)", "for a in range(k - 1)"), ("for b in range(k)", "for b in range(k - 1)")],
        12,
        "and so do the others that end at `k - 1`",
        "range(k - 1 + 1)",
    ),
    "a tile that is read turned round": (
        "matmul.matmul_tiled",
        [("tile_b[k, tx]", "tile_b[tx, k]")],
        16,
        "the indices of tile_b have changed places",
        "",
    ),
}
ONLY_CORNERS = [  # exercise, what becomes of its solution, what is said
    (
        "atomics.max_by_cas",
        "int_as_float(seen):",
        "int_as_float(seen) and x > float32(-1e30):",
        "its condition asks too much or too little",
    ),
    ("engine_graph.run_chain", "max(v, numbers[at])", "max(v, max(numbers[at], float32(-1e6)))", "has a part too many"),
]


def trials_of(exercise, program, steps=1e6):
    """Trials whose modules stay until the end of the tests."""
    return Trials(exercise, program, replace(program, source="").namespace(), "", steps)


@pytest.mark.parametrize("name", a_part(ONE_LINE, 3))
def test_the_line_that_one_edit_repairs_is_named_and_the_edit_kept_for_the_last_hint(name):
    identifier, changed, line, says, edit = ONE_LINE[name]
    outcome = outcome_of(identifier, changed)
    cause, text = outcome.causes[0], " ".join(str(outcome).split())

    assert line in cause.lines and says in text
    assert cause.edit and cause.edit not in str(outcome)
    *before, last = ladder_of(exercises.find(identifier), outcome).ladder
    assert 3 == len(before) and edit in last
    assert not any(cause.edit in step for step in before)


@pytest.mark.parametrize("name", a_part(ONE_LINE, 3))
def test_what_the_last_hint_shows_passes(name):
    """The edit as it is told, put in the place of its line."""
    identifier, changed, *_ = ONE_LINE[name]
    exercise = exercises.find(identifier)
    program = solution_of(exercise)
    for old, new in changed:
        program = replace(program, source=program.source.replace(old, new, 1))
    trials = trials_of(exercise, program)
    wrong = [case for case in exercise.cases if case.trace and all(case.sizes.values())][:6]
    wrong = [case for case in wrong if not trials.passes(trials.loaded(program.source), [case])]
    found = repairs(trials, wrong, [], edits_of(program))

    assert found
    assert check(exercise, replace(program, source=found[0].source), device="simt", isolate=False).passed


@pytest.mark.parametrize(("identifier", "old", "new", "says"), ONLY_CORNERS)
def test_a_limit_that_only_a_corner_passes_is_named_with_its_line(identifier, old, new, says):
    outcome = outcome_of(identifier, [(old, new)])
    source = solution_of(exercises.find(identifier)).source
    cause = outcome.causes[0]

    assert (1 + source[: source.index(old)].count("\n"),) == cause.lines and cause.edit
    assert says in " ".join(str(outcome).split())


def test_what_makes_up_for_a_mistake_elsewhere_is_no_cause():
    """Where only a corner is wrong: lanes that look at more elements than they should hide a maximum left out. The
    line that leaves it out is the one that is named."""
    outcome = outcome_of("attention.softmax_safe", [("max(tops[2], tops[3])", "tops[2]")])

    assert "one number far above the others" in str(outcome).replace("\n", " ")
    assert "max(tops[2], tops[3])" in outcome.causes[0].edit and 1 == len(outcome.causes[0].lines)


def test_the_search_ends_with_its_steps():
    """However long an answer is, and whatever its loops do."""
    exercise = exercises.find("warps.scan_rows")
    program = solution_of(exercise)
    program = replace(program, source=program.source.replace("shfl_up_sync", "shfl_down_sync"))
    trials = trials_of(exercise, program, 1_000)
    wrong = [case for case in exercise.cases if case.trace and all(case.sizes.values())][:1]

    assert [] == repairs(trials, wrong, [], edits_of(program))
    assert -5_000 < trials.steps_left <= 0


def test_a_longer_source_takes_more_of_the_steps_before_it_runs():
    """An edited answer is compiled anew, and most of what a search costs is that."""
    taken = []
    for identifier in ("warps.pack_bits", "matmul.matmul_square"):
        program = solution_of(exercises.find(identifier))
        trials = trials_of(exercises.find(identifier), program, 1_000)
        trials.loaded(program.source)
        taken.append(1_000 - trials.steps_left)

    assert 0 < 2 * taken[0] < taken[1] < 1_000


def test_nothing_is_searched_where_another_process_runs_the_answer(monkeypatch):
    """In a class the answer runs in a jail, which has loaded the answer and no edited ones."""
    runner = run_simt.run
    monkeypatch.setattr(run_simt, "run", lambda *given, **named: runner(*given, **named))
    monkeypatch.setattr("autograder.repair.told.run_simt", type("Other", (), {"run": staticmethod(runner)}))
    outcome = outcome_of("warps.scan_rows", [("shfl_up_sync", "shfl_down_sync")])

    assert not outcome.causes[0].edit


def test_an_edit_leaves_every_other_line_where_it_is():
    program = solution_of(exercises.find("matmul.matmul_tiled"))
    lines = program.source.splitlines()
    moved = {"barrier", "break", "forgotten", "moved_out", "return", "wait", "later", "overwritten"}
    moved |= {"one_of"} | {"index_everywhere", "indices_everywhere", "end_everywhere"}
    for edit in edits_of(program):
        if edit.kind not in moved:
            edited = edit.source.splitlines()
            differ = {n for n, (one, other) in enumerate(zip(lines, edited, strict=True), 1) if one != other}
            assert differ <= {edit.line, edit.line + 1, int(edit.about) if edit.about.isdigit() else edit.line}


def test_a_case_that_has_another_launch_is_tried_with_it():
    exercise = exercises.find("vector_add.vector_add")
    program = solution_of(exercise)
    trials = trials_of(exercise, program)
    function = trials.loaded(program.source.replace("cuda.grid(1)", "cuda.blockIdx.x * 256 + cuda.threadIdx.x"))
    case = next(case for case in exercise.cases if case.trace and case.sizes["n"] > 64)

    assert trials.passes(function, [case])
    assert not trials.passes(function, [replace(case, launch=(64, 32))])


def test_what_a_pattern_guesses_of_values_is_not_said_of_a_line_about_places():
    """A loop that ends early may show in infinities alone: what is wrong with it has nothing to do with them."""
    cause = Cause("wrong_output", "nan_by_arithmetic", "It is NaN: 0 * inf is.", "Decide with an if.")
    border = words.told(cause, Edit(3, "border", "s > 1", "while s > 0:", ""), [3], 1)
    product = words.told(cause, Edit(3, "operator", "x * m", "x + m", ""), [3], 1)

    assert "wrong_formula" == border.misconception and "inf" not in border.says + border.remedy
    assert "nan_by_arithmetic" == product.misconception and "0 * inf" in product.says


def test_what_stands_in_the_wrong_order_is_not_told_as_an_index_that_is_one_off():
    """What is noted before a round and not after it holds the right values, one place off."""
    cause = Cause("wrong_output", "off_by_one", "One place off.", "Compare the index you read with the one you write.")
    order = words.told(cause, Edit(3, "order", "4", "a\nb", ""), [3], 1)
    index = words.told(cause, Edit(3, "one_off", "x", "x[i + 1]", ""), [3], 1)

    assert "wrong_formula" == order.misconception and "index" not in order.says + order.remedy
    assert "off_by_one" == index.misconception and "Compare the index" in index.remedy


def test_a_launch_of_a_host_function_takes_more_of_the_steps_than_its_kernel_does():
    """Sixteen small kernels take no time, and starting them takes some: the search must not think it had all day."""
    exercise = exercises.find("streams.in_chunks")
    program = solution_of(exercise)
    trials = trials_of(exercise, program, 20_000)
    case = next(case for case in exercise.cases if case.trace and case.sizes["n"] > 16)
    function = trials.loaded(program.source)
    before = trials.steps_left

    assert trials.passes(function, [case])
    assert before - trials.steps_left > 2 * 16 * STEPS_A_LAUNCH
