"""A verdict reads the same in text, HTML and JSON, and no text of a learner can become markup."""

import json
import subprocess
import sys

import pytest

from autograder import words
from autograder.outcome import (
    COSTLY,
    STATUSES,
    BudgetResult,
    CaseResult,
    Cause,
    Crashed,
    NotAttempted,
    Outcome,
    Passed,
    Wrong,
)
from autograder.report import wording
from autograder.report.results_json import to_results

RACE = Cause(
    kind="race",
    misconception="missing_barrier",
    says="Thread 3 reads s[35] while thread 35 writes it in the previous iteration of the loop; nothing orders them.",
    remedy="Put cuda.syncthreads() after line 12, outside the if.",
    lines=(12, 11),
)
LOST = Cause(kind="wrong_output", misconception="wrong_formula", says="Block 4 is wrong.")
SOURCE = "    if t < d:\n        s[t] += s[t + d]\n    d //= 2"


def wrong(**changes) -> Wrong:
    parts = {
        "exercise": "reductions.block_sum",
        "points": 2.5,
        "max_points": 5.0,
        "headline": "block_sum: not right yet",
        "observed": "Wrong at n = 1025: block 4 gives 0.9312, expected 0.3107.",
        "causes": (RACE, LOST),
        "cases": (CaseResult("n = 1", "simt", "right"), CaseResult("n = 1025", "simt", "wrong", "block 4")),
        "source": SOURCE,
        "first_line": 11,
        "next_step": "A nudge: q.hint()",
    }
    return Wrong(**{**parts, **changes})


def test_text_says_what_is_seen_then_the_cause_with_its_line_then_one_thing_to_do():
    text = str(wrong())
    order = [
        "block_sum: not right yet",
        "Wrong at n = 1025",
        "Race, line 12   s[t] += s[t + d]",
        "Thread 3 reads",
        "Put cuda",
    ]

    places = [text.index(part) for part in order]
    assert sorted(places) == places


def test_a_second_cause_is_counted_and_not_explained():
    text = str(wrong())

    assert "1 more finding (wrong output); mend this one first" in text
    assert "Block 4 is wrong." not in text


def test_html_escapes_everything_a_learner_or_a_kernel_may_have_written():
    evil = "<script>alert(1)</script>"
    cause = Cause("race", "missing_barrier", evil, evil, (1,), array=evil)
    html = wrong(headline=evil, observed=evil, causes=(cause,), source=evil, first_line=1, notes=(evil,))._repr_html_()

    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_html_marks_the_lines_of_the_cause_and_shows_their_neighbours():
    html = wrong()._repr_html_()

    assert "→  12          s[t] += s[t + d]" in html
    assert "  13      d //= 2" in html


@pytest.mark.parametrize(
    ("outcome_class", "status"), [(Passed, "pass"), (Wrong, "fail"), (NotAttempted, "fail"), (Crashed, "error")]
)
def test_json_is_results_version_3_with_every_part_under_warpbook(outcome_class, status):
    outcome = outcome_class("a.b", 0.0, 1.0, "headline", facts={"counters": {"x": float("nan"), "y": 2}})
    document = json.loads(json.dumps(to_results(outcome), allow_nan=False))

    assert 3 == document["version"]
    assert status == document["status"]
    assert outcome.status == document["warpbook"]["status"]
    assert {"x": "nan", "y": 2} == document["warpbook"]["facts"]["counters"]


def test_of_several_budgets_on_a_counter_the_most_telling_one_is_shown():
    def limits(value):
        budgets = tuple(BudgetResult("transferred_bytes", value, at_most, "") for at_most in (17, 5))
        return [budget.at_most for budget in wording.telling_budgets(wrong(budgets=budgets))]

    assert [5] == limits(value=5), "met: the strictest"
    assert [5] == limits(value=9), "only the strict one missed"
    assert [17] == limits(value=24), "both missed: the generous one says most"


def test_a_missed_budget_says_what_the_number_means_and_a_met_one_does_not():
    missed = BudgetResult("global_load_sectors_per_request", 32.0, 4.0, "Neighbouring threads read far apart.")
    met = BudgetResult("shared_load_bank_conflicts", 0.0, 0.0, "Lanes meet in a bank.")
    text = str(wrong(budgets=(missed, met)))

    assert "32 global load sectors per request, at most 4 allowed. Neighbouring threads read far apart." in text
    assert "0 shared load bank conflicts (at most 0)." in text
    assert "Lanes meet in a bank." not in text


def test_an_outcome_is_a_float_for_the_graded_cell():
    assert 2.5 == float(wrong())


def test_the_base_class_and_its_six_children_are_what_there_is():
    names = {"Passed", "NotAttempted", "Wrong", "Crashed", "TimedOut", "NotCheckable"}

    assert names == {child.__name__ for child in Outcome.__subclasses__()}


def test_a_budget_that_is_the_cause_is_told_once_with_its_number_before_its_meaning():
    why = "Neighbouring threads read far apart."
    missed = (BudgetResult("global_load_requests", 1.0, 0.0, why), BudgetResult("global_store_requests", 3.0, 0.0, why))
    causes = tuple(Cause("over_budget", "uncoalesced", why, missed=each) for each in missed)
    text = " ".join(str(wrong(causes=causes, budgets=missed)).split())

    assert f"1 global load request, at most 0 allowed. {why}" in text
    assert "3 global store requests, at most 0 allowed." in text
    assert 1 == text.count(why)
    assert "more finding" not in text


def test_what_one_line_does_to_other_arrays_is_not_counted_as_more_findings():
    def outside(array, line):
        return Cause("out_of_bounds", "no_guard", "Outside.", "", (line,), array=array)

    assert "" == wording.others_sentence(wrong(causes=(outside("a", 12), outside("b", 12))))
    assert "1 more finding" in wording.others_sentence(wrong(causes=(outside("a", 12), outside("b", 13))))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("every block adds the same", "Every block adds the same."),
        ("total is zero everywhere.", "total is zero everywhere."),
        ("s[0] lacks s[1]", "s[0] lacks s[1]."),
        ("32 lanes read", "32 lanes read."),
        ("", ""),
    ],
)
def test_what_authors_wrote_is_read_as_a_sentence_and_names_keep_their_letters(written, read):
    assert read == words.as_sentence(written, {"total"})


def test_every_status_has_words_a_sign_and_a_colour_of_its_own_class():
    looks = [*(kind.look for kind in STATUSES.values()), COSTLY]

    assert len(looks) == len({look.words for look in looks}) == len({look.mark for look in looks})
    assert {"pass", "fail", "error"} == {kind.exercism for kind in STATUSES.values()}


def test_without_a_renderer_an_outcome_is_still_an_object_that_prints():
    program = "from autograder.outcome import Passed; print(repr(Passed('a.b', 1.0, 1.0, 'b: right')))"

    assert "Passed object" in subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
