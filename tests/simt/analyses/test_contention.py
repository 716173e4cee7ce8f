"""Contention for one element."""

from simt.analyses.costs.atomics import Atomics
from tests.simt.synthetic import Stage, array, counts


def heard(**more):
    atomics = Atomics()
    return atomics, Stage(atomics, **more)


def test_every_thread_on_one_element_is_thirty_two_at_once_and_all_in_total():
    atomics, stage = heard(grid=(4, 1, 1), block=(64, 1, 1))

    stage.atomic(array("out", (1,)), lambda thread: thread * 0)

    found = counts(atomics)
    assert (256, 32, 256) == tuple(
        found[name] for name in ("atomic_operations", "atomic_max_contention", "atomic_hottest_cell")
    )


def test_an_element_of_ones_own_has_no_contention():
    atomics, stage = heard(block=(64, 1, 1))

    stage.atomic(array("out"), lambda thread: thread * 3)

    found = counts(atomics)
    assert (1, 1) == (found["atomic_max_contention"], found["atomic_hottest_cell"])


def test_the_hottest_element_adds_up_over_the_turns_of_a_loop():
    atomics, stage = heard()

    for _ in range(5):
        stage.atomic(array("out", (8,)), lambda thread: thread // 4)

    assert 20 == counts(atomics)["atomic_hottest_cell"]


def test_shared_bins_of_two_blocks_are_different_elements():
    atomics, stage = heard(grid=(2, 1, 1))

    stage.atomic(array("bins", (8,), "i4", space="shared"), lambda thread: thread // 4)

    assert 4 == counts(atomics)["atomic_hottest_cell"]


def test_plain_loads_and_stores_do_not_count():
    atomics, stage = heard()

    stage.load(array("x"), lambda thread: thread)

    assert {} == counts(atomics)
