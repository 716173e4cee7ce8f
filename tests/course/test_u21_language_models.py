"""What only unit 21 says, held to its kernels."""

import numpy as np

from autograder import exercises
from autograder.contract import Case
from autograder.exercises.u21_language_models import cache_values, tokens
from autograder.running.buffers import make_values
from tests.course.profiles import counted, rows_of


def test_the_profile_that_the_unit_asks_about_is_what_its_kernels_count():
    product = {"n_rows": 8, "n_cols": 1024}
    kernels = {
        "A": ("half_product", product),
        "B": ("rms_norm", product),
        "C": ("four_bit_product", product),
        "D": ("rotate_pairs", {"n_tokens": 8, "n_heads": 8}),
    }
    counters = "global_load_requests global_load_bytes global_store_bytes barriers".split()

    for name, *told in rows_of("21_language_models"):
        function, sizes = kernels[name]
        assert told == counted(exercises.find(f"language_models.{function}"), None, sizes, counters), name


def test_a_model_of_8_billion_weights_has_as_many():
    assert 7.4e9 < tokens.weights() < 8.1e9
    assert 128 * 1024 == tokens.cache_bytes(1)


def test_splits_of_a_cache_put_together_are_attention_over_all_of_it():
    exercise = exercises.find("language_models.attention_pages")
    values = make_values(exercise, Case(cache_values.cache(1300, 2), "general"))
    whole = cache_values.by_split(
        cache_values.scores_of(values), cache_values.for_heads(cache_values.in_order(values, "values")), 1300
    )
    merged = cache_values.merge({name: np.asarray(part) for name, part in cache_values.attention(values).items()})

    np.testing.assert_allclose(merged["out"], whole["parts"][0], rtol=1e-12, atol=1e-12)
