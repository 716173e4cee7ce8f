"""Where the compiler makes other accesses of one access; the expected numbers were measured in tests/zoo."""

from dataclasses import replace

import numpy as np
import pytest

from simt.analyses.costs.banks import Banks
from simt.analyses.costs.coalescing import Coalescing
from tests.simt.synthetic import Stage, array, counts


def loaded(kind, dtype):
    coalescing = Coalescing()
    getattr(Stage(coalescing), kind)(array("x", (64,), dtype), lambda thread: thread)
    found = counts(coalescing)
    return tuple(found[f"global_{kind}_{name}"] for name in ("requests", "sectors", "sectors_ideal", "bytes"))


@pytest.mark.parametrize("kind", ["load", "store"])
def test_complex_numbers_are_two_accesses_that_each_touch_every_sector(kind):
    assert (2, 16, 8, 256) == loaded(kind, "c8")
    assert (2, 32, 16, 512) == loaded(kind, "c16")
    assert (1, 8, 8, 256) == loaded(kind, "f8")


def test_complex_numbers_in_shared_memory_move_as_one():
    banks = Banks()
    Stage(banks).load(array("s", (32,), "c8", space="shared"), lambda thread: thread)

    assert (1, 2) == tuple(counts(banks)[f"shared_load_{name}"] for name in ("requests", "wavefronts"))


@pytest.mark.parametrize(("align", "expected"), [(True, (1, 16)), (False, (4, 64))])
def test_a_field_of_a_packed_record_is_read_byte_by_byte(align, expected):
    points = array("points", (32,), np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")], align=align))
    field = replace(points, key=(*points.key, "as float32"), dtype=np.dtype("f4"))
    coalescing = Coalescing()

    Stage(coalescing, arguments=[points]).load(field, lambda thread: 4 * thread)

    found = counts(coalescing)
    assert expected == (found["global_load_requests"], found["global_load_sectors"])


def sectors(text, dtype="i4", **more):
    coalescing = Coalescing()
    Stage(coalescing).atomic(array("n", (4,), dtype), lambda thread: thread * 0, text=text, **more)
    return counts(coalescing)["global_atomic_sectors"]


@pytest.mark.parametrize(
    "text",
    [
        "cuda.atomic.add(n, 0, x[i])",
        "cuda.atomic.add(n, 0, 1)",
        "cuda.atomic.add(n, (0, 2), x)",
        "cuda.atomic.add(n, cuda.blockIdx.x, x)",
        "cuda.atomic.add(n, cuda.blockIdx.x % 4, x)",
    ],
)
def test_a_warp_adds_up_first_where_the_source_names_one_cell_for_the_block(text):
    assert 1 == sectors(text)
    assert 1 == sectors(text, result_used=True)


@pytest.mark.parametrize(
    "text", ["cuda.atomic.add(n, x[i], 1)", "cuda.atomic.add(n, k, 1)", "cuda.atomic.add(n, t // 32, 1)"]
)
def test_it_does_not_where_the_cell_is_computed(text):
    assert 32 == sectors(text)


def test_it_does_so_for_words_alone_and_for_sums_alone_where_the_result_is_used():
    assert 32 == sectors("cuda.atomic.add(n, 0, x)", "f4")
    assert 32 == sectors("cuda.atomic.add(n, 0, x)", "i8")
    assert 32 == sectors("cuda.atomic.exch(n, 0, x)", operation="exch")
    assert 1 == sectors("cuda.atomic.max(n, 0, x)", operation="max")
    assert 32 == sectors("cuda.atomic.max(n, 0, x)", operation="max", result_used=True)


def passes(text, dtype="i4", operation="add"):
    banks = Banks()
    Stage(banks).atomic(
        array("s", (64,), dtype, space="shared"), lambda thread: thread // 4, text=text, operation=operation
    )
    return counts(banks)["shared_atomic_wavefronts"]


def test_compare_and_swap_passes_twice_and_64_bits_go_in_two_halves():
    assert 4 == passes("cuda.atomic.max(s, k, x)", operation="max")
    assert 8 == passes("cuda.atomic.cas(s, k, 0, 1)", operation="cas")
    assert 16 == passes("cuda.atomic.cas(s, k, 0, 1)", "i8", operation="cas")
