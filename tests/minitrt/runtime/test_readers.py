"""Engines that are read from a stream: the first kind of reader, also with a `seek` of its own, and the second."""

from __future__ import annotations

import io

import numpy as np
import onnx
import pytest

import minitrt as trt
from tests.minitrt.engines import Heard, engine_of, model_of


def readers(data: bytes):
    class First(trt.IStreamReader):
        def __init__(self):
            super().__init__()
            self.file = io.BytesIO(data)

        def read(self, size):
            return self.file.read(size)

    class FirstWithSeek(First):
        def seek(self, offset, whence=0):
            return self.file.seek(offset, whence)

    class Second(trt.IStreamReaderV2):
        def __init__(self):
            super().__init__()
            self.file = io.BytesIO(data)
            self.file.read(3)

        def read(self, size, stream):
            return self.file.read(size)

        def seek(self, offset, where):
            self.file.seek(offset, {trt.SeekPosition.SET: 0}[where])
            return True

    return {"first": First(), "first, with seek": FirstWithSeek(), "second": Second()}


@pytest.mark.parametrize("kind", ["first", "first, with seek", "second"])
def test_every_kind_of_reader_gives_the_engine(kind):
    model = model_of([onnx.helper.make_node("Relu", ["x"], ["y"])], {"x": (np.float32, (2, 3))}, ["y"])
    data = bytes(engine_of(model).serialize())
    logger = Heard()

    assert trt.Runtime(logger).deserialize_cuda_engine(readers(data)[kind]) is not None, logger.errors


@pytest.mark.parametrize("whole", [True, False])
def test_a_reader_that_never_ends_is_refused(whole):
    model = model_of([onnx.helper.make_node("Relu", ["x"], ["y"])], {"x": (np.float32, (2, 3))}, ["y"])
    data, logger = bytes(engine_of(model).serialize()) if whole else b"no engine", Heard()

    class Endless(trt.IStreamReader):
        def read(self, size):
            return data[:size]

    assert trt.Runtime(logger).deserialize_cuda_engine(Endless()) is None
    assert ("read() must go on where it stopped" if whole else "engine") in logger.errors[-1]
