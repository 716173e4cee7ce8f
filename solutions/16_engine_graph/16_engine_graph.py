# %% [markdown]
# # From a graph to few kernels
#
# **The promise:** you take a network as an exporter writes it, and work out which kernels an engine will run: your functions infer its shapes, remove what need not run, and decide which layers share a kernel; in the last cell they arrive at the same kernels as the engine, for the same ONNX file. In between you write four kernels that do the work of several layers each.
#
# **Time:** about three and a half hours, 89 lines to write.
# **You need:** units 1 to 4 for guards, sectors and barriers; unit 5 for shuffles; unit 13 for channels, padding and pooling; unit 14 for residuals.
# Without a GPU everything is checked and counted, and only times are not measured.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32

from autograder import exercise

KIND, FIRST, SECOND, CHANNELS, KERNEL, STRIDE, PAD, WEIGHTS = 0, 1, 2, 3, 4, 5, 6, 7  # columns of a graph's table
INPUT, CONSTANT, IDENTITY, RELU, ADD, CONCAT, FLATTEN, CONV, POOL = 0, 1, 2, 3, 4, 5, 6, 7, 8  # kinds of layers

# %% [markdown]
# **What an engine does.** A framework, such as PyTorch, runs a network line by line. Each line launches a kernel or several, and leaves its result in memory, since nobody knows yet what the next line will want.
# An **inference engine** is handed the whole network before anything runs. So it can leave layers out, let one kernel do the work of several, try several kernels for a layer and keep the fastest, use smaller types, and plan its memory once. TensorRT is the best known; `minitrt`, in this repository, has TensorRT's interface, and its kernels are written in numba.
#
# Who does what? CUDA is the language and the runtime that kernels need. cuBLAS is a library of matrix products, cuDNN one of single layers: convolution, pooling, attention. An engine stands above them: it decides what is called at all.
#
# **How it is used**, in five steps. A parser makes a **network definition** from a file, layers and tensors by name; one can also add layers by hand. A configuration says how much memory may be used and what the builder may try; the type of each tensor is part of the network itself, which TensorRT calls strongly typed (before version 11 a configuration could also allow smaller types). The builder rewrites the network, times kernels, and gives a **plan**: bytes that can be kept in a file. A runtime makes an engine from the plan, and an execution context, which has the memory of one run.
# Building takes seconds to minutes and is done once, on the GPU that will run it. Loading a plan is done at every start.
#
# What that is worth has been measured, with the compiler that PyTorch has built in: it sees the whole network as well. **Before you run it:** for one image, will most of the time be saved by better kernels, or by fewer launches?

# %%
from autograder.notebook import display
from autograder.notebook.recorded import document_of

if measured := document_of("drills-h200"):
    of = {name: one["value"] for name, one in measured["figures"].items()}
    display.text(f"ResNet-50 in float32, {measured['device']}, {measured['date']}:")
    one, many = "resnet50_b1_fp32_{}_ms", "resnet50_b128_fp32_{}_ips"
    display.table(
        ("", "one image, ms", "128 images at a time, images per second"),
        [("line by line", of[one.format("eager")], of[many.format("eager")]), ("as a whole", of[one.format("graph")], of[many.format("compiled")])],
    )

# %% [markdown]
# One image leaves a GPU nearly idle: the time went into launches, one after another from Python. Run as a whole they are one CUDA graph, as in unit 9. With 128 images it is the bytes between layers that fusing saves.
#
# <details><summary>Interview question: when would you not use an engine?</summary>While the model still changes every day, since each build takes minutes. When operators that it lacks cut the network into pieces. When it must run on many kinds of GPUs, each of which normally needs a plan of its own. <b>A weak answer says</b> "never, it is always faster". <b>And then?</b> What lies between the two? A compiler within the framework, as in the table.</details>
#
# ## 1. A shape for every layer
#
# **Goal:** know how large everything will be, before anything runs.
#
# **ONNX** is a file format for networks. A file has **nodes**, each with an operator such as `Conv`, names of what it reads and writes, and attributes such as a stride; and it has the weights. Nodes stand in an order in which every operand is there before it is read. It need not say how large the results between input and output are: whoever imports it works that out, which is called **shape inference**. Memory, launches and the choice of kernels all depend on it.
#
# Here a graph is a table of whole numbers, a row per layer. Columns: the kind, two operands by their rows, -1 for none, then output channels, kernel, stride, padding, and the number of its array of weights. A shape is (channels, rows, columns); pictures come one at a time.
#
# | kind | shape of the result |
# |---|---|
# | `INPUT`, `CONSTANT` | given; a constant has one number per channel: (channels, 1, 1) |
# | `IDENTITY`, `RELU` | its operand's |
# | `CONV`, `POOL` | (n + 2 pad - kernel) // stride + 1 windows along an axis of n; `CONV` makes channels, `POOL` keeps them |
# | `ADD` | along each axis the larger size, if both are equal or one is 1 |
# | `CONCAT` | channels of both, if rows and columns agree |
# | `FLATTEN` | (all elements, 1, 1) |
#
# A fully connected layer is a `CONV` of 1 x 1 after a `FLATTEN`.
#
# **Example.** An axis of 10, kernel 3, stride 2, padding 1: the padded axis has 12 elements, the last window may begin 9 after the first, and there are 9 // 2 = 4 steps to it: 5 windows.

# %% [markdown]
# Windows counted one by one, and by the formula. **Before you run it:** in which rows are elements left over at the end of the padded axis, which no window covers?

# %%
for n, kernel, stride, pad in ((10, 3, 2, 1), (11, 3, 2, 1), (7, 3, 1, 0), (224, 7, 2, 3)):
    begins = range(0, n + 2 * pad - kernel + 1, stride)
    print(f"{n:3} elements: {len(begins):3} windows, by the formula {(n + 2 * pad - kernel) // stride + 1:3}; the last ends at {begins[-1] + kernel} of {n + 2 * pad}")

# %% [markdown]
# What if something does not fit? A kind may be unknown, or the operands of a sum may have sizes that do not match. Such a layer has no shape, and -1 stands for each of its three numbers; the same goes for every layer that reads it.
# The rest is worked out all the same. Whoever imports a model wants to hear of *all* operators that are missing, in one list: whether it is worthwhile to fix the model depends on how many there are. A parser that stops at the first one, or crashes, does not say.
#
# **Write** `infer_shapes(layers, given)`, a host function. The two kinds without operands are done.
#
# **Predict** the rows after ResNet's first two layers, for pictures of 224 rows: 7 windows wide with stride 2 and padding 3, and then 3 with stride 2 and padding 1. Write both numbers into one string with a blank between, as `print` would.
#
# <details><summary>Interview question: the batch size is not known when the engine is built. What becomes of shape inference?</summary>The size becomes a symbol, n, and shapes are expressions in it; two symbols are equal only if they are known to be. The engine is built for a range of n and checks at run time. <b>A weak answer says</b> "run the network once and look", which answers for one size. <b>And then?</b> Which layers have shapes that no symbol can say? Those whose size depends on the data, such as the indices of everything that is not zero: there is an upper bound only.</details>

# %%
q = exercise("engine_graph.infer_shapes")
q.show()

# %% predict="infer_shapes"
q = exercise("engine_graph.infer_shapes")
q.predict(prints="112 56")


# %% solution="infer_shapes"
def infer_shapes(layers, given):
    """(n_layers, 3): channels, rows and columns of each layer's result, or -1. layers: (n_layers, 8), given: (3,)."""
    shapes = np.full((len(layers), 3), -1)
    for i, (kind, a, b, channels, kernel, stride, pad, _) in enumerate(layers):
        x, y = shapes[a], shapes[b]  # of the operands; -1 where there is none, or where it has none
        if kind == INPUT:
            shapes[i] = given
        elif kind == CONSTANT:
            shapes[i] = channels, 1, 1
        # about 11 lines
        ### BEGIN SOLUTION
        elif x[0] < 0 or (b >= 0 and y[0] < 0):
            continue  # an operand's shape is unknown
        elif kind in (IDENTITY, RELU):
            shapes[i] = x
        elif kind in (CONV, POOL):
            windows = (x[1:] + 2 * pad - kernel) // stride + 1
            shapes[i] = channels if kind == CONV else x[0], *windows
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)
        elif kind == CONCAT and np.all(x[1:] == y[1:]):
            shapes[i] = x[0] + y[0], *x[1:]
        elif kind == FLATTEN:
            shapes[i] = np.prod(x), 1, 1
        ### END SOLUTION
    return shapes


# %% check="infer_shapes"
q = exercise("engine_graph.infer_shapes")
q.check(infer_shapes).points

# %% [markdown]
# <details><summary>Interview question: Reshape takes its new shape as a tensor. Why is that hard?</summary>The shape of the result is then a <i>value</i>, which may have been worked out by other layers: take the shape, take its first number, append -1. So values of such small tensors must be followed through the graph as shapes are. <b>A weak answer says</b> "it is a constant". Often it is, after folding. <b>And then?</b> What if it depends on the input's values? Then the sizes of all that follows are known at run time only.</details>
#
# ## 2. Layers that need not run
#
# **Goal:** fewer layers, and the same result.
#
# **Look back.** The shapes are known, so everything could run now. But exporters write down what training did, and much of that has no effect any more:
#
# - **Identities.** Dropout, once training is over; a reshape to the same shape. Whoever reads one can read its operand instead. The ReLU of a ReLU is an identity, too.
# - **Twins.** Two layers of one kind, with the same operands and the same weights, give the same result. One is enough.
# - **Constants.** What reads nothing but constants gives the same at every run. It is worked out once, when the engine is built, and its result is stored: **constant folding**.
# - **Dead layers.** What leads to no output has no effect at all.
#
# Each of these makes others possible. Two layers that read twins become twins themselves. What only a folded layer read is dead. So the order is: forwards, replacing operands before a row is looked at; then backwards from the output.
#
# **Example**, layer 7 is the output:
#
# | row | layer | stands for | fate |
# |---|---|---|---|
# | 0 | input | 0 | runs |
# | 1, 2 | two constants with equal bytes | 1, 1 | left out: only 5 read them |
# | 3 | convolution of 0 | 3 | runs |
# | 4 | identity of 3 | 3 | left out |
# | 5 | 1 + 2 | 5 | left out: only 6 reads it |
# | 6 | ReLU of 5 | 6 | stored: it reads constants alone |
# | 7 | 4 + 6 | 7 | runs, and reads 3 and 6 |

# %% [markdown]
# How are equal weights found, among hundreds of arrays of millions of bytes? A dictionary does it: it looks at a hash of the bytes first, a number made of all of them, and compares bytes only where two hashes are equal. That is how the arrays in the table's last column got their numbers, and equal arrays are stored once. **Before you run it:** which arrays get one number?

# %%
arrays = {"conv1": np.ones((8, 3)), "conv2": np.zeros((8, 3)), "tied": np.ones((8, 3)), "minus": -np.zeros((8, 3)), "turned": np.ones((3, 8))}
numbers = {}
for name, array in arrays.items():
    print(name, numbers.setdefault((array.shape, array.tobytes()), len(numbers) + 1))

# %% [markdown]
# Zeros and minus zeros compare as equal, but their bytes differ, so results computed from them may differ as well: 1 / 0 and 1 / -0 are two infinities. And the same bytes in another shape are another weight.
#
# **Write** `clean_graph(layers, output)`. For every layer, needed or not: `stands_for`, the layer that is read in its place (of twins, the first one); and its `fate`: 0 left out, 1 stored, 2 there at run time.
#
# **Predict** what becomes of -2 after two ReLUs, after one, and after a ReLU whose result is then cut to at most 0: three numbers in one string, with blanks between.
#
# <details><summary>Interview question: why compare the bytes, when the hashes are equal already?</summary>There are more arrays than hashes, so two different arrays can have the same one, and a wrong merge would give wrong results without a word. <b>A weak answer says</b> "hashes are unique". <b>And then?</b> When does sharing end? When two kernels want the weights in different layouts: then each has a copy of its own again.</details>

# %%
q = exercise("engine_graph.clean_graph")
q.show()

# %% predict="clean_graph"
q = exercise("engine_graph.clean_graph")
q.predict(prints="0 0 0")


# %% solution="clean_graph"
def clean_graph(layers, output):
    """(stands_for, fate), (n_layers,) each: which layer is read in its place; 0 left out, 1 stored, 2 runs."""
    n_layers, seen = len(layers), {}
    stands_for, constant = np.arange(n_layers), np.zeros(n_layers, bool)
    fate, needed = np.zeros(n_layers, int), set()
    # about 13 lines
    ### BEGIN SOLUTION
    for i, layer in enumerate(layers.tolist()):
        kind, reads = layer[KIND], [int(stands_for[at]) for at in layer[1:3] if at >= 0]
        stands_for[i] = seen.setdefault((kind, *reads, *layer[3:]), i)
        if kind == IDENTITY or (kind == RELU and layers[reads[0], KIND] == RELU):
            stands_for[i] = reads[0]
        constant[i] = kind == CONSTANT or (kind != INPUT and all(constant[reads]))
    needed.add(int(stands_for[output]))
    for i in reversed(range(n_layers)):
        if i in needed:
            fate[i] = 1 if constant[i] else 2
            if not constant[i]:  # a stored layer no longer reads anything
                needed.update(int(stands_for[at]) for at in layers[i, 1:3] if at >= 0)
    ### END SOLUTION
    return stands_for, fate


# %% check="clean_graph"
q = exercise("engine_graph.clean_graph")
q.check(clean_graph).points

# %% [markdown]
# <details><summary>Interview question: which layers may an engine not merge, although their rows are equal?</summary>Those that draw random numbers, and those with side effects, such as a plugin that keeps a state. <b>A weak answer says</b> "equal rows are equal results". <b>And then?</b> Two additions a + b and b + a: are these twins? Yes, to the bit; an engine that sorts the operands of such layers finds them. This unit's rule does not.</details>
#
# ## 3. Which layers share a kernel
#
# **Goal:** results that never go to memory.
#
# **Look back.** What is left has to run. But a ReLU that gets a kernel of its own loads every element, does next to nothing, and stores it again. So does a bias, and so does a residual. The layer before had each of these elements in a register when it was done with it. **Vertical fusion** lets that kernel do the layers that follow, too.
#
# When may a layer join the kernel of its operand?
#
# - It works **element by element**, as `ADD` and `RELU` do. A convolution needs nine neighbours, which other threads have made, and nobody can read their registers.
# - Its operand has **no other reader**. A result that stays in a register is nowhere else, and a second reader could not find it. With two readers it is stored, and the kernel ends there.
# - Its operand is **not an output** of the network, for the same reason.
#
# A sum has two operands, and joins one of them; the other one is loaded, as a residual is.
#
# **Example.** 1: convolution of the input. 3: 1 + a constant. 4: ReLU of 3. 5: convolution of 4. 7: 5 + a constant. 8: 7 + 4. 9: ReLU of 8.
# 3 and 4 join 1. Layer 4 has two readers, 5 and 8, so the kernel ends there, and 8 joins 7 and not 4. Two kernels: 1, 3, 4 and 5, 7, 8, 9.

# %% [markdown]
# What do three small layers ask of memory, as kernels of their own? **Before you run it:** how many bytes per element will a bias, a residual and a ReLU ask for in three kernels, and how many in one?

# %%
import simt


@cuda.jit
def add(src, other, dst):
    i = cuda.grid(1)
    dst[i] = src[i] + other[i]


@cuda.jit
def relu(src, dst):
    i = cuda.grid(1)
    dst[i] = max(src[i], float32(0))


@cuda.jit
def add_add_relu(src, bias, residual, dst):
    i = cuda.grid(1)
    dst[i] = max(src[i] + bias[i] + residual[i], float32(0))


x, y = np.ones(256, np.float32), np.zeros(256, np.float32)
for kernels in ([(add, (x, x, y)), (add, (y, x, y)), (relu, (y, y))], [(add_add_relu, (x, x, x, y))]):
    counters = [simt.trace(kernel, 1, 256, *arguments).counters for kernel, arguments in kernels]
    n_bytes = sum(each["global_load_bytes"] + each["global_store_bytes"] for each in counters)
    print(f"launches: {len(kernels)}, bytes per element: {n_bytes // 256}")

# %% [markdown]
# After a convolution even the one load of src is gone: its result is in a register. What is done to it there is the kernel's **epilogue**.
#
# **Write** `fuse_groups(layers, outputs)`. For each layer, the first layer of the kernel that makes its result; -1 for the input and for constants, which no kernel makes. `ADD` and `RELU` try their first operand, then the second. `n_readers`, how often each layer is an operand, is given.
#
# **Predict** the bytes per element of four kernels in a row that read and write 4 bytes each, and of one in their place: two numbers in one string, with a blank between.
#
# <details><summary>Interview question: a result has two readers. Could both of them work it out again instead?</summary>Yes, if it is cheap: a ReLU twice costs less than a store and a load. A convolution twice costs the convolution. <b>A weak answer says</b> "it must be stored". <b>And then?</b> Who decides? A model of the cost, or a stopwatch: the engine can build both ways and time them.</details>

# %%
q = exercise("engine_graph.fuse_groups")
q.show()

# %% predict="fuse_groups"
q = exercise("engine_graph.fuse_groups")
q.predict(prints="32 8")


# %% solution="fuse_groups"
def fuse_groups(layers, outputs):
    """(n_layers,): the first layer of the kernel that makes each result, -1 for what is given. layers: (n_layers, 8)."""
    n_readers = np.bincount(layers[:, 1:3][layers[:, 1:3] >= 0], minlength=len(layers))
    kernel = np.arange(len(layers))
    # about 8 lines
    ### BEGIN SOLUTION
    for i, (kind, a, b) in enumerate(layers[:, :3]):
        if kind in (INPUT, CONSTANT):
            kernel[i] = -1
        elif kind in (RELU, ADD):
            for x in (a, b):
                if x >= 0 and kernel[x] >= 0 and n_readers[x] == 1 and x not in outputs:
                    kernel[i] = kernel[x]
                    break
    ### END SOLUTION
    return kernel


# %% check="fuse_groups"
q = exercise("engine_graph.fuse_groups")
q.check(fuse_groups).points

# %% [markdown]
# Is one kernel always faster than two? Here are pairs of layers of ResNet-50 in INT8, as the engine timed them, each as one kernel and as two: the three that gain most, and the one that gains least.
# **Before you look:** these kernels are convolutions that already have their epilogues, and now a whole layer more is fused in. What could such a kernel lose?

# %%
pairs = document_of("engine-nvidia-h200").get("resnet50 INT8 128", {}).get("pairs", [])
if pairs:
    pairs = sorted(pairs, key=lambda pair: pair["one_us"] / pair["two_us"])
    display.text(f"128 images, {document_of('engine-nvidia-h200')['device']}:")
    rows = [(" and ".join(pair["layers"]), pair["two_us"], pair["one_us"]) for pair in [*pairs[:3], pairs[-1]]]
    display.table(("layers", "two kernels, us", "one kernel, us"), rows)

# %% [markdown]
# The last pair is slower as one. A kernel that does two products needs registers and shared memory for both, so fewer of its warps are resident, or some of the work is done more than once. Layers that work element by element cost a register or none, so for them the rules of this rung are enough; for anything larger an engine asks the stopwatch.
#
# ## 4. A chain of layers in one launch
#
# **Goal:** one kernel for any chain of element by element layers.
#
# **Look back.** You know which layers share a kernel. But who writes that kernel? There are very many possible chains, and every network brings new ones. Two ways are used. An engine may *generate* source for each chain and compile it. Or one kernel *interprets* a chain: it is handed a program, a step per row, and every thread runs all steps on its element. `minitrt` generates, and you write the interpreter, which needs no compiler.
#
# Every step has an operation and a place:
#
# | op | step | for layers such as |
# |---|---|---|
# | 0 | v += arrays[at, i] | residual |
# | 1 | v *= arrays[at, i] | gates, masks |
# | 2 | v += numbers[at] | bias of a whole tensor |
# | 3 | v *= numbers[at] | scale |
# | 4 | v = max(v, numbers[at]) | ReLU |
# | 5 | v = min(v, numbers[at]) | the upper end of ReLU6 |
#
# **Example.** ReLU6 of x + residual: steps (0, 1), (4, 0), (5, 1), with numbers 0 and 6. An element of 3 with residual 5 becomes 8, stays 8, becomes 6; an element of -4 with residual 1 becomes -3, 0, 0.
#
# All threads run the same step at the same time, so a warp never diverges at a branch, and the program is read by 32 lanes at one address: a sector per load.
#
# **Step through it:** a program of two steps. Watch `v`, and how the whole warp takes one way.

# %% tags=["setup"]
ADD_ARRAY, TIMES_ARRAY, ADD_NUMBER, TIMES_NUMBER, AT_LEAST, AT_MOST = 0, 1, 2, 3, 4, 5  # operations of a chain

# %%
@cuda.jit
def two_steps(program, numbers, arrays, dst):
    """The first two steps, for operations 0 to 3 alone: step on, and see that all lanes agree at each branch."""
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(min(2, program.shape[0])):
            op, at = program[s, 0], program[s, 1]
            other = arrays[at, i] if op < ADD_NUMBER else numbers[at]
            if op == ADD_ARRAY or op == ADD_NUMBER:
                v += other
            else:
                v *= other
        dst[i] = v


q = exercise("engine_graph.run_chain")
q.step(two_steps)

# %% [markdown]
# **Write** `run_chain(program, numbers, arrays, dst)`, one thread per element. It begins with row 0 of arrays, and stores once, after the last step. A program may have no steps. The check also launches other blocks.
#
# **Predict first**, for 1,025 elements and 6 steps: the load requests, when each step loads its operation, its place and the number that it works with; the bytes stored; and what becomes of 7 when it is made at least 0 and then at most 6, of 7 in the opposite order, and of -7 when it is made at least 0. Write these three numbers into one string, with blanks between.
#
# <details><summary>Interview question: interpret or generate?</summary>A generated kernel has no branches, loads no program, and the compiler sees the whole chain; but each chain must be compiled, which takes tenths of a second, and kept. An interpreter is there at once, for any chain, and pays some instructions per step. While the kernel waits for memory nobody notices them. <b>A weak answer says</b> "generated code is faster". <b>And then?</b> What does PyTorch's compiler do? It generates, and keeps what it compiled in a cache.</details>

# %%
q = exercise("engine_graph.run_chain")
q.show()

# %% predict="run_chain"
q = exercise("engine_graph.run_chain")
q.predict(global_load_requests=627, global_store_bytes=4100, prints="6 6 0")


# %% solution="run_chain"
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    """dst = arrays[0] after all steps. program: (n_steps, 2) int32, numbers: (8,), arrays: (4, n), dst: (n,) float32."""
    i = cuda.grid(1)
    # about 17 lines
    ### BEGIN SOLUTION
    if i < dst.size:
        v = arrays[0, i]  # in a register from here on
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v
    ### END SOLUTION


# %% check="run_chain"
q = exercise("engine_graph.run_chain")
q.check(run_chain).points

# %% [markdown]
# The same six steps as six launches and as one. **Before you run it:** by how much do the bytes of the elements themselves fall?

# %%
rng = np.random.default_rng(16)
steps = np.array([[2, 0], [3, 1], [0, 1], [4, 2], [1, 2], [5, 3]], np.int32)
numbers = np.array([1, 0.5, 0, 6, 0, 0, 0, 0], np.float32)
arrays, dst = rng.normal(size=(4, 1024)).astype(np.float32), np.zeros(1024, np.float32)
try:
    for size in (1, 6):
        stored = 0
        for first in range(0, 6, size):
            counters = simt.trace(run_chain, 4, 256, steps[first : first + size].copy(), numbers, arrays, dst).counters
            stored += counters["global_store_bytes"]
        print(f"launches: {6 // size}, bytes stored: {stored:,}, and as many of elements loaded")
except NotImplementedError:
    print("Nothing to count yet: first write run_chain.")

# %% [markdown]
# ## 5. Three layers with one input
#
# **Goal:** one wide layer in place of three narrow ones.
#
# **Look back.** Rungs 3 and 4 put layers together that follow one another. Layers may also stand side by side: in attention, unit 14, queries, keys and values are three products with one input. Nothing orders the three, but three launches load x three times, and a narrow product leaves lanes idle: with 12 columns, 20 of 32 lanes have none.
#
# **Horizontal fusion** lays the weights of such layers side by side and makes one product of them. It changes no sum, so it changes no bit. Whoever reads the results finds them where the three layers would have left them: every thread stores into the array that its column belongs to.
#
# Here keys and values are narrower than queries, as in many language models: several heads of queries share one of keys and values, which saves memory for the keys and values of earlier words. It is called grouped-query attention.
#
# **Example.** n_query = 40, n_key = 12, so the weights have 64 columns. Column 7 is column 7 of queries. Column 45 is past the queries, and column 45 - 40 = 5 of keys. Column 60 is column 60 - 40 - 12 = 8 of values.

# %% [markdown]
# Warps along the columns, for each row of x: apart and together. **Before you run it:** in which of the three does fusing save most?

# %%
for n_query, n_key in ((40, 12), (64, 64), (33, 1)):
    apart = -(-n_query // 32) + 2 * -(-n_key // 32)
    print(f"{n_query} + 2 x {n_key} columns: {apart} warps apart, {-(-(n_query + 2 * n_key) // 32)} together")

# %% [markdown]
# **Write** `query_key_value(x, weights, queries, keys, values)`, one thread per column of the weights and row of x.
#
# **Predict first**, for 16 rows, 24 inputs, 40 and 12 columns: the load requests; and the place in keys, counted row by row, that thread 45 of block 1 writes. Blocks are 32 x 8.
#
# <details><summary>Interview question: when may layers not be fused side by side?</summary>When they differ in what they would share: a different input, a different stride or padding, a different type. Or when one of them is needed long before the others, whose results would then lie in memory all the while. <b>A weak answer says</b> "when their sizes differ", which they may. <b>And then?</b> Why not run the three in three streams? They would overlap, but each would still load x, and each would fill its last warps badly.</details>

# %%
q = exercise("engine_graph.query_key_value")
q.show()

# %% predict="query_key_value"
q = exercise("engine_graph.query_key_value")
q.predict(global_load_requests=1536, index=17)


# %% solution="query_key_value"
@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    """Three products with one input. x: (n_rows, n_in), weights: (n_in, n_query + 2 n_key), queries: (n_rows, n_query),
    keys, values: (n_rows, n_key), all float32."""
    col, row = cuda.grid(2)
    n_query, n_key = queries.shape[1], keys.shape[1]
    # about 10 lines
    ### BEGIN SOLUTION
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col < n_query:
            queries[row, col] = acc
        elif col < n_query + n_key:
            keys[row, col - n_query] = acc
        else:
            values[row, col - n_query - n_key] = acc
    ### END SOLUTION


# %% check="query_key_value"
q = exercise("engine_graph.query_key_value")
q.check(query_key_value).points

# %% [markdown]
# ## 6. A network's head in one kernel
#
# **Goal:** layers of different kinds in one launch.
#
# **Look back.** So far a layer that joined a kernel worked on the element at hand. The end of a network such as ResNet has four layers, and only the first two do: the residual is added, a ReLU cuts, **global average pooling** makes one number of each channel, and a fully connected layer makes a logit per class of those.
# Pooling needs all pixels of a channel, and the last layer all channels. These are other threads' results, so registers are not enough; but if one block does a whole image, shared memory and a barrier are.
#
# How large is what is saved? An image with 64 channels of 49 pixels has 3,136 elements, written and read again after the residual and after the ReLU. The averages are 64.
#
# **Example**, one channel of four pixels, weight 2, bias 1:
#
# | | | | | |
# |---|---|---|---|---|
# | x | -3 | 2 | 5 | -1 |
# | + residual | -3 + 1 = -2 | 2 + 2 = 4 | 5 + 1 = 6 | -1 - 4 = -5 |
# | ReLU | 0 | 4 | 6 | 0 |
# | average | 10 / 4 = 2.5 | | | |
# | logit | 1 + 2 · 2.5 = 6 | | | |
#
# The order matters. The average of -2, 4, 6 and -5 is 0.75: cut after averaging, the channel would have another value, and nothing would look wrong.

# %% [markdown]
# **Given:** `warp_sum(value)`, unit 5's shuffles: the sum of 32 lanes, in lane 0.
#
# **Write** `network_head(x, residual, weights, bias, logits)`, a block of 128 threads per image. Each of four warps takes every fourth channel, its lanes every 32nd pixel; lane 0 stores the average in shared memory. Then, past a barrier, a thread takes every 128th class.
#
# **Predict first**, for 2 images, 9 channels of 64 pixels, and 40 classes: the bytes stored and the barriers; and what the ReLU of the sum of -3 and 1 is, and what the sum of their two ReLUs: two numbers in one string, with a blank between.
#
# <details><summary>Interview question: max pooling with padding: what stands past the edge?</summary>Minus infinity, so that it never wins; a zero would win where all real pixels are negative. Average pooling has to decide whether padding counts in the divisor: ONNX has an attribute for it, and frameworks differ. <b>A weak answer says</b> "zeros, as for a convolution". <b>And then?</b> Which of batch norm and layer norm could join this kernel for free? Batch norm: it is a factor and a summand per channel, known before; layer norm needs the mean of what has just been made.</details>

# %% tags=["setup"]
CHANNELS = 64  # at most


@cuda.jit(device=True)
def warp_sum(value):
    """The sum of 32 lanes' values, in lane 0. All lanes of the warp must call it."""
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    return value

# %%
q = exercise("engine_graph.network_head")
q.show()

# %% predict="network_head"
q = exercise("engine_graph.network_head")
q.predict(global_store_bytes=320, barriers=2, prints="0 1")


# %% solution="network_head"
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    """A residual, ReLU, the average of each channel, and a fully connected layer. x, residual: (n_images, n_channels,
    n_pixels), weights: (n_channels, n_classes), bias: (n_classes,), logits: (n_images, n_classes), all float32."""
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    # about 13 lines
    ### BEGIN SOLUTION
    for channel in range(t // 32, n_channels, 4):  # a warp per channel
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()  # all warps' averages are there
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc
    ### END SOLUTION


# %% check="network_head"
q = exercise("engine_graph.network_head")
q.check(network_head).points

# %% [markdown]
# <details><summary>Interview question: one block per image. What if the batch is one image?</summary>Then one block works, and more than a hundred multiprocessors have nothing to do. Several blocks per image, with a part of the channels each, would need a second launch for the classes, or atomics on the logits. <b>A weak answer says</b> "a larger block". <b>And then?</b> How does an engine choose? It has both kernels and times them for the batch it is built for.</details>
#
# ## 7. A step of an LSTM in one kernel
#
# **Goal:** both ways to fuse, in a layer that goes through time.
#
# **Look back.** So far every layer ran once per picture. A **recurrent** layer runs once per word or sample of a sequence, and hands a state from step to step. The best known is the **LSTM**. For each of its units it keeps a cell c, which may remember for long, and a state h, which the other units see.
#
# A step makes four sums per unit, all of the same x and h: i = bias + x · w + h · r, and o, f and g in the same way with columns of their own. Three of them become **gates**, shares between 0 and 1, by sigmoid(v) = 1 / (1 + e⁻ᵛ):
#
# - the input gate i says how much comes in, the forget gate f how much stays, the output gate o how much is shown;
# - g is the candidate for what comes in, between -1 and 1 by tanh.
#
# new_c = sigmoid(f) · c + sigmoid(i) · tanh(g), and new_h = sigmoid(o) · tanh(new_c).
#
# **Example**, one unit with c = 2: sums i = 0, f = 0, o = 0 and g = -1 are gates of one half each, and tanh(-1) = -0.76. So new_c = 0.5 · 2 - 0.5 · 0.76 = 0.62, and new_h = 0.5 · tanh(0.62) = 0.28.
#
# Line by line that is a launch for each of eight products, eight additions to them, four sigmoids and tanhs, and the five small layers that make c and h. Fused it is one kernel: four products with one input, side by side, and an epilogue.
# Columns stand in the order i, o, f, g, as in ONNX; PyTorch has i, f, g, o. Whoever imports weights has to reorder them.

# %% tags=["setup"]
import math


@cuda.jit(device=True)
def sigmoid(v):
    """1 / (1 + e^-v), between 0 and 1. float32."""
    return float32(1) / (float32(1) + math.exp(-v))

# %% [markdown]
# How long does a cell remember? A forget gate near 1 keeps a number for a hundred steps, one of 0.9 does not. **Before you run it:** what is left of 1 after a hundred steps of each?

# %%
for f in (6.9, 2.2, 0.0):
    share = 1 / (1 + np.exp(-f))
    print(f"f = {f}: keeps {share:.3f} per step, and {share**100:.4f} after a hundred")

# %% [markdown]
# **Write** `lstm_step(x, h, c, w, r, bias, new_h, new_c)`, one thread per unit and row; rows are sequences that go through the same step together. `sigmoid` is given. Four sums in four registers, a loop over x and one over h.
#
# **Find the bug.** The draft below gets gates and cells right, and stores the new state twice. **Predict** the line that its verdict will name, counted from the `@cuda.jit` of its cell, line 1. Who reads what it overwrites?
# **Predict**, too, for 4 rows, 3 inputs and 40 units: the bytes stored.
#
# <details><summary>Interview question: why are LSTMs slow on a GPU?</summary>A step needs the state of the step before, so steps cannot run side by side; and a step is a small product, whose weights are read again every time. What helps: the products with x do not wait, so those of all steps are one large product, done first; the four gates are one product; rows of a batch share the weights; and a kernel that stays resident can keep r on chip. <b>A weak answer says</b> "they have many gates". <b>And then?</b> What is different in a GRU? Three sums in place of four and no cell of its own, so a quarter fewer weights.</details>

# %%
q = exercise("engine_graph.lstm_step")
q.show()

# %% predict="lstm_step"
q = exercise("engine_graph.lstm_step")
q.predict(global_store_bytes=1280, line=20)


# %%
@cuda.jit
def draft(x, h, c, w, r, bias, new_h, new_c):
    """Writes the new state over the old one as well, so that the next step finds it there; no arrays change places."""
    u, row = cuda.grid(2)
    n = h.shape[1]
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            i += x[row, k] * w[k, u]
            o += x[row, k] * w[k, n + u]
            f += x[row, k] * w[k, 2 * n + u]
            g += x[row, k] * w[k, 3 * n + u]
        for k in range(n):
            i += h[row, k] * r[k, u]
            o += h[row, k] * r[k, n + u]
            f += h[row, k] * r[k, 2 * n + u]
            g += h[row, k] * r[k, 3 * n + u]
        new_c[row, u] = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_h[row, u] = sigmoid(o) * math.tanh(new_c[row, u])
        h[row, u] = new_h[row, u]


q = exercise("engine_graph.lstm_step")
q.check(draft)


# %% solution="lstm_step"
@cuda.jit
def lstm_step(x, h, c, w, r, bias, new_h, new_c):
    """A step of an LSTM. x: (n_rows, n_in), h, c, new_h, new_c: (n_rows, n), w: (n_in, 4 n), r: (n, 4 n), bias: (4 n,),
    all float32; columns of i, then o, f, g."""
    u, row = cuda.grid(2)
    n = h.shape[1]
    # about 17 lines
    ### BEGIN SOLUTION
    if row < h.shape[0] and u < n:
        i, o, f, g = bias[u], bias[n + u], bias[2 * n + u], bias[3 * n + u]
        for k in range(x.shape[1]):
            v = x[row, k]  # once for four products
            i += v * w[k, u]
            o += v * w[k, n + u]
            f += v * w[k, 2 * n + u]
            g += v * w[k, 3 * n + u]
        for k in range(n):
            v = h[row, k]
            i += v * r[k, u]
            o += v * r[k, n + u]
            f += v * r[k, 2 * n + u]
            g += v * r[k, 3 * n + u]
        cell = sigmoid(f) * c[row, u] + sigmoid(i) * math.tanh(g)
        new_c[row, u] = cell
        new_h[row, u] = sigmoid(o) * math.tanh(cell)
    ### END SOLUTION


# %% check="lstm_step"
q = exercise("engine_graph.lstm_step")
q.check(lstm_step).points

# %% [markdown]
# The draft is what a fusion looks like when one of two readers was forgotten. h of the old step is read by *every* unit of its row, and the draft overwrites it as if its own unit were the only one. On a GPU that is right on most days, since blocks that start together read before any of them stores.
# Rung 3's rule is the same rule: what has another reader must stay where it is. So a step reads one pair of arrays and writes another, and the host exchanges them.
#
# ## 8. The engine's kernels, and yours
#
# **Look back.** That was the promise: the same ONNX file, through the engine and through your functions. The network below is small, and it has everything that this unit is about: a dropout, an identity at the end, a convolution whose weights were written down twice, one that nobody reads, and a result with two readers.
# **Before you run it:** of 13 nodes, how many kernels will be left?

# %%
def exported(weights):
    """The bytes of an ONNX file, as an exporter would write it."""
    from onnx import TensorProto, helper, numpy_helper

    conv = dict(pads=[1] * 4)
    nodes = [("Conv", "picture w1", "conv1", conv), ("Relu", "conv1", "relu1"), ("Dropout", "relu1", "dropout")]
    nodes += [("Conv", "dropout w2", "conv2", conv), ("Relu", "conv2", "relu2"), ("Conv", "relu1 w3", "twin", conv)]
    nodes += [("Conv", "relu2 w2", "unread", conv), ("Conv", "relu2 w4", "conv3", conv), ("Add", "conv3 twin", "add")]
    nodes += [("Relu", "add", "relu3"), ("MaxPool", "relu3", "pool", dict(kernel_shape=[2, 2], strides=[2, 2]))]
    nodes += [("Flatten", "pool", "flatten"), ("Identity", "flatten", "out")]
    made = [helper.make_node(kind, reads.split(), [name], name, **dict(*more)) for kind, reads, name, *more in nodes]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in (("picture", (1, 3, 16, 24)), ("out", (1, 768)))]
    graph = helper.make_graph(made, "small", ends[:1], ends[1:], [numpy_helper.from_array(array, name) for name, array in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]).SerializeToString()


# %%
rng = np.random.default_rng(16)
weights = {name: rng.normal(0, 0.3, (8, 3 if name == "w1" else 8, 3, 3)).astype(np.float32) for name in ("w1", "w2", "w4")}
weights["w3"] = weights["w2"].copy()  # the same bytes under another name
try:
    import onnx

    model = onnx.load_from_string(exported(weights))
    print(len(model.graph.node), "nodes:", *(node.op_type for node in model.graph.node))
except ImportError:
    model = None
    print("The onnx package is not installed here: pip install onnx, and run this cell again.")

# %% [markdown]
# The engine first: parse, build, and ask its **inspector** which layers are left. A name with + is one kernel for several layers. With a GPU as its target the builder would also time what could be fused beyond these rules, as in the table of rung 3, and the list might be shorter.

# %%
import minitrt as trt


def layers_of_engine(data):
    """(layers of the network definition, the engine, names of its layers). data: an ONNX file."""
    builder = trt.Builder(logger := trt.Logger(trt.Logger.ERROR))
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = trt.OnnxParser(network, logger)
    if not parser.parse(data):
        raise ValueError([str(parser.get_error(i)) for i in range(parser.num_errors)])  # all of them
    config = builder.create_builder_config()
    config.target = None  # for no GPU: nothing is timed, and the list is the same everywhere
    engine = trt.Runtime(logger).deserialize_cuda_engine(builder.build_serialized_network(network, config))
    text = engine.create_engine_inspector().get_engine_information(trt.LayerInformationFormat.ONELINE)
    return network.num_layers, engine, text.partition("Bindings:")[0].splitlines()[1:]


of_engine = []
if model is not None:
    n_layers, engine, of_engine = layers_of_engine(model.SerializeToString())
    print(f"{n_layers} layers in the network definition, constants among them; {len(of_engine)} in the engine:", *of_engine, sep="\n  ")

# %% [markdown]
# One Relu has a kernel of its own. For every two neighbours that could have shared a kernel, `engine.why_not()` names the rule that forbade it and the layer in the way.
# **Before you run it:** relu2 reads conv2, and conv2's only reader in the file is relu2. So which second reader can there be?

# %%
if model is not None:
    print(*engine.why_not(), sep="\n")

# %% [markdown]
# `twin` is a convolution of the same input with the same bytes, so the engine has it once, under the name conv2, and what read the twin reads conv2 now. Cleaning up took one kernel away and forbade a fusion. It is rung 3's rule.
# What each pass did can be looked at. In a terminal, `warpbook-trtexec --onnx=FILE.onnx --stronglyTyped --skipInference --viewer=engine.html` writes one page, with the graph after every pass and what that pass changed marked in it. The arrow keys go from pass to pass and from layer to layer; `/` searches, and `c` colours by type, kind or time.
#
# Now yours. The cell makes a table of the file, and hands it to your three functions one after the other: each gets what the one before has left.

# %%
KINDS = {"Conv": CONV, "Relu": RELU, "Add": ADD, "MaxPool": POOL, "Flatten": FLATTEN, "Dropout": IDENTITY, "Identity": IDENTITY}


def table_of(model):
    """(names, layers) of an ONNX model: a row per node, and one for its input."""
    arrays = {one.name: onnx.numpy_helper.to_array(one) for one in model.graph.initializer}
    numbers, names, rows = {}, [model.graph.input[0].name], [[INPUT, -1, -1, 0, 1, 1, 0, 0]]
    for node in model.graph.node:
        reads = [names.index(name) for name in node.input if name in names] + [-1, -1]
        array = arrays.get(node.input[-1])
        settings = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        channels, kernel = (len(array), array.shape[-1]) if array is not None else (0, settings.get("kernel_shape", [1])[0])
        number = 0 if array is None else numbers.setdefault(array.tobytes(), len(numbers) + 1)
        spaced = settings.get("strides", [1])[0], settings.get("pads", [0])[0]
        rows.append([KINDS.get(node.op_type, 99), *reads[:2], channels, kernel, *spaced, number])
        names.append(node.output[0])
    return names, np.array(rows)


# %%
def kernels_of_mine(names, layers):
    """Names of the layers of each kernel, by the functions of this unit."""
    stands_for, fate = clean_graph(layers, len(layers) - 1)
    left = np.flatnonzero(fate)
    place = {int(old): new for new, old in enumerate(left)} | {-1: -1}
    rows = layers[left].copy()
    rows[:, 1:3] = [[place[int(stands_for[at])] if at >= 0 else -1 for at in row] for row in rows[:, 1:3]]
    kernel = fuse_groups(rows, np.array([place[int(stands_for[len(layers) - 1])]]))
    return [" + ".join(names[left[i]] for i in np.flatnonzero(kernel == first)) for first in np.unique(kernel[kernel >= 0])]


# %%
try:
    if model is not None:
        names, layers = table_of(model)
        shapes = infer_shapes(layers, np.array([3, 16, 24]))
        print("shapes:", *(f"{name} {tuple(map(int, shape))}" for name, shape in zip(names, shapes, strict=True)))
        mine, theirs = kernels_of_mine(names, layers), [line.partition(" (")[0] for line in of_engine]
        print(f"{len(layers) - 1} layers, {len(mine)} kernels:", *mine, sep="\n  ")
        print("the engine's kernels, and no others" if sorted(mine) == sorted(theirs) else f"the engine has {theirs}")
except NotImplementedError:
    print("Nothing to compare yet: first write infer_shapes, clean_graph and fuse_groups.")

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels of this unit.
#
# | kernel | float32 flops | global load requests | sectors of those | shared load requests | barriers | bytes stored |
# |---|---|---|---|---|---|---|
# | A | 49,152 | 1,536 | 3,840 | 0 | 0 | 4,096 |
# | B | 4,096 | 608 | 896 | 0 | 0 | 4,096 |
# | C | 83,712 | 1,640 | 5,600 | 0 | 0 | 2,048 |
# | D | 53,248 | 776 | 3,104 | 256 | 4 | 1,024 |
#
# A barrier counts once for each block that passes it. Before you open the answer: which rung is each? Which of them waits most for its loads, judged by its flops per sector? Why does B touch so few sectors per request, and D four?
#
# <details><summary>The answer</summary>D has barriers and shared memory: the head, rung 6, with four images. B has four flops for each of 1,024 elements stored: the chain, rung 4, whose two other steps compare; its sectors are few since most requests are for the program, one address for 32 lanes. A stores 1,024 results, 24 products each: rung 5, with a sector for x and four for the weights. C stores two arrays of 256 and multiplies most: the LSTM, rung 7. B waits most: 4.6 flops per sector, where A has 12.8, C 14.9 and D 17.2. <b>A weak answer says</b> "C, it has the most sectors". <b>And then?</b> D's requests take four sectors, A's two and a half. Is D worse? No: 32 neighbours are four sectors, all of it wanted; one sector is what one address costs.</details>

# %% [markdown]
# ## What you can do now
#
# You can read a network as a graph: infer its shapes and list what does not fit; drop identities, twins, dead layers and constants; say which layers share a kernel, and why a second reader forbids it. And you can write such kernels: an interpreter for chains, one wide product in place of three, a head with a barrier between its layers, and a step of an LSTM.
# The next unit takes the engine's kernels to INT8.
#
# The table has the rungs of this session.

# %%
from autograder import ladder

ladder("16_engine_graph")
