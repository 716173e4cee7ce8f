"""Unit 21, language models: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u21_language_models.attention import ATTENTION_PAGES, MERGE_SPLITS
from autograder.exercises.u21_language_models.choosing import CHECK_DRAFT, CHOOSE_TOKEN
from autograder.exercises.u21_language_models.domains import DOMAINS
from autograder.exercises.u21_language_models.products import FOUR_BIT_PRODUCT, HALF_PRODUCT
from autograder.exercises.u21_language_models.rows import RMS_NORM, ROTATE_PAIRS
from autograder.exercises.u21_language_models.sharing import SHARE_BATCH
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        RMS_NORM,
        ROTATE_PAIRS,
        HALF_PRODUCT,
        FOUR_BIT_PRODUCT,
        ATTENTION_PAGES,
        MERGE_SPLITS,
        CHOOSE_TOKEN,
        CHECK_DRAFT,
        SHARE_BATCH,
    ),
    DOMAINS,
)
