# %% [markdown]
# # Memory kinds
#
# **The promise:** for any array of a program you can say in which memory it belongs, and show it in a number: bytes over the bus, pages that moved, passes, bytes of local memory, loads under way.
#
# **Time:** two sittings. Rungs 1 to 4: an hour and a quarter, 29 lines to write. Rungs 5 to 7: an hour and a half, 39 lines. Every rung is a good place to stop.
# **You need:** units 1, 2, 4 and 9: launches and copies, grids, shared memory and its barrier, streams and pinned memory.
# Without a GPU everything is checked and counted; times are those of a named one.
#
# | memory | who owns it | what it is fast for | rung |
# |---|---|---|---|
# | mapped | the host | a few elements, read once | 1 |
# | managed | whoever touched it last | data that both sides need in turn | 2 |
# | constant | the device | one element for all lanes at once | 3 |
# | shared | a block | the same elements again and again, any lane any element | 4 |
# | registers, local | a thread | what only this thread needs | 5 |
#
# Rungs 6 and 7 fetch the next piece of data while the last one is worked on.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

import simt
from autograder import exercise
from autograder.lint import lint, signature_of
from autograder.notebook.intrinsics import commit_copies, copy_async, wait_copies
from autograder.notebook.host.managed import prefetch
from simt.host_order.watch import watch

THREADS = 128  # threads per block in the launches of this unit; a check tries other blocks where the task says so
TAPS = np.array([3, -1, 4, 1, -5, 9, 2, -6, 5, 3, -5, 8, 9, -7, 9, 3], np.float32)


def blocks_for(n):
    """Blocks of THREADS threads that cover n elements."""
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def gather(table, picks, out):
    """out[i] = table[picks[i]]. table: (n,) float32; picks: (n_picks,) int32; out: (n_picks,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = table[picks[i]]


@cuda.jit
def relax(x):
    """x = x / 2 + 1. x: (n,) float32."""
    i = cuda.grid(1)
    if i < x.size:
        x[i] = x[i] / float32(2) + float32(1)


@cuda.jit(device=True)
def at(x, row, col):
    """x[row, col], or 0 past an edge. x: 2D float32."""
    if 0 <= row and row < x.shape[0] and 0 <= col and col < x.shape[1]:
        return x[row, col]
    return float32(0)


@cuda.jit(device=True)
def blur(left, middle, right):
    """Half of the middle and a quarter of each side."""
    return float32(0.25) * left + float32(0.5) * middle + float32(0.25) * right


# %% [markdown]
# ## 1. A long table, and few of its elements
#
# **Goal:** read 64 elements of a table without copying the table.
#
# In unit 1 every array was copied to the device before a kernel read it. Where a kernel reads one element in a thousand of a table, that moves a thousand bytes for each one that is needed.
# And the kernel finds out which ones it needs only while it runs.
#
# **Mapped** memory is host memory that the device has an address for. It never moves: each time a kernel reads an element, 32 bytes cross the **bus**, the link between host and device, and the thread waits.
# `cuda.mapped_array(n, np.float32)` allocates such memory; `with cuda.mapped(array) as far:` maps an array that you already have, for as long as the `with` block lasts. Mapped memory is pinned, too.
#
# **Example.** A table of 8 on the host, and picks 6, 5 and 7 of it:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `table` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `picks` | 6 | 5 | 7 |
# | `out` | 8 | 7 | 3 |
#
# The kernel asks for three elements, where a copy moves eight. When all of a table is read once, both ways take about as long, since the bus decides. When elements are read again and again, the copy wins: it pays for the bus once.
#
# The next cell runs `gather` on a mapped array. Where there is no GPU, it also counts the bytes that the kernel asked the host for; a GPU fetches the 32 around each.
#
# **Write** `few_of_many(table, picks)`: map the table, copy the picks, run `gather`, return the result on the host. The kernel must be done before the mapping ends; `copy_to_host` waits for it.
# **Predict** the bytes that copies move, both ways, for 64 picks of 4 bytes.
#
# <details><summary>Interview question: mapped memory saves the copy. Why is it not simply the default?</summary>Each access crosses the bus, which is far slower than device memory and farther away, and the next access may pay again: the data never moves nearer. <b>A weak answer says</b> "it is slower". <b>And then?</b> When does it win? For what is touched once and sparsely, and for a flag or a counter that host and device share.</details>

# %%
with watch() as order:
    far = cuda.mapped_array(1000, np.float32)
    far[:] = np.arange(1000)
    d_out = cuda.device_array(2, np.float32)
    gather[1, 2](far, cuda.to_device(np.array([5, 2], np.int32)), d_out)
    print(d_out.copy_to_host())
if order.steps:
    print(f"the kernel read {order.residence.mapped_bytes} bytes of the host's memory")

# %%
q = exercise("memory_kinds.few_of_many")
q.show()

# %% predict="few_of_many"
q.predict(transferred_bytes=512)


# %% solution="few_of_many"
def few_of_many(table, picks):
    """out[i] = table[picks[i]], with the table left where it is. table: (n,) float32; picks: (n_picks,) int32."""
    # about 5 lines
    ### BEGIN SOLUTION
    d_picks = cuda.to_device(picks)
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, d_picks, d_out)
        return d_out.copy_to_host()  # waits for the kernel: the mapping must outlive it
    ### END SOLUTION


# %% check="few_of_many"
q = exercise("memory_kinds.few_of_many")
q.check(few_of_many).points

# %% [markdown]
# ## 2. Find the bug: pages that move by themselves
#
# **Goal:** data that both sides need in turn, without a copy in the program.
#
# **Look back.** Mapped memory stays on the host, so a kernel that works on all of it again and again pays for each access.
#
# **Managed** memory has one address on both sides, and its **pages** (4,096 bytes on most hosts) lie where they were touched last. Whoever touches a page that is on the other side waits until it has moved: a **page fault**. (That is how it works on Linux, on GPUs since Pascal. On Windows no page moves by a fault: all managed memory moves when a kernel is launched, and the host must not touch it while one runs.)
# `cuda.managed_array(n, np.float32)` allocates it. That is all numba.cuda offers: it has no call to move pages beforehand, which the driver calls a **prefetch**. This course adds `prefetch(array, stream)`, and `prefetch(array, stream, to_host=True)` for the way back.
#
# **Example.** Two pages, both filled by the host. `f` is a page that moves by a fault, `p` by a prefetch:
#
# | step | page 0 | page 1 | waits for pages |
# |---|---|---|---|
# | the host fills both | host | host | |
# | `prefetch(x, stream)` | p to device | p to device | nobody |
# | `relax` runs | device | device | nobody |
# | the host reads `x[0]` | f to host | device | the host |
# | `relax` runs | f to device | device | the kernel |
#
# Nothing orders the two sides but you: a launch returns at once, and the host may read `x[0]` before the kernel has written it.
#
# The draft below is wrong in that way. One of its lines reads too early. Run its cell after your prediction, and read the verdict.
# **Write** `in_rounds(x, rounds)`: the draft, repaired, with prefetches so that only page 0 moves by faults. Return `notes` and the final array: `shared`, or a copy of it.
# **Predict** the line of the draft that reads too early, counted from its `def` as line 1, and the bytes that move by faults in your repaired version, for 4,099 elements (5 pages) and three rounds: the first round's kernel finds all pages there.
#
# <details><summary>Interview question: when is managed memory as fast as your own copies?</summary>When the pages are where they are needed before anybody touches them: prefetched, or touched by one side for a long time. A fault stops the threads that touched the page, the driver is asked, and pages come in small groups: that takes far longer than copying their bytes. <b>A weak answer says</b> "it is always slower". <b>And then?</b> What can it do that copies cannot? Hold more than the device's memory: its pages then move in and out.</details>

# %%
q = exercise("memory_kinds.in_rounds")
q.show()

# %% predict="in_rounds"
q.predict(line=8, faulted_bytes=20480)


# %%
def draft(x, rounds):
    """Apply x / 2 + 1 `rounds` times. Returns element 0 after each round, and all elements at the end."""
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS](shared)
        notes[k] = shared[0]
    return notes, shared.copy()


q.check(draft);

# %% solution="in_rounds"
def in_rounds(x, rounds):
    """Run relax on x `rounds` times. x: (n,) float32. Returns x[0] after each, (rounds,), and x at the end, (n,)."""
    # about 12 lines
    ### BEGIN SOLUTION
    stream = cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    prefetch(shared, stream)  # after the host's stores, before the first kernel
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS, stream](shared)
        stream.synchronize()  # the kernel has written it
        notes[k] = shared[0]
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()
    ### END SOLUTION


# %% check="in_rounds"
q = exercise("memory_kinds.in_rounds")
q.check(in_rounds).points

# %% [markdown]
# ## 3. One number for all lanes
#
# **Goal:** coefficients that cost no load from global memory.
#
# **Look back.** From here on the data is on the device, and the question is where a kernel keeps what it reads again and again.
#
# A **filter** adds up neighbours, each times a coefficient, called a **tap**. Every thread needs all 16 taps, and in the same order: at any moment all 32 lanes of a warp want the same one.
# **Constant memory** is made for that. A load of one address serves all lanes in one pass; lanes that want other addresses wait, one pass for each.
# A NumPy array that a kernel knows from outside, such as `TAPS` in the setup, becomes constant memory when numba compiles the kernel (`cuda.const.array_like(TAPS)` says so explicitly). It keeps the values of that moment, and there is room for 64 KiB at most.
#
# **Example.** Two taps in place of 16, namely 2 and 3: each result is 2 times an element and 3 times the next. The first is 2·9 + 3·6 = 36.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | signal | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | filtered | 36 | 33 | 41 | 36 | 33 | 38 | 25 | |
#
# The next cell reads constant memory in two ways and counts the passes.
#
# **Write** `filter_constant(x, out)`: `out[i]` is the sum of `TAPS[k] * x[i + k]`. x has 15 elements more than out.
# **Predict** the passes for 1,000 elements in blocks of 128 threads.
#
# <details><summary>Interview question: kernel arguments lie in constant memory as well. Why does that fit?</summary>Every thread reads the same arguments, at the same line: one pass serves the warp. <b>A weak answer says</b> "because they do not change". <b>And then?</b> What does not fit? An array indexed by the thread, however constant it is: that is the next rung.</details>


# %%
@cuda.jit
def all_alike(out):
    """Every lane reads the same tap. out: (32,) float32."""
    out[cuda.threadIdx.x] = TAPS[3]


@cuda.jit
def each_its_own(out):
    """Lane t reads tap t % 16. out: (32,) float32."""
    out[cuda.threadIdx.x] = TAPS[cuda.threadIdx.x % 16]


for kernel in (all_alike, each_its_own):
    counters = simt.trace(kernel, 1, 32, np.zeros(32, np.float32)).counters
    print(f"{kernel.__name__}: requests {counters['constant_load_requests']}, passes {counters['constant_load_passes']}")

# %%
q = exercise("memory_kinds.filter_constant")
q.show()

# %% predict="filter_constant"
q.predict(constant_load_passes=512)


# %% solution="filter_constant"
@cuda.jit
def filter_constant(x, out):
    """out[i] = sum of TAPS[k] * x[i + k]. x: (n + 15,), out: (n,), both float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        for k in range(TAPS.size):  # in iteration k, every lane wants tap k
            acc += TAPS[k] * x[i + k]
        out[i] = acc
    ### END SOLUTION


# %% check="filter_constant"
q = exercise("memory_kinds.filter_constant")
q.check(filter_constant).points

# %% [markdown]
# ## 4. Another number for each lane
#
# **Goal:** a table that every lane indexes with a value of its own.
#
# **Look back.** In the filter the index came from the loop. Where it comes from the data, the 32 lanes of a warp want about 30 of 256 entries, and constant memory needs a pass for each.
#
# Global memory has no such passes, but it moves sectors: a table of 256 float32 fills 32 of them, and a warp's random entries touch about 20. A GPU keeps what was read in its **L1 cache**, 32 bytes at a time, so a small table is soon close by; every request is still split by sectors.
# (In other code you meet the **read-only path**, `__ldg` or `ld.global.nc`: a promise that nobody writes the array while the kernel runs. On today's GPUs it reads through the same L1, and numba's plain loads go there, too.)
# **Shared memory** has 32 banks that work side by side. Of 32 random lanes, about three meet in the fullest bank, so a request takes about three passes.
# A small table in a large L1 comes close to that, as the figures at the end show. In shared memory it is sure to stay: nothing else that the kernel reads can push it out.
#
# **Example.** Eight codes and a table of six. The block copies six entries once, and then reads eight:
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `table` | 9 | 6 | 7 | 9 | 6 | 7 |
# | `codes` | 5 | 1 | 0 | 1 | 2 | 4 | 2 | 5 |
# | `out` | 7 | 6 | 9 | 6 | 7 | 6 | 7 | 7 |
#
# The next cell looks 32 random codes up in each memory.
#
# **Write** `look_up(codes, table, out)`: copy the table of 256 to shared memory, all threads of the block together, then look up in a grid-stride loop. It must be right for every launch: also where a block has fewer threads than the table has entries.
# **Predict** the sectors loaded for 4,100 codes of one byte by four blocks. How often is a code loaded, and how often the table?
#
# <details><summary>Interview question: how many elements must a block look up before copying the table pays?</summary>The copy is 256 loads in whole sectors, 32 sectors per block. Gathering costs 20 sectors for 32 elements, so in sectors some fifty elements pay for it; in instructions a few hundred do, since the copy also makes 256 stores. <b>A weak answer says</b> "shared memory is always faster". <b>And then?</b> Is shared memory needed at all? L1 holds a small table as well: shared memory is for when the cache has other things to hold, or a larger table. Here a few blocks look up many elements each: a block for every 256 would copy as much as it looks up.</details>


# %%
@cuda.jit
def from_constant(codes, table, out):
    """The table as constant memory: TAPS stands for it, and has 16 entries. codes: (32,) uint8; out: (32,) float32."""
    t = cuda.threadIdx.x
    out[t] = TAPS[codes[t] % 16]


@cuda.jit
def from_global(codes, table, out):
    """The table where it lies. codes: (32,) uint8; table: (256,), out: (32,), both float32."""
    t = cuda.threadIdx.x
    out[t] = table[codes[t]]


codes, table = np.random.default_rng(1).integers(0, 256, 32).astype(np.uint8), np.arange(256, dtype=np.float32)
counted = {kernel: simt.trace(kernel, 1, 32, codes, table, np.zeros(32, np.float32)).counters for kernel in (from_constant, from_global)}
print("constant, 16 entries:", counted[from_constant]["constant_load_passes"], "passes")
print("global, 256 entries: ", counted[from_global]["global_load_sectors"] - 1, "sectors")

# %%
q = exercise("memory_kinds.look_up")
q.show()

# %% predict="look_up"
q.predict(global_load_sectors=257)


# %% solution="look_up"
@cuda.jit
def look_up(codes, table, out):
    """out[i] = table[codes[i]], for any launch. codes: (n,) uint8; table: (256,), out: (n,), both float32."""
    # about 6 lines
    ### BEGIN SOLUTION
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()  # the table is complete
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]
    ### END SOLUTION


# %% check="look_up"
q = exercise("memory_kinds.look_up")
q.check(look_up).points

# %% [markdown]
# ## 5. An array that is registers
#
# **Goal:** a few numbers for each thread, in no memory at all.
#
# **Look back.** Shared memory serves a block. What only one thread needs belongs in its registers, of which it can have 255.
#
# `cuda.local.array(5, float32)` makes an array for each thread. If the compiler knows every index, as in a loop of fixed length that it unrolls, the five cells become five registers.
# If an index depends on the data, they cannot: registers cannot be indexed. Then the array lies in **local memory**, which is global memory with a place for each thread, and each access is a request.
# The same happens to values that find no register: they are **spilled**. The compiler says how many bytes of each a kernel has, and this runs without a GPU.
#
# **Example.** The **median** of nine is the fifth in order; of five it is the third. For 7, 2, 9, 4, 4: in each pass, every pair of neighbours is put in order, which takes the largest to the end.
#
# | | 0 | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|---|
# | at first | 7 | 2 | 9 | 4 | 4 |
# | after pass 1 | 2 | 7 | 4 | 4 | **9** |
# | after pass 2 | 2 | 4 | 4 | **7** | 9 |
# | after pass 3 | 2 | 4 | **4** | 7 | 9 |
#
# Which cells are compared never depends on the numbers, so all indices are known when the kernel is compiled. An insertion sort compares less, and moves to places that the numbers decide.
#
# The next cell compiles two ways to rotate four numbers.
#
# **Write** `median_of_nine(x, out)`: `out[i]` is the median of `x[i]` to `x[i + 8]`, with 0 bytes of local memory. No number is NaN. The check also launches other blocks.
# **Predict** the load requests for 1,000 elements, 32 warps. A thread loads nine numbers and puts thirty pairs of cells in order: which of these are requests? Then write an insertion sort as well, and look at what the check says about it: nine float32 are 36 bytes, and the compiler rounds up to 40.
#
# <details><summary>Interview question: a profiler shows local memory traffic, and the source has no local array. Where does it come from?</summary>Spills: the kernel needs more registers than it may have, by its own size or by a limit (max_registers, launch bounds). <b>A weak answer says</b> "local memory is on chip". <b>And then?</b> Does it always hurt? A little of it stays in L1 and costs little: measure before you rewrite.</details>


# %%
@cuda.jit
def turned_by_data(x, out):
    """Four numbers in an order that depends on the first. x, out: (4,) float32."""
    s = cuda.local.array(4, float32)
    for k in range(4):
        s[k] = x[k]
    first = int(x[0])
    for k in range(4):
        out[k] = s[(first + k) % 4]


@cuda.jit
def turned_by_one(x, out):
    """Four numbers, each moved on by one place. x, out: (4,) float32."""
    s = cuda.local.array(4, float32)
    for k in range(4):
        s[k] = x[k]
    for k in range(4):
        out[k] = s[(1 + k) % 4]


for kernel in (turned_by_data, turned_by_one):
    report = lint(kernel, signature_of([np.zeros(4, np.float32)] * 2))
    for facts in report.facts.values():
        print(f"{kernel.__name__} on {facts.architecture}: {facts.registers} registers, {facts.stack_frame_bytes} bytes of local memory")

# %% predict="median_of_nine"
q = exercise("memory_kinds.median_of_nine")
q.show()
q.predict(global_load_requests=288)


# %% solution="median_of_nine"
@cuda.jit
def median_of_nine(x, out):
    """out[i] = the median of x[i] to x[i + 8]. x: (n + 8,), out: (n,), both float32."""
    # about 9 lines
    ### BEGIN SOLUTION
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = x[i + k]
        for end in range(8, 3, -1):  # five passes: the five largest are in their places
            for k in range(end):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
        out[i] = s[4]
    ### END SOLUTION


# %% check="median_of_nine"
q = exercise("memory_kinds.median_of_nine")
q.check(median_of_nine).points

# %% [markdown]
# ## 6. The next row on its way
#
# **Goal:** no thread waits for the row it is about to blur, even where there are too few warps to hide the wait.
#
# **Look back.** A tile in shared memory is filled, then a barrier, then used, then a barrier, then filled again. While it is filled nobody computes, and while it is used nothing is loaded.
#
# A load does not stop a thread. It stops at the first line that needs the value. `tile[t] = x[row, col]` needs it at once; `ahead = x[row + 1, col]` needs it a whole row later, and in between the thread blurs.
# That is a **register prefetch**. With two rows in shared memory, filled alternately, one barrier per row is enough: whoever fills a row for iteration r + 2 has passed the barrier of iteration r + 1, which all reached after they had read it. That is **double buffering**.
#
# **Example.** The first row of the picture, blurred: out[0] is a quarter of 0, half of 9 and a quarter of 6, together 6.
#
# | | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
# |---|---|---|---|---|---|---|---|---|
# | `x` | 9 | 6 | 7 | 9 | 6 | 7 | 8 | 3 |
# | `out` | 6 | 7 | 7.25 | 7.75 | 7 | 7 | 6.5 | 3.5 |
#
# And when, for three rows: L loads, S stores to shared memory, | is the barrier, B blurs:
#
# | | iteration 0 | iteration 1 | iteration 2 |
# |---|---|---|---|
# | at once | L0 wait S0 \| B0 \| | L1 wait S1 \| B1 \| | L2 wait S2 \| B2 \| |
# | ahead | S0 \| L1 B0 | S1 \| L2 B1 | S2 \| B2 |
#
# **Write** `blur_rows(x, out)`. A block has 128 threads for 126 columns: thread t has column `126 * blockIdx.x + t - 1`, and the outer two threads only load. `at(x, row, col)` gives 0 past an edge, `blur(left, middle, right)` weighs three.
# **Predict** the barriers of two blocks and eight rows, and the element that thread 37 of block 1 writes first, counted through the array (252 columns).
#
# <details><summary>Interview question: the compiler moves loads up by itself. Why do it by hand?</summary>It may not move a load across a barrier, nor from one iteration of a loop into the one before, when it cannot tell that nobody writes there in between. <b>A weak answer says</b> "compilers are not clever enough". <b>And then?</b> When does it not pay? With many warps on each multiprocessor others work while one waits, and fetching ahead gains nothing, or costs. It also takes registers for the whole iteration: there the next rung helps.</details>

# %%
q = exercise("memory_kinds.blur_rows")
q.show()


# %%
@cuda.jit
def two_rows(x, out):
    """Loads row 0 and blurs it, then row 1: step on, and watch where every thread waits. x, out: 2D float32."""
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    for row in range(2):
        tile[row % 2, t] = at(x, row, col)
        cuda.syncthreads()
        if 0 < t and t < THREADS - 1 and col < x.shape[1] and row < x.shape[0]:
            out[row, col] = blur(tile[row % 2, t - 1], tile[row % 2, t], tile[row % 2, t + 1])


q.step(two_rows)

# %% predict="blur_rows"
q.predict(barriers=16, index=162)


# %% solution="blur_rows"
@cuda.jit
def blur_rows(x, out):
    """Blur each row of x while the next one is loaded. x, out: (n_rows, n_cols) float32."""
    # about 12 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        now = row % 2
        tile[now, t] = ahead
        cuda.syncthreads()  # this row is complete, and no thread still reads the other
        ahead = at(x, row + 1, col)  # on its way while this row is blurred
        if mine:
            out[row, col] = blur(tile[now, t - 1], tile[now, t], tile[now, t + 1])
    ### END SOLUTION


# %% check="blur_rows"
q = exercise("memory_kinds.blur_rows")
q.check(blur_rows).points

# %%
q.photograph(blur_rows)

# %% [markdown]
# ## 7. A copy that needs no register
#
# **Goal:** the same, with the next row on its way to shared memory itself.
#
# **Look back.** The value that was loaded ahead sat in a register for a whole iteration, and then a store took it to shared memory. One value is cheap; a tile of a matrix product has sixteen or more per thread.
#
# GPUs from the A100 on copy from global to **shared** memory beside the threads. numba.cuda has no name for it, so this course brings one:
#
# | call | what it does |
# |---|---|
# | `copy_async(tile, (s, t), x, (row, col))` | begins `tile[s, t] = x[row, col]`, and returns at once |
# | `commit_copies()` | makes one group of what this thread has begun since the last call |
# | `wait_copies(1)` | waits until all of its groups but the youngest are there; 0 waits for all |
#
# Then a barrier: a thread waits for its *own* copies only. Reading before that gives whatever the cell held; the next cell does it, and the interpreter names both lines.
#
# **Example.** Row r + 1 travels while row r is blurred; g is a group:
#
# | iteration | begins | waits for | blurs |
# |---|---|---|---|
# | before | g0 = row 0 | | |
# | 0 | g1 = row 1 | g0 | row 0 |
# | 1 | g2 = row 2 | g1 | row 1 |
# | 2 | g3 = nothing | g2 | row 2 |
#
# A group may be empty: closing one in every iteration keeps the count simple.
#
# **Write** `blur_async(x, out)`. Where there is no element past an edge, store a 0 yourself, once. Whoever begins to copy into a row must know that all have read what was there: with two rows that is a second barrier.
# **Predict** how many copies begin, each counted once for a whole warp, for two blocks of four warps and eight rows.
#
# <details><summary>Interview question: what do you gain over a register prefetch, and what do you need?</summary>No registers and no store instruction; the data may even bypass L1. You need memory to copy into, which is why three or four stages are common, and addresses that are aligned to what is copied. <b>A weak answer says</b> "it is asynchronous". <b>And then?</b> When does it hide the latency? Only if a full iteration of work is in between: waiting for the youngest group makes it an ordinary load.</details>


# %%
@cuda.jit
def read_too_early(x, out):
    """A barrier, but no wait for the copy. x, out: (1, 128) float32."""
    tile = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    copy_async(tile, t, x, (0, t))
    commit_copies()
    cuda.syncthreads()
    out[0, t] = tile[t]


for finding in simt.trace(read_too_early, 1, THREADS, np.ones((1, THREADS), np.float32), np.zeros((1, THREADS), np.float32)).findings:
    print(finding.message, finding.remedy, sep="\n")

# %%
q = exercise("memory_kinds.blur_async")
q.show()

# %% predict="blur_async"
q.predict(async_copy_requests=64)


# %% solution="blur_async"
@cuda.jit
def blur_async(x, out):
    """Blur each row of x while the next one is copied. x, out: (n_rows, n_cols) float32."""
    # about 18 lines
    ### BEGIN SOLUTION
    tile = cuda.shared.array((2, THREADS), float32)
    n_rows, n_cols = x.shape
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    exists = 0 <= col and col < n_cols
    if exists:
        copy_async(tile, (0, t), x, (0, col))
    else:
        tile[0, t] = tile[1, t] = float32(0)
    commit_copies()
    for row in range(n_rows):
        now = row % 2
        if exists and row + 1 < n_rows:
            copy_async(tile, (1 - now, t), x, (row + 1, col))
        commit_copies()
        wait_copies(1)  # this row has arrived; the next may still be on its way
        cuda.syncthreads()  # and so has what other threads copied
        if exists and 0 < t and t < THREADS - 1:
            out[row, col] = blur(tile[now, t - 1], tile[now, t], tile[now, t + 1])
        cuda.syncthreads()  # all threads have read it, so it may be overwritten
    ### END SOLUTION


# %% check="blur_async"
q = exercise("memory_kinds.blur_async")
q.check(blur_async).points

# %% [markdown]
# ## What you gain
#
# **Look back.** You can say of an array who reads it, how often, and in which memory that is fast; and each check counted it.
#
# The next cell shows what one GPU measured: the ways of data to a kernel beside a plain copy, taps and a table in each memory, a kernel with spills and without, the blur at once and ahead.
# **Read it as a profile.** For each group say which row should be the fastest and why, before you look; then find the row that surprises you, and the counter of this unit that explains it.
#
# <details><summary>Four rows that surprise most people</summary>A kernel that reads all of a mapped array once is as fast as the copy it saves: the bus decides. A table of 256 is as fast in L1 as in shared memory, and far slower in constant memory: its lanes differ. Spills that stay in the cache cost little, and a local array with an index from the data costs a lot: count the accesses, not the bytes. The blur gains from fetching ahead with two blocks on each multiprocessor, and loses time with sixteen: other warps hide the wait already, and fetching ahead is extra work.</details>
#
# <details><summary>Interview question: a kernel reads 64 MiB of managed memory and takes far longer on its first launch than on its second. Name the two reasons, and how you tell them apart.</summary>A new kernel is compiled at its first launch, and its pages come by faults. A launch on other data first takes the compiler out; a prefetch before the launch takes the faults out. <b>A weak answer says</b> "warm-up". <b>And then?</b> What does a profiler show? Page faults in a row of their own, and the compiler on the host's side only.</details>

# %%
from autograder.notebook.recorded import recorded

recorded("memory_kinds");

# %%
from autograder import ladder

ladder("10_memory_kinds")
