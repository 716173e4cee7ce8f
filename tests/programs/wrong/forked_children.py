"""A pool of processes, each of which launches without a guard."""

import multiprocessing

import numpy as np
from numba import cuda


@cuda.jit
def add_one(a):
    a[cuda.grid(1)] += 1  # finds: out_of_bounds


def work(n):
    a = np.zeros(n)
    add_one[1, 8](a)
    return a.sum()


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, [4, 6]))
