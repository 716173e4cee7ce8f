"""Mutants of the course's own answers: what is made of a place, and what the judge says of it."""

import ast
import re
from collections import Counter
from dataclasses import replace

import pytest

from autograder import exercises
from autograder.running.cases import more_cases
from autograder.running.cases.domain import Domain
from tests.part import a_part
from tools.check_exercises import solution_of
from tools.matrices.harden import equivalence, page, scored
from tools.matrices.harden.asked import Stillborn, passes
from tools.matrices.harden.equivalence import told_apart
from tools.matrices.harden.scored import GOAL_EACH, Hole, Mutant, Score, mutants, score_of

HEAD = "engine_graph.network_head"
GROUPS = "engine_graph.fuse_groups"
ALL = [exercise.id for exercise in exercises.all_exercises()]


def test_every_operator_finds_a_place_in_a_kernel_or_a_host_function():
    found = Counter(mutant.label for name in (HEAD, GROUPS, "streams.one_stream") for mutant in mutants(name))

    for label in ("at_most_32_iterations", "comparison_moved", "conjunct_dropped", "place_in_16_bits", "wait_left_out"):
        assert found[label]
    for label in ("value_sign_dropped", "another_type", "statement_left_out", "launch_capped", "one_of_two"):
        assert found[label]


def test_a_mutant_is_other_python_than_its_original_and_no_two_are_the_same():
    sources = [mutant.source for mutant in mutants(HEAD)]

    assert len(sources) == len({*sources})
    assert ast.unparse(ast.parse(solution_of(exercises.find(HEAD)).source)) not in {one.strip() for one in sources}
    assert all(ast.parse(source) for source in sources)


def test_a_mutant_that_the_cases_alone_let_pass_is_a_hole_with_the_smallest_input_that_shows_it(monkeypatch):
    monkeypatch.setattr(more_cases, "named_sizes", lambda *_: ())  # which follow from the mutant's own 40
    exercise = exercises.find("engine_graph.run_chain")
    solution = solution_of(exercise)
    capped = "range(min(program.shape[0], 40))"
    mutant = replace(solution, source=solution.source.replace("range(program.shape[0])", capped))

    assert passes(replace(exercise, domain=Domain()), mutant) and not passes(exercise, mutant)
    assert 40 < int(re.search(r"n_steps = (\d+)", told_apart(exercise, solution, mutant))[1])
    assert "" == told_apart(exercise, solution, solution)


def test_what_does_not_run_at_all_is_no_mutant_that_counts():
    exercise = exercises.find(HEAD)
    solution = solution_of(exercise)

    with pytest.raises(Stillborn):
        passes(exercise, replace(solution, source=solution.source.replace("bias.size", "bias.length")))


def test_where_the_judge_itself_fails_is_a_hole_and_the_others_are_tried(monkeypatch):
    def fails(exercise, program):
        raise MemoryError("32 GiB")

    monkeypatch.setattr(scored, "passes", fails)
    score = score_of(GROUPS, 0, 2)

    assert ["the judge itself, which raised MemoryError: 32 GiB"] * 2 == [hole.wrong_at for hole in score.holes]


def test_a_score_counts_what_is_wrong_somewhere_and_not_what_is_the_same(monkeypatch):
    told = {"refused": False, "hole": True, "same": True}
    monkeypatch.setattr(scored, "passes", lambda exercise, program: told[program.source])
    monkeypatch.setattr(scored, "told_apart", lambda *three: "n = 3" if three[-1].source == "hole" else "")
    monkeypatch.setattr(scored, "mutants", lambda name: [Mutant("", 1, "", "", source) for source in told])
    score = score_of(GROUPS, 0, 3)

    assert (1, 1, 1, 0.5) == (score.refused, len(score.holes), score.equivalent, score.share)


@pytest.mark.parametrize("name", a_part(ALL, 44))
def test_of_some_mutants_of_each_exercise_the_judge_lets_hardly_any_pass(name, monkeypatch):
    """Told apart before they are judged: what is not wrong anywhere is no hole, and judging it whole takes longest."""
    monkeypatch.setattr(equivalence, "ELEMENTS", 1 << 16)  # most of the time went into the largest inputs
    monkeypatch.setattr(equivalence, "TOO_LARGE", {})
    exercise = exercises.find(name)
    solution = solution_of(exercise)
    wrong: list = []
    for number, mutant in enumerate(mutants(name)[:48]):
        if number >= 12 and len(wrong) >= 3:  # of some exercises most mutants are right for other text
            break
        changed = replace(solution, source=mutant.source, context="")
        wrong += [changed] if told_apart(exercise, solution, changed) else []
    holes = [mutant.source for mutant in wrong if runs_and_passes(exercise, mutant)]

    assert len(wrong) >= 3
    assert len(holes) <= (1 - GOAL_EACH) * len(wrong), holes


def runs_and_passes(exercise, mutant):
    try:
        return passes(exercise, mutant)
    except Stillborn:
        return False


def test_a_mutant_counts_as_the_judge_says_and_where_it_passes_as_it_is_told_apart():
    score = score_of("vector_add.add_one_block", 0, 12)

    assert (5, 6, 1, ()) == (score.refused, score.equivalent, score.stillborn, score.holes)


def test_the_page_says_of_each_exercise_how_many_of_its_changes_were_tried(tmp_path):
    hole = Hole("comparison_moved (line 3): i < n -> i <= n", "n = 33")
    some = Score(HEAD, refused=3, equivalent=1, stillborn=2, holes=(hole,), mutants=90)
    results, place = tmp_path / "harden.json", tmp_path / "harden.md"
    page.record([some, Score(GROUPS, mutants=40)], results, place)
    said = place.read_text(encoding="utf-8")

    assert [some] == page.kept(results)
    assert f"| `{HEAD}` | 7 | 90 | 1 | 2 | 3 | 1 | 75.0% |" in said and GROUPS not in said
    assert f"- `{HEAD}`: `` comparison_moved (line 3): i < n -> i <= n ``, wrong at n = 33" in said
    assert "Tried: 7 of 90. Of 4 that are wrong somewhere 3 were refused, 75.0%." in said


def test_a_record_replaces_the_scores_of_the_exercises_that_were_tried_and_keeps_the_others(tmp_path):
    results, place = tmp_path / "harden.json", tmp_path / "harden.md"
    page.record([Score(HEAD, refused=3, mutants=90), Score(GROUPS, refused=1, mutants=40)], results, place)
    page.record([Score(HEAD, refused=5, mutants=91)], results, place)

    assert {HEAD: 5, GROUPS: 1} == {score.exercise: score.refused for score in page.kept(results)}
