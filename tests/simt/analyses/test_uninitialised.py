"""Reading what nobody has written."""

from dataclasses import replace

from simt.analyses.uninitialised import Uninitialised
from simt.events import Batch
from tests.simt.synthetic import Stage, array


def watched(**more):
    analysis = Uninitialised()
    return analysis, Stage(analysis, **{"block": (64, 1, 1), **more})


def findings(analysis):
    return analysis.book.all()


def shared(shape=(64,)):
    return array("s", shape, space="shared")


def test_reading_a_cell_nobody_wrote_names_thread_element_and_line():
    analysis, stage = watched()

    stage.store(shared(), lambda thread: thread, line=3, where=lambda thread: thread < 32)
    stage.barrier(4)
    stage.load(shared(), lambda thread: thread, line=5)

    (found,) = findings(analysis)
    assert ("uninitialised_read", (5,), "s", 32) == (found.kind, found.lines, found.array, found.count)
    assert "Thread 32 of block 0 reads s[32] at line 5, but nothing has written it" in found.message
    assert found.remedy.startswith("Line 3 writes s, but not this element")


def test_each_block_has_a_shared_memory_of_its_own():
    analysis, stage = watched(grid=(2, 1, 1))
    lanes = stage.lanes()

    first = stage.lanes(lanes.block == 0)
    stage.store(shared(), first.thread, lanes=first)
    stage.load(shared(), lambda thread: thread, line=5)

    (found,) = findings(analysis)
    assert ((1, 0, 0),) == found.blocks


def test_shared_memory_does_not_survive_a_batch():
    analysis, stage = watched(grid=(2, 1, 1), block_ids=[0])
    stage.store(shared(), lambda thread: thread)
    stage.batch = Batch(stage.launch, stage.batch.block_ids + 1)
    stage.tell("batch_begins", stage.batch)

    stage.load(shared(), lambda thread: thread)

    assert 1 == len(findings(analysis))


def test_a_store_makes_a_cell_known_and_so_does_an_atomic_but_its_own_read_needs_a_value():
    analysis, stage = watched()
    stage.store(shared(), lambda thread: thread)
    stage.load(shared(), lambda thread: thread)
    assert [] == findings(analysis)

    stage.atomic(array("h", (64,), "i4", space="shared"), lambda thread: thread, line=9)
    (found,) = findings(analysis)
    assert (9,) == found.lines


def test_an_exchange_whose_result_nobody_asks_for_only_writes():
    for used in (False, True):
        analysis, stage = watched()
        stage.atomic(shared(), lambda thread: thread, line=3, operation="exch", result_used=used)
        stage.load(shared(), lambda thread: thread, line=5)
        assert used == bool(findings(analysis))


def test_an_input_array_is_known_and_a_fresh_device_array_is_not():
    analysis, stage = watched()

    stage.load(array("x"), lambda thread: thread)
    stage.load(array("out", initialised=False), lambda thread: thread, line=2)

    (found,) = findings(analysis)
    assert ("out", "device memory" in found.message) == (found.array, True)


def test_bytes_written_under_one_type_are_known_under_another():
    """Dynamic shared memory: every array of it is the same bytes."""
    analysis, stage = watched()
    floats = replace(array("f", (64,), "f4", space="shared"), memory=("dynamic",))
    doubles = replace(array("d", (32,), "f8", space="shared"), memory=("dynamic",))

    stage.store(floats, lambda thread: thread, where=lambda thread: thread < 33)
    stage.load(doubles, lambda thread: thread, line=7, where=lambda thread: thread < 17)

    (found,) = findings(analysis)
    assert ("d", 1, (16,)) == (found.array, found.count, found.detail["index"])
