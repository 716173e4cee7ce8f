"""The roofline as a picture and in words."""

import pytest

from simt.figures import NothingToDraw, roofline
from simt.timing.gpus import GPUS
from simt.timing.roofline import Work, bound

pytest.importorskip("matplotlib", reason="figures need matplotlib")

H200 = GPUS["h200"]


def work(flops, **more):
    return Work(read_bytes=1 << 30, write_bytes=0, flops={"float32": flops}, **more)


def test_a_kernel_left_of_the_ridge_stands_on_the_slope_and_one_right_of_it_under_the_ceiling():
    slow, fast = bound(H200, work(1 << 28)), bound(H200, work(1 << 36))

    figure = roofline([("scale", slow), ("matmul", fast)])

    assert "0.25 1.20 Tflop/s memory" in " ".join(figure.words.split())
    assert "64.0 66.9 Tflop/s float32 arithmetic" in " ".join(figure.words.split())
    assert "at most 100% of the arithmetic of an H200 SXM" in figure.axes[0].get_title(loc="left")
    assert "scale 0.25 flops per byte" in figure.alt
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_what_shared_memory_holds_up_stands_below_the_roof():
    held_up = bound(H200, work(1 << 36, shared_wavefronts=1 << 32))

    figure = roofline([("matmul", held_up)])

    assert "shared memory allows at most 6.2%" in figure.axes[0].get_title(loc="left")
    assert "not a measurement" in figure.words


def test_nothing_is_drawn_without_arithmetic_or_of_two_gpus():
    with pytest.raises(NothingToDraw, match="floating-point"):
        roofline([("copy", bound(H200, work(0)))])
    with pytest.raises(ValueError, match="one GPU"):
        roofline([("a", bound(H200, work(1))), ("b", bound(GPUS["t4"], work(1)))])
