"""The Mandelbrot set with a device function and complex numbers."""

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def escapes_after(real, imag, most):
    c = complex(real, imag)
    z = 0.0j
    for i in range(most):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i
    return most


@cuda.jit
def draw(min_x, max_x, min_y, max_y, image, most):
    height, width = image.shape
    pixel_x, pixel_y = (max_x - min_x) / width, (max_y - min_y) / height
    start_x, start_y = cuda.grid(2)
    step_x = cuda.gridDim.x * cuda.blockDim.x
    step_y = cuda.gridDim.y * cuda.blockDim.y
    for x in range(start_x, width, step_x):
        for y in range(start_y, height, step_y):
            image[y, x] = escapes_after(min_x + x * pixel_x, min_y + y * pixel_y, most)


image = np.zeros((48, 72), dtype=np.uint8)
draw[(2, 2), (8, 8)](-2.0, 1.0, -1.0, 1.0, image, 20)
assert 20 == image.max() and image[0, 0] < 3
