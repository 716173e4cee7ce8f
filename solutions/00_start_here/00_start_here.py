# %% [markdown]
# # Start here
#
# **The promise:** in ten minutes you know what this machine can do, how a verdict reads, and when a GPU is worth the trouble.
#
# Nothing on this page is graded.
# Run the cells from top to bottom with Shift+Enter, and change whatever you like.

# %% tags=["setup"]
import math
import time

import numpy as np
from numba import cuda, njit, prange

from autograder import doctor, exercise
from autograder.backend import compiles_for_cpu, gpu_available

# %% [markdown]
# ## What this machine can do
#
# Every line below says what was tried, just now, on this machine.
# *limited* means that the course works, and the line says what is missing; *BROKEN* comes with the command that repairs it.
# In a terminal, `warpbook doctor` prints the same.

# %%
doctor();
# %% [markdown]
# Without a GPU, kernels are still compiled for real ones, and then run in an interpreter that watches every memory access.
# So everything here works except the clock: instead of a guessed time, you read that it is not measured here.

# %% [markdown]
# ## How a verdict reads
#
# A **kernel** is a function that a GPU runs many times at once, each time in a **thread** with a different number.
# This one should double an array.
# It has a mistake that everybody makes once, and on a real GPU it might well *look* right.

# %%
q = exercise("start_here.double")


@cuda.jit
def double(src, dst):
    """dst = 2 * src. src, dst: (n,) float32."""
    i = cuda.grid(1)  # this thread's number
    dst[i] = src[i] + src[i]


q.check(double);
# %% [markdown]
# First comes what you would have observed, then the cause with its line, then one thing to do.
# Line numbers count from the top of the cell that holds the kernel.
# The verdict also offers a picture and a hint; hints start from the mistake that was found and never cost points.
# `q.step()` walks through the kernel line by line, with the values of every thread: try it in a cell of your own.

# %%
q.hint();

# %% [markdown]
# Here is the repair. Threads come in whole groups, here of 256, so the last group usually has some without an element: those now do nothing.
# The check runs the kernel on several sizes, *ragged* ones included, which do not fill the last group: a kernel that is right for 256 elements may be wrong for 257.


# %%
@cuda.jit
def double(src, dst):
    """dst = 2 * src. src, dst: (n,) float32."""
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i] + src[i]


q.check(double);

# %% [markdown]
# In the units, a cell with a task ends in `raise NotImplementedError()`: it is a **stub**.
# Replace that line with your answer, run the cell, then run the check below it.
# An untouched cell counts as *not attempted*, not as a mistake.
# Once an answer is right, `q.explain()` asks three questions about your own kernel, such as what one of its lines costs.

# %% [markdown]
# ## The same job three times
#
# How long is each of n arrows, given its x and y?
# NumPy works through whole arrays on a single core, and writes an array for every step in between.
# Numba's `njit` compiles the loop and spreads it over **all CPU cores**.
# The kernel leaves the loop out: there is one thread per arrow.


# %%
def lengths_numpy(x, y, out):
    """out = the length of every arrow. x, y, out: (n,) float32, as in all three versions."""
    np.sqrt(x * x + y * y, out=out)


@njit(parallel=True)
def lengths_cores(x, y, out):
    for i in prange(out.size):
        out[i] = math.sqrt(x[i] * x[i] + y[i] * y[i])


@cuda.jit
def lengths_gpu(x, y, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = math.sqrt(x[i] * x[i] + y[i] * y[i])


# %% [markdown]
# A fair stopwatch warms up first: the first call compiles.
# Then it takes the median of several rounds.
# Starting a kernel is called a **launch**. It returns before the GPU has finished, so the clock must wait for it: that is what `cuda.synchronize()` is for.
#
# The GPU is timed twice: with the data already in its memory, and with the copies there and back included.


# %%
def median_us(action, rounds=9):
    """Microseconds that `action` takes: the median of several rounds after a first one that is not counted."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        action()
        times.append(1e6 * (time.perf_counter() - start))
    return float(np.median(times[1:]))


# %%
def launch(x, y, out):
    """Start the kernel on device arrays and wait for it."""
    lengths_gpu[(out.size + 255) // 256, 256](x, y, out)
    cuda.synchronize()


def there_and_back(x, y, out):
    """Copy both arrays to the device, compute, and copy the result to the host array `out`."""
    d_out = cuda.device_array_like(out)
    launch(cuda.to_device(x), cuda.to_device(y), d_out)
    d_out.copy_to_host(out)


# %%
ways = ("NumPy", "all CPU cores", "GPU, data there", "GPU with copies")
sizes = [2**k for k in (10, 13, 16, 19, 22, 24)]
times = {way: [float("nan")] * len(sizes) for way in ways}

for row, n in enumerate(sizes):
    x, y, out = (np.linspace(0, 1, n, dtype=np.float32) for _ in range(3))
    times["NumPy"][row] = median_us(lambda: lengths_numpy(x, y, out))
    if compiles_for_cpu():
        times["all CPU cores"][row] = median_us(lambda: lengths_cores(x, y, out))
    if gpu_available():
        on_device = [cuda.to_device(array) for array in (x, y, out)]
        times["GPU, data there"][row] = median_us(lambda: launch(*on_device))
        times["GPU with copies"][row] = median_us(lambda: there_and_back(x, y, out))

# %%
print(f"{'arrows':>12}" + "".join(f"{way:>20}" for way in ways) + "   fastest")
for row, n in enumerate(sizes):
    shown = [f"{times[way][row]:,.0f} us" if times[way][row] > 0 else "not measured here" for way in ways]
    fastest = min((times[way][row], way) for way in ways if times[way][row] > 0)[1]
    print(f"{n:12,}" + "".join(f"{text:>20}" for text in shown) + f"   {fastest}")

# %%
from matplotlib import pyplot as plt

figure, axes = plt.subplots(figsize=(7, 4))
for way, colour in zip(ways, ("tab:gray", "tab:blue", "tab:green", "tab:olive"), strict=True):
    if times[way][0] > 0:
        axes.loglog(sizes, times[way], "o-", color=colour, label=way)
fastest = min((times[way][-1], way) for way in ways if times[way][-1] > 0)[1]
axes.set(xlabel="arrows", ylabel="time (us)", title=f"Fastest for {sizes[-1]:,} arrows: {fastest}")
axes.legend();

# %% [markdown]
# Both axes are logarithmic: there is one line for each way, time against the number of arrows, and lower is faster.
# Read the lines from the left.
# Where a line is flat, the time is a start-up price, paid however little there is to do, and each way has its own.
# Where it climbs, twice the work takes twice the time, and what counts is how fast memory delivers.
#
# Without a GPU you see only the two CPU lines. This is the same table from a machine with a GPU:

# %%
from autograder.notebook.recorded import recorded

recorded("stopwatches", "ways");

# %% [markdown]
# So the small job belongs on the CPU, and the large one on the GPU *if the data is there already*.
# The copies travel over a link far slower than the GPU's own memory, and one square root per element is too little work to pay for the journey.
# Data that stays on the GPU pays for the journey once: that thought returns in the next unit, and stays until the last.
