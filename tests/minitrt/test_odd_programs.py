"""Programs as strangers have them, at several sizes of one engine, against ONNX Runtime."""

from __future__ import annotations

import numpy as np
import onnx.parser
import pytest

from minitrt.runtime.session import Session
from tests.minitrt.engines import Heard, engine_of, expected_of
from tests.minitrt.odd_programs import PROGRAMS


@pytest.mark.parametrize("name", PROGRAMS)
def test_at_every_size_it_gives_what_onnx_runtime_gives(name):
    text, shapes = PROGRAMS[name]
    model, rng = onnx.parser.parse_model(text), np.random.default_rng(3)
    low, high = (tuple(map(int, ends(shapes, 0))) for ends in (np.min, np.max))
    session = Session(engine_of(model, Heard(), x=(low, shapes[0], high)))

    for shape in shapes:
        feeds = {"x": rng.standard_normal(shape).astype(np.float32)}
        found = session.run(feeds)
        for output, array in expected_of(model, feeds).items():
            assert found[output].shape == array.shape and found[output].dtype == array.dtype
            np.testing.assert_allclose(found[output], array, rtol=1e-5, atol=1e-6)
