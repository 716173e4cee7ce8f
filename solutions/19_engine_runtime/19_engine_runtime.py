# %% [markdown]
# # An engine's runtime, piece by piece
#
# **The promise:** you write what an engine does besides its kernels, and each piece is judged:
#
# - where every tensor lies in one block of memory, and how far that is from the least possible;
# - which plan is taken, which is refused, and why; which profile serves a shape; sequences of uneven length in batches;
# - an operator of your own, from an ONNX file into a plan and back;
# - requests of many threads, gathered into batches that no order of steps can break; two streams that keep copies and runs going; and several GPUs.
#
# Near the end you get a profile of ResNet-50, and your function says which three of its layers to improve first, and how much time that would save. At the end your kernel runs layers of an engine.
#
# **Time:** about seven hours, 192 lines to write.
# **You need:** unit 16 for graphs, ONNX and plans; unit 9 for streams; unit 11 for the roofline.
# All but one kernel runs on the host, so no GPU is needed. Where several GPUs are asked for, the judge plays them, and holds their clock.

# %% tags=["setup"]
import struct
import zlib

import numpy as np
from numba import cuda, float32

from autograder import exercise

# %% [markdown]
# ## 1. One arena for all tensors
#
# **Goal:** one allocation for a whole network, hardly larger than its widest step.
#
# Unit 16 decided which kernels run, and in which order. Each of them writes a tensor that a later one reads. A framework asks an allocator for every tensor as it comes, and gives it back when nobody holds it any more. An engine knows all of them beforehand, with their sizes and their lives. So it lays them into one block of memory, the **arena**, once, when the plan is made. At run time there is nothing left to allocate, and addresses never change, which a CUDA graph needs (unit 9).
#
# A tensor's **life** goes from the step that writes it to the last step that reads it. Both count: while a step runs, what it reads and what it writes are both there. Tensors whose lives share no step may lie in the same bytes.
#
# Where should each tensor lie? Finding the smallest arena is hard: nobody knows a method that is quick for many tensors. A **greedy** rule does well: take the tensors from the largest to the smallest, and lay each at the lowest offset where it overlaps no tensor that lives at the same time. Large ones choose while there are wide places; small ones fill the gaps.
#
# And how good is it? In any one step, all tensors that live then lie side by side, so the arena holds at least their sum. The largest such sum of any step is the least that *any* plan needs, and a plan that reaches it cannot be improved.
#
# Kernels load 16 bytes at a time and need addresses that fit, so each offset is a multiple of `align`. If every size is rounded up to such a multiple, every offset becomes one.
#
# **Example**, align 64:
#
# | tensor | bytes | rounded up | steps | offset |
# |---|---|---|---|---|
# | 0 | 100 | 128 | 0 to 1 | 256 |
# | 1 | 250 | 256 | 1 to 2 | 0 |
# | 2 | 60 | 64 | 2 to 3 | 256 |
#
# Tensor 1 is the largest and goes first. Tensor 0 lives beside it in step 1, so it lies above it. Tensor 2 meets tensor 1 in step 2, but never tensor 0, whose bytes it takes. The arena has 384 bytes; step 1 needs 384, so it cannot be smaller.
#
# Which of the three tensors live in each step? **Before you run it:** in which step are the most bytes needed?

# %%
for step in range(4):
    there = [(i, size) for i, (size, first, last) in enumerate([(128, 0, 1), (256, 1, 2), (64, 2, 3)]) if first <= step <= last]
    print(f"step {step}:", ", ".join(f"tensor {i}" for i, _ in there), f"= {sum(size for _, size in there)} bytes")

# %% [markdown]
# Two things make lives longer, and two make them shorter. A network's outputs live to the last step, and a residual lives until it is added. A reshape moves nothing, so its result is a *view* of the same bytes: engines give both one life. And a ReLU may write over its operand, *in place*, if no later step reads that.
#
# **Write** `plan_arena(sizes, first, last, align)`, a host function. It returns the offsets, the length of the arena, and the least that any plan needs. Of equally large tensors the lower number goes first.
#
# **Predict** the offset of the example's tensor 2 if tensor 0 lived one step longer, to step 2.
#
# <details><summary>Interview question: why does an engine ask for a limit on workspace?</summary>Some kernels want room of their own while they run, such as partial sums or a transformed picture. That room is one more tensor in the arena, with a life of one step. A limit leaves out kernels that want more, even if they are faster. <b>A weak answer says</b> "so that it does not run out of memory". <b>And then?</b> Two contexts run the same engine at once. What do they share? Weights and code; each has an arena of its own.</details>

# %%
q = exercise("engine_runtime.plan_arena")
q.show()

# %% predict="plan_arena"
q = exercise("engine_runtime.plan_arena")
q.predict(offset=384)


# %% solution="plan_arena"
def plan_arena(sizes, first, last, align):
    """(offsets, arena, least): where each tensor begins, the arena's bytes, the fewest of any plan. sizes, first,
    last: (n,) int64."""
    # about 12 lines
    ### BEGIN SOLUTION
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        taken = [(offsets[j], offsets[j] + up[j]) for j in placed if first[i] <= last[j] and first[j] <= last[i]]
        at = 0
        for begin, end in sorted(taken):
            if begin - at >= up[i]:
                break  # the gap below this one is wide enough
            at = max(at, end)
        offsets[i] = at
        placed.append(i)
    least = max(up[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least
    ### END SOLUTION


# %% check="plan_arena"
q = exercise("engine_runtime.plan_arena")
q.check(plan_arena).points

# %% [markdown]
# What is it worth? Here is the first stage of a ResNet-50 for one picture, in float32: three blocks of three convolutions, each with a residual that lives until it is added. Your plan stands beside one that shares nothing, and beside a greedy rule that takes the tensors as they come.

# %%
def in_order(sizes, first, last):
    """Bytes of an arena in which each tensor lies at the lowest place that is free when it comes."""
    places = []
    for i, size in enumerate(sizes):
        at = 0
        for begin, end in sorted((b, e) for b, e, until in places if until >= first[i]):
            if begin - at >= size:
                break
            at = max(at, end)
        places.append((at, at + size, last[i]))
    return max(end for _, end, _ in places)


rows = 56 * 56 * 4  # bytes of a channel
sizes = np.array([64, 64, 64, 256, 256, 64, 64, 256, 64, 64, 256], np.int64) * rows
first = np.arange(11)
last = np.array([4, 2, 3, 4, 7, 6, 7, 10, 9, 10, 10])
try:
    offsets, arena, least = plan_arena(sizes, first, last, 256)
    for name, n_bytes in (("each its own", sizes.sum()), ("as they come", in_order(sizes, first, last)), ("largest first", arena), ("the least", least)):
        print(f"{name:14} {n_bytes:>10,} bytes")
except NotImplementedError:
    print("Nothing to plan yet: first write plan_arena.")

# %% [markdown]
# **Where lives come from.** `plan_arena` was given lives. They follow from the steps, and from which tensors lie in the same bytes: a view and its operand share a **place**, and so do the result of a step that works in place and its first operand. A place has the number of the first tensor that lies in it. So it is places that are planned, not tensors.
#
# A step may write over its first operand only if nobody needs it any more: no later step reads that operand or anything else that lies in the same place, and none of it is an output. An output is read by whoever asked for it, after the last step. A tensor that nobody reads needs its place in its own step alone.
#
# **Example:**
#
# | step | kind | reads | place | why |
# |---|---|---|---|---|
# | 0 | a convolution | the input, which is not in the arena | 0 | new |
# | 1 | a reshape of it | 0 | 0 | a view |
# | 2 | a ReLU of it, in place if possible | 0 | 2 | step 3 reads tensor 1, which lies in place 0 |
# | 3 | a sum, in place if possible, an output | 1, 2 | 0 | tensor 1 is read here for the last time, and tensor 0 is not read again |
#
# Place 0 is needed to the end, which is step 4, one past the last, since an output lies there; place 2 until step 3.
#
# **Write** `tensor_lives(steps)`, a host function. Row i of `steps` is step i, which writes tensor i: its kind (0 for a kernel, 1 for a view, 2 for in place if possible), the two tensors that it reads or -1, and 1 for an output. It returns the place of each tensor, and for each place the last step that needs it, -1 for a tensor that lies in another one's place.
#
# **Predict** where tensor 3 lies if step 3 of the example reads its operands the other way round: tensor 2 first, then tensor 1.

# %%
q = exercise("engine_runtime.tensor_lives")
q.show()

# %% predict="tensor_lives"
q = exercise("engine_runtime.tensor_lives")
q.predict(place=2)


# %% solution="tensor_lives"
def tensor_lives(steps):
    """(place, last): the tensor in whose bytes each one lies, and the last step that needs each place, or -1. steps: (n,
    4) int64; both results: (n,) int64."""
    n = len(steps)
    # about 11 lines
    ### BEGIN SOLUTION
    read, place, until = np.arange(n), np.arange(n), np.arange(n)
    for i, (_, a, b, _) in enumerate(steps):
        for tensor in (a, b):
            if tensor >= 0:
                read[tensor] = i
    read[steps[:, 3] == 1] = n  # whoever asked for it reads it after the last step
    for i, (kind, a, _, _) in enumerate(steps):
        if a >= 0 and (kind == 1 or (kind == 2 and until[place[a]] <= i)):
            place[i] = place[a]
        until[place[i]] = max(until[place[i]], read[i])
    return place, np.where(place == np.arange(n), until, -1)
    ### END SOLUTION


# %% check="tensor_lives"
q = exercise("engine_runtime.tensor_lives")
q.check(tensor_lives).points

# %% [markdown]
# <details><summary>Interview question: the arena's plan says that two tensors share bytes. What must streams respect?</summary>Lives are counted in steps of one order. If two kernels may run at the same time, what one writes must not overlap what the other reads or writes. So either lives are extended over all steps that may run at the same time, or the second stream waits. <b>A weak answer says</b> "nothing, the GPU keeps the order". <b>And then?</b> What does PyTorch's caching allocator do about it? It keeps a pool for each stream, and holds a block back until other streams that used it have passed an event.</details>
#
# ## 2. A plan, taken or refused
#
# **Goal:** an engine in a file, and a runtime that never trusts it blindly.
#
# **Look back.** An engine's work falls into two halves. *Building* imports the network, fuses layers, times kernels and plans memory; that takes seconds to minutes, once. *Running* loads what came out of it, at every start. Between the two lies the **plan**: bytes in a file. That is the workflow in one line: import, define, configure, build, serialise, and elsewhere deserialise and run.
#
# The engine is faster than a framework because it decided so much beforehand, and for the same reason its plan fits one kind of machine only. Kernels were chosen by their times on one GPU. Offsets and machine code fit one version of the runtime. A framework's file, with weights and names of layers, can be read anywhere, and decides nothing.
#
# So the first thing a runtime does is look for reasons *not* to take a plan. Here is one of 28 bytes, with two weights. Each number takes 4 bytes, the lowest first:
#
# | bytes | field | here |
# |---|---|---|
# | 0 to 3 | the letters WBPL | WBPL |
# | 4 to 7 | version | 3 |
# | 8 to 11 | checksum of all bytes from byte 12 on | |
# | 12 to 15 | device, its compute capability | 90 for 9.0 |
# | 16 to 19 | number of weights | 2 |
# | 20 to 27 | the weights, float32 | |
#
# The **checksum** is a number worked out from all these bytes, here by the rule called CRC-32: if one bit flips on the way, the number comes out different. It finds accidents, not malice: whoever changes weights on purpose writes a new checksum, too.
#
# Each check may rely only on what earlier checks have established. The letters first: they say that it is a plan. Then the version, since it says how everything else is to be read; a newer one may have its fields in other places. Then the length, then the checksum, and only then what the fields say.

# %% tags=["setup"]
FINE, NO_PLAN, CUT, OTHER_VERSION, DAMAGED, OTHER_DEVICE = range(6)
SAYS = (
    "The plan is taken.",
    "This is no plan: it does not begin with WBPL. Pass the file that the builder wrote.",
    "Bytes are missing, or there are too many. Copy the file again.",
    "The plan is of another version. Build it again with this one.",
    "The plan is damaged: its checksum differs. Copy the file again, or build it again.",
    "The plan was built for another device. Build it on this one.",
)


def write_plan(weights, version=3, device=90):
    """A plan as an array of bytes. weights: float32."""
    body = struct.pack("<II", device, len(weights)) + np.asarray(weights, "<f4").tobytes()
    return np.frombuffer(b"WBPL" + struct.pack("<II", version, zlib.crc32(body)) + body, np.uint8)

# %% [markdown]
# Now one bit of a plan flips, in the last byte. **Before you run it:** how many of the checksum's digits stay the same?

# %%
plan = write_plan([1.0, 2.0])
turned = plan.copy()
turned[-1] ^= 1
print(bytes(plan[:4]), struct.unpack("<II", plan[12:20].tobytes()))
print(f"{zlib.crc32(plan[12:].tobytes()):08x} and {zlib.crc32(turned[12:].tobytes()):08x}; the last weight is {turned[-4:].view(np.float32)[0]}")

# %% [markdown]
# **Write** `load_plan(data, version, device, weights)`, a host function that returns the first reason to refuse, as a number, or 0. A plan that is taken has its weights written to `weights`, which has the right length; one that is refused changes nothing, so that the engine goes on with what it had. The reasons in their order: 1 other letters; 2 fewer than the header's 20 bytes; 3 another version; 2 again, if the length is not what the header says; 4 another checksum; 5 another device. The cell above has names for these numbers.
#
# **Predict** the reason, as a number, for a plan with three faults: it is of version 4 and for device 80, where this runtime reads version 3 on device 90, and its last weight is missing.
#
# <details><summary>Interview question: your service takes plans that users upload. Is a checksum enough?</summary>No. A plan has machine code in it, and offsets that a runtime follows: whoever wrote it can do on your machine what you can. A signature says who wrote it; a sandbox limits what it may do. <b>A weak answer says</b> "yes, if it is long enough". <b>And then?</b> What would you take from users instead? The network, as ONNX, and build the plan yourself.</details>

# %%
q = exercise("engine_runtime.load_plan")
q.show()

# %% predict="load_plan"
q = exercise("engine_runtime.load_plan")
q.predict(reason=3)


# %% solution="load_plan"
def load_plan(data, version, device, weights):
    """0 for a plan that is accepted, with its weights in `weights`, or else the reason why not. data: (n_bytes,) uint8,
    weights: (n_weights,) float32."""
    raw = data.tobytes()
    # about 14 lines
    ### BEGIN SOLUTION
    if raw[:4] != b"WBPL":
        return NO_PLAN
    if len(raw) < 20:
        return CUT
    theirs, checksum, made_for, n_weights = struct.unpack("<IIII", raw[4:20])
    if theirs != version:  # nothing else in the header can be trusted
        return OTHER_VERSION
    if len(raw) != 20 + 4 * n_weights:
        return CUT
    if zlib.crc32(raw[12:]) != checksum:
        return DAMAGED
    if made_for != device:
        return OTHER_DEVICE
    weights[:] = np.frombuffer(raw[20:], np.float32)
    return FINE
    ### END SOLUTION


# %% check="load_plan"
q = exercise("engine_runtime.load_plan")
q.check(load_plan).points

# %% [markdown]
# In words, as whoever starts the service would read them:

# %%
whole, weights = write_plan(np.linspace(0, 1, 5)), np.zeros(5, np.float32)
try:
    for name, data in {"whole": whole, "half": whole[:30], "of last year": write_plan([1.0], version=2), "of the test machine": write_plan([1.0], device=75)}.items():
        print(f"{name}: {SAYS[load_plan(data, 3, 90, weights)]}")
except NotImplementedError:
    print("Nothing to say yet: first write load_plan.")

# %% [markdown]
# ## 3. Shapes that change
#
# **Goal:** one engine for requests of many sizes.
#
# **Look back.** A plan is made for one shape: offsets, kernels and launches all follow from it. But requests come one by one or in batches, and sentences have any length. A build for every shape would take hours.
#
# An **optimisation profile** is the compromise. For each input it names three shapes: *min* and *max*, between which everything is served, and *opt*, the likeliest one. Memory is planned for max. Kernels are timed at opt, and must be right from min to max. An engine can hold several profiles, each with kernels of its own; before a request runs, its profile is chosen.
#
# So a wide profile is convenient and slow: what is best for 32 pictures is seldom best for one. Several narrow ones are fast, and each costs a build and memory.
#
# Which one is to serve a request that several could serve? The one whose kernels were timed at the most similar size. Work grows with the number of elements, batch times length, so that is what we compare.
#
# **Example.** Two profiles, batch and length:
#
# | | min | opt | max |
# |---|---|---|---|
# | 0 | (1, 1) | (1, 64) | (8, 128) |
# | 1 | (1, 1) | (8, 128) | (32, 128) |
#
# A request of (2, 40) has 80 elements. Both profiles hold it; opt of profile 0 has 64 elements, that of profile 1 has 1,024, so profile 0 serves it. A request of (16, 40) is held by profile 1 alone. One of (2, 200) by none: -1.
#
# **Write** `choose_profile(shapes, profiles)`, a host function. `shapes` has a row per request, batch and length; `profiles[k]` has three rows, min, opt and max. Of equally near profiles the lowest number serves.
#
# **Predict** which of the example's two profiles serves a request of (8, 60).
#
# <details><summary>Interview question: why not one profile from 1 to the largest that will ever come?</summary>It serves everything, with kernels that were timed for one shape in the middle and memory for the largest. Requests of one picture run on tiles made for 32. <b>A weak answer says</b> "more profiles take more memory": a context has one arena, as large as its own profile needs. <b>And then?</b> What do many profiles cost? Each is built and timed separately, plans grow, and changing the profile of a context waits for its stream.</details>

# %%
q = exercise("engine_runtime.choose_profile")
q.show()

# %% predict="choose_profile"
q = exercise("engine_runtime.choose_profile")
q.predict(profile=0)


# %% solution="choose_profile"
def choose_profile(shapes, profiles):
    """(n,) int64: the profile for each request, or -1. shapes: (n, 2), profiles: (n_profiles, 3, 2), all int64."""
    chosen = np.full(len(shapes), -1)
    # about 6 lines
    ### BEGIN SOLUTION
    low, opt, high = profiles[:, 0], profiles[:, 1], profiles[:, 2]
    for i, shape in enumerate(shapes):
        fits = np.flatnonzero(np.all((low <= shape) & (shape <= high), axis=1))
        if fits.size:
            away = np.abs(opt[fits].prod(axis=1) - shape.prod())
            chosen[i] = fits[np.argmin(away)]  # the first one of the nearest
    ### END SOLUTION
    return chosen


# %% check="choose_profile"
q = exercise("engine_runtime.choose_profile")
q.check(choose_profile).points

# %% [markdown]
# **Rows of one length.** A profile lets the length change from batch to batch. Within a batch all rows are equally long, and sentences are not. So each row is filled up to a common length: that is **padding**. A **mask** says which elements are real, and whatever adds up along a row, as a softmax or an average does, leaves the others out.
#
# Padding is wasted work. In a batch as it comes, one long sentence makes all the others long. So servers keep **buckets**: a few lengths, each with a profile of its own, and every sequence goes to the shortest one that holds it. A batch takes sequences of one bucket.
#
# **Example**, buckets of 4 and 8, two rows in a batch. Five sequences have 3, 8, 4, 9 and 2 elements. Bucket 4 gets numbers 0, 2 and 4, bucket 8 gets number 1, and number 3 is too long: -1.
#
# | batch | rows | mask | elements |
# |---|---|---|---|
# | numbers 0 and 2 | a b c . and d e f g | 1110 and 1111 | 2 · 4 |
# | number 4 | h i . . | 1100 | 1 · 4 |
# | number 1 | eight of its own | 11111111 | 1 · 8 |
#
# Three runs and 20 elements. In the order in which they came, in two batches, there would be 2 · 8 + 2 · 4 = 24.
#
# How much of the work is wasted? Here are 64 sentences in batches of 8, first as they came, then sorted by length. **Before you run it:** as they came, is it a tenth, a third or a half?

# %%
lengths = np.random.default_rng(19).geometric(0.04, 64).clip(1, 128)
for name, order in (("as they came", lengths), ("by length", np.sort(lengths))):
    batches = order.reshape(8, 8)
    room = 8 * batches.max(axis=1).sum()
    print(f"{name}: {lengths.sum()} real elements of {room}, {1 - lengths.sum() / room:.0%} padding")

# %% [markdown]
# Where does the mask come from? Not from the numbers: 0 may be a word like any other. It comes from the length of each row's sequence.
#
# **Write** `batch_uneven(engine, tokens, starts)`, a host function. Sequence i is `tokens[starts[i] : starts[i + 1]]`. `engine.ends` are the buckets' lengths, rising, as an array, `engine.most` is the largest number of rows of a batch, and `answers = engine.run(batch, mask)` takes two arrays of (rows, length) and gives an answer per row. Use as few batches as possible. Return the answers in the order of the sequences, -1 for those that are too long, and then `engine.runs` and `engine.elements`, which the engine counts.
#
# **Predict** how many elements run, padding included, for sequences of 5, 3, 8, 2 and 4, with the example's buckets and two rows in a batch.
#
# <details><summary>Interview question: does a padded batch give the right answers, up to rounding?</summary>Only if every layer that mixes elements of a row knows the mask: attention gives padded keys minus infinity before the softmax, averages divide by the real length, and batch statistics must not see padding at all. Layers that work element by element need nothing. <b>A weak answer says</b> "zeros do no harm". But e to the power of 0 is 1, so a softmax counts them. <b>And then?</b> How does one do without padding? Rows one after the other in one long array, with offsets, and kernels that know them.</details>

# %%
q = exercise("engine_runtime.batch_uneven")
q.show()

# %% predict="batch_uneven"
q = exercise("engine_runtime.batch_uneven")
q.predict(elements=28)


# %% solution="batch_uneven"
def batch_uneven(engine, tokens, starts):
    """(answers, runs, elements). engine: its buckets and its model; tokens: (n_tokens,), starts: (n + 1,), int64;
    answers: (n,) int64."""
    lengths = np.diff(starts)
    answers = np.full(len(lengths), -1)
    # about 8 lines
    ### BEGIN SOLUTION
    bucket = np.searchsorted(engine.ends, lengths)  # past the last one for those that are too long
    for b, end in enumerate(engine.ends):
        members = np.flatnonzero(bucket == b)
        for at in range(0, len(members), engine.most):
            rows = members[at : at + engine.most]
            batch, mask = np.zeros((len(rows), end), np.int64), np.arange(end) < lengths[rows, None]
            batch[mask] = np.concatenate([tokens[starts[i] : starts[i + 1]] for i in rows])
            answers[rows] = engine.run(batch, mask)
    ### END SOLUTION
    return answers, engine.runs, engine.elements


# %% check="batch_uneven"
q = exercise("engine_runtime.batch_uneven")
q.check(batch_uneven).points

# %% [markdown]
# **From a file to a run.** Plan, profile, context: you have met the pieces one by one. Here are the objects that lead from an ONNX file to a running engine, with TensorRT's names; `minitrt` has the same ones. The first five are needed once, for a file; the others for as long as a service runs.
#
# | object | what it is for | what it gives when something is wrong |
# |---|---|---|
# | `trt.Builder(logger)` | makes the four below, and builds | `build_serialized_network(network, config)` gives None |
# | `builder.create_network(flags)` | layers and tensors; `get_input(0).name` | |
# | `trt.OnnxParser(network, logger)` | `parse(model)` reads a file's bytes into the network | False; `num_errors` and `get_error(i)` say why |
# | `builder.create_optimization_profile()` | `set_shape(name, min, opt, max)` | |
# | `builder.create_builder_config()` | `add_optimization_profile(profile)`, and all that a build may do | |
# | `trt.Runtime(logger)` | `deserialize_cuda_engine(plan)` | None |
# | the engine | `create_execution_context()`; `get_tensor_name(i)`, the input first; weights and code | |
# | its context | the memory of one request at a time, and: | |
# | | `set_input_shape(name, shape)` | False, and the shape before stays |
# | | `get_tensor_shape(name)` of a result, once the input's is set | a size of -1 |
# | | `set_tensor_address(name, address)`, for inputs and results | |
# | | `execute_async_v3(stream)` begins the run | False |
#
# Two things are easy to miss. **Nothing raises.** Each of these gives None or False and tells the logger, so a service that does not ask goes on with a shape that was refused, or fails three lines later with a message about None. And **nothing waits**: `execute_async_v3` only puts work into a stream.
#
# **Example**, a profile of rows 1, 4 and 8, and three requests:
#
# | rows | `set_input_shape` | what runs |
# |---|---|---|
# | 4 | True | 4 rows |
# | 9 | False | 4 rows again, into room for 9, if nobody asks |
# | 2 | True | 2 rows |

# %% tags=["setup"]
import minitrt as trt

# %% [markdown]
# A network whose rows are open, built without a profile, and a plan that is none. **Before you run it:** which of the two calls raises an error?

# %%
class Heard(trt.ILogger):
    """Prints what it is told."""

    def log(self, severity, text):
        print(f"   {severity.name}: {text}")


builder = trt.Builder(logger := Heard())
network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
x = network.add_input("x", trt.float32, (-1, 4))
network.mark_output(network.add_activation(x, trt.ActivationType.RELU).get_output(0))
print("built:", builder.build_serialized_network(network, builder.create_builder_config()))
print("loaded:", trt.Runtime(logger).deserialize_cuda_engine(b"WBPL"))

# %% [markdown]
# **Write** `run_network(host)`, with two functions inside it. `build(model, shapes)` returns a plan as `bytes`; `shapes` are min, opt and max. `load(plan)` returns a function `run(x)`, which returns the network's result for one request. Each of these is a `ValueError` that says why: a file that the parser does not understand, with all its errors; and, in the words of `host.said()`, a build that failed, a plan that cannot be loaded, a shape that was refused. The flag of `create_network` is that of the cell above. The last line, `return host.tries(build, load)`, is given.
#
# `host.logger` is a logger, and `host.said()` what it was told last; `host.stream` is a stream and `host.wait(stream)` waits for it. `host.upload(x)` copies an array to the device and gives its address, `host.room(shape)` gives the address of room for a result, and `host.download(address, shape)` brings it back.
#
# **Predict**, as a text with spaces between: a service for one file is started three times, and answers 1,000 requests in all. How often are `build`, `load` and `run` called?
#
# <details><summary>Interview question: why are plan, engine and context three things, and not one object that runs a network?</summary>They live for different times, and there are different numbers of them. A plan is bytes: built once, kept, shipped. An engine is a plan in the memory of one GPU: weights and code, which never change, so all threads may share it. A context has what a run changes, shapes and the arena of activations, so each request under way needs one of its own. <b>A weak answer says</b> "it is the API". <b>And then?</b> What do two contexts of one engine cost? A second arena, and no second copy of the weights.</details>

# %%
q = exercise("engine_runtime.run_network")
q.show()

# %% predict="run_network"
q = exercise("engine_runtime.run_network")
q.predict(prints="1 3 1000")


# %% solution="run_network"
def run_network(host):
    """(fault, proof), as host.tries returns them: a plan of a file, and requests that run on it."""
    # about 26 lines
    ### BEGIN SOLUTION
    def build(model, shapes):
        builder = trt.Builder(host.logger)
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, host.logger)
        if not parser.parse(model):
            raise ValueError("; ".join(str(parser.get_error(i)) for i in range(parser.num_errors)))
        profile, config = builder.create_optimization_profile(), builder.create_builder_config()
        profile.set_shape(network.get_input(0).name, *shapes)
        config.add_optimization_profile(profile)
        plan = builder.build_serialized_network(network, config)
        if plan is None:
            raise ValueError(host.said())
        return bytes(plan)

    def load(plan):
        engine = trt.Runtime(host.logger).deserialize_cuda_engine(plan)
        if engine is None:
            raise ValueError(host.said())
        context = engine.create_execution_context()  # one, for all requests
        x_name, y_name = engine.get_tensor_name(0), engine.get_tensor_name(1)

        def run(x):
            if not context.set_input_shape(x_name, x.shape):
                raise ValueError(host.said())
            shape = context.get_tensor_shape(y_name)
            y = host.room(shape)
            context.set_tensor_address(x_name, host.upload(x))
            context.set_tensor_address(y_name, y)
            context.execute_async_v3(host.stream)
            host.wait(host.stream)  # until then the result is not there
            return host.download(y, shape)

        return run

    ### END SOLUTION
    return host.tries(build, load)


# %% check="run_network"
q = exercise("engine_runtime.run_network")
q.check(run_network).points

# %% [markdown]
# ## 4. An operator that the engine lacks
#
# **Goal:** a layer of your own, from an ONNX file into a plan and back.
#
# **Look back.** Profiles and plans work for layers that the engine knows. Research invents others, and an importer that meets one can only say so (unit 16). A **plugin** fills the gap: an object that answers all the engine has to know about a layer, and a kernel that does the work.
#
# First the kernel, then what the engine asks.
#
# Our layer is a *soft threshold*, which denoises: everything moves towards 0 by a threshold t, and what is smaller than t becomes 0. Each channel has a threshold of its own, learned in training.
#
# **Example**, t = 2: 5 becomes 3, -5 becomes -3, and 1 becomes 0. As a formula without a branch: max(x - t, 0) + min(x + t, 0). For 5 that is 3 + 0, for -5 it is 0 - 3, for 1 it is 0 + 0.
#
# x comes as the engine has it, (images, channels, pixels), and the kernel sees images times channels as rows: row r is channel r % n_channels. With 5 channels, row 7 is channel 2 of image 1.
#
# **Step through it:** a warp loads one threshold, at one address, and 32 neighbouring elements.

# %%
@cuda.jit
def beyond(x, thresholds, dst):
    """Keeps what lies above the threshold: step on, and watch t, which is the same for a whole warp."""
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        t = thresholds[row % thresholds.size]
        v = x[row, i]
        dst[row, i] = max(v - t, float32(0))


q = exercise("engine_runtime.soft_threshold")
q.step(beyond)

# %% [markdown]
# **Find the bug.** The draft below was tested with one image, and was right. With two it is not. **Predict** the line that its verdict will name, where the `@cuda.jit` of its cell is line 1.
#
# **Write** `soft_threshold(x, thresholds, dst)`: the grid's x goes along the pixels, its y down the rows. The check also launches other blocks.
#
# **Predict**, too, for 2 images, 5 channels of 70 pixels: the load requests, the bytes stored, and the place in dst, counted row by row, that thread 35 of block 1 writes. Blocks are 32 x 8.
#
# <details><summary>Interview question: what does a plugin cost besides its own time?</summary>It is a wall: no fusion goes through it, so the layers before and after it store and load. Its types and layout may ask for conversions on both sides. And it must be kept up to date with each version of the engine. <b>A weak answer says</b> "nothing, if the kernel is fast". <b>And then?</b> What else could one do? Express the layer in operators that the engine has: here two ReLUs, a few sums and negations, which it fuses.</details>

# %%
q = exercise("engine_runtime.soft_threshold")
q.show()

# %% predict="soft_threshold"
q = exercise("engine_runtime.soft_threshold")
q.predict(global_load_requests=60, global_store_bytes=2800, index=105, line=6)


# %%
@cuda.jit
def draft(x, thresholds, dst):
    """A threshold for each channel."""
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        t = thresholds[row]
        v = x[row, i]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


q = exercise("engine_runtime.soft_threshold")
q.check(draft)


# %% solution="soft_threshold"
@cuda.jit
def soft_threshold(x, thresholds, dst):
    """x moved towards 0 by its channel's threshold. x, dst: (n_rows, n_pixels), thresholds: (n_channels,), float32."""
    i, row = cuda.grid(2)
    # about 3 lines
    ### BEGIN SOLUTION
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))
    ### END SOLUTION


# %% check="soft_threshold"
q = exercise("engine_runtime.soft_threshold")
q.check(soft_threshold).points

# %% [markdown]
# **What the engine asks.** A kernel is not a layer yet. TensorRT's interface for plugins is called V3, and `minitrt` has the same. Its questions come from three sides, at three times:
#
# | side | asked | question | method |
# |---|---|---|---|
# | core | at any time | who are you? | `plugin_name`, `plugin_version`, `plugin_namespace` |
# | build | when an engine is built | how many results, of which types and shapes? | `num_outputs`, `get_output_data_types(input_types)`, `get_output_shapes(inputs, shape_inputs, expr_builder)` |
# | | | can you take tensor number `pos` as it is described? | `supports_format_combination(pos, in_out, num_inputs)` |
# | runtime | when it is built | what must the plan keep? | `get_fields_to_serialize()` |
# | | in every run | run, at these addresses | `enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)` |
# | the object | first | which object answers for a side? Here the plugin itself: `self` | `get_capability_interface(type)` |
# | | for every context | where is a copy of you for this context? | `clone()` |
#
# The plan keeps **fields**: names with numbers. It keeps the plugin's name, version and namespace, too, but no code. Whoever loads it must have registered a **creator** under the same three texts, which makes a plugin from fields: `create_plugin(name, field_collection, phase)`. There `name` is the layer's, and `phase` says whether a build or a run asks. The parser does the same with a node of an ONNX file, whose attributes become the fields that the creator's `field_names` lists.
#
# Sizes are known at different times. The builder knows at most their ranges, so it hands out *expressions* for sizes, and gets expressions back: `trt.DimsExprs(inputs[0])` means "the same as my input". Only in a run are there numbers, in `input_desc[0].dims`, and they may change from run to run.
#
# `supports_format_combination` is asked about one tensor at a time: inputs first, then results. `in_out[pos].desc` has `type` and `format`. A yes is a promise, since nothing is converted afterwards: a kernel that reads float32 row after row (`trt.float32`, `trt.TensorFormat.LINEAR`) says no to everything else.
#
# **Example.** Two images of 3 channels with 5 x 4 pixels: 6 rows of 20 pixels. In blocks of 32 x 8 threads that is one block along x, and one along y.

# %% [markdown]
# A builder asks before anything has a size. **Before you run it:** which of the four sizes are numbers?

# %%
from minitrt.plugins.exprs import sizes_of

print([size.tree for size in trt.DimsExprs(sizes_of((-1, 3, -1, 4), 0))])

# %% [markdown]
# **Write** `threshold_plugin(host)`: inside it a class `SoftThreshold`, derived from `trt.IPluginV3`, `trt.IPluginV3OneCore`, `trt.IPluginV3OneBuild` and `trt.IPluginV3OneRuntime`, and a creator derived from `trt.IPluginCreatorV3One`, with `name`, `plugin_version`, `plugin_namespace`, `field_names` and `create_plugin`. The ONNX file asks for a SoftThreshold of version "2" in the namespace "course"; its field is `thresholds`. The judge's engine finds your creator, asks your plugin, builds, stores the plan, loads it and runs. In `enqueue`, `host.array(address, shape)` is the float32 memory at an address, and `host.launch(grid, block, x, thresholds, dst)` launches `soft_threshold`. The last line, `return host.tries(creator)`, is given.
#
# These make fields, one without numbers (for `field_names`) and one with numbers (for the plan): `trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)`, `trt.PluginField("thresholds", numbers, trt.PluginFieldType.FLOAT32)`. A list of them makes a `trt.PluginFieldCollection([...])`, and `field.data` holds a field's numbers. `trt.volume(dims)` is the product of sizes.
#
# **Predict** the example's blocks along x and along y, as a text with a space between them.
#
# <details><summary>Interview question: your plugin works in the process that built the engine, and gives garbage in the server. Where do you look?</summary>At what the object remembers and the plan does not: numbers that are in no field, attributes of the class, sizes kept from the build. In the process that built it, all of that happens to be there. Test by loading the plan in a fresh process. <b>A weak answer says</b> "another driver". <b>And then?</b> What if two contexts run it at the same time? Each has a clone, so what a run needs must belong to the object, and workspace comes from the engine, never from an attribute of the class.</details>

# %%
q = exercise("engine_runtime.threshold_plugin")
q.show()

# %% predict="threshold_plugin"
q = exercise("engine_runtime.threshold_plugin")
q.predict(prints="1 1")


# %% solution="threshold_plugin"
def threshold_plugin(host):
    """(fault, proof), as host.tries returns them: a plugin of soft_threshold, and its creator."""
    # about 28 lines
    ### BEGIN SOLUTION
    class SoftThreshold(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
        plugin_name, plugin_version, plugin_namespace, num_outputs = "SoftThreshold", "2", "course", 1

        def __init__(self, thresholds):
            super().__init__()
            self.thresholds = np.array(thresholds, np.float32)

        def get_capability_interface(self, type):
            return self

        def get_output_data_types(self, input_types):
            return input_types

        def get_output_shapes(self, inputs, shape_inputs, expr_builder):
            return [trt.DimsExprs(inputs[0])]

        def supports_format_combination(self, pos, in_out, num_inputs):
            desc = in_out[pos].desc
            return desc.type == trt.float32 and desc.format == trt.TensorFormat.LINEAR

        def get_fields_to_serialize(self):
            return trt.PluginFieldCollection([trt.PluginField("thresholds", self.thresholds, trt.PluginFieldType.FLOAT32)])

        def clone(self):
            return SoftThreshold(self.thresholds)

        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            dims = input_desc[0].dims  # in this run
            shape = dims[0] * dims[1], trt.volume(dims[2:])
            x, dst = host.array(inputs[0], shape), host.array(outputs[0], shape)
            host.launch((-(-shape[1] // 32), -(-shape[0] // 8)), (32, 8), x, self.thresholds, dst)

    class Creator(trt.IPluginCreatorV3One):
        name, plugin_version, plugin_namespace = "SoftThreshold", "2", "course"
        field_names = trt.PluginFieldCollection([trt.PluginField("thresholds", None, trt.PluginFieldType.FLOAT32)])

        def create_plugin(self, name, field_collection, phase):
            return SoftThreshold(field_collection[0].data)

    creator = Creator()
    ### END SOLUTION
    return host.tries(creator)


# %% check="threshold_plugin"
q = exercise("engine_runtime.threshold_plugin")
q.check(threshold_plugin).points

# %% [markdown]
# The same plugin with your own kernel. This host only hands your creator back, and the interpreter runs `soft_threshold` in the host's memory, as this engine is built for no GPU.

# %%
import simt
from minitrt.runtime.host import array_at


class OwnHost:
    """Memory and launches in the form that the plugin expects, with your kernel."""

    def array(self, address, shape):
        return array_at(address, shape, np.float32)

    def launch(self, grid, block, x, thresholds, dst):
        simt.launch(soft_threshold, grid, block, x, thresholds, dst)

    def tries(self, creator):
        return creator

# %% [markdown]
# A file with a node of that name, as an exporter writes it; the parser finds no operator `SoftThreshold`, and asks the registry. **Before you run it:** how many times will a plugin be made from fields, and when?

# %%
def engine_of(nodes):
    """An engine of an ONNX file with these nodes, from x to y: parsed, built, kept as bytes and loaded again."""
    from onnx import TensorProto, helper

    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, (2, 3, 4, 4)) for name in "xy"]
    model = helper.make_model(helper.make_graph(nodes(helper.make_node), "small", ends[:1], ends[1:]), opset_imports=[helper.make_opsetid("", 17)])
    builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
    network, config = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED)), builder.create_builder_config()
    config.target = None
    if not trt.OnnxParser(network, logger).parse(model.SerializeToString()):
        raise ValueError("the file was not understood")
    plan = bytes(builder.build_serialized_network(network, config))
    print(f"a plan of {len(plan):,} bytes")
    return trt.Runtime(logger).deserialize_cuda_engine(plan)


# %%
def registered(creator):
    """Registers a creator that says when it makes a plugin."""
    create, registry = creator.create_plugin, trt.get_plugin_registry()
    creator.create_plugin = lambda name, fields, phase: print(f"made for {phase.name} with {fields[0].data}") or create(name, fields, phase)
    for one in [one for one in registry.all_creators if one.name == "SoftThreshold"]:
        registry.deregister_creator(one)  # from the last run of this cell
    print("registered:", registry.register_creator(creator, ""))


def of_mine(node):
    """A ReLU of the negative, and your layer after it."""
    key = {"plugin_version": "2", "plugin_namespace": "course"}
    return [node("Neg", ["x"], ["minus"]), node("SoftThreshold", ["minus"], ["y"], "denoise", thresholds=[0.0, 1.0, 2.5], **key)]

# %%
from minitrt.runtime.session import Session

x = np.random.default_rng(19).integers(-5, 6, (2, 3, 4, 4)).astype(np.float32)
try:
    simt.launch(soft_threshold, (1, 1), (32, 8), x.reshape(6, 16), np.zeros(3, np.float32), np.zeros((6, 16), np.float32))
    registered(threshold_plugin(OwnHost()))
    (y,) = Session(engine_of(of_mine)).run({"x": x}).values()
    print("channel 2 of image 1, before and after:", -x[1, 2, 0], y[1, 2, 0])
except ImportError:
    print("The onnx package is not installed here: pip install onnx, and run this cell again.")
except NotImplementedError:
    print("Nothing to run yet: first write soft_threshold and threshold_plugin.")

# %% [markdown]
# Once when the file was read, and once when the plan was loaded, with the same numbers: they were in the plan. The code was not; in another process, without a creator of that name, loading would fail with a sentence that says so.
#
# ## 5. Threads ask, batches run
#
# **Goal:** requests that come one by one, in threads of their own, run together.
#
# **Look back.** A profile takes up to 32 pictures at a time, and a batch of 32 costs far less than 32 runs of one. But callers come one at a time, each in a **thread**, one of several lines of work that go on side by side in one program. Something has to gather their requests, and threads can only do that through memory they share.
#
# A **queue** is shared: callers put requests in, a server thread takes them out. If two threads change it at once, one change may be lost. A **lock** prevents that: one thread has it, and whoever else wants it waits. A server with nothing to do should sleep. If it slept with the lock, nobody could bring it work; so a **condition variable** lets it give the lock back and fall asleep in one step, with nothing in between, until another thread *notifies* it or a set time comes. It has the lock again when it goes on. And a **future** is a place for one answer: its caller waits for it there.
#
# When does a batch begin? At once if there are `most` requests. Otherwise when the first of them has waited for `patience` microseconds: then the batch runs with what there is.
#
# **Example**, most 2, patience 250, a run takes 300 (microseconds): requests come at 0, 100 and 100. At 100 there are two, and they run until 400. The third one's patience ends at 350, but the server is busy, so it runs alone from 400 to 700.
#
# What can go wrong has names. A **deadlock**: a thread waits for something that only others can bring, and keeps the lock that they need. A **lost wake-up**: what a sleeper waits for happens, and nobody tells it. Waking *for nothing* (a spurious wake-up): systems may wake a thread without a notify, or another server was there first; a thread that does not check again takes from an empty queue. All of them depend on which thread runs when, so tests pass for a hundred days and fail on the next.
#
# Here the judge decides which thread runs when. Your threads are generators, and each `yield` hands one step to the judge; between two yields no other thread runs. The judge tries many orders, the same ones every time.
#
# | step | does |
# |---|---|
# | `yield host.acquire()`, `yield host.release()` | take the lock, give it back |
# | `yield host.wait(until=None)` | give the lock back and sleep until a notify or a time, then take it again |
# | `yield host.notify()` | with the lock: wake one thread that sleeps |
# | `answer = yield host.result(future)` | wait for a future |
# | `answers = yield host.run(requests)` | run a batch, answers in the same order |
#
# Without a yield: `host.queue`, a list that only the thread with the lock may touch; `host.future()` and `future.set(answer)`; `host.clock()`, in microseconds.
#
# Two threads each add 1 to a count: one step reads it, the next writes it. **Before you run it:** which of the six orders lose a count?

# %%
def once_more(shared):
    """Adds 1 to a shared number, in two steps."""
    seen = shared["count"]
    yield
    shared["count"] = seen + 1
    yield


for order in ("aabb", "abab", "abba", "baab", "baba", "bbaa"):
    shared = {"count": 0}
    threads = {"a": once_more(shared), "b": once_more(shared)}
    for name in order:
        next(threads[name])
    print(order, shared["count"])

# %% [markdown]
# **Write** `gather_requests(host, most, patience)`: inside it `submit(request)`, which each caller runs and which returns the request's answer, and `serve()`, which one or more servers run forever. Its last line, which is given, lets the judge play. It returns 0 and a number made of all answers, or the first fault.
#
# **Predict** two times, as a text with a space between them: when the example's third request has its answer, and when its batch would have begun if a second server had been idle.
#
# <details><summary>Interview question: why does a thread wait in a while loop, and not after an if?</summary>Between the notify and the moment when the sleeper has the lock again, another thread may have taken what was there; and systems allow a wake-up without a notify. So the condition has to be checked again, with the lock. <b>A weak answer says</b> "out of habit". <b>And then?</b> When does one need notify_all? When sleepers wait for different things under one condition, so that a single notify may wake one that cannot use it.</details>
# <details><summary>Interview question: Python has a lock of its own, the GIL. Why does the queue need another?</summary>The GIL lets one thread run at a time, and may change threads between any two instructions, as between your reading of a number and your writing of it. It protects the interpreter, not your data. <b>A weak answer says</b> "with the GIL no lock is needed". <b>And then?</b> Why do threads help at all under the GIL? While one waits for a GPU, a file or a socket, or is inside NumPy, it gives the GIL back.</details>

# %%
q = exercise("engine_runtime.gather_requests")
q.show()

# %% predict="gather_requests"
q = exercise("engine_runtime.gather_requests")
q.predict(prints="700 350")


# %% solution="gather_requests"
def gather_requests(host, most, patience):
    """(fault, proof), as host.play returns them. most: requests in a batch, patience: microseconds."""
    queue = host.queue
    # about 17 lines
    ### BEGIN SOLUTION
    def submit(request):
        future = host.future()
        yield host.acquire()
        queue.append((request, future, host.clock() + patience))
        yield host.notify()
        yield host.release()
        return (yield host.result(future))

    def serve():
        while True:
            yield host.acquire()
            while not queue or (len(queue) < most and host.clock() < queue[0][2]):
                yield host.wait(queue[0][2] if queue else None)  # checked again after every wait
            batch = queue[:most]
            del queue[:most]
            yield host.release()  # others may queue while this batch runs
            answers = yield host.run([request for request, _, _ in batch])
            for (_, future, _), answer in zip(batch, answers, strict=True):
                future.set(answer)
    ### END SOLUTION
    return host.play(submit, serve, most, patience)


# %% check="gather_requests"
q = exercise("engine_runtime.gather_requests")
q.check(gather_requests).points

# %% [markdown]
# The same functions on real threads. Only the host is different: it does each step with Python's `threading`, and the operating system decides which thread runs.

# %%
import threading
import time


class RealHost:
    """The judge's host, with the system's threads. Its model answers a request with its square."""

    def __init__(self):
        self.condition, self.queue = threading.Condition(), []

    def clock(self):
        return time.perf_counter() * 1e6

    def future(self):
        future = threading.Event()
        future.set_event, future.set = future.set, lambda answer: (setattr(future, "answer", answer), future.set_event())
        return future

    def __getattr__(self, step):
        return lambda *arguments: (step, *arguments)

    def goes_through(self, steps):
        """Runs a generator to its end and does what it asks for. Returns what it returns."""
        value = None
        while True:
            try:
                step, *given = steps.send(value)
            except StopIteration as ended:
                return ended.value
            value = getattr(RealHost, f"do_{step}")(self, *given)

# %%
def do_wait(self, until=None):
    self.condition.wait(None if until is None else max(0, until - self.clock()) / 1e6)


def do_result(self, future):
    future.wait()
    return future.answer


RealHost.do_acquire, RealHost.do_release = (lambda self: self.condition.acquire()), (lambda self: self.condition.release())
RealHost.do_notify, RealHost.do_run = (lambda self: self.condition.notify()), (lambda self, requests: [r * r for r in requests])
RealHost.do_wait, RealHost.do_result = do_wait, do_result


def play(self, submit, serve, most, patience):
    """Twelve callers and two servers."""
    answers = {}
    callers = [threading.Thread(target=lambda r=r: answers.update({r: self.goes_through(submit(r))})) for r in range(12)]
    for target in (lambda: self.goes_through(serve()),) * 2:
        threading.Thread(target=target, daemon=True).start()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return answers


RealHost.play = play
try:
    answers = gather_requests(RealHost(), 4, 2_000)
    print("every caller has its own answer:", all(answer == request**2 for request, answer in answers.items()) and len(answers) == 12)
except NotImplementedError:
    print("No threads yet: first write gather_requests.")
except RuntimeError as problem:
    print("No threads here, as in a browser:", problem)

# %% [markdown]
# **Two streams, and one thread that feeds them.** A server's `run` is four jobs, one after the other: the host fills a page-locked buffer with the requests, a copy takes them up, the network runs, and a copy brings the answers back into the buffer. A GPU can copy up, run and copy down at the same time, for different batches. If a server waits for each batch, two of the three stand idle at any moment.
#
# So there are two **streams** with a buffer each (unit 9), and two batches in flight. While one runs, the other is copied or filled. One thread is enough for that, as the calls that put jobs into a stream return at once. It has to wait for one thing only: that a buffer is free again.
#
# | call | does |
# |---|---|
# | `device.fill(s, b)` | the host writes batch b into the buffer of stream s, which takes it a while |
# | `device.copy_in(s)`, `device.run(s)`, `device.copy_out(s)` | put a job into stream s, and return at once |
# | `device.wait(s)` | returns when stream s has done all that it was given |
# | `device.take(s)` | returns the answer that lies in the buffer of stream s |
# | `device.clock()` | microseconds since the start |
#
# **Example.** Filling takes 10, the copies 40 and 20, a run 60. In one stream that is 130 per batch. In two:
#
# | | stream 0 | stream 1 |
# |---|---|---|
# | filled | 0 to 10 | 10 to 20 |
# | copied up | 10 to 50 | 50 to 90: one copy goes up at a time |
# | run | 50 to 110 | 110 to 170 |
# | copied down | 110 to 130 | 170 to 190 |
#
# At 130 the host takes the answer of stream 0 and fills its buffer with batch 2, while stream 1 still runs. From then on there are two batches every 130 microseconds.
#
# Would a third stream help? The rule stays the same. **Before you run it:** per batch, how near do two streams come to the 60 of the run, and how near do three?

# %%
from autograder.exercises.u19_engine_runtime.streams.device import JudgedStreams
from autograder.exercises.u19_engine_runtime.streams.values import in_flight

for n_streams in (1, 2, 3, 4):
    device = JudgedStreams([(10, 40, 60, 20)] * 100, n_streams)
    in_flight(device, 100, n_streams)
    print(f"{n_streams} in flight: {device.clock() / 100:.1f} us per batch")

# %% [markdown]
# **Write** `two_streams(device, n_batches)`, a host function: batch b in stream b % 2. Return the answer of each batch, and the clock when the last one was taken. Whoever fills a buffer while its last batch is on the way spoils both; whoever waits for more than that buffer loses time, and the judge's clock shows it.
#
# **Predict** the clock when three batches of the example have been taken: go on with the table above.
#
# <details><summary>Interview question: you added the second stream, and nothing overlaps. What do you check?</summary>Buffers that are not page-locked: then a copy goes through the driver's own buffer, and the call waits. Work in the default stream, which others wait for. A wait after each launch, perhaps a hidden one, such as reading a result or allocating memory. And whether there is anything to overlap: a run that fills the GPU hides copies, but not another run. <b>A weak answer says</b> "more streams". <b>And then?</b> When are three in flight better than two? When all that a batch needs besides its run (filling, both copies, taking) is longer than a run: then a batch is not back yet when the other one has finished its run.</details>

# %%
q = exercise("engine_runtime.two_streams")
q.show()

# %% predict="two_streams"
q = exercise("engine_runtime.two_streams")
q.predict(clock=260)


# %% solution="two_streams"
def two_streams(device, n_batches):
    """(answers, time): what was taken for each batch, (n_batches,), and when the last one was, in microseconds."""
    answers = np.zeros(n_batches, np.int64)
    # about 9 lines
    ### BEGIN SOLUTION
    for b in range(n_batches + 2):  # past the last one, to collect what is in flight
        s = b % 2
        if b >= 2:
            device.wait(s)  # its buffer is needed; the other stream goes on
            answers[b - 2] = device.take(s)
        if b < n_batches:
            device.fill(s, b)
            device.copy_in(s)
            device.run(s)
            device.copy_out(s)
    ### END SOLUTION
    return answers, device.clock()


# %% check="two_streams"
q = exercise("engine_runtime.two_streams")
q.check(two_streams).points

# %% [markdown]
# ## 6. Several GPUs, and work by pull
#
# **Goal:** all GPUs busy until the end, whatever each of them can do.
#
# **Look back.** One plan, one engine, one GPU. A server has eight, and a workstation may have two that differ. They need not talk to each other for inference: each request fits on one GPU, so each GPU gets an **engine of its own**, with its own weights, arena and stream, and requests are spread over them.
#
# A plan belongs to a kind of GPU (rung 2). Devices of the same *model* share one plan, and each loads an engine from it. A device of another model needs a plan of its own.
#
# How to spread them? Equal parts are the obvious way, and wrong twice: devices differ, and so do requests. **Pull** needs no knowledge of either: a device that has nothing to do takes the next request. All devices then end within one request of each other.
#
# **Example.** 12 equal requests; device 0 takes 1 ms for each, device 1 takes 2 ms. In halves: device 0 is done after 6 ms, device 1 after 12. By pull: in 8 ms device 0 does 8 and device 1 does 4.
#
# On real GPUs a thread for each device waits for its stream, or the host asks events (unit 9). Here the judge holds the devices, and the clock:
#
# | call | does |
# |---|---|
# | `devices.count`, `devices.model(d)` | how many there are; a number that devices of one kind share |
# | `devices.build(d)` | returns a plan for d's model; the host waits for it, and it takes long |
# | `devices.load(d, plan)` | begins to load an engine, and returns at once |
# | `devices.start(d, request)` | begins a request on a device that is idle, and returns at once |
# | `devices.wait()` | waits until some device is done and returns its number, the lowest if there are several; it is idle then |
# | `devices.clock()` | microseconds since the start |
#
# Devices as the judge has them: two models, requests of 100 and 60 microseconds. **Before you run it:** device 1 takes twice as long. Which one is done first?

# %%
from autograder.exercises.u19_engine_runtime.devices import JudgedDevices

devices = JudgedDevices(models=[0, 1], slower=[1, 2], takes_us=[100, 60])
for d in range(devices.count):
    devices.load(d, devices.build(d))
print("loaded:", devices.wait(), devices.wait(), "at", devices.clock())
devices.start(0, 0)
devices.start(1, 1)
for _ in range(2):
    print("done:", devices.wait(), "at", devices.clock())

# %% [markdown]
# **Write** `spread_work(devices, n_requests)`, a host function. For each device in turn: build a plan if its model has none yet, then load it. After that wait; each device that is done, with loading or with a request, starts the next request, in order, as long as there is one. Return the device of each request, and the clock when the last request and the last load are done.
#
# **Predict** the time of `spread_work` for two devices of one model and four requests of 100 microseconds. A build takes 9,000; device 0 loads an engine in 30, and device 1 takes twice as long for everything but the build.
#
# <details><summary>Interview question: eight GPUs serve one model. When would you split one request over several instead?</summary>When it does not fit on one, or when one request must be faster than one GPU can be. Then layers, or parts of each product, lie on different GPUs, and they talk after each layer, over NVLink at best. <b>A weak answer says</b> "splitting uses all GPUs, so it is faster": spread requests use all of them, too, and do not talk. <b>And then?</b> What bounds eight engines in one process? The host: launches and Python. Each GPU gets a process, or at least graphs.</details>

# %%
q = exercise("engine_runtime.spread_work")
q.show()

# %% predict="spread_work"
q = exercise("engine_runtime.spread_work")
q.predict(time=9330)


# %% solution="spread_work"
def spread_work(devices, n_requests):
    """(owner, time): the device of each request, (n_requests,), and when the last one was done, in microseconds."""
    plans, owner = {}, []
    # about 11 lines
    ### BEGIN SOLUTION
    for d in range(devices.count):
        model = devices.model(d)
        if model not in plans:
            plans[model] = devices.build(d)
        devices.load(d, plans[model])
    for _ in range(devices.count + n_requests):  # each engine and each request is waited for once
        d = devices.wait()
        if len(owner) < n_requests:
            devices.start(d, len(owner))
            owner.append(d)
    return np.array(owner), devices.clock()
    ### END SOLUTION


# %% check="spread_work"
q = exercise("engine_runtime.spread_work")
q.check(spread_work).points

# %% [markdown]
# ## 7. Which three layers to improve first
#
# **Goal:** to read a profile of a whole network, and know where to begin.
#
# **Look back.** Everything runs. Is it fast? An engine can time each of its layers, and a **profile** is that table: name, kernel, time. ResNet-50 has about fifty rows, and most people sort them by time and begin with the longest. That is often a mistake: the longest layer may be as fast as it can be.
#
# The roofline (unit 11) says what is possible. A layer has to do its flops and to move its bytes, and the two go on side by side. So it takes at least the longer of two times: flops at the GPU's peak, bytes at the memory's rate. That is its **bound**. What a layer takes beyond it is its **gain**, the most that better kernels could win there.
#
# **Example**, with 800 TFLOP/s and 4,000 GB/s:
#
# | layer | GFLOP | MB | flops take | bytes take | bound | took | gain |
# |---|---|---|---|---|---|---|---|
# | A | 40 | 60 | 50 us | 15 us | 50 us | 60 us | 10 us |
# | B | 2 | 40 | 2.5 us | 10 us | 10 us | 30 us | 20 us |
#
# A takes longest and gains less than B. Bytes bound B: a faster product would not help it, but fusing it with a neighbour would.
# With a gain of 20 of 90 us, improving B saves at most 22 % of the whole: that is Amdahl's law in one number, and worth knowing before a week's work.
#
# A layer can take *less* than its bound from bytes: then its input was still in the cache. There is nothing to gain there.
#
# **Write** `mend_layers(flops, n_bytes, time_us, tflops, gbs)`, a host function. It returns the three layers with the largest gains, the largest first, and -1 where fewer than three have any; for each layer 1 if bytes bound it and 0 if flops do; and the share of the whole time that is saved once these three take only their bound.
#
# **Predict** which layer gains most if a third one joins the example's A and B: C with 8 GFLOP and 4 MB, which took 45 us. Layers are counted from 0.
#
# <details><summary>Interview question: no layer is far from its bound, and the network is still too slow. What now?</summary>Move the bounds. Fewer bytes: smaller types, fused layers, a larger batch that reads weights once for more pictures. Fewer flops: a smaller network, pruning, Winograd. Or look between the layers: gaps, launches, copies, which no row of the profile shows. <b>A weak answer says</b> "a faster GPU", which is an answer, too. <b>And then?</b> The times of all rows add up to less than the whole run. Where is the rest? In those gaps: compare the sum with the clock first.</details>

# %%
q = exercise("engine_runtime.mend_layers")
q.show()

# %% predict="mend_layers"
q = exercise("engine_runtime.mend_layers")
q.predict(layer=2)


# %% solution="mend_layers"
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    """(worst, memory, share): three layers by falling gain or -1; 1 where bytes bound a layer; what mending them saves.
    flops, n_bytes, time_us: (n,) float64."""
    worst = np.full(3, -1)
    # about 7 lines
    ### BEGIN SOLUTION
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()
    ### END SOLUTION


# %% check="mend_layers"
q = exercise("engine_runtime.mend_layers")
q.check(mend_layers).points

# %% [markdown]
# **Read the profile.** ResNet-50 in INT8, 128 images at a time, as `minitrt` ran it. The cell asks your function; the bound of each layer is on record, worked out by the rule of this rung, so it goes in as bytes of a memory of 1 byte per nanosecond, which is 1 GB/s.
# **Before you look:** does the longest layer come first?

# %%
from autograder.notebook import display
from autograder.notebook.recorded import document_of, recorded

network = document_of("engine-nvidia-h200").get("resnet50 INT8 128", {}) if document_of("engine-nvidia-h200") else {}
try:
    if network:
        layers = [layer for layer in network["layers"] if layer["floor_us"] and layer["time_us"]]
        floors, times = (np.array([layer[name] for layer in layers]) for name in ("floor_us", "time_us"))
        worst, _, share = mend_layers(np.zeros(len(layers)), floors * 1e3, times, 1.0, 1.0)
        by_time = np.argsort(-times)
        display.text(f"{document_of('engine-nvidia-h200')['device']}: {len(layers)} layers, {times.sum():,.0f} us; mending these three would save {share:.0%}")
        rows = [(layers[i]["layer"], layers[i]["bound"], times[i], floors[i], int(np.flatnonzero(by_time == i)[0]) + 1) for i in worst]
        display.table(("layer", "bound by", "took, us", "bound, us", "place by time"), rows)
except NotImplementedError:
    print("Nothing to read yet: first write mend_layers.")

# %% [markdown]
# Before you change these layers, ask *why* they take longer than their bound; the counters of unit 11 tell, one kernel at a time.
#
# ## 8. What an engine gains, and by what
#
# **Goal:** to say, before anything is built, what fusing, smaller types and a graph would each gain.
#
# **Look back.** Rung 7 took a network's kernels as given. An engine chooses them. A framework such as PyTorch runs a program step by step: each step becomes a kernel, of its own or from a library (cuBLAS has products, cuDNN convolutions), and CUDA launches it. Nobody knows yet who will read the result, so it goes to memory. An engine such as TensorRT sees all steps before the first one runs, and that lets it do three things that a framework does not:
#
# - **Fuse.** Steps in one kernel hand their results on in registers. Fewer bytes, and fewer launches.
# - **Choose types.** In float16 every number is half as many bytes, and products run on tensor cores.
# - **Launch once.** The order never changes, so all kernels can be launched as one graph (unit 9).
#
# What is each worth? Count. A kernel **reads** each tensor that its steps need and that it does not make itself, once, and its weights. It **writes** what steps of another kernel read, and what no step reads, since that is an output of the network. What only its own steps read moves no bytes.
#
# And the time? The host launches kernels without waiting for them: kernel i, counted from 0, has been launched after i + 1 times `launch_us`. It begins then, or when the kernel before it has ended, whichever is later, and it takes its bound, the longer of flops and bytes. So launches hide behind long kernels, and among short ones the GPU waits for the host.
#
# **Example**, with 4 us for a launch, 4,000 GB/s, 50 TFLOP/s in float32 and 400 in float16. All tensors have 4 million elements. Step 0 multiplies tensor 0 by a million weights; step 1 is an activation; step 2 adds tensor 0, a residual.
#
# | float32 | reads | writes | flops take | bytes take | begins | ends |
# |---|---|---|---|---|---|---|
# | step 0, 1 GFLOP | 16 + 4 MB | 16 MB | 20 us | 9 us | 4 us | 24 us |
# | step 1, 8 MFLOP | 16 MB | 16 MB | 0.2 us | 8 us | 24 us | 32 us |
# | step 2, 4 MFLOP | 32 MB | 16 MB | 0.1 us | 12 us | 32 us | 44 us |
# | all in one kernel | 16 + 4 MB | 16 MB | 20.2 us | 9 us | 4 us | 24.2 us |
#
# Fused, the steps read 20 MB in place of 68 and write 16 in place of 48: tensor 0 serves two of them, and tensors 1 and 2 stay in registers. In float16 that one kernel takes 4.5 us, for its bytes: it ends at 8.5 us.
#
# When do launches count? Forty kernels of the same length, one after the other, on a GPU that can begin one every 4 us. **Before you run it:** from which length on does it not matter how they are launched?

# %%
for length in (1, 2, 4, 8, 16):
    end = 0
    for i in range(40):
        end = max(end, 4 * (i + 1)) + length
    print(f"kernels of {length:2} us: {end:4} us launched one by one, {4 + 40 * length:4} us as one graph")

# %% [markdown]
# **Write** `count_gains(steps, elements, flops, gpu)`, a host function. Row i of `steps` is step i: the two tensors that it reads or -1, the elements of its weights, and the number of the engine's kernel that it belongs to; steps of one kernel stand side by side. It makes tensor i + 1; tensor 0 is the input. Return four arrays of four numbers, one for each way in `ways`: launches by the host, bytes read, bytes written, and the time in microseconds.
#
# **Predict** the bytes that the engine writes in float16 if the example has one more step, in a kernel of its own, that adds tensor 1 to tensor 3.
#
# <details><summary>Interview question: the same network, the same GPU. Why is an engine faster than the framework that trained it?</summary>It knows the whole network and that it will not change. So it fuses steps, which saves bytes and launches, takes smaller types, picks each kernel by its time for these very shapes, lays all tensors into one arena, and launches everything as a graph. A framework must be ready for any next step. <b>A weak answer says</b> "because it is written in C++". <b>And then?</b> Where does it gain least? In large products in the same type: both call kernels that stand near the peak, and hardly any time lies between them.</details>

# %%
q = exercise("engine_runtime.count_gains")
q.show()

# %% predict="count_gains"
q = exercise("engine_runtime.count_gains")
q.predict(stored=24000000)


# %% solution="count_gains"
def count_gains(steps, elements, flops, gpu):
    """(launches, read_bytes, write_bytes, time_us) of four ways, (4,) each. steps: (n, 4) int64, elements: (n + 1,)
    int64, flops: (n,) float64, gpu: launch_us, GB/s, TFLOP/s in float32 and in float16."""
    launch_us, gbs, wide, half = gpu
    alone, fused = np.arange(len(steps)), steps[:, 3]
    ways = ((alone, 4, wide, False), (fused, 4, wide, False), (fused, 2, half, False), (fused, 2, half, True))
    launches, read_bytes, write_bytes = np.zeros((3, 4), np.int64)
    time_us = np.zeros(4)
    # about 13 lines
    ### BEGIN SOLUTION
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        for i, k in enumerate(np.unique(kernel_of)):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            elsewhere = set(steps[~mine, :2].ravel())
            kept = made & elsewhere | made - set(steps[:, :2].ravel())
            n_read = width * (sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * sum(elements[t] for t in kept)
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            launches[way] = 1 if graph else i + 1
            time_us[way] = max(time_us[way], launch_us * launches[way]) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
    ### END SOLUTION
    return launches, read_bytes, write_bytes, time_us


# %% check="count_gains"
q = exercise("engine_runtime.count_gains")
q.check(count_gains).points

# %% [markdown]
# Here is a block of a ResNet for one picture: two convolutions of nine taps, each with a scale and a bias per channel (a batch norm) and a ReLU, and a residual before the last one. The engine makes two kernels of its seven steps. **Before you run it:** what will gain most for small tensors, and what for large ones?

# %%
block = np.array([[0, -1, 9 * 64 * 64, 0], [1, -1, 128, 0], [2, -1, 0, 0], [3, -1, 9 * 64 * 64, 1], [4, -1, 128, 1], [5, 0, 0, 1], [6, -1, 0, 1]])
try:
    for side, pictures in ((14, 1), (56, 1), (56, 128)):
        elements = np.full(8, 64 * side * side * pictures)
        flops = elements[1:] * np.array([2 * 9 * 64, 2, 1, 2 * 9 * 64, 2, 1, 1], float)
        launches, read, written, time_us = count_gains(block, elements, flops, np.array([4.0, 4000.0, 50.0, 400.0]))
        print(f"{side} x {side}, batch {pictures}:")
        for name, *row in zip(("framework", "fused", "and float16", "and one graph"), launches, (read + written) / 1e6, time_us, strict=True):
            print(f"   {name:14} {row[0]} launches, {row[1]:8.1f} MB, {row[2]:6.1f} us")
except NotImplementedError:
    print("Nothing to count yet: first write count_gains.")

# %% [markdown]
# Small tensors wait for launches: fusing gains most, by leaving launches out, and then the graph. Large ones wait for flops and bytes: float16 gains most, on tensor cores, and a graph gains nothing.
# The count leaves out what a cache keeps between two kernels, and that kernels seldom reach their bound. It says what is possible, and in which order to try it.
#
# ## 9. The edge's budget
#
# **Goal:** a network on a device that has a battery, a case without a fan, and a camera that does not wait.
#
# **Look back.** In a server only time counted. At the **edge**, in a camera or a car, everything has a budget. Why run there at all? The result comes without a network's delay, and even where there is no network. Pictures stay where they were taken. And pictures of a few million bytes, many times a second, cost more to send than to analyse.
#
# A picture comes every `period_ms`. There are several ways to run the network: types, batch sizes, clocks. Each has a time, watts while it runs, and memory. In between, the device idles, and takes `idle_watts`. Watts times milliseconds are **millijoules**, the energy that a battery gives.
#
# | question | rule |
# |---|---|
# | does it keep up? | a run ends before the next batch is there: time at most batch · period |
# | is it in time? | the first picture of a batch waits for batch - 1 others, and then for the run: together at most the deadline |
# | does it stay cool? | energy of a batch, divided by batch · period, is the average power: at most `most_watts` |
# | does it fit? | weights and arena, in MiB: at most `most_mib` |
#
# **Example**, a picture every 40 ms, idle at 2 W. One at a time: 10 ms at 20 W and 30 ms at 2 W are 260 mJ, 6.5 W on average. In batches of four: 24 ms at 20 W and 136 ms at 2 W are 752 mJ, 188 for each picture; but the first picture waits for 120 ms and has its result after 144.
# So a larger batch saves energy, and pays with time.
#
# Does it pay to race to the end, and then idle? The same work at two clocks: 20 ms at 9 W, or 10 ms at 15 W and then nothing. **Before you run it:** which one takes less energy in 40 ms, if the device idles at 1 W, and which if at 5 W?

# %%
for idle in (1, 5):
    slow, fast = 20 * 9 + (40 - 20) * idle, 10 * 15 + (40 - 10) * idle
    print(f"idle at {idle} W: slow {slow} mJ, fast {fast} mJ")

# %% [markdown]
# **Write** `fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib)`, a host function. `ways` has four columns: pictures in a batch, milliseconds of a run, watts while it runs, MiB. Return each way's energy for one picture, in millijoules, and the number of the way that takes least of those that fit; -1 where none does.
#
# **Predict** the millijoules of one picture in batches of two: a run of two takes 16 ms at 20 W, and all else is as in the example.
#
# <details><summary>Interview question: INT8 makes the network twice as fast on your board. Does the battery last twice as long?</summary>No. Idle power, camera and screen go on as before, and the run's watts may change. Only the share of energy that runs took is about halved. <b>A weak answer says</b> "yes". <b>And then?</b> How do you measure it? With the board's own meter, or one in the supply, over minutes, with everything that belongs to the product running: a profiler's times do not show it.</details>

# %%
q = exercise("engine_runtime.fit_budget")
q.show()

# %% predict="fit_budget"
q = exercise("engine_runtime.fit_budget")
q.predict(energy=224)


# %% solution="fit_budget"
def fit_budget(ways, period_ms, idle_watts, deadline_ms, most_watts, most_mib):
    """(energy_mj, best): millijoules of a picture for each way, (n,), and the way that takes least, or -1. ways: (n, 4)
    float64."""
    batch, time, watts, mib = ways.T
    # about 6 lines
    ### BEGIN SOLUTION
    gathered = batch * period_ms
    energy = watts * time + idle_watts * (gathered - time)
    fits = (time <= gathered) & (gathered - period_ms + time <= deadline_ms)
    fits &= (energy / gathered <= most_watts) & (mib <= most_mib)
    best = int(np.argmin(np.where(fits, energy / batch, np.inf))) if fits.any() else -1
    return energy / batch, best
    ### END SOLUTION


# %% check="fit_budget"
q = exercise("engine_runtime.fit_budget")
q.check(fit_budget).points

# %% [markdown]
# ## 10. Your kernel in the engine
#
# **Goal:** the engine runs layers on a kernel of yours, and knows which.
#
# **Look back.** Rung 4 brought an operator that the engine lacked. A convolution is nothing new to it: it has many kernels for one. To bring one more, you tell the builder two things: which layers it can compute, and how it is launched. From then on it is a **tactic** like the engine's own (unit 18): timed beside them, and named in the plan.
#
# In minitrt that is a class with two methods, and `minitrt.tactics.register` makes it known. `supports(op)` is asked about every operation of the optimised graph, after batch norms, residuals and activations have become parts of convolutions (unit 16). `calls(op)` gives its launches.
#
# `supports` is a promise. Where it says yes, nobody looks at the layer again: if the layer has a stride and your kernel has none, a wrong result is stored. Where it says no, the engine has kernels of its own. So `supports` asks about everything that the kernel *cannot* do; what it can do, such as a residual, becomes an argument.
#
# Our kernel is unit 18's `conv_layer`, which reads and writes lines of cells. `conv_warpgroup` takes the same arguments. A line is a format that the engine does not know, so the tactic brings it along, and where a neighbour wants another format, the builder puts a conversion between them.
#
# **Example.** A step of the input is worth 0.5, of channel 0's weights 0.25, of the output 2. A sum of 40 is 40 · 0.5 · 0.25 = 5 in real units, and 2.5 steps of the output: multiplier 0.0625. A bias of 3 is 1.5 steps: addend 1.5. Together 4, and a residual whose step is 1 has multiplier 0.5.
#
# The engine that the judge builds has a few layers side by side, each with an input and an output of its own. Here is one with three, and what you can ask about their operations. **Before you run it:** which of the three is `conv_layer` unable to compute?

# %%
from autograder.exercises.u19_engine_runtime.own.engine import JudgedEngine
from autograder.exercises.u19_engine_runtime.own.layers import Layer

small = JudgedEngine(seed=3, layers=[Layer(), Layer(stride=2), Layer(out=40, adds=1, activation=0)])
for number, op in small.operations().items():
    sizes, numbers = small.sizes(op), small.epilogue(op)
    print(f"layer {number}: {op.kind}, {sizes.channels} to {sizes.out_channels} channels, window {sizes.kernel}, stride {sizes.stride}")
    print(f"   x {op.inputs[0].dtype.name} {op.inputs[0].shape}, weights {op.inputs[1].data.shape}, {op.attrs.get('activation')}")
    print(f"   low {numbers.low}, high {numbers.high}, residual {numbers.residual_multiplier}, multiplier {numbers.multiplier[:3]}")

# %% [markdown]
# | name | is |
# |---|---|
# | `op.kind`, `op.attrs` | "conv", "pool", "reformat" and others; `op.attrs["activation"]`, a dict whose "type" is "relu", "clip", "leaky_relu" or another one, or None, or not there at all |
# | `op.inputs[0]`, `op.inputs[1]`, `op.input(3)`, `op.output` | x, weights, the residual or None, and the result, each with `shape` and `dtype.name`; weights have `data`, (outputs, channels, rows, columns) |
# | `engine.sizes(op)` | None, or `channels`, `out_channels`, `size` (rows, columns), `kernel`, `stride`, `dilation`, `pads_before`, `pads_after`, `groups` |
# | `engine.epilogue(op)` | of a convolution: `multiplier` and `addend`, one per output channel, `residual_multiplier` or None, `low`, `high`, all in steps of the output |
# | `engine.input(0)`, `engine.input(3)`, `engine.output()` | x, residual and result as lines; `engine.nothing` stands for a residual that is not there |
#
# **Write** `own_convolution(engine)`: inside it `supports(op)`, and `arguments(op)`, which gives the eleven arguments of `conv_layer` in their order: src, weights, pitch, height, multiplier, addend, residual, residual_multiplier, low, high, dst. On the line of unit 18, pitch is one more than the columns, and height one more than the rows. Its weights are (blocks, 9, outputs, 32), with zeros past the last channel; `multiplier` and `addend` have a number for each of 32 channels of each block of the output. The last line, which is given, lets the judge build the engine, run it, and compare.
#
# **Predict**, as a text with a space between them: the blocks of 32 that 40 channels take, and the example's multiplier.
#
# <details><summary>Interview question: your tactic is faster alone than the engine's, and the builder takes the engine's. Why?</summary>A choice has neighbours. If yours wants another format, a conversion stands before it and one after it, and those count. Or the engine's does two layers in one, so it is timed against two of yours. <b>A weak answer says</b> "the timing is wrong". <b>And then?</b> What would you do? Bring kernels for the neighbours in the same format, so that conversions stand at the ends of the network alone.</details>

# %%
q = exercise("engine_runtime.own_convolution")
q.show()

# %% predict="own_convolution"
q = exercise("engine_runtime.own_convolution")
q.predict(prints="2 0.0625")


# %% solution="own_convolution"
def own_convolution(engine):
    """(taken, proofs), as engine.tries returns them: which layers run on conv_layer, and what comes of them."""
    # about 21 lines
    ### BEGIN SOLUTION
    def supports(op):
        g = engine.sizes(op)
        if op.kind != "conv" or g is None:
            return False
        tensors = (op.inputs[0], op.inputs[1], op.input(3), op.output)
        in_steps = all(v is None or v.dtype.name == "INT8" for v in tensors)
        window = g.kernel == (3, 3) and g.stride == g.dilation == g.pads_before == g.pads_after == (1, 1)
        activation = (op.attrs.get("activation") or {}).get("type")
        return in_steps and window and g.groups == 1 and activation in (None, "relu", "clip")

    def arguments(op):
        g, e = engine.sizes(op), engine.epilogue(op)
        n_in, n_out = -(-g.channels // 32), -(-g.out_channels // 32)
        wide = np.zeros((32 * n_in, 9, g.out_channels), np.int8)  # zeros past the last channel
        wide[: g.channels] = op.inputs[1].data.transpose(1, 2, 3, 0).reshape(g.channels, 9, -1)
        weights = wide.reshape(n_in, 32, 9, -1).transpose(0, 2, 3, 1)
        multiplier, addend = np.zeros((2, 32 * n_out), np.float32)
        multiplier[: g.out_channels], addend[: g.out_channels] = e.multiplier, e.addend
        adds = e.residual_multiplier is not None
        residual, times = (engine.input(3), e.residual_multiplier) if adds else (engine.nothing, 0)
        line = engine.input(0), weights, g.size[1] + 1, g.size[0] + 1
        return (*line, multiplier, addend, residual, times, e.low, e.high, engine.output())
    ### END SOLUTION
    return engine.tries(supports, arguments)


# %% check="own_convolution"
q = exercise("engine_runtime.own_convolution")
q.check(own_convolution).points

# %% [markdown]
# On the small engine above, your functions beside the engine's own results:

# %%
try:
    taken, proofs = own_convolution(small)
    print("layers on your kernel:", np.flatnonzero(taken), "of", len(taken))
    print("the same results as the engine's:", bool((proofs == taken * small.proofs()).all()))
except NotImplementedError:
    print("Nothing to run yet: first write own_convolution.")

# %% [markdown]
# ## 11. ResNet-50 on kernels of this course
#
# **Look back.** Your functions and unit 18's kernels run the layers of ResNet-50 that have nine taps and no stride. What about the others? Most have one tap, and a few have a stride. Their kernels are made of parts that you know:
#
# | layers in INT8 | run on |
# |---|---|
# | 3 x 3, stride 1 | `conv_warpgroup` or `conv_layer`, whichever the builder finds faster, through your `own_convolution` |
# | 1 x 1 | the same kernel with one tap, in a ring of four stages |
# | 3 x 3, stride 2 | `conv_warpgroup` works out every place, and every second one in each direction is kept: four times the products |
# | the first, 7 x 7 | each window's numbers become the channels of one cell; then it has one tap |
# | both pools, the last product | a thread for 16 channels; unit 12's `matmul_int8` and a second launch |
# | any of these with few tiles, as for one picture | `conv_split`, or the same with one tap: the sum in shares, with one launch before it and one after |
# | from real numbers to steps, where the network begins | unit 17's `quantise`, as a tactic of kind "reformat" |
#
# They are in `benchmarks/capstone/`, and on the interpreter they give the reference's logits. For FP16 there are two: unit 12's `matmul_warpgroup` for the layers of one tap, with a second launch for bias and residual, and its `matmul_tensor` on rows that a window gathers, for any layer of 16 channels or more, in one launch; of the two the builder takes the faster. In FP32 it is unit 13's `conv_implicit`, for nine taps without a stride. So in a row of FP16 or FP32, see how many layers ran on the course's kernels before you compare times: the engine's own ran all others.
#
# The builder was told to take the course's kernels wherever they say yes. Beside them stand the engine's own kernels, and `torch.compile` in FP16. (In the recorded rows `conv_split` runs at batch 1 alone, where tiles are few.) **Before you run it:** the engine joins layers, copies tiles ahead and picks a kernel for each layer; yours are simple. By which factor will it be ahead?

# %%
recorded("capstone", "measured")
by_kernel = document_of("capstone").get("parts", {}).get("kernels INT8 128")
if by_kernel:  # of the course's, in INT8, 128 images at a time: each layer alone
    display.table(by_kernel["columns"], by_kernel["rows"])

# %% [markdown]
# The last column says how often an engine names the class that FP32 names. INT8 hardly ever does here, with the engine's kernels as with the course's, and that says nothing about either: the weights are random numbers, so the classes mean nothing, all images get much the same logits, and rounding to INT8 moves them by more than the first class is ahead of the second.
# Accuracy needs a network that really was trained. Here is a small ResNet, and digits that its training has not seen. **Before you run it:** how many of 1,000 does INT8 cost?

# %%
recorded("capstone_trained");

# %% [markdown]
# <details><summary>Interview question: you know which of your kernels takes longest in all. Is it the first to improve?</summary>Only if its layers are far from their bound: that was rung 7's question, and it has the same answer here. Layers of one tap have few products for their bytes, so memory bounds them, and joining them with a neighbour gains more than a better product. <b>A weak answer says</b> "the longest first". <b>And then?</b> Why does one image take so much more than a 128th of the time of 128? Late layers have a handful of tiles, and without a split most multiprocessors wait. Split sums give them work, and ask for two more launches, which set the sums to 0 and finish the layer.</details>
#
# ## What you can do now
#
# You can plan a network's memory and say how near to the least it is; keep an engine as bytes and refuse those that must not run; serve shapes of many sizes, and sequences of uneven length; bring an operator of your own into an engine, as a plugin; gather requests of many threads into batches, in any order of steps; keep two streams and several GPUs busy; read a profile with its bounds; fit a network into an edge's budget; and let an engine run layers on a kernel of yours.
#
# The table shows your rungs of this session.

# %%
from autograder import ladder

ladder("19_engine_runtime")
