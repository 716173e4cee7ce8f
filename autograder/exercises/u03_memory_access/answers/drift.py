"""Answers to memory_access.drift."""

import numpy as np
from numba import cuda

from autograder.exercises.catalogue import right, wrong

FIELDS = 8


@right("written_out")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        bodies[0, i] += dt * bodies[4, i]
        bodies[1, i] += dt * bodies[5, i]
        bodies[2, i] += dt * bodies[6, i]


@right("loads_first")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i >= bodies.shape[1]:
        return
    x, y, z = bodies[0, i], bodies[1, i], bodies[2, i]
    vx, vy, vz = bodies[4, i], bodies[5, i], bodies[6, i]
    bodies[0, i] = x + dt * vx
    bodies[1, i] = y + dt * vy
    bodies[2, i] = z + dt * vz


@right("grid_stride")
@cuda.jit
def drift(bodies, dt):
    for i in range(cuda.grid(1), bodies.shape[1], cuda.gridsize(1)):
        for axis in range(3):
            bodies[axis, i] = bodies[axis, i] + bodies[axis + 4, i] * dt


@right("rows_as_views")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    for axis in range(3):
        place, velocity = bodies[axis], bodies[4 + axis]
        if i < place.size:
            place[i] += dt * velocity[i]


@cuda.jit(device=True)
def moved(place, velocity, dt):
    return place + velocity * dt


@right("device_function")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        axis = 0
        while axis < 3:
            bodies[axis, i] = moved(bodies[axis, i], bodies[4 + axis, i], dt)
            axis += 1


@right("last_axis_first")
@cuda.jit
def drift(bodies, dt):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    n = bodies.shape[1]
    if i < n:
        for axis in (2, 1, 0):
            bodies[axis, i] += bodies[axis + 4, i] * dt


@wrong("array_of_structures", misconception="no_guard", says="outside")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[0]:
        for axis in range(3):
            bodies[i, axis] += dt * bodies[i, 4 + axis]


@wrong("loads_everything", misconception="too_much_traffic", says="6 fields")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        body = cuda.local.array(8, "float32")
        for k in range(FIELDS):
            body[k] = bodies[k, i]
        for axis in range(3):
            body[axis] += dt * body[4 + axis]
        for k in range(FIELDS):
            bodies[k, i] = body[k]


@wrong("stores_the_velocities", misconception="too_much_traffic", says="3 fields")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            velocity = bodies[4 + axis, i]
            bodies[axis, i] += dt * velocity
            bodies[4 + axis, i] = velocity


@wrong("dt_left_out", misconception="dt_left_out", says="multiply by dt")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += bodies[4 + axis, i]


@wrong("mass_moves_too", misconception="mass_moved", says="field 3 is the mass")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(4):
            bodies[axis, i] += dt * bodies[4 + axis, i]


@wrong("velocity_from_row_3", misconception="wrong_fields", says="rows 4, 5 and 6")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += dt * bodies[3 + axis, i]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    for axis in range(3):
        bodies[axis, i] += dt * bodies[4 + axis, i]


@wrong("one_thread_per_field", misconception="too_much_traffic", says="4 sectors each")
@cuda.jit
def drift(bodies, dt):
    axis = cuda.grid(1)
    if axis < 3:
        for i in range(bodies.shape[1]):
            bodies[axis, i] += dt * bodies[4 + axis, i]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += 1.0 * dt * bodies[4 + axis, i]


@wrong("only_x", misconception="y_and_z_left", says="only x moves")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        bodies[0, i] += dt * bodies[4, i]


@wrong("one_block_does_it_all", misconception="few_threads", says="thread of its own")
@cuda.jit
def drift(bodies, dt):
    if cuda.blockIdx.x == 0:
        for i in range(cuda.threadIdx.x, bodies.shape[1], cuda.blockDim.x):
            for axis in range(3):
                bodies[axis, i] += dt * bodies[4 + axis, i]


@wrong("step_in_double", misconception="float64_arithmetic", says="as `np.float64(dt)` asks")
@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    step = np.float64(dt)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += step * bodies[4 + axis, i]
