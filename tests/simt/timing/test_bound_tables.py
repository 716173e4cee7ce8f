"""Time bounds in words."""

import pytest

from simt.text.text_tables import significant
from simt.timing import bound_tables
from simt.timing.gpus import GPUS
from simt.timing.roofline import Work, bound

T4, H200 = GPUS["t4"], GPUS["h200"]
LARGE = Work(read_bytes=1 << 30, write_bytes=1 << 30, flops={"float32": 1 << 28}, requests=1 << 24, blocks=1 << 20)


def words_of(text: str) -> str:
    return " ".join(text.split())


def test_one_gpu_is_told_part_by_part_with_what_each_number_holds_for():
    text = words_of(bound_tables.one(bound(T4, LARGE), ["A remark."]))

    assert "Time on T4: at least 6,700 us, because of memory. This is a bound, not a measurement" in text
    assert "memory 2,143,289,344 bytes 320 GB/s 6,700 us whatever the compiler does" in text
    assert "float32 arithmetic 268,435,456 flops 8.14 Tflop/s 33.0 us for the source as written" in text
    assert "4,194,304 bytes more may still be in the L2 cache at the end" in text
    assert "0.125 flops for each byte that has to move, below this GPU's ridge of 25.4 for float32" in text
    assert "fits in the L2 cache" not in text
    assert text.endswith("A remark.")


def test_few_blocks_and_a_problem_that_fits_a_cache_are_told():
    text = words_of(bound_tables.one(bound(H200, Work(4096, 4096, {"float64": 10**6}, blocks=1))))

    assert "because of float64 arithmetic" in text
    assert "a compiler that leaves some of it out" in text
    assert "1 block for 132 multiprocessors: the others have nothing to do" in text
    assert "fits in the L2 cache of 50 MB" in text
    assert "above this GPU's ridge of 6.97 for float64: the arithmetic takes longer than memory" in text


def test_several_gpus_are_told_in_a_line_each_with_one_sentence_for_all():
    text = words_of(bound_tables.several([bound(gpu, LARGE) for gpu in GPUS.values()]))

    assert 1 == text.count("No kernel that moves these bytes can be faster on this GPU; yours may be slower.")
    assert "T4 6,700 us memory 25.4 memory" in text


def test_a_launch_that_does_nothing_has_no_bound():
    assert "no bound" in bound_tables.one(bound(T4, Work(0, 0)))
    assert "" == bound_tables.several([bound(T4, Work(0, 0))])


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1234.5, "1,230"), (0.01234, "0.0123"), (12.345, "12.3"), (999.9, "1,000"), (1.5e-05, "0.000015")],
)
def test_numbers_have_three_digits_that_count(value, text):
    assert text == significant(value)
