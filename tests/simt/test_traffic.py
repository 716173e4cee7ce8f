"""Bytes by array, and writes to inputs."""

from simt.analyses.inputs import Inputs
from simt.analyses.traffic import Traffic
from tests.simt.synthetic import Stage, array


def test_bytes_are_kept_apart_by_array_and_direction():
    traffic = Traffic()
    x, out, unused = array("x", (16,)), array("out", (32,)), array("unused", (5,), "f8")
    stage = Stage(traffic, arguments=(x, out, unused))

    for _ in range(2):
        stage.load(x, lambda thread: thread % 16)
    stage.store(out, lambda thread: thread)
    stage.atomic(out, lambda thread: thread * 0)

    assert (64, 256, 4.0) == (
        traffic.arrays["x"].array_bytes,
        traffic.arrays["x"].load_bytes,
        traffic.arrays["x"].loads_per_element,
    )
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
    assert "Thread 0 of block 0 writes x[2] at line 4, but x is an input." == found.message
