"""Contracts of unit 21 for what comes next: a word by chance, and a draft of several words that is checked at once."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.exercises.u21_language_models import choice_slips, draft_slips
from autograder.exercises.u21_language_models import choice_values as data
from autograder.exercises.u21_language_models import draft_values as drafts
from autograder.exercises.u21_language_models.choice_values import CHOICE_FULL
from autograder.exercises.u21_language_models.draft_values import DRAFT_FULL
from autograder.exercises.u21_language_models.values import UNIT, at_work

CHOOSE_TOKEN = Exercise(
    id="language_models.choose_token",
    unit=UNIT,
    title="The next word, by chance",
    task="Choose a word for each text, a block of 256 threads each. A word's weight is exp of its logit's distance "
    "from the largest, divided by the temperature. top_k keeps the words whose logit is at least the k-th largest. Of "
    "these, top_p keeps the fewest most likely ones whose weights come to that share of the sum. Words that tie with "
    "the last one kept stay, both times. The token is the first word, by number, at which the sum of kept weights "
    "exceeds chance times the sum of them all.",
    function="choose_token",
    arguments=data.CHOICE_ARGUMENTS,
    make=data.make_choice,
    oracle=data.choose_token,
    cases=data.CHOICE_CASES,
    launch=data.a_block_per_text,
    points=3,
    topics=("E22", "D1"),
    free_sizes=("n_texts", "n_words"),
    one_infinity=False,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            5,
            CHOICE_FULL,
            "32 neighbours of a row are 4 sectors, or 5 where it begins inside of one",
            "uncoalesced",
        ),
        at_work(12 * 256, CHOICE_FULL, "270 words of each of 12 texts have work for all 256 threads of its block"),
    ),
    slips=choice_slips.CHOICE,
    guesses={
        "prints": Guess(
            "prints",
            "a search has found the bits 1010 and tries two lower ones: print(0b1000 | 1 << 2, 0b1000 | 1 << 1)",
            ("print(0b1000 | 1 << 2, 0b1000 | 1 << 1)",),
            "8 + 4 and 8 + 2: a bit that is tried has the place that the loop has come to, and what was found stays",
        )
    },
    predict_case=CHOICE_FULL,
    example=data.texts(1, 7),
    as_made=("temperatures", "top_ps", "chances"),
    why="A threshold is a number of 32 bits, and each pass over the row settles one of them, whatever the number of "
    "words. Nothing was sorted: what matters is who is above the threshold, not in which order.",
)

CHECK_DRAFT = Exercise(
    id="language_models.check_draft",
    unit=UNIT,
    title="Several words at once",
    task="Check a draft of several words for each text, a block of 256 threads for each. Word i stays if chances[i] "
    "times the draft's probability of it is less than the target's. n_kept is how many stay before the first that does "
    "not. The added word is drawn by the last chance: at the place of the first refused word from what the target has "
    "more than the draft, max(target - draft, 0), or from the target itself after a draft that stays whole. It is the "
    "first word, by number, at which the sum exceeds that chance times the sum of it all.",
    function="check_draft",
    arguments=drafts.DRAFT_ARGUMENTS,
    make=drafts.make_drafts,
    oracle=drafts.check_draft,
    cases=drafts.DRAFT_CASES,
    launch=drafts.a_block_per_draft,
    points=3,
    topics=("E22", "D1"),
    free_sizes=("n_texts", "n_words"),
    one_infinity=False,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            6,
            DRAFT_FULL,
            "32 neighbours of a row are 4 sectors or 5, and the words of a short draft lie in a sector each",
            "uncoalesced",
        ),
        at_work(9 * 256, DRAFT_FULL, "270 words of each of 9 texts have work for all 256 threads of its block"),
    ),
    slips=draft_slips.DRAFT,
    guesses={
        "prints": Guess(
            "prints",
            "how many words a hundred drafts of four make, if each word stays with a chance of 0.8",
            ("print(100 + 80 + 64 + 51 + 41)",),
            "the added word comes each time, the first of a draft 80 times, the second if both stay, 64 times",
        )
    },
    predict_case=DRAFT_FULL,
    example=drafts.drafts(1, 2, 7),
    as_made=("target", "draft", "chances"),
    why="All words of a draft go through the weights together, so several words cost the bytes of one. What is refused "
    "is replaced by a draw from what the draft has too little of, so words come as often as without a draft.",
)
