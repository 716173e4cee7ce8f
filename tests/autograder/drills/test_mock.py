"""A mock interview from its start to its report: by rule, timed, pausable, and taken up after a crash."""

from __future__ import annotations

import json
import random
import re
import time

import pytest
from rich.cells import cell_len

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.learning.store import Store
from autograder.drills.mock import coding
from autograder.drills.mock.interview import KIND, begin
from autograder.drills.mock.plan import RAPID_KINDS, STEPS, make_plan
from autograder.drills.mock.rubric import score_of
from tests.autograder.drills.candidate import CODING, Candidate, wrong_answer
from tests.patience import PATIENCE_S


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(tmp_path / "drills-test.sqlite3") as opened:
        yield opened


def test_who_knows_everything_has_a_hundred_points_and_a_report_with_everything_in_it(store, tmp_path):
    candidate = Candidate(store, "zh")
    candidate.room.hold()
    (report,) = tmp_path.glob("warpbook-mock-*.html")
    page = report.read_text(encoding="utf-8")

    assert 100 == round(score_of(candidate.interview).total)
    assert "100 / 100" in page
    assert len(STEPS) == page.count("<details")
    assert not re.search(r"""(?:src|href)=["']https?:""", page), "the page needs nothing from elsewhere"
    assert max(cell_len(line) for line in candidate.printed.getvalue().split("\n")) <= 80


def test_who_knows_nothing_is_told_three_things_to_practise(store, tmp_path):
    candidate = Candidate(store, seed=5, knows=False)
    candidate.room.hold()
    score = score_of(candidate.interview)
    page = next(tmp_path.glob("*.html")).read_text(encoding="utf-8")

    assert score.total < 30
    assert 3 == len(score.practise)
    assert all(f"warpbook drill --topics {topic}" in page for topic in score.practise)


def test_there_is_no_check_in_the_first_third_and_one_afterwards(store):
    candidate = Candidate(store)
    candidate.room.hold()

    assert "No check yet: 15:00 to go" in candidate.printed.getvalue() or "No check yet: 14:5" in (
        candidate.printed.getvalue()
    )
    assert 1 == len(candidate.interview.checks), "only what was handed in was judged"


def test_a_crash_in_the_middle_loses_neither_answers_nor_drafts_nor_the_clock(store):
    first = Candidate(store, stops_at="own")
    first.room.hold()
    second = begin(store, "en", 45.0)

    assert second.resumed
    assert first.interview.answers == second.answers
    assert first.interview.drafts == second.drafts
    assert ("own", 0) == second.step
    assert 0 < second.spent_s == pytest.approx(first.interview.elapsed_s, abs=5)
    assert store.unfinished(KIND) is not None


def test_lines_of_a_draft_that_was_not_ended_are_there_after_a_crash(store):
    first = begin(store, "en", 45.0, (), 3)
    first.keep_typing("@cuda.jit\ndef half(src")
    second = begin(store, "en", 45.0)

    assert "@cuda.jit\ndef half(src" == second.typing
    second.add_draft("whole")
    assert "" == second.typing


def test_a_pause_may_come_among_lines_of_code(store):
    candidate = Candidate(store)
    typed = iter(["x = 1", ":p", "", "y = 2", "."])
    candidate.room.face.commands[":p"] = candidate.room.pause
    candidate.room.face._ask = lambda _prompt: next(typed)

    assert "x = 1\ny = 2\n" == candidate.room._lines("")
    assert "Paused" in candidate.printed.getvalue() or candidate.interview._running_since is not None


def test_time_that_was_spent_thinking_is_spent_after_a_crash(store):
    interview = begin(store, "en", 45.0, (), 1)
    interview.run_clock()
    saved, deadline = 0.0, time.monotonic() + PATIENCE_S
    with interview.keeping_time(every_s=0.01):
        while saved < 0.02 and time.monotonic() < deadline:
            time.sleep(0.01)
            saved = store.session_state(interview.number)["spent_s"]

    assert 0.02 <= saved <= interview.elapsed_s


def test_an_interview_that_was_left_for_another_is_not_taken_up_later(store):
    begin(store, "en", 45.0, (), 1)
    begin(store, "en", 45.0, ("B",)).finish()

    assert not begin(store, "en", 45.0).resumed


def test_other_topics_begin_another_interview_and_the_same_ones_go_on(store):
    begin(store, "en", 45.0, ("B7", "B8"))

    assert begin(store, "en", 45.0, ("B7", "B8")).resumed
    assert begin(store, "en", 45.0).resumed
    assert not begin(store, "en", 45.0, ("C1",)).resumed


def test_time_stands_still_while_it_is_paused(store):
    interview = begin(store, "en", 45.0, (), 1)
    now = [0.0]
    interview.clock = lambda: now[0]
    interview.run_clock()
    now[0] = 10.0
    interview.pause()
    now[0] = 500.0

    assert 10.0 == interview.elapsed_s
    interview.run_clock()
    now[0] = 503.0
    assert 13.0 == interview.elapsed_s


def test_what_was_not_reached_when_time_is_up_counts_as_not_answered(store):
    candidate = Candidate(store, minutes=1e-9)
    candidate.room.hold()

    assert len(STEPS) == len(candidate.interview.answers)
    assert 0.0 == score_of(candidate.interview).total
    assert "Time is up" in candidate.printed.getvalue()


def test_the_same_seed_asks_the_same_interview():
    plans = [make_plan((), random.Random(7)).to_json() for _ in range(2)]

    assert plans[0] == plans[1]
    assert plans[0] != make_plan((), random.Random(8)).to_json()


def test_the_failing_kernel_is_a_kernel():
    """Exercises ask for functions of the host, too, and their wrong answers are cards."""
    bugs = {make_plan((), random.Random(seed)).bug for seed in range(60)}

    assert all("@cuda.jit" in kinds.pose(find_card(name), "en", random.Random(seed)).code for name, seed in bugs)


def test_topics_chosen_are_what_is_asked_where_they_have_cards_of_the_kind():
    plan = make_plan(("B5", "B7", "B8", "B14", "B15"), random.Random(0))

    assert {"B"} == {find_card(name).topic[0] for name, _ in plan.rapid}
    assert "B" == find_card(plan.bug[0]).topic[0]


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in CODING])
def test_a_coding_task_has_hazards_and_facts_to_ask_for(card):
    facts = coding.facts_of(card, 4)

    assert set(card.data["hazards"]) <= set(coding.HAZARDS)
    assert facts.threads % 32 == 0
    assert facts.moved_bytes > 0
    assert coding.bound_us(card, 1 << 26) > 10


def test_every_coding_task_of_an_interview_has_a_card():
    assert set(coding.CODING_TASKS) == {card.data["task"] for card in CODING}


def test_naming_every_hazard_is_no_answer():
    card = CODING[0]

    assert coding.share_of_hazards(set(coding.HAZARDS), card) < 0.5
    assert 1.0 == coding.share_of_hazards(set(card.data["hazards"]), card)


def test_the_state_of_an_interview_is_json(store):
    interview = begin(store, "en", 45.0, (), 1)

    assert json.loads(json.dumps(interview.state()))["plan"]["rapid"]


def test_a_candidate_who_knows_nothing_answers_every_card_so_that_it_can_be_marked():
    """Otherwise an interview with him never ends: which cards he is asked changes with the deck."""
    marked = [
        card for card in all_cards().values() if card.file and card.kind in RAPID_KINDS[1:] and card.kind != "rank"
    ]
    for card in marked:
        question = kinds.pose(card, "en", random.Random(1))
        if question.entry != "code":
            assert not kinds.mark(question, wrong_answer(question)).right, card.id
