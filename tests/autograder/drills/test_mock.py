"""A mock interview from its start to its report: by rule, timed, pausable, and taken up after a crash."""

from __future__ import annotations

import io
import json
import random
import re
import time

import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.faces.mock_terminal import Room, is_said
from autograder.drills.faces.terminal import Terminal
from autograder.drills.learning.store import Store
from autograder.drills.mock import coding, follow_ups
from autograder.drills.mock.interview import KIND, Answered, begin
from autograder.drills.mock.levels import JOBS, LEVELS, tasks_of, topics_of
from autograder.drills.mock.plan import CARD_STEPS, STEPS, make_plan
from autograder.drills.mock.rubric import score_of
from autograder.drills.tasks import find_task

SAID = "I would say that all threads of a warp run together."
CODING = [card for card in all_cards().values() if card.kind == "write" and card.data["task"] in coding.CODING_TASKS]


class Candidate:
    """Somebody who sits an interview. knows: answers rightly; stops_at: a step at which the machine goes down."""

    def __init__(self, store, language="en", seed=3, minutes=45.0, knows=True, stops_at=""):
        self.printed = io.StringIO()
        console = Console(width=80, file=self.printed, highlight=False)
        self.interview = begin(store, language, minutes, (), seed)
        self.room = Room(self.interview, Terminal(language, console, self.reply))
        self.knows, self.stops_at, self.coming = knows, stops_at, []

    def reply(self, _prompt: str) -> str:
        """What is typed next."""
        step, number = self.interview.step
        if step == self.stops_at:
            raise EOFError
        if not self.coming:
            self.coming = self.answer(step, number).split("\n")
        return self.coming.pop(0)

    def answer(self, step: str, number: int) -> str:
        """Everything that is typed at a step, line by line."""
        plan = self.interview.plan
        if step in CARD_STEPS:
            return self.card(self.interview.question(*plan.card_of(step, number)))
        if step == "then":
            return f"{SAID}\n{'y' if self.knows else 'n'}"
        if step == "hazards":
            real = find_card(plan.coding[0]).data["hazards"]
            return "".join("abcdefghij"[coding.HAZARDS.index(each)] for each in real) if self.knows else "abcdefghij"
        if step == "code":
            source = self.room.card.data["solution" if self.knows else "wrong"].rstrip("\n")
            return f"{source}\n.\n:c\n:d"
        asked = self.room.questions.of(step, number)
        if "y/n" in asked.text:
            return next(word for word in ("y", "n") if (asked.mark(word)[0] == 1.0) == self.knows)
        truth = float(asked.mark("1")[1].split()[0].replace(",", ""))
        return str(truth) if self.knows else str(truth * 17 + 5)

    def card(self, question) -> str:
        if question.entry == "ticks":
            return f"{SAID}\n" + (kinds.solve(question) if self.knows else "0")
        if not self.knows:
            wrong = {"order": question.values.get("order", "")[::-1], "place": "999 i", "code": "x = 1\n.\nn"}
            return wrong.get(question.entry, "987654, 3" if question.entry == "numbers" else "987654")
        return kinds.solve(question).rstrip("\n") + ("\n." if question.entry == "code" else "")


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
    with interview.keeping_time(every_s=0.01):
        time.sleep(0.1)
        saved = store.session_state(interview.number)["spent_s"]

    assert 0.02 < saved <= interview.elapsed_s


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


def test_the_same_seed_goes_on_after_a_crash_and_another_begins_anew(store):
    first = Candidate(store, stops_at="hazards", seed=11)
    first.room.hold()

    assert begin(store, "en", 45.0, (), 11).resumed
    assert begin(store, "en", 45.0, (), 11).answers == first.interview.answers
    assert not begin(store, "en", 45.0, (), 12).resumed


def test_what_somebody_marks_himself_counts_a_third_of_the_rapid_questions_at_most(store):
    interview = begin(store, "en", 45.0, (), 1)
    by_hand = Answered("rapid 0", "", "", "", "", 1.0, 1.0, by_learner=True)
    nothing = Answered("rapid 1", "", "", "", "", 0.0, 1.0)
    interview.answers = [by_hand, by_hand, by_hand, by_hand, nothing]

    assert score_of(interview).total == pytest.approx(20 / 3)
    assert (5, 4) == score_of(interview).rests_on["rapid"]
    interview.answers = [by_hand] * 5
    assert score_of(interview).total == pytest.approx(20 / 3)


@pytest.mark.parametrize("reply", ["", "x", "hmm", "yes yes yes yes", "不知道"])
def test_a_reply_of_a_word_cannot_be_ticked(store, reply):
    candidate = Candidate(store)
    candidate.room.face._ask = lambda _prompt: "1 2 3"

    assert not is_said(reply)
    assert "0" == candidate.room._ticked(reply)
    assert is_said(SAID) and is_said("线程束里的线程一起执行")


def test_a_card_that_was_talked_about_is_followed_up_by_its_own_question(store):
    candidate = Candidate(store)
    candidate.room.hold()
    asked = [answer for answer in candidate.interview.answers if answer.step.startswith("then")]

    assert 2 == len(asked) and all(answer.by_learner for answer in asked)
    assert all(find_card(answer.card).text["en"]["then"] in answer.asked for answer in asked)


@pytest.mark.parametrize("card", [pytest.param(card, id=card.id) for card in CODING])
def test_follow_ups_follow_from_the_code_that_was_written(card):
    facts = coding.facts_of(card, 4)
    counters = coding.traced(card, card.data["solution"], facts.sizes, 4)
    held = {budget.counter for budget in find_task(card.data["task"]).exercise.budgets}
    own = follow_ups.of_own_code(card, counters, 4, 2)
    changes = follow_ups.of_changes(card, facts, counters, 4, 4)

    assert [float(counters[each.name.removeprefix("own_")]) for each in own] == [each.truth for each in own]
    assert not held & {each.name.removeprefix("own_") for each in own}
    assert 4 == len({each.name for each in changes})
    assert all(each.truth > 0 for each in changes if not isinstance(each.truth, bool))


def test_only_atomics_on_floats_make_a_result_that_differs_from_run_to_run():
    repeatable = {
        card.data["task"]: follow_ups.is_repeatable(card, coding.traced(card, card.data["solution"], facts.sizes, 4))
        for card in CODING
        for facts in [coding.facts_of(card, 4)]
    }

    assert ["one_atomic_a_block"] == [name for name, same in repeatable.items() if not same]


def test_a_hazard_that_the_task_itself_demands_to_avoid_costs_nothing():
    card = find_card("d4.cold")
    real = set(card.data["hazards"])

    assert "bank_conflicts" not in real
    assert 1.0 == coding.share_of_hazards(real | {"bank_conflicts", "float64"}, card)
    assert coding.share_of_hazards(real | {"saturation", "rounding"}, card) < 1.0


def test_an_answer_that_was_finished_after_the_time_is_marked_as_late_and_counts_half(store, tmp_path):
    candidate = Candidate(store)
    now = [0.0]
    candidate.interview.clock = lambda: now[0]
    reply = candidate.reply

    def slow(prompt):
        now[0] = 60 * 45 + 14.0
        return reply(prompt)

    candidate.room.face._ask = slow
    candidate.room.hold()
    first, second = candidate.interview.answers[:2]

    assert first.late and first.score and first.counted == first.score / 2
    assert second.score is None
    assert "late, counts half" in next(tmp_path.glob("*.html")).read_text(encoding="utf-8")


def test_the_report_shows_what_was_not_reached_and_what_earlier_interviews_earned(store, tmp_path):
    Candidate(store, minutes=1e-9).room.hold()
    for page in tmp_path.glob("*.html"):
        page.unlink()
    candidate = Candidate(store, minutes=1e-9, seed=4)
    candidate.room.hold()
    page = next(tmp_path.glob("*.html")).read_text(encoding="utf-8")

    assert all(answer.asked for answer in candidate.interview.answers)
    assert f"def {candidate.room.card.data['task']}" in page
    assert "Earlier interviews of this kind" in page
    assert "18_pruning" not in page


@pytest.mark.parametrize("level", ["", *LEVELS])
@pytest.mark.parametrize("job", ["", *JOBS])
def test_levels_and_jobs_have_cards_to_ask(level, job):
    topics = topics_of((), level, job)
    plan = make_plan(topics, random.Random(3), tasks_of(level))

    assert all(not topics or find_card(name).topic in topics for name, _ in plan.rapid)
    assert not tasks_of(level) or find_card(plan.coding[0]).data["task"] in tasks_of(level)
    assert set(tasks_of(level)) <= set(coding.CODING_TASKS)


def test_a_level_leaves_topics_that_were_chosen_by_name_alone():
    assert ("A1",) == topics_of(("A1",), "senior", "inference")
    assert not {"A"} & {topic[0] for topic in topics_of((), "senior", "")}
