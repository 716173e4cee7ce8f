# %% [markdown]
# # Streams
#
# **The promise:** at the end you can keep both copy directions and the GPU busy at once, and you can say, for any two operations of your program, which of them waits for which.
#
# **Time:** about two and a half hours: six rungs, 61 lines to write.
# **You need:** unit 1 (launches and copies). No GPU: what the order of your program allows is worked out without one, and drawn.
#
# Kernels are given in this unit. What you write is **host code**: who waits for whom.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise
from autograder.notebook.host.callbacks import call_after
from autograder.notebook.cuda_graphs import capture

THREADS = 256  # threads per block in every launch of this unit


def blocks_for(n):
    """Blocks of THREADS threads that cover n elements."""
    return max(1, (n + THREADS - 1) // THREADS)


@cuda.jit
def scale(x, out):
    """out = 2 x + 1. x, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = float32(2) * x[i] + float32(1)


@cuda.jit
def add(x, y, out):
    """out = x + y. All (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = x[i] + y[i]


@cuda.jit
def add_up(batch, sums, k):
    """Add every element of batch to sums[k]. batch: (n,) float32; sums: (n_batches,) float32, zeros before."""
    i = cuda.grid(1)
    if i < batch.size:
        cuda.atomic.add(sums, k, batch[i])


@cuda.jit
def add_one(x):
    """x += 1. x: (n,) float32."""
    i = cuda.grid(1)
    if i < x.size:
        x[i] += float32(1)


# %% [markdown]
# ## 1. A queue of your own
#
# So far every call looked as if it did its work at once. It does not.
# A launch only puts the kernel into a queue, called a **stream**, and returns; the GPU works the queue off in order, each operation after the one before it.
# `copy_to_host()` without a stream is different: it waits until the data has arrived. That wait is why unit 1 never saw a half-finished result.
#
# `stream = cuda.stream()` makes a stream. Hand it to copies (`cuda.to_device(x, stream=stream)`, `d.copy_to_host(out, stream=stream)`) and to launches (`kernel[blocks, threads, stream](...)`).
# Work that names no stream goes into the **default stream**. It starts only when everything queued earlier, in any stream, is done, and everything queued later waits for it. (This is CUDA's *legacy* default stream, which numba uses unless it is told otherwise; a program may choose one default stream per host thread instead, which does not hold up the others.)
# With a stream of your own, copies return at once as well, if the host's array is in **pinned** memory: memory that the operating system promises not to move, so that the GPU can read it by itself.
# From ordinary, **pageable** memory the driver copies through a small pinned buffer of its own, and the call waits. `cuda.pinned_array(n, np.float32)` allocates pinned memory.
#
# **Example.** Four operations in one stream: copy up, kernel, copy down, and the host's `stream.synchronize()`. Each needs the one before it, and all but the last return before their work is done.
#
# | the host calls | the call returns | the work is done |
# |---|---|---|
# | `to_device(x, stream=s)` | at once | some time later |
# | `scale[blocks, THREADS, s](d_x, d_out)` | at once | after the copy |
# | `d_out.copy_to_host(out, stream=s)` | at once | after the kernel |
# | `s.synchronize()` | when the copy down is done | |
#
# The next cell looks at a result too early. It is only **rehearsed**: the interpreter runs it, whether you have a GPU or not. The interpreter finishes every call before the next, so the numbers come out right; the cell therefore lists what a GPU would have been free to do in another order.

# %%
from autograder.notebook.host.rehearsal import rehearsed


def too_early():
    """Read a result that nobody has waited for."""
    stream, x, out = cuda.stream(), cuda.pinned_array(8, np.float32), cuda.pinned_array(8, np.float32)
    x[:] = np.arange(8)
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[1, 8, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    print(out.sum())  # nobody waited


for finding in rehearsed(too_early).findings:
    print(finding.message, finding.remedy, sep="\n")

# %% [markdown]
# **Write** `one_stream(x, out)`: `x` up, `scale`, the result down into `out`, all in one stream that you make.
# Both arrays are pinned. When the function returns, `out` must be complete: the caller reads it at once.
#
# **Predict** the bytes that cross for 4,099 float32 elements, both ways together.
#
# <details><summary>Interview question: what does <code>copy_to_host(out, stream=s)</code> return, and when may you use it?</summary>It returns at once, while the copy waits for its turn in the stream. Use <code>out</code> after <code>s.synchronize()</code>, or after an event that was recorded after the copy. <b>A weak answer says</b> "it is asynchronous, so it is faster". <b>And then?</b> What if <code>out</code> is in pageable memory? The same call waits, and nothing overlaps: pinned memory is what makes it asynchronous.</details>

# %%
q = exercise("streams.one_stream")
q.show()

# %% predict="one_stream"
q.predict(transferred_bytes=32792)


# %% solution="one_stream"
def one_stream(x, out):
    """out = 2 x + 1 through one stream. x, out: (n,) float32 in pinned memory; out is complete on return."""
    # about 6 lines
    ### BEGIN SOLUTION
    stream = cuda.stream()
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    stream.synchronize()  # everything above only joined the queue
    ### END SOLUTION


# %% check="one_stream"
q = exercise("streams.one_stream")
q.check(one_stream).points

# %% [markdown]
# Order is one thing, what a kernel does is another: step through the launch that your function makes, line by line. Without an answer, the cell steps through `scale` with five elements and eight threads.

# %%
import simt

try:
    walk = q.step(one_stream)
except NotImplementedError:
    walk = simt.step(scale, 1, 8, np.arange(5, dtype=np.float32), np.zeros(5, np.float32))
walk

# %% [markdown]
# ## 2. While one chunk computes, the next one travels
#
# **Look back.** In one stream each operation waits for the one before it: while data goes up, the GPU computes nothing and nothing comes down.
#
# An H200, like most GPUs of data centres, has a **copy engine** for each direction, beside its multiprocessors, so three things can happen at once.
# They need to be in different streams, since one stream is one queue; and they must not need each other.
# Cut the array into **chunks**: chunk 1 goes up while chunk 0 computes and an even earlier one comes down.
#
# **Example.** Four chunks, each step one unit of time, a stream for each chunk. `u`, `k`, `d` are up, kernel, down:
#
# | time | 1 | 2 | 3 | 4 | 5 | 6 |
# |---|---|---|---|---|---|---|
# | chunk 0 | u | k | d | | | |
# | chunk 1 | | u | k | d | | |
# | chunk 2 | | | u | k | d | |
# | chunk 3 | | | | u | k | d |
#
# Six units in place of twelve. The copies up fill 4 of the 6: an **overlap** of 0.67. The two units that are lost stand at the end: nothing is left to go up, and the last chunk still computes and comes down.
# Where kernels take next to no time beside the copies, as in the exercise, n chunks give n / (n + 1).
#
# `d[a:b]` is a part of a device array, `d[a:b].copy_to_device(x[a:b], stream=s)` fills it.
#
# **Write** `in_chunks(x, out)`, the same result with an overlap of at least 0.75. **Predict** the overlap that your number of chunks will give. More chunks fill the pipeline better, until the calls that queue them take longer than the copies: the end of this unit has the figures.
#
# <details><summary>Interview question: you use four streams, and the profiler shows everything one after the other. What do you check?</summary>Whether the host's memory is pinned; whether something in between runs in the default stream, which waits for all others and makes them wait; whether the host waits inside the loop. <b>A weak answer says</b> "use more streams". <b>And then?</b> How small should the chunks be? With tiny ones the cost of each call dominates: measure a few sizes.</details>

# %%
d = cuda.to_device(np.zeros(8, np.float32))
d[2:4].copy_to_device(np.float32([20, 30]))  # part of the array, and no more
print(d.copy_to_host())

# %% predict="in_chunks"
q = exercise("streams.in_chunks")
q.show()
q.predict(overlap=0.94)


# %% solution="in_chunks"
def in_chunks(x, out):
    """out = 2 x + 1 in chunks that overlap. x, out: (n,) float32 in pinned memory; out is complete on return."""
    # about 10 lines
    ### BEGIN SOLUTION
    n_chunks = min(16, x.size)
    d_x, d_out = cuda.device_array(x.size, np.float32), cuda.device_array(x.size, np.float32)
    for k in range(n_chunks):
        part = slice(k * x.size // n_chunks, (k + 1) * x.size // n_chunks)
        stream = cuda.stream()  # a queue for each chunk: no chunk waits for another
        d_x[part].copy_to_device(x[part], stream=stream)
        scale[blocks_for(d_x[part].size), THREADS, stream](d_x[part], d_out[part])
        d_out[part].copy_to_host(out[part], stream=stream)
    cuda.synchronize()
    ### END SOLUTION


# %% check="in_chunks"
q = exercise("streams.in_chunks")
q.check(in_chunks).points

# %% [markdown]
# The timeline of your own function, with the link rates of one H200. Without an answer, the cell draws one stream.

# %%
from simt.figures.timeline import draw_timeline
from simt.host_order.timeline import timeline_of


def of_mine():
    x, out = cuda.pinned_array(1 << 16, np.float32), cuda.pinned_array(1 << 16, np.float32)
    x[:] = 1
    in_chunks(x, out)


def of_one_stream():
    stream, x, out = cuda.stream(), cuda.pinned_array(1 << 16, np.float32), cuda.pinned_array(1 << 16, np.float32)
    x[:] = 1
    d_x = cuda.to_device(x, stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out, stream=stream)
    stream.synchronize()


try:
    order = rehearsed(of_mine)
except NotImplementedError:
    order = rehearsed(of_one_stream)
draw_timeline(timeline_of(order.steps))

# %% [markdown]
# ## 3. One stream waits for another
#
# **Look back.** Chunks never needed each other. Real programs have steps that need the results of two others.
#
# An **event** marks a place in a stream: `event.record(stream)` puts the mark after everything that is in the queue now.
# `event.wait(other)` makes another stream wait there for the mark. The host does not wait: both calls return at once.
# Recording comes first. Waiting for an event that was never recorded waits for nothing, without a word.
# An event also keeps the time at which it was reached: `start.elapsed_time(stop)` gives the milliseconds between two of them. Unit 11 times with that.
#
# **Example.** Stream `a` scales x, stream `b` scales y, and `b` adds the two:
#
# | call | what it orders |
# |---|---|
# | `scale[..., a](d_x, d_p)` | first in `a` |
# | `ready.record(a)` | the mark, after that kernel |
# | `scale[..., b](d_y, d_q)` | first in `b`; `a` and `b` run side by side |
# | `ready.wait(b)` | `b` goes on when the mark is reached |
# | `add[..., b](d_p, d_q, d_out)` | after both |
#
# **The host waits, too**, and not always for what you expect. After a kernel in the default stream, or in another stream `b`, this is what an H200 was seen to do:
#
# | the kernel is in | the host calls | and waits for that kernel |
# |---|---|---|
# | the default stream | `a.synchronize()` | no: `a` was given nothing, and only its next operation would wait |
# | the default stream | `mark.record(a)`, `mark.synchronize()` | yes: the mark is an operation of `a` |
# | `b` | `cuda.default_stream().synchronize()` | yes: the default stream waits for all others |
# | any stream | `cuda.synchronize()` | yes |
#
# **Write** `after_both(x, y, out)` in two streams. The host may wait once, at the end. **Predict** how often yours does.
#
# <details><summary>Interview question: event or <code>stream.synchronize()</code>: both order two streams. Why does it matter which?</summary>An event orders work on the device and leaves the host free to queue more; synchronising stops the host, so the device runs out of work until the host has queued the next step. <b>A weak answer says</b> "events are for timing". <b>And then?</b> What does the default stream order? Everything, which is why one forgotten launch without a stream ends all overlap.</details>

# %%
def in_two_streams():
    a, b, d = cuda.stream(), cuda.stream(), cuda.to_device(np.zeros(8, np.float32))
    add_one[1, 8, a](d)
    add_one[1, 8, b](d)  # the same array in another stream
    cuda.synchronize()


def with_an_event():
    a, b, d = cuda.stream(), cuda.stream(), cuda.to_device(np.zeros(8, np.float32))
    mark = cuda.event()
    add_one[1, 8, a](d)
    mark.record(a)
    mark.wait(b)
    add_one[1, 8, b](d)
    cuda.synchronize()


for host_code in (in_two_streams, with_an_event):
    findings = rehearsed(host_code).findings
    print(f"{host_code.__name__}:", [finding.message for finding in findings] or "nothing found")

# %% predict="after_both"
q = exercise("streams.after_both")
q.show()
q.predict(host_waits=1)


# %% solution="after_both"
def after_both(x, y, out):
    """out = (2 x + 1) + (2 y + 1), the two halves side by side. All (n,) float32 in pinned memory."""
    # about 12 lines
    ### BEGIN SOLUTION
    a, b = cuda.stream(), cuda.stream()
    blocks = blocks_for(x.size)
    d_x, d_y = cuda.to_device(x, stream=a), cuda.to_device(y, stream=b)
    d_p, d_q = cuda.device_array_like(d_x), cuda.device_array_like(d_y)
    scale[blocks, THREADS, a](d_x, d_p)
    ready = cuda.event()
    ready.record(a)  # after the kernel that writes d_p
    scale[blocks, THREADS, b](d_y, d_q)
    ready.wait(b)  # b waits here; the host does not
    add[blocks, THREADS, b](d_p, d_q, d_q)
    d_q.copy_to_host(out, stream=b)
    b.synchronize()
    ### END SOLUTION


# %% check="after_both"
q = exercise("streams.after_both")
q.check(after_both).points

# %% [markdown]
# ## 4. Find the bug
#
# **Look back.** Two streams on one array need something between them. So do a stream and the *host*.
#
# Data often comes in ordinary memory, batch after batch. To copy it asynchronously it is first moved into a pinned buffer; with two buffers, the host fills one while the other travels. That is **double buffering**.
#
# The draft below does so, and it is wrong. On a GPU it is right whenever the copy happens to be fast enough, so a test may pass for weeks.
# **Example.** Four batches, buffers 0 and 1 alternately. What has to be over before the host may write into a buffer:
#
# | the host fills | with batch | after |
# |---|---|---|
# | buffer 0 | 0 | |
# | buffer 1 | 1 | |
# | buffer 0 | 2 | the copy of batch 0 |
# | buffer 1 | 3 | the copy of batch 1 |
#
# **Predict** the line of the draft that races with a copy, counted from its `def` as line 1, and say aloud which line began that copy. Then run the draft and read the verdict.
#
# **Write** `two_buffers(batches)`: the draft, repaired. A buffer may be refilled when *its own* last copy is over, and only then; waiting for everything would take the overlap away.
#
# <details><summary>Interview question: why not simply make a new pinned array for each batch?</summary>Allocating pinned memory is slow, far slower than copying a batch, and pinned pages are taken from the whole machine. Buffers are made once and reused. <b>A weak answer says</b> "it would leak". <b>And then?</b> What does reuse cost? An event per buffer, since the host may overwrite what is still being copied.</details>

# %%
q = exercise("streams.two_buffers")
q.show()

# %% predict="two_buffers"
q.predict(line=9)


# %%
def draft(batches):
    """The sum of each batch; two pinned buffers take turns. batches: (n_batches, n) float32."""
    streams = [cuda.stream(), cuda.stream()]
    pinned = [cuda.pinned_array(batches.shape[1], np.float32) for _ in streams]
    device = [cuda.device_array(batches.shape[1], np.float32) for _ in streams]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        add_up[blocks_for(batches.shape[1]), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()


q = exercise("streams.two_buffers")
q.check(draft);


# %% solution="two_buffers"
def two_buffers(batches):
    """The sum of each batch; two pinned buffers take turns. batches: (n_batches, n) float32; returns (n_batches,)."""
    # about 15 lines
    ### BEGIN SOLUTION
    streams = [cuda.stream(), cuda.stream()]
    pinned = [cuda.pinned_array(batches.shape[1], np.float32) for _ in streams]
    device = [cuda.device_array(batches.shape[1], np.float32) for _ in streams]
    copied = [cuda.event() for _ in streams]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        if k >= 2:
            copied[turn].synchronize()  # this buffer's last copy is over; the other stream goes on
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        copied[turn].record(streams[turn])
        add_up[blocks_for(batches.shape[1]), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()
    ### END SOLUTION


# %% check="two_buffers"
q = exercise("streams.two_buffers")
q.check(two_buffers).points

# %% [markdown]
# ## 5. The host works, too
#
# **Look back.** The host has been queueing and waiting. It has cores of its own.
#
# Between the last launch and the wait the host is free. A job can be shared: the device takes the larger part, the host computes the rest in the meantime.
# The order of the lines decides everything. Computing first and launching afterwards is right, and overlaps nothing.
#
# **Example.** 8 elements, 6 for the device: queue the copy up of `x[:6]`, the kernel, the copy down into `out[:6]`; then `out[6:] = 2 * x[6:] + 1` with NumPy; then wait.
# The two parts touch different elements, so neither disturbs the other.
#
# How does a busy host learn that the device has come to a certain point? It may ask (`event.query()` answers at once), or leave a function in the queue: a **callback**.
# `call_after(stream, tell, note)` has `tell(note)` called as soon as everything that is in the stream now is done. A thread of the driver calls it while yours goes on, and what is put into the stream later waits until it has returned.
# So a callback hands on what is ready, and is short: it fills a list, or wakes a thread that waits. It must not call CUDA, which may wait for the very stream that waits for the callback.
# (numba's own call for it, `stream.add_callback`, fails on a GPU in the version that this course was measured with, so `call_after` asks the driver.)
#
# The first cell below leaves two of them; the second shows how two parts of an array share one memory.
#
# **Write** `shared_job(x, out)`: at least half for the device, at least a tenth for the host, one wait at the end.
#
# **Predict**, for 4,099 elements and the cut that you choose: the bytes that copies move, and the bytes that the host writes while the device is at work.
#
# <details><summary>Interview question: how do you choose the cut?</summary>So that both finish together: measure the rate of each, copies included, and divide in that ratio. <b>A weak answer says</b> "half and half". <b>And then?</b> What if the ratio is not known, or changes? Let both take chunks from one queue until it is empty.</details>

# %%
told = []
stream, x = cuda.stream(), cuda.pinned_array(8, np.float32)
x[:] = 0
d_x = cuda.to_device(x, stream=stream)
add_one[1, 8, stream](d_x)
call_after(stream, told.append, "kernel done")
d_x.copy_to_host(x, stream=stream)
call_after(stream, told.append, "copy done")
stream.synchronize()  # both callbacks have returned
print(told, x[0])

# %%
x = np.arange(8, dtype=np.float32)
front, back = x[:6], x[6:]  # two views of one memory: nothing is copied
back[:] = 2 * back + 1
print(x)

# %%
q = exercise("streams.shared_job")
q.show()

# %% predict="shared_job"
q.predict(transferred_bytes=24592, host_bytes_beside=4100)


# %% solution="shared_job"
def shared_job(x, out):
    """out = 2 x + 1, the first part on the device, the rest on the host meanwhile. x, out: (n,) float32, pinned."""
    # about 9 lines
    ### BEGIN SOLUTION
    cut = max(1, x.size * 3 // 4)
    stream = cuda.stream()
    d_x = cuda.to_device(x[:cut], stream=stream)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(cut), THREADS, stream](d_x, d_out)
    d_out.copy_to_host(out[:cut], stream=stream)
    out[cut:] = 2 * x[cut:] + 1  # while the device is at work
    stream.synchronize()
    ### END SOLUTION


# %% check="shared_job"
q = exercise("streams.shared_job")
q.check(shared_job).points

# %% [markdown]
# ## 6. Twenty launches in one call
#
# **Look back.** Every launch is a call from Python, and numba's launch takes tens of microseconds: far longer than a small kernel runs.
#
# A **CUDA graph** keeps a sequence of launches. `with capture(stream) as graph:` records what the block launches in that stream, without running it; `graph.replay(stream)` starts all of it with one call.
# (numba has no call of its own for this; `capture` asks the driver.) A captured launch remembers its arrays: a replay works on the same memory again.
# A kernel that was never launched before is compiled in the middle of the capture; its launch is kept all the same, as an H200 showed. Memory cannot be allocated during a capture: `cuda.to_device` belongs before it.
#
# **Example.** Three launches captured, replayed twice: six kernels run, and the host made two calls in place of six.
#
# **Write** `as_graph(x, replays)`: 20 launches of `add_one` per pass, `replays` passes. **Predict** the calls that start kernels, for three passes.
#
# <details><summary>Interview question: when does a graph not help?</summary>When kernels run long enough to hide the launches, or when the sequence changes from pass to pass: shapes, pointers or branches that the capture did not see. <b>A weak answer says</b> "graphs make kernels faster". <b>And then?</b> What about inputs that change? Copy them into the captured buffers before each replay.</details>

# %%
stream, d_x, d_out = cuda.stream(), cuda.to_device(np.arange(4, dtype=np.float32)), cuda.device_array(4, np.float32)
scale[1, 4](d_x, d_out)  # compiles
with capture(stream) as graph:
    scale[1, 4, stream](d_x, d_out)  # kept, not run
d_x.copy_to_device(np.float32([10, 20, 30, 40]))
graph.replay(stream)  # runs, on what the captured array holds now
stream.synchronize()
print(d_out.copy_to_host())

# %% predict="as_graph"
q = exercise("streams.as_graph")
q.show()
q.predict(launch_calls=4)


# %% solution="as_graph"
def as_graph(x, replays):
    """Add 20 to x in each pass, which is one replay of 20 captured launches. x: (n,) float32 on the device."""
    # about 9 lines
    ### BEGIN SOLUTION
    stream = cuda.stream()
    blocks = blocks_for(x.size)
    add_one[1, 1](cuda.to_device(np.zeros(1, np.float32)))  # compiles, on an array of its own
    with capture(stream) as graph:
        for _ in range(20):
            add_one[blocks, THREADS, stream](x)  # kept, not run
    for _ in range(replays):
        graph.replay(stream)
    stream.synchronize()
    ### END SOLUTION


# %% check="as_graph"
q = exercise("streams.as_graph")
q.check(as_graph).points

# %% [markdown]
# ## What you gain
#
# **Look back.** You can say which of two operations waits for which, and you have seen the checks say it.
#
# The next cell shows what a GPU measured for functions like yours: three pipelines against their longest part, and the cost of a launch in a graph and without one. With a GPU, measure your own beside it.
#
# **Read the profile.** Answer before you open the answers:
#
# 1. With the short kernel, the best pipeline takes clearly longer than its longest part, however many chunks there are. With a short result, or with a long kernel, it comes closer. Which row explains it?
# 2. More chunks should fill the pipeline better. Queued from Python, 64 chunks are far slower than 16; as a graph they are not. Which column says why?
# 3. Your chunks are cut by slicing inside the loop. What would you prepare once, if the same arrays are sent again and again?
#
# <details><summary>Answers</summary>(1) The copies up and down at once: together they take longer than one of them alone, because the two directions share the link and the memory of the host. A pipeline that copies as much down as up can only be compared with that. If the result is a quarter as long, the link is free of the other direction most of the time; if the kernel is the longest part, the copies have time to spare. (2) The time that the host needs to queue: the slices, checks and calls of every chunk are Python, and with 64 chunks they take longer than the copies themselves. A graph is one call. (3) The slices, or the whole sequence as a graph: the arrays are the same, so a captured pipeline can be replayed. <b>A weak answer</b> takes more streams.</details>

# %%
from autograder.notebook.recorded import recorded

recorded("streams");

# %% [markdown]
# **Errors arrive late, too.** A launch returns before its kernel runs, so it cannot tell what went wrong in it: some later call does, about other arrays perhaps, and in another stream.
# The last table is of a kernel that stores far past the end of its array. **Before you look:** which of these calls is the first to fail, and which of them work again afterwards?

# %%
recorded("late_errors");

# %% [markdown]
# <details><summary>Answers</summary>Both launches return; the second was queued before anybody knew of the mistake. The first call that waits fails, and from then on every call does, also one about an array that no kernel has touched: all that the process has on the GPU is lost, and only a new process helps. So wait after each launch to find the guilty one, or let the interpreter name the line. <b>A weak answer</b> looks for the mistake in the line that failed.</details>
