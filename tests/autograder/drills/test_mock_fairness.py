"""A mock interview is fair: follow-ups follow, what is marked by hand counts little, time ends when it ends."""

from __future__ import annotations

import random

import pytest

from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import LANGUAGES
from autograder.drills.faces.terminal import Skip
from autograder.drills.learning.store import Store
from autograder.drills.mock import coding, follow_ups
from autograder.drills.mock.hazards import hazards_in
from autograder.drills.mock.interview import Answered, begin
from autograder.drills.mock.levels import JOBS, LEVELS, tasks_of, topics_of
from autograder.drills.mock.plan import make_plan
from autograder.drills.mock.rubric import score_of
from autograder.drills.mock.spoken import is_about, is_said, says_more
from autograder.drills.tasks import find_task
from tests.autograder.drills.candidate import CODING, SAID, Candidate


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store(tmp_path / "drills-test.sqlite3") as opened:
        yield opened


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

    question = candidate.interview.question(*candidate.interview.plan.card_of("then", 0))
    assert not is_said(reply)
    assert "0" == candidate.room._ticked(reply, question)
    assert is_said(SAID) and is_said("线程束里的线程一起执行")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_question_said_back_cannot_be_ticked(store, language):
    candidate = Candidate(store, language)
    candidate.room.face._ask = lambda _prompt: "1 2 3"
    question = candidate.interview.question(*candidate.interview.plan.card_of("then", 0))

    assert "0" == candidate.room._ticked(question.ask, question)
    assert "0" == candidate.room._ticked(f"Well, {question.ask}", question)
    assert "1 2 3" == candidate.room._ticked(question.reveal[0] + question.reveal[1], question)


def test_a_card_s_own_points_and_replies_say_more_than_its_question():
    """Whoever gives the model answer may tick it, in both languages."""
    talked = [card for card in all_cards().values() if card.kind == "say"]
    short = [
        (card.id, language)
        for card in talked
        for language in LANGUAGES
        if not says_more(" ".join(card.text[language]["points"]), card.text[language]["ask"])
        or not says_more(card.text[language]["reply"], card.text[language]["then"])
    ]

    assert [] == short


def test_nobody_is_strong_because_of_a_tick_of_their_own(store):
    interview = begin(store, "en", 45.0, (), 1)
    interview.answers = [
        Answered("rapid 0", "e9.why", "", "", "", 1.0, 1.0, by_learner=True),
        Answered("rapid 1", "c5.chain", "", "", "", 1.0, 1.0),
    ]

    assert ("C5",) == score_of(interview).strengths


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


def test_a_reply_about_something_else_cannot_be_ticked():
    norms = (
        "Batch norm, layer norm, group norm - what does each mean for inference?",
        "Batch norm folds into the convolution.",
    )

    assert not is_about(SAID, *norms)
    assert is_about("The convolution takes the norm over, I would say.", *norms)
    assert is_about("批归一化可以折叠进卷积里。", "批归一化对推理意味着什么？", "折叠进卷积")
    assert not is_about("线程束里的线程一起执行。", "批归一化对推理意味着什么？", "折叠进卷积")


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("race, out of bounds and maybe saturation", {"race", "out_of_bounds", "saturation"}),
        ("Bank conflicts; uncoalesced access; doubles", {"bank_conflicts", "uncoalesced", "float64"}),
        ("ab", {"out_of_bounds", "race"}),
        ("a, b, j", {"out_of_bounds", "race", "overflow"}),
        ("none", set()),
        ("越界和存储体冲突", {"out_of_bounds", "bank_conflicts"}),
    ],
)
def test_hazards_are_named_by_letter_or_in_words(typed, named):
    assert named == hazards_in(typed, "en") == hazards_in(typed, "zh")


def test_without_shared_memory_its_loads_go_to_global_memory():
    found = follow_ups.without_shared_memory({"global_load_requests": 8, "shared_load_requests": 40})

    assert (48.0, "requests") == (found.truth, found.unit)


def test_what_was_never_asked_is_no_weakness(store):
    interview = begin(store, "en", 45.0, (), 1)
    interview.answers = [
        Answered("rapid 0", "c5.chain", "", "", "", None, 3.0),
        Answered("hazards 0", "", "", "", "", None, 0.0),
    ]

    assert ("C5",) == score_of(interview).practise


def test_what_cannot_be_read_is_not_asked_for_again_once_the_time_is_up(store):
    candidate = Candidate(store)
    question = candidate.room.questions.of("cost", 0)
    candidate.room.face._ask = lambda _prompt: "hmm"
    candidate.interview.spent_s = 60 * candidate.interview.minutes + 1

    with pytest.raises(Skip):
        candidate.room._read(question)
    with pytest.raises(Skip):
        candidate.room._answer(candidate.interview.question(*candidate.interview.plan.envelope))
