# %% [markdown]
# # Vector add
#
# **The promise:** at the end you can write a kernel, launch it, have it checked and time it, and you can say what a launch and a copy cost.
# Adding two arrays is all it takes: so little arithmetic that everything else shows.
#
# **Time:** about two hours: eight rungs, 42 lines to write. Every rung is a good place to stop.
# **You need:** Python and a little NumPy, but no CUDA and no GPU. Without a GPU, kernels run in an interpreter, and the times that you see are those of a named GPU.
#
# Stuck? `q.hint()` answers the mistake that the last check found, gently first.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

THREADS = 256  # threads per block in the launches of this unit; a check tries other blocks, too

# %% [markdown]
# ## 1. One block of threads
#
# The **host** is your computer's processor and the **device** its GPU, each with a memory of its own.
# A **kernel** is a function that the host launches and the device runs once for every **thread**: `kernel[blocks, threads](...)`.
# (CUDA C++ writes `__global__` and `<<<blocks, threads>>>`.)
# Threads come in **blocks**, and all blocks of a launch are its **grid**; this rung needs one block.
# Its threads share one program and differ in one number, their **index** `cuda.threadIdx.x`. Below, eight of them sign their names.
#
# **Write** `add_one_block(a, b, out)`: `out[i] = a[i] + b[i]` for at most 256 elements, always launched as `add_one_block[1, 256]`.
# With 33 elements, 223 threads have no work and run your lines all the same.
# An index past the end of an array is no error on a GPU: it reads or overwrites whatever lies there.
# Keep the spare threads out with an `if`; that is called a **guard**.
#
# Threads run in groups of 32, called **warps**, and what the threads of a warp store at once is one **request** to memory.
# **Predict** the store requests for 256 elements: replace the `...` by your number.
#
# **Example.** Eight elements, eight threads. Thread 3 reads `a[3]` = 9 and `b[3]` = 8 and writes 17; it touches nothing else.
# Launched with twelve threads, threads 8 to 11 would find no element: the guard sends them home.
#
# | thread | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `a` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `b` | 1 | 3 | 3 | 8 | 9 | 1 | 5 | 8 |
# | `out` | 10 | 9 | 10 | 17 | 15 | 8 | 13 | 11 |
#
# <details><summary>Interview question: what happens on a GPU if the guard is missing?</summary>Usually nothing that you see: the spare threads read and overwrite whatever lies past the end. <b>A weak answer says</b> "an exception", as in Python. <b>And then?</b> What if that memory belongs to nobody? The launch fails, but a later call reports it.</details>


# %%
@cuda.jit
def sign(names):
    """names[t] = 100 + t, written by thread t. names: one int32 per thread."""
    t = cuda.threadIdx.x
    names[t] = 100 + t


names = cuda.to_device(np.zeros(8, np.int32))
sign[1, 8](names)
print(names.copy_to_host())

# %% [markdown]
# The picture of the task: which inputs go into which element of the output. It is drawn from the correct result, not from a kernel.

# %% predict="add_one_block"
q = exercise("vector_add.add_one_block")
q.show()
q.predict(global_store_requests=8)


# %% solution="add_one_block"
@cuda.jit
def add_one_block(a, b, out):
    """out = a + b with one block of 256 threads. a, b, out: (n,) float32, n at most 256."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]
    ### END SOLUTION


# %% check="add_one_block"
q = exercise("vector_add.add_one_block")
q.check(add_one_block).points

# %% [markdown]
# ## 2. Many blocks
#
# **Look back.** There was no loop: the launch was the loop. But a block holds at most 1,024 threads, so real arrays need many blocks.
#
# In the cell below, two blocks of four threads sign eight elements; each number is 10 times the block plus the thread.
# `threadIdx.x` starts again at 0 in every block, so block 1 needs to know how many threads came before it.
#
# **Example.** Eight elements, two blocks of four. Thread 1 of block 1 takes element 1 x 4 + 1 = 5 and writes 7 + 1 = 8.
#
# | `blockIdx.x` | 0 | 0 | 0 | 0 | 1 | 1 | 1 | 1 |
# |---|---|---|---|---|---|---|---|---|
# | `threadIdx.x` | 0 | 1 | 2 | 3 | 0 | 1 | 2 | 3 |
# | element | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# | `a` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `b` | 1 | 3 | 3 | 8 | 9 | 1 | 5 | 8 |
# | `out` | 10 | 9 | 10 | 17 | 15 | 8 | 13 | 11 |
#
# **Write** `vector_add(a, b, out)` for any length: in blocks of 256, block 0 takes elements 0 to 255, block 1 elements 256 to 511, and so on.
# The block's number is `cuda.blockIdx.x`, its width `cuda.blockDim.x`. In this rung and the next ones, blocks may have any size. The check also launches other blocks.
#
# A thread's place in its warp, 0 to 31, is its **lane**.
# When the lanes of a warp load, that is one request, too, and memory answers it in **sectors** of 32 bytes.
# **Predict** first: when a warp loads 32 neighbouring float32 values, how many sectors is that?
# And which element (`index`) does thread 37 of block 2 write, in blocks of 256? Replace each `...` by your number.
#
# <details><summary>Interview question: where did the <code>for</code> loop go?</summary>Into the launch. Each thread runs one iteration of it, and the thread's index replaces the loop variable. The order of the iterations is no longer promised. <b>A weak answer says</b> "the GPU runs it faster". <b>And then?</b> Which loops may go like this? Those whose iterations do not depend on each other. A running sum is not one of them; unit 7 shows what it takes.</details>

# %%
@cuda.jit
def sign_in_blocks(names):
    """names[i] = 10 * block + thread. names: (8,) int32, for two blocks of four threads."""
    t, b = cuda.threadIdx.x, cuda.blockIdx.x
    names[4 * b + t] = 10 * b + t


names = cuda.to_device(np.zeros(8, np.int32))
sign_in_blocks[2, 4](names)
print(names.copy_to_host())

# %%
q = exercise("vector_add.vector_add")
q.show()

# %% [markdown]
# Your `add_one_block`, launched with four blocks on about a thousand elements: the picture shows one warp of block 0.
# The first warp of *every* block touches these same elements, since `threadIdx.x` starts again at 0, and no thread ever reaches those after the first 256.

# %%
q.show(add_one_block)

# %% predict="vector_add"
q.predict(global_load_sectors_per_request=4, index=549)


# %% solution="vector_add"
@cuda.jit
def vector_add(a, b, out):
    """out = a + b, one element per thread. a, b, out: (n,) float32."""
    # about 3 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)  # blockIdx.x * blockDim.x + threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]  # 32 lanes, 32 neighbours: 4 sectors per request
    ### END SOLUTION


# %% check="vector_add"
q = exercise("vector_add.vector_add")
q.check(vector_add).points

# %% [markdown]
# ## 3. How many blocks?
#
# **Look back.** `blockIdx.x * blockDim.x + threadIdx.x` is needed so often that it has a short name: `cuda.grid(1)`.
#
# So far the checks chose the number of blocks. From here on you launch, and a launch can be refused.
# The next cell asks for 0 blocks, then for a block of 2,048 threads: the error comes at once, and nothing runs.
#
# **Write** `blocks_for(n, threads)`, an ordinary Python function: how many blocks cover n elements?
# A partly filled block counts as a whole one, and the answer is never below 1.
#
# **Example.** Blocks of 4 threads:
#
# | n | 0 | 1 | 4 | 5 | 8 | 9 |
# |---|---|---|---|---|---|---|
# | blocks | 1 | 1 | 1 | 2 | 2 | 3 |
# | spare threads | 4 | 3 | 0 | 3 | 0 | 3 |
#
# <details><summary>Interview question: 1,000 elements, and you launch 1,024 threads. Why?</summary>Blocks come whole, and 1,000 is not a multiple of 256. The guard costs each thread one comparison, and the 24 spare threads share a warp with threads that work. <b>A weak answer says</b> "256 threads are the fastest". <b>And then?</b> Why not blocks of 250, which would fit? Threads run 32 at a time, so a block of 250 takes the room of 256 anyway.</details>

# %%
a = cuda.to_device(np.ones(8, np.float32))
for blocks, threads in ((0, 256), (1, 2048)):
    try:
        vector_add[blocks, threads](a, a, a)
    except Exception as error:
        print(f"[{blocks}, {threads}] {type(error).__name__}: {error}\n")

# %%
q = exercise("vector_add.blocks_for")
q.show()


# %% solution="blocks_for"
def blocks_for(n, threads):
    """Blocks of `threads` threads that cover n elements, at least 1. n, threads: int; returns int."""
    # about 1 line
    ### BEGIN SOLUTION
    return max(1, (n + threads - 1) // threads)
    ### END SOLUTION


# %% check="blocks_for"
q = exercise("vector_add.blocks_for")
q.check(blocks_for).points

# %% [markdown]
# ## 4. Find the bug: the error that does not show
#
# **Look back.** A wrong launch is refused at once. A wrong *index* is not: it reads what lies past the end of the array, and often nobody notices.
# When the device does notice, it says `CUDA_ERROR_ILLEGAL_ADDRESS` at the next call that waits, far from the guilty line, and every later call fails too, until you restart the notebook's Python process (Jupyter's menu calls that a kernel as well).
#
# So checks look at every index in the interpreter first, and use the GPU from a process of their own.
#
# **Write** `forward_difference`: the draft below, repaired. The last element has no right neighbour, so its step is 0. The check also launches other blocks.
#
# **Example.** Seven steps between eight numbers: 6 - 9 = -3, then 7 - 6 = 1, ..., and 0 where there is no right neighbour.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `src` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `dst` | -3 | 1 | 2 | -3 | 1 | 1 | -5 | 0 |
#
# **Predict first:** which thread of the draft reads what does not belong to it, and at which line? Say it aloud, then run the cell: the verdict names line, thread and index.
#
# <details><summary>Interview question: an illegal address is reported by a line that only copies a result. Where do you look?</summary>At the kernels launched before it. A launch returns before the device has finished (it is asynchronous), so the next call that waits delivers the error. Synchronise after each launch to find the kernel, then run it under NVIDIA's compute-sanitizer, which looks at every access, or in an interpreter, to find the line. <b>A weak answer says</b> "at the line that the traceback names". <b>And then?</b> Can the program go on? No: after such an error every later call fails, until the process ends.</details>

# %%
q = exercise("vector_add.forward_difference")
q.show()


# %%
@cuda.jit
def draft(src, dst):
    """dst[i] = src[i + 1] - src[i], and 0 for the last element. src, dst: (n,) float32."""
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i + 1] - src[i]


q.check(draft);

# %% [markdown]
# The same thread, step by step: move the slider to the line that the verdict named, and compare `i + 1` with the size of `src`.

# %%
q.step(draft)

# %% [markdown]
# **Predict** how many sectors a load request of your repaired kernel touches, on average over both loads, for 1,025 elements.
# A sector begins at every eighth float. Where do the 32 elements `src[i + 1]` of a warp begin, and where do they end?

# %% predict="forward_difference"
q.predict(global_load_sectors_per_request=4.5)


# %% solution="forward_difference"
@cuda.jit
def forward_difference(src, dst):
    """dst[i] = src[i + 1] - src[i], and 0 for the last element. src, dst: (n,) float32."""
    # about 5 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i + 1 < src.size:
        dst[i] = src[i + 1] - src[i]
    elif i < dst.size:
        dst[i] = float32(0)
    ### END SOLUTION


# %% check="forward_difference"
q = exercise("vector_add.forward_difference")
q.check(forward_difference).points

# %% [markdown]
# ## 5. The number that was not float32
#
# **Look back.** A guard belongs to an *access*: two different indices need two questions.
#
# Now an argument that is one number for all threads, with a trap beside it.
# In NumPy, `1 - weight` with a float32 weight is float32. In a kernel the bare `1` is an int64, and int64 with float32 makes float64: **float64 creep**.
# The next cell shows the extra digits; most GPUs do such arithmetic many times slower, and nothing warns you.
#
# **Write** `blend(weight, x, y, out)`: `out = (1 - weight) * x + weight * y`, in float32 throughout. One way needs no constant at all. The check also launches other blocks.
#
# **Predict first:** the additions, subtractions and multiplications that your way takes for 1,024 elements.
#
# **Example.** With weight = 0.25, element 1 is 0.75 x 6 + 0.25 x 3 = 5.25.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `x` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `y` | 1 | 3 | 3 | 8 | 9 | 1 | 5 | 8 |
# | `out` | 7 | 5.25 | 6 | 8.75 | 6.75 | 5.5 | 7.25 | 4.25 |
#
# <details><summary>Interview question: how do you find float64 in a kernel that you did not write?</summary>Read its <b>PTX</b>, the portable assembly that numba makes of it (<code>kernel.inspect_asm()</code>), and look for <code>.f64</code> arithmetic, then trace it back to a bare constant, a Python float argument or a float64 array. The check of this rung does the same. <b>A weak answer says</b> "I would see it in the results". <b>And then?</b> Does it matter on a GPU for a data centre? Less, since some of those compute float64 at half the rate of float32; but a float64 array moves twice the bytes on any of them.</details>


# %%
@cuda.jit
def one_minus(weight, out):
    """out[0], out[1] = 1 - weight, with a bare 1 and with a float32 one. out: (2,) float64."""
    out[0] = 1 - weight
    out[1] = float32(1) - weight


out = cuda.to_device(np.zeros(2))
one_minus[1, 1](np.float32(0.1), out)
bare, wrapped = out.copy_to_host()
print(f"1 - weight           {bare:.17f}\nfloat32(1) - weight  {wrapped:.17f}")

# %%
q = exercise("vector_add.blend")
q.show()

# %% predict="blend"
q.predict(float32_flops=3072)


# %% solution="blend"
@cuda.jit
def blend(weight, x, y, out):
    """out = (1 - weight) * x + weight * y. weight: float32; x, y, out: (n,) float32."""
    # about 4 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < out.size:
        start = x[i]
        out[i] = start + weight * (y[i] - start)  # no constant, so nothing to widen
    ### END SOLUTION


# %% check="blend"
q = exercise("vector_add.blend")
q.check(blend).points

# %% [markdown]
# ## 6. There and back again
#
# **Look back.** Every number on a line has a type, and one stray constant can widen the whole line.
#
# Arrays have to get to the device first.
# A NumPy array handed straight to a kernel works and hides the price: numba copies it up before the launch and down after it, read or not.
# By hand: `cuda.to_device(a)` copies up, `cuda.device_array_like(d_a)` sets memory aside, `d_out.copy_to_host()` copies down.
# Device memory is given back some time after the last Python name for it has gone: numba collects a few such arrays first.
#
# **Write** `add_on_device(a, b)`, from NumPy to NumPy, with your `vector_add` and `blocks_for`.
# The check counts the bytes that travel for 1,025 float32 elements, both ways together. **Predict** them.
#
# **Example.** Eight float32 elements are 32 bytes per array.
#
# | | up | down | bytes |
# |---|---|---|---|
# | `a` and `b` up, the sum down | 2 x 32 | 32 | 96 |
# | the memory for the sum copied up as well | 3 x 32 | 32 | 128 |
# | three NumPy arrays handed to the kernel | 3 x 32 | 3 x 32 | 192 |
#
# The cell below makes the trip with one array and no kernel: up, and down again.
#
# <details><summary>Interview question: what does <code>copy_to_host</code> after a launch wait for?</summary>For the kernel. Both stand in the same queue, so the copy starts when the kernel has finished, and the call returns when the data has arrived. No separate call of <code>synchronize</code> is needed. <b>A weak answer says</b> "for nothing, it only copies". <b>And then?</b> What does not wait? The launch; and a copy that is asked not to, as in unit 9.</details>

# %%
d_x = cuda.to_device(np.arange(8, dtype=np.float32))  # a copy on the device
d_y = cuda.device_array_like(d_x)  # memory set aside there; nothing travels, and nothing is in it yet
print(type(d_x).__name__, d_x.nbytes, "bytes, back as", d_x.copy_to_host())

# %% predict="add_on_device"
q = exercise("vector_add.add_on_device")
q.show()
q.predict(transferred_bytes=12300)


# %% solution="add_on_device"
def add_on_device(a, b):
    """a + b, added on the device. a, b: (n,) float32 NumPy arrays; returns a new one."""
    # about 5 lines
    ### BEGIN SOLUTION
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)  # born on the device: nothing to copy
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()  # waits for the kernel, then copies
    ### END SOLUTION


# %% check="add_on_device"
q = exercise("vector_add.add_on_device")
q.check(add_on_device).points

# %% [markdown]
# ## 7. Stay on the device
#
# **Look back.** Two arrays up, one down. Now add four.
# Three calls of `add_on_device` would do, and each would bring its sum down only for the next to send it up again.
#
# But an array that one launch wrote can be read by the next: launches and copies queue up in a **stream** and run in order.
#
# **Write** `add_four(a, b, c, d)` with three launches of `vector_add`.
#
# **Example.** Eight elements, 32 bytes per array. Three calls of `add_on_device` move 3 x 96 = 288 bytes, and two of the sums travel down only to go up again.
# Kept on the device, four arrays go up and one comes down: 160 bytes.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `a` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `b` | 1 | 3 | 3 | 8 | 9 | 1 | 5 | 8 |
# | `c` | 2 | 8 | 2 | 5 | 8 | 3 | 4 | 3 |
# | `d` | 7 | 3 | 9 | 5 | 5 | 5 | 6 | 5 |
# | `out` | 19 | 20 | 21 | 27 | 28 | 16 | 23 | 19 |
#
# **Predict** the bytes for 1,025 elements.
#
# <details><summary>Interview question: a pipeline of ten small kernels is slower on the GPU than NumPy. What do you look at first?</summary>What travels between the kernels. Copies over the link to the host usually cost far more than elementwise arithmetic; keep intermediate arrays on the device. Then look at the cost of ten launches. <b>A weak answer says</b> "the kernels need tuning". <b>And then?</b> How do you see it? Time the whole with the copies and without: if most of the time goes away, no kernel was to blame.</details>


# %%
@cuda.jit
def doubled(x):
    """x = x + x, by one block. x: one float32 per thread."""
    t = cuda.threadIdx.x
    x[t] += x[t]


d_x = cuda.to_device(np.arange(8, dtype=np.float32))
for _ in range(3):
    doubled[1, 8](d_x)  # reads what the launch before it wrote; nothing travels in between
print(d_x.copy_to_host())

# %%
q = exercise("vector_add.add_four")
q.show()

# %% predict="add_four"
q.predict(transferred_bytes=20500)


# %% solution="add_four"
def add_four(a, b, c, d):
    """a + b + c + d, added on the device. All (n,) float32 NumPy arrays; returns a new one."""
    # about 7 lines
    ### BEGIN SOLUTION
    d_sum = cuda.to_device(a)
    blocks = blocks_for(a.size, THREADS)
    for term in (b, c, d):
        vector_add[blocks, THREADS](d_sum, cuda.to_device(term), d_sum)  # each thread reads and writes its own
    return d_sum.copy_to_host()
    ### END SOLUTION


# %% check="add_four"
q = exercise("vector_add.add_four")
q.check(add_four).points

# %% [markdown]
# ## Six stopwatches
#
# **Look back.** Five arrays travelled; three round trips would have moved nine. What is that in time? It depends on what the stopwatch includes.
#
# The first launch also compiles. A launch that nobody waits for measures how fast Python can ask; `cuda.synchronize()` waits.
# **Events** are time stamps that the device takes itself: `start.record()`, launch, `stop.record()`, then `cuda.event_elapsed_time(start, stop)` in milliseconds.
# The last two rows of the first table add copies: yours, then those that numba makes, with a warning.
#
# The second table has the same kernel at several sizes. An element costs 12 bytes; bytes divided by time is the rate.
# Small n shows the price of a launch, whatever it does. Large n shows the memory at work: quote times from there, after a warm-up, as a median.
#
# <details><summary>Interview question: your kernel takes as long for 1,000 elements as for 100,000. What are you measuring?</summary>The launch. Use larger inputs, or put many launches between two events; where many small kernels are really needed, a CUDA graph launches them at a fraction of the price. <b>A weak answer says</b> "the GPU is not full". <b>And then?</b> Up to what size does that hold? Until the bytes take longer than the launch: the second table shows where.</details>

# %%
from autograder.backend import gpu_available
from autograder.stopwatch import event_us, report, wall_us


def six_stopwatches(n):
    """Time the addition of n elements in six ways, with your vector_add, blocks_for and add_on_device."""
    a, b, out = (np.ones(n, np.float32) for _ in range(3))
    d_a, d_b, d_out = (cuda.to_device(v) for v in (a, b, out))
    add = cuda.jit(vector_add.py_func)[blocks_for(n, THREADS), THREADS]  # a fresh kernel, not compiled yet
    report("first launch, compilation included", wall_us(lambda: add(d_a, d_b, d_out)))
    report("launch, nobody waits", wall_us(lambda: add(d_a, d_b, d_out), wait=False))
    report("launch and synchronise", wall_us(lambda: add(d_a, d_b, d_out)))
    report("the same between two events", event_us(lambda: add(d_a, d_b, d_out)), moved_bytes=12 * n)
    report("add_on_device: two up, one down", wall_us(lambda: add_on_device(a, b)))
    report("NumPy arrays handed in: three up, three down", wall_us(lambda: add(a, b, out)))


try:
    six_stopwatches(2**24 if gpu_available() else 2**12)
except NotImplementedError:
    print("Nothing to time yet: first write vector_add, blocks_for and add_on_device.")


# %%
def addition_us(n):
    """Microseconds of one vector_add of n elements, by events."""
    d_a, d_b, d_out = (cuda.to_device(np.ones(n, np.float32)) for _ in range(3))
    add = vector_add[blocks_for(n, THREADS), THREADS]
    return event_us(lambda: add(d_a, d_b, d_out))


try:
    for n in (2**10, 2**14, 2**18, 2**22, 2**26) if gpu_available() else (2**10, 2**14):
        report(f"{n:12,} elements", addition_us(n), moved_bytes=12 * n)
except NotImplementedError:
    print("Nothing to time yet: first write vector_add and blocks_for.")

# %% [markdown]
# Where nothing can be timed, here are both tables as a machine with a GPU recorded them.
# Read from them what a launch costs when it does next to nothing, and how many times longer the copies take than the addition itself.

# %%
from autograder.notebook.recorded import recorded

recorded("stopwatches", "launches")
recorded("stopwatches", "sizes");

# %% [markdown]
# ## 8. More bytes in flight
#
# **Look back.** A large addition takes as long as its bytes take. But is the memory busy all the time?
# The time from asking to having, the **latency** of a load, is far longer than an addition, so very many loads must be under way at once: what counts is **bytes in flight**.
# A thread of `vector_add` asks for two values, waits, stores and leaves. Let it ask for eight before it waits: four elements per thread.
# Which four? The kernel below takes *consecutive* ones; the picture shows what one warp touches in a single load.
#
# **Write** `vector_add_unrolled` (to **unroll** a loop is to write its iterations out, one after the other): a block covers four times its width, so in blocks of 256 block k has the 1,024 elements that begin at 1024 k. The check also launches other blocks. A thread's four lie one block width apart, so that neighbours stay neighbours in each of the four steps.
# Load all eight values into variables before the first store; the last, ragged block may go element by element.
#
# **Predict** the load requests for 2,048 elements, from `a` and `b` together. There are a quarter as many threads as for `vector_add`. Are there fewer requests, too?
#
# **Example.** Eight elements, one block of two threads, four elements per thread. In each step the two threads should be neighbours:
#
# | step | 0 | 1 | 2 | 3 |
# |---|---|---|---|---|
# | consecutive: thread 0, thread 1 | 0, 4 | 1, 5 | 2, 6 | 3, 7 |
# | a block width apart: thread 0, thread 1 | 0, 1 | 2, 3 | 4, 5 | 6, 7 |


# %%
@cuda.jit
def four_consecutive(a, b, out):
    """out = a + b, elements 4 t to 4 t + 3 for thread t. a, b, out: (n,) float32."""
    start = 4 * cuda.grid(1)
    for i in range(start, min(start + 4, out.size)):
        out[i] = a[i] + b[i]


q = exercise("vector_add.vector_add_unrolled")
q.show(four_consecutive)

# %% predict="vector_add_unrolled"
q.predict(global_load_requests=128)


# %% solution="vector_add_unrolled"
@cuda.jit
def vector_add_unrolled(a, b, out):
    """out = a + b, four elements per thread, a block width apart. a, b, out: (n,) float32."""
    # about 14 lines
    ### BEGIN SOLUTION
    step = cuda.blockDim.x
    i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x
    if i + 3 * step < out.size:
        a0, a1, a2, a3 = a[i], a[i + step], a[i + 2 * step], a[i + 3 * step]
        b0, b1, b2, b3 = b[i], b[i + step], b[i + 2 * step], b[i + 3 * step]  # eight loads in flight
        out[i] = a0 + b0
        out[i + step] = a1 + b1
        out[i + 2 * step] = a2 + b2
        out[i + 3 * step] = a3 + b3
    else:
        for _ in range(4):  # the ragged end, one element at a time
            if i < out.size:
                out[i] = a[i] + b[i]
            i += step
    ### END SOLUTION


# %% check="vector_add_unrolled"
q = exercise("vector_add.vector_add_unrolled")
q.check(vector_add_unrolled).points

# %% race="vector_add_unrolled"
q = exercise("vector_add.vector_add_unrolled")
q.race(vector_add_unrolled).points

# %% [markdown]
# ## What you can do now
#
# You can write a kernel, guard it, launch it, move its data, keep the data where it is used, and time it without fooling yourself.
# The table has your rungs of this session; where a GPU timed them, the library stands beside them, and the **copy rate** of that GPU: what a plain copy reaches there.
# An addition leaves nothing more to gain: it moves as few bytes as it can. The next unit covers any shape, with any grid.
#
# <details><summary>Interview question: both kernels move the same bytes in the same pattern. Why can the one with four elements per thread be faster?</summary>Little's law: bytes in flight = rate times latency. Each thread keeps eight independent loads under way instead of two, so more of the memory's latency is hidden, and only a quarter as many blocks have to be started. <b>A weak answer says</b> "fewer threads, less overhead". <b>And then?</b> Why not sixteen per thread? Each value under way needs a place to arrive in, and enough blocks must be left for the whole GPU to have work.</details>

# %%
from autograder import ladder

ladder("01_vector_add")
