"""Numbers are read as people write them, in the unit that was asked for or in another of its kind."""

from __future__ import annotations

import random
import re

import pytest

from autograder.drills import kinds
from autograder.drills.deck.load import all_cards, find_card
from autograder.drills.deck.model import AnswerError
from autograder.drills.deck.units import is_known
from autograder.drills.faces.terminal import prompt_of
from autograder.drills.faces.words import refusal
from autograder.drills.kinds.numbers import agrees
from autograder.drills.quantities import read_numbers, read_quantity

READ = [
    ("percent", 20, ["20", "20%", "20 %", "20％", "20 percent", "百分之20", "about 20%", "1/5 * 100"]),
    ("us", 1580, ["1580", "1,580 us", "1 580", "1580\u2009µs", "1.58 ms", "0.00158 s", "1.58e3", "1.58×10^3",
        "1.58·10³ μs", "≈1580us", "t = 1580 us", "1580 us (1.58 ms)", "roughly 1580 microseconds", "1580 微秒",
        "1.58毫秒"]),
    ("bytes", 1950, ["1950", "1,950 B", "1'950", "1_950", "3*650", "3 x 650 bytes", "3 * 650 = 1950", "0x79E",
        "1.95 KB", "1.95 kB", "15600 bits", "2000-50", "1950字节", "约1950字节", "the answer is 1950 bytes."]),
    ("bytes", 32768, ["2^15", "2**15 bytes", "2 ^ 15 B", "1<<15", "32 KiB", "32*1024", "0.03125 MiB", "2 * 16 KiB",
        "2的15次方"]),
    ("GiB", 0.5, ["0.5", "0,5", "1/2", "½", "512 MiB", "0.5GiB", "2^29 bytes", "256 MiB + 256 MiB"]),
    ("GB/s", 134, ["134", "134 GB/s", "134 gb/s", "134GBps", "0.134 TB/s", "134 GB per second", "1072 Gbit/s",
        "1072 Gbps"]),
    ("sectors", 16, ["16", "16 sectors", "16 sectors per request", "16个扇区", "16 transactions", "sixteen", "32/2",
        "10 + 6"]),
    ("flops per byte", 0.75, ["0.75", "3/4", "0.75 flop/B", "0.75 FLOPs/byte", "0.75 flops per byte"]),
    ("times", 2, ["2", "2x", "2 times", "2倍", "200%", "2-fold"]),
    ("ms", 26.8435456, ["8 GiB / 320 GB/s", "8*2^30/320e9 s", "26.8435456"]),
    ("elements", 1500000, ["1.5M", "1.5 million", "1.5e6", "1.048.576 + 451424", "150万"]),
    ("images per second", 2169, ["2169", "2,169 img/s", "2169 fps", "2169/s"]),
    ("", -56, ["-56", "−56", "- 56", "(-56)"]),
    ("passes", 0, ["0", "none", "zero", "0 wavefronts", "没有"]),
]  # fmt: skip
REFUSED = [
    ("us", "1580 GB", "other_unit"), ("sectors", "16 bytes", "other_unit"), ("sectors", "16%", "other_unit"),
    ("GB/s", "134 GB", "other_unit"), ("bytes", "3 GB/s", "other_unit"), ("times", "50 ms", "other_unit"),
    ("", "240 us", "no_unit"), ("bytes", "32K", "unclear_unit"), ("GB/s", "134 Gb/s", "unclear_unit"),
    ("us", "1.6 m", "unknown_word"), ("sectors", "16 bananas", "unknown_word"), ("", "hmm", "unknown_word"),
    ("us", "1500-1600", "one_number"), ("us", "1500 to 1600", "one_number"), ("us", "1500–1600 us", "one_number"),
    ("us", "1500 or 1600", "one_number"), ("us", "> 1500", "one_number"), ("us", "1580 ± 10", "one_number"),
    ("", "", "unreadable"), ("", "(3", "unreadable"), ("", "1/0", "unreadable"), ("", "2**99999", "unreadable"),
    ("", "3e6750", "unreadable"),
    ("", "3 4", "unreadable"), ("bytes", "3 + 2 KiB", "unreadable"),
]  # fmt: skip
OTHER_AMOUNTS = [
    ("us", "1580 ms", 1.58e6), ("us", "1580 s", 1.58e9), ("bytes", "1950 GB", 1.95e12), ("bytes", "32 KB", 32_000),
    ("GiB", "0.5 MiB", 0.5 / 1024), ("GiB", "0.5 GB", 0.5e9 / 2**30), ("percent", "0.2", 0.2), ("", "20%", 0.2),
    ("GB/s", "125 GiB/s", 134.217728),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "value", "written"), READ, ids=lambda value: str(value)[:20])
def test_a_number_means_the_same_however_it_is_written(unit, value, written):
    assert [] == [text for text in written if read_quantity(text, unit) != pytest.approx(value, rel=1e-12)]


@pytest.mark.parametrize(("unit", "written", "value"), OTHER_AMOUNTS)
def test_a_unit_that_is_typed_counts(unit, written, value):
    assert value == pytest.approx(read_quantity(written, unit), rel=1e-12)


@pytest.mark.parametrize(("unit", "written", "reason"), REFUSED)
def test_what_cannot_be_in_the_unit_asked_for_is_refused_and_says_why(unit, written, reason):
    with pytest.raises(AnswerError) as caught:
        read_quantity(written, unit)

    assert reason == caught.value.reason
    assert all(refusal(caught.value, language) for language in ("en", "zh", "both"))


@pytest.mark.parametrize("name", ["b4.share", "e1.eager_share", "e16.gaps", "e20.of_peak"])
def test_a_percent_sign_on_a_card_that_asks_for_percent_changes_nothing(name):
    question = kinds.pose(find_card(name), "en", random.Random(1))
    truth = question.values["truth"]

    assert kinds.mark(question, f"{truth:.5g}%").right
    assert kinds.mark(question, f"{truth:.5g}").right
    assert not kinds.mark(question, f"{truth / 100:.5g}").right


@pytest.mark.parametrize(
    "card", [pytest.param(c, id=c.id) for c in all_cards().values() if "truth" in c.data and c.file]
)
def test_the_unit_of_a_card_is_one_that_can_be_typed_behind_its_answer(card):
    """And another kind of unit behind it is never taken for it."""
    unit = card.data.get("unit", "")
    if card.kind == "touch":
        return
    question = kinds.pose(card, "zh", random.Random(1))
    for typed in (unit, question.unit):
        assert kinds.mark(question, f"{kinds.solve(question)} {typed}").right
    with pytest.raises(AnswerError):
        kinds.mark(question, f"{kinds.solve(question)} {'us' if 'B' in unit or 'byte' in unit else 'KiB'}")
    assert is_known(unit or "s") and unit in prompt_of(unit)


def test_where_a_question_says_about_more_than_one_number_counts():
    loose = re.compile(r"\babout how (many|much)|\broughly\b|\bwithin \d", re.IGNORECASE)
    asked = [c for c in all_cards().values() if c.kind == "count" and loose.search(c.text["en"]["ask"])]

    assert asked
    assert [] == [card.id for card in asked if not kinds.tolerance_of(card)]


@pytest.mark.parametrize("seed", range(6))
def test_launches_that_hide_kernels_may_be_worked_out_exactly_or_as_an_estimate(seed):
    question = kinds.pose(find_card("b2.launch_hidden"), "en", random.Random(seed))
    launches, kernel = question.values["launches"], question.values["kernel_us"]

    assert kinds.mark(question, str(launches * max(30, kernel))).right
    assert kinds.mark(question, str((launches - 1) * max(30, kernel) + kernel)).right
    assert not kinds.mark(question, str(launches * (30 + kernel))).right


def test_a_number_without_an_end_may_be_rounded_and_one_with_an_end_may_not():
    assert agrees(0.333, 1 / 3, 0) and not agrees(0.34, 1 / 3, 0)
    assert agrees(20.16, 20.161290322580644, 0) and not agrees(-19.8, -19.75, 0)


@pytest.mark.parametrize(
    "typed", ["3, 17", "(3, 17)", "3 17", "3 and 17", "src[3], dst[17]", "3; 17", "[3,17]", "3、17", "3和17"]
)
def test_indices_are_read_in_order(typed):
    assert (3, 17) == read_numbers(typed, 2)


def test_one_index_may_have_a_comma_and_nothing_may_be_said_in_words():
    assert (1024,) == read_numbers("1,024", 1)
    assert (1024,) == read_numbers("4 * 256", 1)
    assert () == read_numbers("nothing", 0) == read_numbers("It touches nothing.", 0) == read_numbers("无", 0)


def test_what_was_made_of_an_answer_is_shown_with_its_mark():
    question = kinds.pose(find_card("a10.bytes"), "en", random.Random(1))

    assert "1,950 bytes" == kinds.mark(question, "1.95 KB").read
    assert "" == kinds.mark(question, "1,950").read
