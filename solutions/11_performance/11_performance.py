# %% [markdown]
# # Performance
#
# **The promise:** at the end you can time a kernel so that the number holds tomorrow, and before you change it you can say which of three things it waits for: its own arithmetic, the answers of memory, or the rate at which memory delivers.
#
# **Time:** nearly three hours: seven rungs, 67 lines to write. Rungs 1 to 4 make a first sitting.
# **You need:** unit 6 (grid-stride loops) and unit 9 (streams and events). Without a GPU everything is judged; what a GPU measures is shown from a recorded run.

# %% tags=["setup"]
import time

import numpy as np
from numba import cuda, float32, njit, prange, uint32

from autograder import exercise
from autograder.backend import compiles_for_cpu
from autograder.notebook.recorded import recorded

THREADS = 256  # threads per block in every launch of this unit
SM_WARPS, SM_BLOCKS, SM_REGISTERS = 64, 32, 65_536
REGISTER_UNIT = 256  # registers are handed out to a warp in units of this many
SM_SHARED, BLOCK_SHARED = 228 * 1024, 227 * 1024  # bytes: of a multiprocessor, and the most that one block may ask for
RESERVED, SHARED_UNIT = 1024, 128  # bytes: taken by the system for each block, and what shared memory is handed out in


def blocks_for(n):
    """Blocks of THREADS threads that cover n elements."""
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def scale(x, out):
    """out = 2 x + 1. x, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


# %% [markdown]
# ## 1. A stopwatch that does not lie
#
# Five things make a time wrong, and none of them is an error that anybody reports:
#
# - The first launch of a kernel **compiles** it, which takes thousands of times as long as running it. **Warm up:** launch once, untimed.
# - A launch returns before the work is done. A clock on the host, read without waiting for the GPU, measures how fast Python queues work.
# - Copies take longer than most kernels. Decide whether they belong to the question, and keep them out if not.
# - A kernel may be shorter than its launch. The GPU then passes the first mark and waits for Python to send the kernel. Take more elements, or keep the queue full: with a long kernel in front, everything is queued before the first mark is reached.
# - One number is no measurement. The operating system interrupts, and a GPU changes its **clock**: low while it is idle, higher when it is busy, lower again when it is hot.
#
# An **event** is a mark in a stream: when the GPU reaches it, the GPU itself notes the time. So `start.record()`, the launch, `stop.record()`. `start.elapsed_time(stop)` gives milliseconds, once `stop.synchronize()` has made sure that the mark was reached.
# A time cannot be shorter than the work, only longer. So outliers lie on one side, and the **mean** follows them; the **median**, the middle one of the sorted times, does not.
#
# **Example.** Eight launches: 90,324.0, 9.1, 7.2, 7.1, 7.3, 7.1, 31.0, 7.2 microseconds.
#
# | | what | µs |
# |---|---|---|
# | mean of all | says how long compiling took | 11,300.0 |
# | mean without the first | says that somebody interrupted | 10.9 |
# | smallest | one lucky launch, warm caches and all | 7.1 |
# | median without the first | what you may expect | 7.2 |
#
# Compiling shows without a GPU, too: the first call of a function that numba compiles for the CPU.


# %%
@njit
def total(x):
    acc = 0.0
    for i in range(x.size):
        acc += x[i]
    return acc


ones, times = np.ones(100_000), []
for _ in range(9):
    began = time.perf_counter()
    total(ones)
    times.append(1e6 * (time.perf_counter() - began))
print(f"first {times[0]:,.0f} µs, then {', '.join(f'{one:.0f}' for one in times[1:])}; median {np.median(times[1:]):.0f}")

# %% [markdown]
# And on a GPU, recorded: one launch of `scale` by several stopwatches, and arithmetic on a GPU that had slept and one that had not.

# %%
recorded("performance", "timing");

# %% [markdown]
# When two versions are compared, clocks that drift hurt twice. Time A, B, A, B, and take the median of the *ratios* of neighbours: both of a pair ran at about the same clock. `q.race` does so.
#
# **Write** `time_launches(x, times, out)`: copy `x` up, launch once to warm up, then time `times.size` launches of `scale`, each between two events of its own, and copy the result down.
#
# **Predict** the bytes that copies move for 4,099 elements and 5 rounds, both ways. Which of the three arrays never travels?
#
# <details><summary>Interview question: your kernel takes 4 µs by the clock on the host, whatever the size. What do you conclude?</summary>That the clock was read before the kernel ran: 4 µs is what a launch call costs. Wait for the device before reading it, or use events. <b>A weak answer says</b> "the GPU is very fast". <b>And then?</b> With the wait, small sizes still all take the same: the launch itself. Time several launches between two events, or capture a graph.</details>

# %%
q = exercise("performance.time_launches")
q.show()

# %% predict="time_launches"
q.predict(transferred_bytes=32792)


# %% solution="time_launches"
def time_launches(x, times, out):
    """times[k] = milliseconds of one launch of scale on x; out = 2 x + 1. All pinned: x, out (n,), times (rounds,) float32."""
    # about 11 lines
    ### BEGIN SOLUTION
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)  # compiles, and wakes the GPU
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()  # the mark was reached
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
    ### END SOLUTION


# %% check="time_launches"
q = exercise("performance.time_launches")
q.check(time_launches).points

# %% [markdown]
# ## 2. How full can a multiprocessor be?
#
# **Look back.** Now a time holds. To change it you need to know what the GPU was doing meanwhile: mostly waiting.
#
# A **multiprocessor** (SM) keeps many warps at hand and, in every clock, issues instructions of some that are ready. Warps that wait cost nothing, as long as others can go on.
# The warps that it holds are **resident**; their share of the most it could hold is the **occupancy**. A warp is resident when its whole block is, and each resident block takes its part of four things:
#
# | an SM of an H100 or H200 has | a block takes | rounded |
# |---|---|---|
# | places for 64 warps | a place for each warp, the last one full or not | up to whole warps |
# | places for 32 blocks | one | |
# | 65,536 registers | 32 times the registers of a thread, for each warp | up to 256 per warp; the warps that fit, down to a multiple of 4 |
# | 228 KiB of shared memory | what it declares and 1 KiB for the system | up to 128 bytes |
#
# A block may ask for at most 227 KiB. What runs out first is the **limiter**.
#
# **Example.** Blocks of 256 threads with 40 registers per thread and no shared memory of their own:
#
# | | allows |
# |---|---|
# | warps: 8 per block | 64 // 8 = 8 blocks |
# | blocks | 32 |
# | registers: 40 x 32 = 1,280 per warp, 65,536 // 1,280 = 51 warps, so 48 | 48 // 8 = 6 blocks |
# | shared memory: 1,024 per block | 233,472 // 1,024 = 228 blocks |
#
# Six blocks, 48 warps, an occupancy of 75 %, limited by registers.
#
# Where do 40 registers come from? From the compiler, which runs here, GPU or not. The next cell asks it about kernels that keep 1, 8, 32 and 96 numbers at once.

# %%
from autograder.lint import lint, signature_of, theoretical_occupancy


def keeper(count):
    """A kernel that keeps `count` running values per thread."""

    @cuda.jit
    def keep(x, out):
        kept = cuda.local.array(count, float32)
        for k in range(count):
            kept[k] = x[k]
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            for k in range(count):
                kept[k] = kept[k] * kept[k] + x[i]
        acc = float32(0)
        for k in range(count):
            acc += kept[k]
        out[cuda.grid(1)] = acc

    return keep


for count in (1, 8, 32, 96):
    facts = lint(keeper(count), signature_of((np.zeros(8, np.float32),) * 2), architectures=["sm_90"]).facts
    for fact in facts.values():
        full = theoretical_occupancy((9, 0), THREADS, fact.registers)
        print(f"{count:3} values: {fact.registers:3} registers, {full.warps} warps, {full.fraction:.0%}, limited by {full.limited_by}")

# %% [markdown]
# **Write** `resident_warps(threads, registers, shared_bytes)`. Constants for the four limits are in the first cell: `SM_WARPS`, `SM_BLOCKS`, `SM_REGISTERS`, `REGISTER_UNIT`, `SM_SHARED`, `BLOCK_SHARED`, `RESERVED`, `SHARED_UNIT`. It returns 0 for a block that fits nowhere.
#
# **Predict** the warps of blocks of 256 threads with 65 registers each, one more than 64. And aloud: how many blocks of 1,024 threads with 65 registers fit?
#
# <details><summary>How many?</summary>None. 32 x 65 = 2,080 registers per warp are rounded up to 2,304; 65,536 // 2,304 = 28 warps, a multiple of 4 already, and the block has 32. A GPU refuses such a launch. With 64 registers, 32 warps fit, and with them one block.</details>
#
# <details><summary>Interview question: a colleague raises occupancy from 50 to 100 % and the kernel gets slower. How?</summary>Fewer registers per thread were the price: values spilled to memory, or less work in flight per thread. Occupancy is a means to hide waiting; when enough is in flight already, more of it brings nothing. <b>A weak answer says</b> "that cannot be". <b>And then?</b> Rung 3: four operations in flight per thread do with a quarter of the warps.</details>

# %%
q = exercise("performance.resident_warps")
q.show()

# %% predict="resident_warps"
q.predict(warps=24)


# %% solution="resident_warps"
def resident_warps(threads, registers, shared_bytes):
    """Warps that one multiprocessor of an H100 or H200 holds. threads, shared_bytes: per block; registers: per thread."""
    # about 9 lines
    ### BEGIN SOLUTION
    warps = -(-threads // 32)
    per_warp = -(-32 * registers // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = SM_REGISTERS // per_warp // 4 * 4 // warps
    per_block = -(-(shared_bytes + RESERVED) // SHARED_UNIT) * SHARED_UNIT
    by_shared = SM_SHARED // per_block if shared_bytes <= BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)
    ### END SOLUTION


# %% check="resident_warps"
q = exercise("performance.resident_warps")
q.check(resident_warps).points

# %% [markdown]
# Does more help? Recorded: one kernel that waits for memory and one that computes, at occupancies from low to full. Look for the row from which nothing changes any more.

# %%
occupancy = recorded("performance", "occupancy")

# %% [markdown]
# ## 3. Four chains at once
#
# **Look back.** More warps hide waiting. There is a second way, and it needs no more warps: give one thread several pieces of work that do not wait for one another.
#
# `value = value * x + c` takes about four clocks until `value` can be used again. In a loop each iteration needs the one before: a **chain**. A warp with one chain is ready once in four clocks.
# Four values that do not need one another are four chains: while one waits, the warp issues the next. That is **instruction-level parallelism**, and a loop written with four running values in place of one is **unrolled** into independent **accumulators**.
# Unrolling alone does not do it. The compiler unrolls many loops by itself, four iterations in one, but the four operations on *one* value still wait for one another: it may not change the order of roundings.
#
# **Example.** Eight additions, 4 clocks each, at most one issued per clock:
#
# | | chains | the last result is there after |
# |---|---|---|
# | `((((a + b) + c) + d) + ...)` | 1 | 8 x 4 = 32 clocks |
# | two accumulators of four additions, then one more | 2 | 4 x 4 + 1 + 4 = 21 clocks |
# | four accumulators of two, then two more levels | 4 | 2 x 4 + 3 + 2 x 4 = 19 clocks |
#
# Long loops leave the ends out: four chains take a quarter of the time of one, up to the point where the units are full.
#
# The compiler's own code says how many operations of a loop may be under way at once. The cell asks for one value, and for two.


# %%
@cuda.jit
def one_value(coefficients, x, out):
    i = cuda.grid(1)
    if i < out.size:
        value = float32(0)
        for k in range(coefficients.size):
            value = value * x[i] + coefficients[k]
        out[i] = value


@cuda.jit
def two_values(coefficients, x, out):
    i = 2 * cuda.grid(1)
    if i + 1 < out.size:
        p = q = float32(0)
        for k in range(coefficients.size):
            p = p * x[i] + coefficients[k]
            q = q * x[i + 1] + coefficients[k]
        out[i], out[i + 1] = p, q


for kernel in (one_value, two_values):
    code = lint(kernel, signature_of((np.zeros(8, np.float32),) * 3)).code
    print(kernel.__name__, {name: code.get(name) for name in ("independent_operations", "registers")})

# %% [markdown]
# Recorded: running values per thread, 1 to 8, on few warps and on many.

# %%
recorded("performance", "chains");

# %% [markdown]
# A **polynomial** with coefficients a, b, c (highest power first) at x is `(a x + b) x + c`: one step for each coefficient, a chain by nature.
# But different points do not need one another. So give each thread four points, a grid apart: with T threads in the launch, thread t takes points t, t + T, t + 2 T and t + 3 T. Neighbours in a warp still touch neighbours in memory, and one loaded coefficient serves four points.
#
# **Example**: eight points, two threads, so T = 2, and 9 x² + 6 x + 7. Thread 0 has points 0, 2, 4 and 6, which are 9, 7, 3 and 3. Each iteration of its loop moves four values one step:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `x` | 9 | 6 | 7 | 8 | 3 | 1 | 3 | 3 |
# | iteration 0 of thread 0: 0 x + 9 | 9 | | 9 | | 9 | | 9 | |
# | iteration 1: 9 x + 6 | 87 | | 69 | | 33 | | 33 | |
# | iteration 2: times x, plus 7 | 790 | | 490 | | 106 | | 106 | |
# | `out` | 790 | 367 | 490 | 631 | 106 | 22 | 106 | 106 |
#
# **Write** `poly_four(coefficients, x, out)`. The launch has a thread for every four points; the last points may not fill four. A point past the end can be read from somewhere harmless (`min(i, x.size - 1)`), and must not be stored.
#
# **Predict** the load requests of all warps together, for 3,001 points and 9 coefficients: three blocks of 256. Each load that a line asks for is one request per warp, even where all lanes want the same element.
#
# <details><summary>Interview question: why does the compiler not make four accumulators out of one by itself?</summary>Because floating-point addition is not associative: a different order rounds differently, and a compiler must keep the program's result. <code>fastmath=True</code> permits it, and still promises nothing. <b>A weak answer says</b> "it does, with unrolling". <b>And then?</b> For integers it may, and does.</details>

# %%
q = exercise("performance.poly_four")
q.show()

# %% predict="poly_four"
q.predict(global_load_requests=312)


# %% solution="poly_four"
@cuda.jit
def poly_four(coefficients, x, out):
    """out = the polynomial at x, four points per thread. coefficients: (terms,), highest power first; x, out: (n,) float32."""
    # about 19 lines
    ### BEGIN SOLUTION
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]  # all loads before anything waits for one
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            term = coefficients[k]  # one load, four uses
            p = p * a + term
            q = q * b + term
            r = r * c + term
            s = s * d + term
        out[i] = p
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s
    ### END SOLUTION


# %% check="poly_four"
q = exercise("performance.poly_four")
q.check(poly_four).points

# %% race="poly_four"
q = exercise("performance.poly_four")
q.race(poly_four).points

# %% [markdown]
# Step through one thread: four values that move side by side. Without an answer of yours, the cell steps through two of them.

# %%
try:
    q.step(poly_four)
except NotImplementedError:
    q.step(two_values)

# %% [markdown]
# ## 4. Hide the latency
#
# **Look back.** The result of an addition takes four clocks to arrive. That of a load from memory takes hundreds: that time is its **latency**.
#
# To measure latency, make each load need the one before: `p = succ[p]`, a **pointer chase** through cells in random order. Nothing can be fetched early, since nobody knows where it lies.
# The time per step depends on where the cells lie: in a nearby cache, in a larger one, or in memory. So it depends on the **footprint**, the bytes that are walked through.
#
# The next cell chases on your CPU. Each jump in the column is the end of a cache.


# %%
def circle(cells, seed=1):
    """succ: (cells,) int64, a single circle through all cells in random order."""
    order = np.random.default_rng(seed).permutation(cells)
    succ = np.empty(cells, np.int64)
    succ[order] = np.roll(order, -1)
    return succ


@njit
def chase(succ, steps):
    p = 0
    for _ in range(steps):
        p = succ[p]
    return p


chase(circle(8), 1)  # compiles
for kib in (16, 128, 1024, 8192, 65_536):
    succ = circle(kib * 128)
    chase(succ, 20_000)
    began = time.perf_counter()
    chase(succ, 100_000)
    print(f"{kib:7,} KiB  {1e4 * (time.perf_counter() - began):6.1f} ns per step")

# %% [markdown]
# The same on a GPU, one thread, recorded, beside the CPU of that machine: a GPU is built to have many loads under way, not to answer any one of them soon.
# No chase goes where an earlier one went, unless its circle is short. So a footprint that fits into a cache is read from there, and one that is far larger than the L2 cache comes from memory, nearly every step of it.

# %%
latency = recorded("performance", "latency")
if latency:
    in_flight = latency["memory_ns"] * occupancy["copy_gbs"]  # nanoseconds x bytes per nanosecond
    print(f"{latency['memory_ns']:.0f} ns x {occupancy['copy_gbs']:,} GB/s = {in_flight / 1e6:.1f} MB in flight")

# %% [markdown]
# **Little's law** says how much must be under way: *in flight = rate x latency*. A shop that serves 2 people a minute, each of whom stays 5 minutes, has 10 people in it.
# For a GPU: bytes per second that memory can deliver, times the seconds that one load takes, are the bytes that must have been asked for and not yet arrived, at any moment.
#
# **Example.** 4 TB/s and 600 ns: 2.4 MB in flight. On 132 multiprocessors that is 18 KB each. A warp that loads 4 bytes per lane has 128 bytes in flight: 142 such warps, and only 64 fit. So each thread needs more than two loads under way, or wider ones.
#
# | bytes per lane and load | loads under way per thread | warps needed per SM |
# |---|---|---|
# | 4 | 1 | 142: do not fit |
# | 4 | 4 | 36 |
# | 16 | 1 | 36 |
# | 16 | 4 | 9 |
#
# Now chains that need not wait for one another: each thread follows four.
# **Example**: eight cells, eight chains, two steps, T = 2. Thread 0 follows chains 0, 2, 4 and 6: from 2 to 3 to 4; from 6 to 5 to 7; from 7 to 2 to 3, twice.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `succ` | 1 | 6 | 3 | 4 | 0 | 7 | 5 | 2 |
# | `starts` | 2 | 4 | 6 | 5 | 7 | 1 | 7 | 0 |
# | after one step | 3 | 0 | 5 | 7 | 2 | 6 | 2 | 1 |
# | `ends` | 4 | 1 | 7 | 2 | 3 | 5 | 3 | 6 |
#
# **Write** `follow_four(succ, starts, steps, ends)`, with the same split as in rung 3: thread t follows chains t, t + T, t + 2 T and t + 3 T, one step of each in every iteration of one loop.
#
# **Predict** with 1,100 chains, and so two blocks of 256: the end of which chain does thread 5 of block 1 store *second*?
#
# <details><summary>Interview question: a linked list on the GPU, one thread per list, is slow although occupancy is 100 %. What would you try?</summary>Let a thread walk several lists at once, or change the data so that the next address is known without loading: arrays in place of pointers, several elements per node. <b>A weak answer says</b> "coalesce". <b>And then?</b> Each load is its own sector; 32 lanes touch 32 of them, and there is nothing to coalesce. What helps is more of them in flight, and a footprint that fits the L2 cache.</details>

# %%
q = exercise("performance.follow_four")
q.show()

# %% predict="follow_four"
q.predict(index=773)


# %% solution="follow_four"
@cuda.jit
def follow_four(succ, starts, steps, ends):
    """ends[i] = the cell that is `steps` steps after starts[i]; four chains per thread. succ, starts, ends: int32."""
    # about 18 lines
    ### BEGIN SOLUTION
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps):
            p = succ[p]  # four loads that do not wait for one another
            q = succ[q]
            r = succ[r]
            s = succ[s]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s
    ### END SOLUTION


# %% check="follow_four"
q = exercise("performance.follow_four")
q.check(follow_four).points

# %% [markdown]
# ## 5. Find the bug: numbers wider than they must be
#
# **Look back.** Now the instructions themselves. A line of Python has types that nobody wrote down, and two of them creep in.
#
# - **float64**: a bare `0.1` is a float64, and float32 with float64 gives float64. So does float32 with a bare `0`, which is an int64. An H100 computes half as many float64 as float32 per clock, most other GPUs a thirty-second or a sixty-fourth.
# - **int64**: `cuda.grid(1)`, shapes and Python numbers are int64. Additions hardly matter: the GPU makes them of two 32-bit ones. A division or remainder does: it becomes a long sequence of instructions, tens of them.
#
# numba's rule for integers: int32 with int32 gives int64 again, so `int32(i) % int32(n)` changes nothing. `uint32(i) % uint32(n)` helps, because the compiler sees that the upper halves are zero.
#
# The job: `out = (src - mean) * factor`, with a mean and a factor for each column, and 0 where the result is negative (a network's normalisation and its ReLU).
# **Example**: two rows of 4. Element 5 is in row 5 // 4 = 1 and column 5 % 4 = 1: (7 - 3) x 1 = 4. Element 7 is in column 3: (3 - 8) x 8 is negative, so 0.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | column | 0 | 1 | 2 | 3 | 0 | 1 | 2 | 3 |
# | its mean | 1 | 3 | 3 | 8 | 1 | 3 | 3 | 8 |
# | its factor | 9 | 1 | 5 | 8 | 9 | 1 | 5 | 8 |
# | `out` | 72 | 3 | 20 | 8 | 45 | 4 | 25 | 0 |
#
# Recorded: the same arithmetic in both widths.
# (The two rates lie closer together than two to one: that of float32 is half of what the maker states for this GPU, that of float64 most of it.)

# %%
recorded("performance", "widths");

# %% [markdown]
# The draft gives the right numbers. One of its lines computes in double precision, and another divides 64-bit integers. **Predict** the line that the verdict will name, the one with float64, counted from the `@cuda.jit` of the draft's cell; say the other one aloud. Then run the draft: its verdict names the first, and its notes the second.

# %% predict="standardise"
q = exercise("performance.standardise")
q.predict(line=8)


# %%
@cuda.jit
def draft(src, mean, factor, n_cols, out):
    """out = (src - mean of its column) * factor of its column, 0 where that is negative. Right, and slow."""
    i = cuda.grid(1)
    if i < out.size:
        c = i % n_cols
        scaled = (src[i] - mean[c]) * factor[c]
        out[i] = max(scaled, 0)


q = exercise("performance.standardise")
q.check(draft);

# %% [markdown]
# **Write** `standardise(src, mean, factor, n_cols, out)`, the draft with both lines repaired. There are fewer than 2^31 elements.
#
# <details><summary>Interview question: how would you find float64 in a kernel that somebody else wrote?</summary>In the machine code: search PTX for <code>.f64</code> arithmetic, and map it to lines; a profiler shows the FP64 pipe at work. <b>A weak answer says</b> "read the source". <b>And then?</b> The source often looks innocent: <code>x / x.size</code>, <code>acc = 0</code>, an argument that is a Python float. And the optimiser narrows some of them back, as <code>x * 0.5</code>, so a rule that looks at the source alone cries wolf.</details>

# %%
q = exercise("performance.standardise")
q.show()


# %% solution="standardise"
@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    """out = (src - mean of its column) * its factor, at least 0. src, out: (n,); mean, factor: (n_cols,) float32."""
    # about 4 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)  # a 32-bit remainder
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
    ### END SOLUTION


# %% check="standardise"
q = exercise("performance.standardise")
q.check(standardise).points

# %% [markdown]
# ## 6. Read a profile
#
# **Look back.** So far you knew what to look for. A **profiler** tells you where to look.
#
# **Nsight Systems** draws a timeline of the whole program: copies, kernels, gaps. Use it first. **Nsight Compute** (`ncu`) runs one kernel again and again and reads the hardware's counters; use it for the kernel that the timeline blames. (`nvprof` and `nvvp` were their predecessors.)
# Its names say where a counter sits: `l1tex` is the L1 cache, `smsp` a quarter of a multiprocessor; `op_ld` loads, `.sum` over the whole GPU. The course's counters are the same numbers under shorter names, and are compared with it.
#
# | Nsight Compute | here |
# |---|---|
# | `l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum` | `global_load_requests` |
# | `l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum` | `global_load_sectors` |
# | `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum` | `shared_load_wavefronts`: passes over the 32 banks |
# | `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum` | `shared_load_bank_conflicts` |
# | `smsp__inst_executed.sum` | instructions, counted once per warp |
# | `smsp__thread_inst_executed.sum` | the same, counted once per lane at work |
#
# One number alone says little. Three ratios say a lot: sectors per request (4 is ideal for 4-byte elements, 32 the worst), conflicts over wavefronts (0 is ideal), instructions of threads over those of warps: lanes at work (32 is ideal, fewer is divergence or ragged ends).
#
# Two more names you will meet. **Stall reasons** say why a warp was not ready, in clocks between two instructions that it issues: *long scoreboard* is waiting for memory, *wait* is waiting for its own last instruction, *math pipe* for a busy unit, *not selected* means ready while another warp was chosen. **Issue slots busy** is the share of clocks in which an instruction was issued.
#
# The cell shows reports that Nsight Compute recorded, of small kernels named A to I; and what the warps of this unit's kernels wait for.

# %%
from autograder.exercises.u11_performance.profiles import DATE, DEVICE, MEANINGS, PROFILES
from autograder.notebook import display

letters = "ABCDEFGHI"
display.text(f"Nsight Compute, {DEVICE}, {DATE}")
display.table(("", *MEANINGS), [(letter, *numbers) for letter, numbers in zip(letters, PROFILES.values(), strict=True)])
recorded("stalls");

# %% [markdown]
# **Example.** Report B: 512 sectors for 16 requests are 32 per request: every lane in a sector of its own. No shared memory, so no conflicts: 0. 17,408 / 544 = 32 lanes.
#
# **Write** `read_profile(...)`: the three ratios, in the order of the example. Where nothing was requested, a ratio is 0.
#
# **Predict aloud**, from the table: which reports are of a transpose through shared memory, and which of the two pads its tile? In which kernel does each thread read a whole row, and in which a column? In which two do lanes diverge?
#
# <details><summary>Answers</summary>F and G go through shared memory; G is padded, with no conflicts. In D each thread reads a row (25 sectors per request), in E a column. H has two sides of an <code>if</code>, and I a loop whose length differs by lane.</details>
#
# <details><summary>Interview question: "stall long scoreboard" leads the list of warp states. What is it, and what do you do?</summary>Warps wait for the result of a load from global or local memory. More bytes in flight, by occupancy, more loads per thread or wider ones; fewer bytes, by reuse; or better hits in the caches. <b>A weak answer says</b> "coalesce". <b>And then?</b> Only if sectors per request say so; if memory already runs at its limit, nothing but fewer bytes helps.</details>

# %%
q = exercise("performance.read_profile")
q.show()


# %% solution="read_profile"
def read_profile(load_requests, load_sectors, shared_wavefronts, shared_conflicts, warp_instructions, thread_instructions):
    """Sectors per load request, the share of conflicts among shared passes, lanes at work. Six ints; three floats back."""
    # about 4 lines
    ### BEGIN SOLUTION
    def over(part, whole):
        return part / whole if whole else 0.0

    return over(load_sectors, load_requests), over(shared_conflicts, shared_wavefronts), over(thread_instructions, warp_instructions)
    ### END SOLUTION


# %% check="read_profile"
q = exercise("performance.read_profile")
q.check(read_profile).points

# %% [markdown]
# ## 7. The same job three ways, and two laws
#
# **Look back.** You know what limits a kernel. The last question comes before all others: is the GPU the place for the job at all?
#
# A loop in Python is no rival. Two others are:
#
# - NumPy, on one core. Its loops use **SIMD** instructions (single instruction, multiple data), which compute several numbers at once.
# - `@njit(parallel=True)`, on all cores. Each gets a part of `prange`, and uses SIMD as well.
#
# Both do what a kernel does: one operation on many elements. That is one of four ways to share work, and their names come up in interviews:
#
# | name | what happens at once | example |
# |---|---|---|
# | **data parallelism** | one operation, on many elements | a kernel |
# | **task parallelism** | different operations | one stream copies, another computes |
# | **pipeline** | the stages of a job, each on another piece of the data | the chunks of unit 9 |
# | **model parallelism** | the parts of a model that is too large for one GPU | layers on several GPUs |
#
# **Concurrent** says less than parallel: under way at the same time, perhaps in turns on one core.


# %%
def norm_numpy(x, y, out):
    np.sqrt(x * x + y * y, out=out)


@njit(parallel=True)
def norm_cores(x, y, out):
    for i in prange(out.size):
        out[i] = (x[i] * x[i] + y[i] * y[i]) ** float32(0.5)


x, y = np.random.default_rng(1).random((2, 1 << 20), np.float32)
out = np.empty_like(x)
for work in (norm_numpy, norm_cores) if compiles_for_cpu() else (norm_numpy,):
    times = []
    for _ in range(6):
        began = time.perf_counter()
        work(x, y, out)
        times.append(1e3 * (time.perf_counter() - began))
    print(f"{work.__name__}: {np.median(times[1:]):.2f} ms")
recorded("performance", "ways");

# %% [markdown]
# How much can it be worth? Let a share p of the time be work that n workers can share, and the rest, 1 - p, work for one.
#
# - **Amdahl:** the same job takes 1 - p + p / n of its time. Speedup 1 / (1 - p + p / n), never more than 1 / (1 - p).
# - **Gustafson:** with n workers you take on a larger job, one that fills the same time. The serial part stays as it is: n workers do 1 - p + p n times the work.
#
# **Example** with p = 0.95:
#
# | workers | 1 | 8 | 132 | ever more |
# |---|---|---|---|---|
# | Amdahl | 1 | 5.93 | 17.5 | 20 |
# | Gustafson | 1 | 7.65 | 125.45 | no limit |
#
# Both are right; they answer different questions. A copy to the GPU and back is serial in Amdahl's sense: a kernel that is a hundred times faster does not even halve the time of a job that spends half of it on copies.
#
# **Write** `speedups(parallel_share, workers)`: Amdahl's, then Gustafson's.
#
# **Predict** Amdahl's speedup of a job that is 90 % parallel, on a thousand workers. Within 2 % counts as right: no calculator needed.
#
# <details><summary>Interview question: a program spends 80 % in a kernel. You make the kernel 10 times faster. And the program?</summary>1 / (0.2 + 0.08) = 3.57 times. <b>A weak answer says</b> "8 times". <b>And then?</b> What was 20 % is 71 % now: the next thing to look at is not the kernel. Profile again after every step.</details>

# %%
q = exercise("performance.speedups")
q.show()

# %% predict="speedups"
q.predict(amdahl=9.9)


# %% solution="speedups"
def speedups(parallel_share, workers):
    """Amdahl's speedup and Gustafson's. parallel_share: of the time, 0 to 1; workers: 1 or more. Two floats."""
    # about 2 lines
    ### BEGIN SOLUTION
    serial = 1 - parallel_share
    return 1 / (serial + parallel_share / workers), serial + parallel_share * workers
    ### END SOLUTION


# %% check="speedups"
q = exercise("performance.speedups")
q.check(speedups).points

# %% [markdown]
# ## What you have
#
# **Look back.** Measure first, in a way that holds; then ask what the kernel waits for, and change that.
#
# | it waits for | you see it in | what helps |
# |---|---|---|
# | results of its own arithmetic | one chain in the compiled loop, few warps | independent chains, more warps |
# | answers of memory | fewer bytes in flight than latency x rate | more loads per thread, wider ones, more warps |
# | the rate of memory | bytes per second near the copy rate | fewer bytes: reuse, narrower types, nothing else |
# | wide arithmetic | `.f64`, 64-bit divisions | float32 constants, uint32 |
# | the launch, or the copies | a timeline with gaps | graphs, staying on the device, overlap |
# | nothing: it is the serial rest | Amdahl | another part of the program |
