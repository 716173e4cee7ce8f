"""A 3 x 3 mean of a colour image, clamped at its edges."""

import numpy as np
from numba import cuda


@cuda.jit
def blur(image, out):
    row, col = cuda.grid(2)
    height, width, channels = image.shape
    if row < height and col < width:
        for c in range(channels):
            total = 0
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    r = min(max(row + dr, 0), height - 1)
                    k = min(max(col + dc, 0), width - 1)
                    total += image[r, k, c]
            out[row, col, c] = total // 9


image = np.random.default_rng(0).integers(0, 256, (20, 30, 3)).astype(np.uint8)
out = np.zeros_like(image)
blur[(3, 4), (8, 8)](image, out)
inner = sum(image[r : r + 18, c : c + 28].astype(int) for r in range(3) for c in range(3)) // 9
np.testing.assert_array_equal(out[1:-1, 1:-1], inner)
