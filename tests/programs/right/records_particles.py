"""Particles as records, moved and bounced."""

import numpy as np
from numba import cuda

particle = np.dtype([("x", np.float32), ("v", np.float32), ("hits", np.int32)], align=True)


@cuda.jit
def move(particles, dt):
    i = cuda.grid(1)
    if i < particles.size:
        particles[i].x += particles[i].v * dt
        if particles[i].x > 1 or particles[i].x < 0:
            particles[i].v = -particles[i].v
            particles[i].hits += 1


particles = np.zeros(100, dtype=particle)
particles["v"] = np.linspace(0.5, 1.5, 100)
for _ in range(10):
    move[4, 32](particles, 0.25)
assert particles["hits"].min() >= 1
