"""Unit 15, irregular work: its exercises in course order."""

from __future__ import annotations

from autograder.exercises.hints import with_hints
from autograder.exercises.u15_irregular.bodies import N_BODY
from autograder.exercises.u15_irregular.chance import COUNT_DRAWS, RANDOM_NUMBERS
from autograder.exercises.u15_irregular.domains import DOMAINS
from autograder.exercises.u15_irregular.fractal import MANDELBROT, MANDELBROT_QUEUE
from autograder.exercises.u15_irregular.sparse import SPMV_ROWS, SPMV_WARPS
from autograder.exercises.with_domains import with_domains

EXERCISES = with_domains(
    with_hints(
        __file__,
        SPMV_ROWS,
        SPMV_WARPS,
        MANDELBROT,
        MANDELBROT_QUEUE,
        RANDOM_NUMBERS,
        COUNT_DRAWS,
        N_BODY,
    ),
    DOMAINS,
)
