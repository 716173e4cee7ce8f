"""A function is called when a stream has come to its place, on the interpreter as on a GPU."""

from __future__ import annotations

import numpy as np

from autograder import backend
from autograder.backend import cuda
from autograder.notebook.host.callbacks import call_after

backend.prepare()


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


def test_functions_are_called_in_the_order_of_the_stream_with_what_was_noted_for_them():
    stream, x, told = cuda.stream(), cuda.to_device(np.zeros(32, np.float32)), []
    call_after(stream, told.append, "before")
    add_one[1, 32, stream](x)
    call_after(stream, lambda *notes: told.append(notes), "after", 1)
    stream.synchronize()

    assert ["before", ("after", 1)] == told and 1.0 == x.copy_to_host()[0]
