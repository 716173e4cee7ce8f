"""Wrong outputs that betray their cause, and the ones that only look as if they did."""

import dataclasses

import numpy as np
import pytest

from autograder.diagnosis.pattern_words import words_for
from autograder.diagnosis.recognise import recognise
from autograder.diagnosis.symptoms import Output

EXPECTED = np.random.default_rng(3).permutation(1100).astype(np.float64) + 1
POISON = np.float32(np.nan)
WRITTEN = np.zeros(EXPECTED.shape, bool)


def output(
    got, expected=EXPECTED, unwritten=None, again=None, right_from_zero=False, depends_on="", block=256, inputs=None
):
    """A wrong output; elements that are NaN count as never written unless said otherwise."""
    got = np.asarray(got, np.float32).reshape(expected.shape)
    unwritten = np.isnan(got) if unwritten is None else unwritten
    again = got if again is None else np.asarray(again, np.float32)
    right = got == expected
    return Output("out", got, again, expected, right, unwritten, inputs or {}, right_from_zero, depends_on, block)


def with_infinities(got, expected):
    """A wrong output that was written everywhere, of an input with an infinity."""
    found = output(got, np.asarray(expected, float), WRITTEN, inputs={"a": np.float32([np.inf, 1])})
    right = (found.got == found.expected) | (np.isnan(found.got) & np.isnan(found.expected))
    return dataclasses.replace(found, right=right, unwritten=np.zeros(right.shape, bool))


def written(n):
    """The first n elements right, the rest never written."""
    return np.where(np.arange(EXPECTED.size) < n, EXPECTED, POISON)


SQUARE = np.arange(12.0).reshape(3, 4)

CASES = {
    "nothing written": ("output_not_written", output(written(0))),
    "only the first block": ("only_first_block", output(written(256))),
    "only the first block, then rubbish": ("only_first_block", output(np.where(np.arange(1100) < 256, EXPECTED, -1))),
    "one block with everything to do": (
        "missing_tail",
        dataclasses.replace(output(written(256), unwritten=np.zeros(1100, bool)), blocks=1, given=True),
    ),
    "times 0 and still there": ("nan_by_arithmetic", with_infinities([1, 2, np.nan, 4], [1, 2, 3, 4])),
    "left out because of a 0": ("infinity_left_out", with_infinities([1, 2, 3, 4], [1, 2, np.nan, 4])),
    "blocks overlap": ("only_first_block", output(written(300))),
    "the last block is missing": ("missing_tail", output(written(1024))),
    "the last blocks are missing": ("missing_tail", output(written(768))),
    "holes": ("missing_tail", output(np.where(np.arange(1100) % 7 == 3, POISON, EXPECTED))),
    "added to old contents": ("output_accumulates", output(EXPECTED + 5, unwritten=WRITTEN, right_from_zero=True)),
    "right in one order of blocks": ("order_dependent", output(EXPECTED + 5, depends_on="order")),
    "right on the first call only": ("output_accumulates", output(EXPECTED + 5, depends_on="calls")),
    "right over some old contents": ("output_accumulates", output(EXPECTED + 5, depends_on="contents")),
    "two runs differ": ("order_dependent", output(EXPECTED + 5, again=EXPECTED + 6)),
    "one place off": ("off_by_one", output(np.roll(EXPECTED, 1))),
    "rows for columns": ("swapped_axes", output(SQUARE.T.ravel(), SQUARE)),
    "twice": ("wrong_formula", output(2 * EXPECTED)),
    "a tenth": ("wrong_formula", output(0.1 * EXPECTED)),
    "zero everywhere": ("output_not_written", output(0 * EXPECTED)),
    "a copy of an input": ("wrong_formula", output(EXPECTED + 1, inputs={"a": np.float32(EXPECTED + 1)})),
    "NaN everywhere": ("output_accumulates", output(written(0), unwritten=WRITTEN)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_pattern_is_recognised(name):
    misconception, wrong = CASES[name]
    pattern, telling = recognise([wrong])
    assert misconception == pattern.misconception
    assert "{" not in pattern.says.format(**words_for(telling)) + pattern.remedy.format(**words_for(telling))


@pytest.mark.parametrize(
    ("factor", "words"), [(2, "exactly twice"), (0.5, "exactly half"), (-1, "wrong sign"), (0.1, "0.1 times")]
)
def test_a_common_factor_is_named(factor, words):
    pattern, telling = recognise([output(factor * EXPECTED)])
    assert words in pattern.says.format(**words_for(telling))


COUNTS = np.arange(1, 101) * 37  # most of them more than a byte holds


def counted(got, expected=COUNTS):
    """A wrong output of int32."""
    got = np.asarray(got).astype(np.int32)
    return dataclasses.replace(
        output(got, np.asarray(expected)), got=got, again=got, unwritten=np.zeros(got.shape, bool)
    )


@pytest.mark.parametrize("name", ["int8", "uint8", "int16"])
def test_what_a_narrow_type_keeps_of_the_right_values_is_named(name):
    expected = COUNTS * (900 if name == "int16" else 1)
    pattern, telling = recognise([counted(expected.astype(name), expected)])
    says = pattern.says.format(**words_for(telling))
    limits = np.iinfo(name)

    assert "narrow_type" == pattern.misconception
    assert f"what an {name} keeps" in says and f"{limits.min:,} to {limits.max:,}" in says
    assert "int32" in pattern.remedy.format(**words_for(telling))


def test_fractions_that_were_cut_off_are_told():
    expected = np.linspace(-40, 40, 333)
    assert ["narrow_type"] * 2 == [
        recognise([output(cut(expected), expected)])[0].misconception for cut in (np.trunc, np.floor)
    ]


@pytest.mark.parametrize("cut", [np.trunc, np.floor])
def test_fractions_of_two_numbers_that_were_cut_off_before_they_were_added_are_told(cut):
    a, b = np.random.default_rng(1).normal(0, 3, (2, 333))

    assert "narrow_type" == recognise([output(cut(a) + cut(b), a + b)])[0].misconception


@pytest.mark.parametrize(
    "wrong",
    [
        counted(COUNTS - 256),  # a block of 256 left out
        counted(COUNTS % 256 + 1),
        counted(0 * COUNTS, 256 * COUNTS),  # nothing counted, of what fills whole blocks
        counted(np.where(COUNTS < 300, COUNTS, 300)),
        counted(np.where(np.arange(100) == 99, COUNTS.astype(np.int8), COUNTS)),
        output(np.rint(np.linspace(-40, 40, 333)) + 1, np.linspace(-40, 40, 333)),
        output(np.rint(np.linspace(-40, 40, 333)), np.linspace(-40, 40, 333)),
    ],
)
def test_differences_of_whole_bytes_alone_accuse_no_narrow_type(wrong):
    found = recognise([wrong])
    assert found is None or "narrow_type" != found[0].misconception


@pytest.mark.parametrize("edge", [256, 1024])
def test_what_somebody_worked_out_wrong_is_not_left_out(edge):
    computed = np.where(np.arange(1100) < edge, EXPECTED, np.roll(EXPECTED, 7) * 3)
    found = recognise([output(computed, unwritten=WRITTEN)])

    assert found is None or found[0].misconception not in ("missing_tail", "only_first_block")


def test_a_tail_that_is_as_it_was_before_is_missing():
    before = np.random.default_rng(5).integers(-9, 9, EXPECTED.size).astype(np.float32)
    kept = output(np.where(np.arange(1100) < 1024, EXPECTED, before), unwritten=WRITTEN)

    assert "missing_tail" == recognise([dataclasses.replace(kept, before=before)])[0].misconception


def test_noise_is_no_pattern():
    assert recognise([output(np.random.default_rng(4).uniform(-9, 9, EXPECTED.size))]) is None


def test_one_wrong_element_in_the_middle_is_no_pattern():
    got = EXPECTED.copy()
    got[500] = 0
    assert recognise([output(got)]) is None


def test_a_pattern_must_hold_on_every_large_output():
    assert recognise([output(2 * EXPECTED), output(EXPECTED + 1, unwritten=WRITTEN)]) is None


def test_small_outputs_do_not_spoil_what_a_large_one_shows():
    small = output([0.0], np.array([7.0]))
    assert "only_first_block" == recognise([small, output(written(256))])[0].misconception


def test_no_outputs_are_no_pattern():
    assert recognise([]) is None


def test_a_place_in_another_case_than_the_one_just_read_about_names_that_case():
    telling = dataclasses.replace(output(written(1024)), case="n = 1100 (general values)")

    assert " at n = 1100" == words_for(telling, seen="n = 33")["at"]
    assert "" == words_for(telling, seen="n = 1100 (general values)")["at"]
    pattern, _ = recognise([telling])
    assert "up to element 1,024 at n = 1100, where" in pattern.says.format(**words_for(telling, "n = 33"))


def test_nothing_was_ever_written_is_not_said_where_a_smaller_case_has_something():
    small = output(np.array([1.0, np.nan]), np.array([1.0, 2.0]))
    large = output(written(0))
    assert "output_not_written" == recognise([large])[0].misconception
    assert "output_not_written" != recognise([small, large])[0].misconception


@pytest.mark.parametrize(
    ("misconception", "got", "wanted"),
    [("nan_by_arithmetic", [np.nan] * 4, [1, 2, 3, 4]), ("infinity_left_out", [1, 2, 3, 4], [1, 2, np.nan, 4])],
)
def test_only_with_infinities_is_not_said_where_a_small_case_without_them_is_wrong(misconception, got, wanted):
    small = output(np.array([5.0]), np.array([7.0]))
    large = with_infinities(got, wanted)

    assert misconception == recognise([large])[0].misconception
    found = recognise([small, large])
    assert found is None or misconception != found[0].misconception


def test_a_wrong_output_with_infinities_warns_nobody():
    expected = np.array([np.inf, 1.0, -np.inf, 3.0], np.float32)
    got = np.array([np.inf, 2.0, 3.4e38, 4.0], np.float32)

    with np.errstate(all="raise"):
        recognise([output(got, expected, np.zeros(4, bool))])
