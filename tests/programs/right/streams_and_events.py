"""Parts of an array in streams of their own, and an event around them."""

import numpy as np
from numba import cuda


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


parts = 4
data = cuda.pinned_array(4096, np.float32)
data[:] = np.arange(4096)
streams = [cuda.stream() for _ in range(parts)]
begin, end = cuda.event(), cuda.event()
begin.record()
pieces = np.split(np.arange(4096), parts)
for stream, piece in zip(streams, pieces, strict=True):
    view = data[piece[0] : piece[-1] + 1]
    d_view = cuda.to_device(view, stream=stream)
    double[8, 128, stream](d_view)
    d_view.copy_to_host(view, stream=stream)
end.record()
for stream in streams:
    stream.synchronize()
end.synchronize()
cuda.event_elapsed_time(begin, end)
np.testing.assert_array_equal(data, 2 * np.arange(4096))
