"""Contract of unit 21 for many texts in one batch, and its wrong outputs."""

from __future__ import annotations

from autograder.contract import Exercise, Guess, Slip, Values
from autograder.exercises.u21_language_models import sharing_values as data
from autograder.exercises.u21_language_models.sharing_values import Rules, shared
from autograder.exercises.u21_language_models.values import UNIT


def by(**broken: bool | int):
    """What comes of other rules."""

    def produces(values: Values) -> dict:
        return shared(values, Rules(**broken))  # type: ignore[arg-type]

    return produces


SLIPS = (
    Slip(
        "whole_batches",
        "texts begin only when all others have ended: a slot that is free may be taken in the very next step",
        by(at_any_time=False),
    ),
    Slip(
        "overtaken",
        "a short text went past a longer one that came before it: so the longer one may wait forever",
        by(in_order=False),
    ),
    Slip("arrivals_ignored", "texts begin before they have arrived", by(arrivals=False)),
    Slip(
        "pages_ignored",
        "texts begin for whom there are no pages left: slots are not all that is needed",
        by(pages=False),
    ),
    Slip(
        "prompt_alone",
        "pages were counted for the prompt alone: what a text writes needs places, too",
        by(whole=False),
    ),
    Slip("page_begun", "a page that is only begun was not counted: round up", by(upwards=False)),
    Slip(
        "freed_late",
        "slots and pages are free a step too late: who begins in step 3 and writes 2 tokens has left them in step 5",
        by(late=1),
    ),
    Slip("highest_slot", "the highest free slot was taken: take the lowest", by(lowest=False)),
)

SHARE_BATCH = Exercise(
    id="language_models.share_batch",
    unit=UNIT,
    title="Many texts, one batch",
    task="Say for each text in which step it begins, and in which slot of the batch. In every step each running text "
    "writes a token. Texts begin in order, several in a step if there is room: a text begins once it has arrived, "
    "a slot is free, and so many pages that its prompt and all it will write fit in pages of its own. It takes the "
    "lowest free slot. Slot and pages are free again in the step after its last token. Nobody overtakes.",
    function="share_batch",
    arguments=data.SHARING_ARGUMENTS,
    make=data.make_crowd,
    oracle=data.shared,
    kind="host",
    on_host=True,
    cases=data.SHARING_CASES,
    points=3,
    topics=("E22", "E13"),
    free_sizes=("n_texts",),
    slips=SLIPS,
    guesses={
        "begins": Guess(
            "returns",
            "the step in which text 2 of the example begins, if text 1 writes five tokens and not two",
            ((0, 0, 1, 1), ((20, 3), (14, 5), (40, 4), (5, 2)), 2, 4),
            "14 + 5 places take two pages, so three are free only after step 4, when text 1 has left as well",
            (0, 2),
        )
    },
    example=data.crowd(3, 2),
    why="A step costs all weights, whoever takes part, so no slot should be empty while somebody waits. Pages are "
    "promised before a text begins, and given back when it ends, so nobody has to be stopped half way.",
)
