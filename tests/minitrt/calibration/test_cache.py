"""The calibration cache is TensorRT's text, to the byte."""

from __future__ import annotations

import pytest

from minitrt.calibration.cache import CacheRejected, read, write

PUBLISHED = b"TRT-101600-EntropyCalibration2\ninput: 3c92aa10\ndata: 3c008912\n"


def test_a_published_line_reads_as_its_scale():
    scales = read(PUBLISHED, "EntropyCalibration2")

    assert scales["input"] == pytest.approx(0.0179033577, abs=1e-9)
    assert scales["data"] == pytest.approx(0.0078452, abs=1e-6)


def test_what_is_read_is_written_back_to_the_byte():
    assert write(read(PUBLISHED, "EntropyCalibration2"), "EntropyCalibration2") == PUBLISHED


def test_names_may_hold_colons_and_spaces():
    name = "layer:1 [Activation]_output"

    assert list(read(write({name: 0.5}, "MinMaxCalibration"), "MinMaxCalibration")) == [name]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (PUBLISHED.replace(b"101600", b"8502"), "TRT-8502-EntropyCalibration2"),
        (PUBLISHED.replace(b"Calibration2", b"Calibration"), "needs TRT-101600-EntropyCalibration2"),
        (b"TRT-101600-EntropyCalibration2\ninput: zz", "no calibration cache"),
        (b"\xff\xfe", "no calibration cache"),
        (b"", "no calibration cache"),
    ],
)
def test_another_version_another_algorithm_and_rubbish_are_rejected_with_the_reason(data, reason):
    with pytest.raises(CacheRejected, match=reason):
        read(data, "EntropyCalibration2")
