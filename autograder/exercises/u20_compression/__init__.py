"""Unit 20, compression: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u20_compression.channels import SHRINK_CHANNELS
from autograder.exercises.u20_compression.domains import DOMAINS
from autograder.exercises.u20_compression.rounded import ROUNDED_LAYER
from autograder.exercises.u20_compression.selecting import COUNT_DIGITS, DIGIT_OF
from autograder.exercises.u20_compression.sparse import SPARSE_PRODUCTS, TWO_OF_FOUR
from autograder.exercises.u20_compression.training import CHOOSE_RATIOS, MASKED_STEP
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        COUNT_DIGITS,
        DIGIT_OF,
        SHRINK_CHANNELS,
        TWO_OF_FOUR,
        SPARSE_PRODUCTS,
        MASKED_STEP,
        ROUNDED_LAYER,
        CHOOSE_RATIOS,
    ),
    DOMAINS,
)
