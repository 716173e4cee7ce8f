"""What only unit 21 says, held to its kernels."""

import numpy as np
import pytest

from autograder import exercises
from autograder.answer import reference
from autograder.backend import cuda, prepare
from autograder.contract import Case
from autograder.exercises.u21_language_models import (
    cache_values,
    draft_values,
    eight_bits,
    glue,
    sharing_values,
    speaking,
    tokens,
)
from autograder.running.buffers import make_values
from benchmarks import decode_kernels, unpacking_kernels
from minitrt.samples import decoder
from tests.course.profiles import counted, rows_of

prepare()  # kernels run in the interpreter where there is no GPU


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


class Counted:
    """A kernel that counts its launches."""

    def __init__(self, kernel, counts):
        self.kernel, self.counts = kernel, counts

    def __getitem__(self, how):
        self.counts.append(self.kernel)
        return self.kernel[how]


def solutions():
    """The unit's own kernels that the decoder runs on, by name."""
    found = {name: exercises.find(f"language_models.{name}") for name in speaking.KERNELS}
    return {name: reference.solution_program(exercise).load()[1] for name, exercise in found.items()}


def test_the_decoder_says_on_the_kernels_what_the_reference_says_with_40_launches_a_token(monkeypatch):
    net, launched = decoder.network(), []
    kernels = {name: Counted(kernel, launched) for name, kernel in solutions().items()}
    for name in ("begin", "add", "gated", "rounded", "remember"):
        monkeypatch.setattr(glue, name, Counted(getattr(glue, name), launched))
    speaker = speaking.Speaker(kernels, net)
    said = speaker.say(speaking.PROMPT, speaking.FEW)

    assert list(decoder.generate(net, speaking.PROMPT, speaking.FEW)) == list(said)
    assert 40 * speaker.places == len(launched)
    assert 1.7e6 < speaking.bytes_per_token(net, speaker.places) < 1.85e6


def test_a_text_longer_than_its_pages_is_refused_before_it_begins():
    with pytest.raises(ValueError, match="room for 1,024 places"):
        speaking.Speaker({}, decoder.network()).say("a" * 1000, 100)


def test_the_last_cell_asks_for_the_kernels_that_are_not_written_yet(capsys):
    def stub(src):
        raise NotImplementedError()

    speaking.speak(*[stub] * len(speaking.KERNELS))

    assert "Write rms_norm" in capsys.readouterr().out


def test_no_word_on_the_way_of_the_last_cell_is_near_a_tie():
    text, words = decoder.Text(decoder.network()), [*decoder.tokens_of(speaking.PROMPT)]
    for token in words:
        logits = text.add(int(token))
    for _ in range(speaking.MORE):
        second, first = np.sort(logits)[-2:]
        assert first - second > 0.05
        logits = text.add(int(np.argmax(logits)))


def test_weights_of_8_bits_times_one_vector_are_what_float64_says():
    rng = np.random.default_rng(0)
    for n_rows, n_cols in ((1, 32), (9, 1056)):
        packed, scales = (
            rng.integers(-128, 128, (n_rows, n_cols), np.int8),
            rng.uniform(0.01, 0.1, (n_rows, n_cols // 32)),
        )
        scales, x = scales.astype(np.float16), rng.standard_normal(n_cols).astype(np.float16)
        y = cuda.to_device(np.zeros(n_rows, np.float32))
        eight_bits.eight_bit_product[-(-n_rows // 4), 128](*map(cuda.to_device, (packed, scales, x)), y)
        expected = (packed * np.repeat(scales.astype(np.float64), 32, axis=1)) @ x.astype(np.float64)

        np.testing.assert_allclose(y.copy_to_host(), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("n_keys", "n_shared", "n_splits"), [(600, 2, 3), (1, 1, 1), (33, 1, 2), (1300, 1, 5), (640, 1, 40)]
)
def test_attention_on_tensor_cores_is_what_the_rung_and_its_merge_give(n_keys, n_shared, n_splits):
    """What stands beside the rung in the table, so that the text may say what the rung leaves out."""
    exercise = exercises.find("language_models.attention_pages")
    values = make_values(exercise, Case(cache_values.cache(n_keys, n_shared), "general"))
    of_rung = cache_values.attention(values)
    weights = np.exp(of_rung["logs"] - of_rung["logs"].max(axis=0))[..., None]
    right = (weights * of_rung["parts"]).sum(axis=0) / weights.sum(axis=0)
    heads = cache_values.SHARED * n_shared
    parts, logs = np.zeros((n_splits, heads, 128), np.float32), np.zeros((n_splits, heads), np.float32)
    out = np.full((heads, 128), np.nan, np.float32)
    arguments = (*(values[name] for name in ("q", "keys", "values", "pages", "n_keys")), parts, logs)
    launch = (n_splits, n_shared), decode_kernels.THREADS, 0, decode_kernels.SHARED_BYTES

    decode_kernels.attention_on_tensor_cores[launch](*arguments)
    decode_kernels.merge_half_warps[decode_kernels.merge_blocks(heads), decode_kernels.MERGE_BLOCK](parts, logs, out)

    np.testing.assert_allclose(out, right, atol=2 * cache_values.attention_bound(values, of_rung)["parts"].max())


@pytest.mark.parametrize(("n_rows", "n_cols"), [(16, 64), (8, 2048), (32, 4480)])
def test_weights_of_4_bits_by_four_rows_are_what_float64_says(n_rows, n_cols):
    rng = np.random.default_rng(0)
    packed, scales = (
        rng.integers(-128, 128, (n_rows, n_cols // 2), np.int8),
        rng.uniform(0.01, 0.1, (n_rows, n_cols // 32)),
    )
    scales, x = scales.astype(np.float16), rng.standard_normal(n_cols).astype(np.float16)
    y = np.full(n_rows, np.nan, np.float32)
    whole = packed.view(np.uint8)
    steps = np.stack([whole & 15, whole >> 4], axis=-1).reshape(n_rows, n_cols).astype(np.float64) - 8

    made = unpacking_kernels
    made.four_bits_four_rows[n_rows // made.ROWS, made.THREADS](packed, scales, x, y)
    made.four_bits_read[n_rows // made.ROWS_READ, made.THREADS](packed, scales, x, y)

    np.testing.assert_allclose(y, (steps * np.repeat(scales.astype(np.float64), 32, axis=1)) @ x, atol=1e-4)


def test_splits_fill_a_gpu_and_none_is_empty():
    assert [16, 8, 2, 1] == [
        decode_kernels.splits_of(*one) for one in ((32_768, 8, 132), (32_768, 16, 132), (32, 8, 132), (1, 300, 132))
    ]


def test_words_come_as_often_with_a_draft_as_without_one():
    rng, n = np.random.default_rng(0), 20_000
    target, draft = np.array([0.5, 0.3, 0.2], np.float32), np.array([0.2, 0.7, 0.1], np.float32)
    values = {
        "target": np.broadcast_to(target, (n, 2, 3)),
        "draft": np.broadcast_to(draft, (n, 1, 3)),
        "drafted": rng.choice(3, (n, 1), p=[0.2, 0.7, 0.1]).astype(np.int32),
        "chances": rng.uniform(0, 1, (n, 2)).astype(np.float32),
        "n_kept": np.zeros(n, np.int32),
        "added": np.zeros(n, np.int32),
    }
    found = draft_values.check_draft(values)
    first = np.where(found["n_kept"] == 1, values["drafted"][:, 0], found["added"])

    np.testing.assert_allclose(np.bincount(first) / n, target, atol=0.015)


def test_four_texts_share_two_slots_as_the_example_of_the_unit_has_it():
    values = {
        "arrivals": np.array([0, 0, 1, 1]),
        "lengths": np.array([[20, 3], [14, 2], [40, 4], [5, 2]]),
        "n_slots": 2,
        "n_pages": 4,
    }
    found = sharing_values.shared(values)

    assert ([0, 0, 3, 3], [0, 1, 0, 1]) == (found["begins"].tolist(), found["slots"].tolist())
