"""Masks and sources of warp operations."""

import numpy as np

from simt.analyses.warps import LanesOfCalls
from tests.simt.synthetic import Stage, counts


def watched(**more):
    warps = LanesOfCalls()
    return warps, Stage(warps, **{"block": (64, 1, 1), **more})


SHUFFLE = {"text": "cuda.shfl_down_sync(mask, v, 8)", "orders_memory": False}


def test_a_full_mask_and_a_full_warp_agree():
    warps, stage = watched()

    stage.warp_sync(3, reads_from=np.arange(64) % 32, **SHUFFLE)

    assert [] == warps.book.all()
    assert {"warp_syncs": 2} == counts(warps)


def test_a_mask_that_names_lanes_on_the_other_side_of_an_if_is_found():
    warps, stage = watched()

    stage.warp_sync(4, where=lambda thread: thread % 32 < 16)

    (found,) = warps.book.all()
    assert ("warp_mask", (4,)) == (found.kind, found.lines)
    assert "mask 0xffffffff, which names lanes 16 to 31, but those lanes do not make this call" in found.message
    assert list(range(16, 32)) == found.detail["missing_lanes"]


def test_lanes_that_returned_or_do_not_exist_may_be_named_but_not_read():
    warps, stage = watched(block=(40, 1, 1))
    returned = np.zeros(40, bool)
    returned[36:] = True

    stage.warp_sync(4, where=lambda thread: thread < 36, returned=returned)
    assert [] == warps.book.all()

    lanes = np.arange(36) % 32
    stage.warp_sync(5, where=lambda thread: thread < 36, returned=returned, reads_from=lanes ^ 8, **SHUFFLE)
    (found,) = warps.book.all()
    assert "reads lane 8 in cuda.shfl_down_sync at line 5, which the mask names but which is not there" in found.message
    assert 4 == found.count


def test_a_caller_must_name_itself():
    warps, stage = watched()

    stage.warp_sync(4, mask=0xFFFF)

    assert "own" == warps.book.all()[0].detail["problem"]


def test_one_cause_is_not_reported_twice():
    warps, stage = watched()

    stage.warp_sync(4, where=lambda t: t % 32 < 16, reads_from=np.tile(np.arange(16) + 8, 2), **SHUFFLE)

    assert ["mask"] == [found.detail["problem"] for found in warps.book.all()]


def test_missing_lanes_are_listed_as_far_as_one_can_read():
    def missing(where):
        warps, stage = watched(block=(32, 1, 1))
        stage.warp_sync(4, where=where)
        return warps.book.all()[0].message

    assert "names lane 5, but that lane" in missing(lambda thread: thread != 5)
    assert "names lanes 0, 5 and 8 to 11, but" in missing(lambda t: (t != 0) & (t != 5) & ((t < 8) | (t > 11)))
    assert "names 16 lanes such as lane 0, but" in missing(lambda thread: thread % 2 == 1)
