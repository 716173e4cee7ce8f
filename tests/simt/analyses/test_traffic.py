"""Bytes by array, and writes to inputs."""

from simt.analyses.costs.traffic import Traffic
from simt.analyses.inputs import Inputs
from tests.simt.synthetic import Stage, array


def test_bytes_are_kept_apart_by_array_and_direction():
    traffic = Traffic()
    x, out, unused = array("x", (16,)), array("out", (32,)), array("unused", (5,), "f8")
    stage = Stage(traffic, arguments=(x, out, unused))

    for _ in range(2):
        stage.load(x, lambda thread: thread % 16)
    stage.store(out, lambda thread: thread)
    stage.atomic(out, lambda thread: thread * 0)

    assert (64, 256) == (traffic.arrays["x"].array_bytes, traffic.arrays["x"].load_bytes)
    assert (128, 128) == (traffic.arrays["out"].store_bytes, traffic.arrays["out"].atomic_bytes)
    assert (40, 0) == (traffic.arrays["unused"].array_bytes, traffic.arrays["unused"].load_bytes)


def test_writing_to_an_input_is_found_and_writing_elsewhere_is_not():
    inputs = Inputs(["x"])
    stage = Stage(inputs)

    stage.load(array("x"), lambda thread: thread)
    stage.store(array("out"), lambda thread: thread)
    assert [] == inputs.book.all()

    stage.store(array("x"), lambda thread: thread + 2, line=4)
    (found,) = inputs.book.all()
    assert found.message.startswith("Thread 0 of block 0 writes x[2] at line 4, but x is an input")


def test_the_fewest_bytes_are_each_sector_once_however_often_threads_ask():
    traffic = Traffic()
    x, out, total = array("x", (64,)), array("out", (64,), base=4096), array("total", (1,), base=8192)
    stage = Stage(traffic, arguments=(x, out, total))

    for _ in range(3):
        stage.load(x, lambda thread: thread)
        stage.load(x, lambda thread: 2 * thread)
    stage.store(out, lambda thread: thread)
    stage.load(out, lambda thread: thread)  # of what this launch wrote: a cache may still hold it
    stage.atomic(total, lambda thread: thread * 0)
    stage.end()

    assert (64 * 4, 0) == (traffic.arrays["x"].least_read_bytes, traffic.arrays["x"].least_write_bytes)
    assert (0, 32 * 4) == (traffic.arrays["out"].least_read_bytes, traffic.arrays["out"].least_write_bytes)
    assert (32, 32) == (traffic.arrays["total"].least_read_bytes, traffic.arrays["total"].least_write_bytes)
    assert (3 * 2 * 128, 256) == (traffic.arrays["x"].moved_bytes, traffic.arrays["x"].least_bytes)


def test_a_sector_that_is_read_before_it_is_written_moves_both_ways():
    traffic = Traffic()
    x = array("x", (32,), "f8")
    stage = Stage(traffic, arguments=(x,))

    stage.load(x, lambda thread: thread)
    stage.store(x, lambda thread: thread)
    stage.end()

    assert (256, 256) == (traffic.arrays["x"].least_read_bytes, traffic.arrays["x"].least_write_bytes)


def test_strided_reads_take_whole_sectors_and_wide_elements_every_sector_they_lie_in():
    traffic = Traffic()
    strided, wide = array("strided", (1024,)), array("wide", (32,), "c16", base=8192)
    records = array("records", (32,), [("a", "f8"), ("b", "f4"), ("c", "i4", (10,))], base=16384)
    stage = Stage(traffic, arguments=(strided, wide, records))

    stage.load(strided, lambda thread: 8 * thread)
    stage.load(wide, lambda thread: thread)
    stage.load(records, lambda thread: thread)
    stage.end()

    assert 32 * 32 == traffic.arrays["strided"].least_read_bytes
    assert 16 * 32 == traffic.arrays["wide"].least_read_bytes
    assert -(-52 * 32 // 32) * 32 == traffic.arrays["records"].least_read_bytes


def test_launches_add_up_and_each_starts_anew():
    traffic = Traffic()
    x = array("x", (32,))

    for _ in range(2):
        stage = Stage(traffic, arguments=(x,))
        stage.load(x, lambda thread: thread)
        stage.end()

    assert 2 * 128 == traffic.arrays["x"].least_read_bytes
