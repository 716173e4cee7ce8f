# %% [markdown]
# # Compression
#
# **The promise:** half the weights of a trained network are gone, and you can say what that cost and what it gained: the last cells count bytes, misread digits and microseconds, for each way to do without half.
#
# **Time:** about three hours and a quarter, 78 lines to write.
# **You need:** unit 5 for shuffles, unit 8 for histograms; unit 12, whose tensor cores and tiles come back in rung 5, and unit 17 for batch norm.
# Without a GPU everything is checked and counted; only the times are missing.

# %% tags=["setup"]
import numpy as np
from numba import cuda, float32, int32, uint32

from autograder import exercise
from autograder.notebook.intrinsics import commit_copies, copy16_async, copy_async, ldmatrix, ldmatrix_transposed, mma_sparse, wait_copies

float16 = np.float16

# %% [markdown]
# ## 1. Count a digit of every magnitude
#
# **Goal:** find the k-th largest of millions of magnitudes without sorting.
#
# Trained networks have more weights than they need. **Pruning** sets some of them to 0. Which ones? The simplest rule is **magnitude pruning**: the smallest go, since a weight near 0 adds little to any sum. If half of a layer's weights are to stay, let k be half their number: then every weight stays whose magnitude is at least the k-th largest. That magnitude is the **threshold**.
#
# Sorting would find it, but would move every weight several times to learn one number. There is a shorter way. The 32 bits of a float32 are a sign, then 8 bits of exponent, then 23 of fraction. Read without the sign, they are a whole number, and a larger magnitude is a larger number. So search for the threshold digit by digit, as you look up a name letter by letter: first its highest 8 bits, then the next 8, four times. This is **radix select**.
#
# **Example** with numbers of two decimal digits, the 4th largest of 71, 34, 38, 90, 35, 12, 31, 77:
#
# | digit of tens | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | how many | 0 | 1 | 0 | 4 | 0 | 0 | 0 | 2 | 0 | 1 |
#
# From above: one number has a 9, and with the two that have a 7 that is three. So the 4th has a 3, and it is the largest of the four that have one. Their ones digits are 4, 8, 5 and 1, and the largest of these is 8: the threshold is 38.
# Nothing was moved. The second round looks only at those whose first digit is 3; that digit is the **prefix**.

# %% [markdown]
# What do the bits of weights look like? **Before you run it:** which of these has the largest first digit?

# %%
some = np.array([1.25, -1.25, 0.01, -300, 0], np.float32)
for weight, bits in zip(some, some.view(np.int32) & 0x7FFFFFFF, strict=True):
    print(f"{weight:8.2f} without its sign: {bits:08x}, digits {[int(bits) >> shift & 255 for shift in (24, 16, 8, 0)]}")

# %% [markdown]
# **Write** `count_digits(bits, prefix, shift, counts)`, a histogram as in unit 8: a block counts for itself in shared memory, 256 digits by 256 threads, and adds what it found to `counts` in the end.
# The weights come as int32, the same bits. Take the sign off with `& 0x7FFFFFFF`. The digit is the 8 bits from bit `shift` on. Only weights count whose bits above the digit, `>> shift + 8`, are the prefix. In the first round nothing lies above it, and the prefix is 0.
#
# **Find the bug.** The draft below counts as you should, and is right most of the time. **Predict** the line that its verdict will name, where the `@cuda.jit` of its cell is line 1.
# **Predict**, too, for 3,000 weights: the load requests to global memory; and what `print(0x3FA00000 >> 24, (0x3FA00000 >> 16) & 255)` prints.
#
# <details><summary>Interview question: why four rounds of 8 bits, and not two of 16?</summary>Each round reads all weights, so two would read half as much. But 65,536 counters of 4 bytes, 256 KiB, do not fit into a block's shared memory, and most would stay 0. <b>A weak answer says</b> "8 bits are a byte". <b>And then?</b> What could later rounds be spared? Most weights have another prefix: the second round could write down those that have it, and the rest would read only these few.</details>

# %%
q = exercise("compression.count_digits")
q.show()

# %% predict="count_digits"
q = exercise("compression.count_digits")
q.predict(line=11, global_load_requests=94, prints="63 160")


# %%
@cuda.jit
def draft(bits, prefix, shift, counts):
    """Counts the digits of this block's weights in own, then adds them to counts."""
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])


q = exercise("compression.count_digits")
q.check(draft);


# %% solution="count_digits"
@cuda.jit
def count_digits(bits, prefix, shift, counts):
    """counts[d] += how many weights with this prefix have digit d. bits: (n,) int32, counts: (256,) int32."""
    own = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    # about 9 lines
    ### BEGIN SOLUTION
    own[t] = 0
    cuda.syncthreads()  # every counter is 0
    for i in range(cuda.grid(1), bits.size, cuda.gridsize(1)):
        magnitude = bits[i] & 0x7FFFFFFF
        if magnitude >> (shift + 8) == prefix:
            cuda.atomic.add(own, (magnitude >> shift) & 255, 1)
    cuda.syncthreads()  # all threads have counted
    if own[t] > 0:
        cuda.atomic.add(counts, t, own[t])  # one for each digit that the block met
    ### END SOLUTION


# %% check="count_digits"
q = exercise("compression.count_digits")
q.check(count_digits).points

# %% [markdown]
# <details><summary>What was wrong with the draft?</summary>Thread t reads counter t as soon as its own weights are counted. Other warps may still be counting, and what they add to that counter later is lost. A barrier between the loop and the line that reads makes every thread wait for the last one.</details>
#
# ## 2. The digit of the smallest that stays
#
# **Goal:** from counts to a threshold.
#
# **Look back.** `count_digits` says how many weights have each digit. The largest stay, so count from above: the digit at which the count reaches `keep` belongs to the smallest weight that stays, the threshold.
# Weights with a larger digit stay whatever their other bits are. Of those with this digit some stay: `keep` minus the number with larger digits. That is the `keep` of the next round, which looks at the next 8 bits of these weights alone.
#
# **Example.** Counts 4, 0, 3, 2 of the digits 0 to 3, keep 4. Two have digit 3; with the three of digit 2 that is five, so the 4th has digit 2. Two of the four that stay are accounted for, so 2 are left: two of the three with digit 2 stay, and the next round finds out which.
#
# After the last round all 32 bits are known, and the last `keep` says how many weights of exactly that magnitude are to stay. If there are more of them, it is a **tie**, and a rule is needed. Here all of them stay: perhaps a few more than k, but the same ones whatever the order in which threads run.

# %% [markdown]
# **Write** `digit_of(counts, keep)`, a host function, since 256 numbers are not worth a launch. It returns the digit and the `keep` of the next round.
#
# **Predict** which digit it returns for the example.
#
# <details><summary>Interview question: one threshold for each layer, or one for the whole network?</summary>One for all takes more from layers with many small weights, and fewer where weights matter, so it loses less accuracy at the same share. One per layer takes the same share everywhere, however much or little a layer can spare. <b>A weak answer says</b> "one for all is simpler". <b>And then?</b> What can go wrong with one for all? A layer with small weights may vanish altogether, and then nothing gets through it: limit the share that each may lose.</details>

# %%
q = exercise("compression.digit_of")
q.show()

# %% predict="digit_of"
q = exercise("compression.digit_of")
q.predict(digit=2)


# %% solution="digit_of"
def digit_of(counts, keep):
    """The digit of the smallest weight that stays, and how many with that digit stay. counts: (256,) int32."""
    # about 5 lines
    ### BEGIN SOLUTION
    digit = len(counts) - 1
    while keep > counts[digit]:
        keep -= counts[digit]  # all of these stay
        digit -= 1
    return digit, keep
    ### END SOLUTION


# %% check="digit_of"
q = exercise("compression.digit_of")
q.check(digit_of).points

# %% [markdown]
# Both together find the threshold of a layer of 512 x 512 weights. **Before you run it:** the weights are normally distributed with standard deviation 1, and half are to stay. Near which magnitude will the threshold lie?

# %%
def threshold_of(weights, keep):
    """The keep-th largest magnitude of float32 weights."""
    bits, prefix = cuda.to_device(weights.ravel().view(np.int32)), 0
    for shift in (24, 16, 8, 0):
        counts = cuda.to_device(np.zeros(256, np.int32))
        count_digits[4, 256](bits, np.int32(prefix), np.int32(shift), counts)
        digit, keep = digit_of(counts.copy_to_host(), keep)
        prefix = prefix << 8 | int(digit)
    return np.array(prefix, np.int32).view(np.float32)


layer = np.random.default_rng(20).normal(size=(512, 512)).astype(np.float32)
try:
    threshold = threshold_of(layer, layer.size // 2)
    stay = np.abs(layer) >= threshold
    print(f"threshold {threshold:.6f}, NumPy's sorted {np.sort(np.abs(layer), axis=None)[layer.size // 2]:.6f}")
    print(f"{stay.sum():,} of {layer.size:,} stay, and {np.square(layer[stay]).sum() / np.square(layer).sum():.1%} of the sum of squares")
except NotImplementedError:
    print("Nothing to find yet: first write count_digits and digit_of.")

# %% [markdown]
# Half of the weights hold nearly all of the sum of squares; that is why pruning works at all. But is anything faster now?
# A matrix with zeros here and there is as large as before, and tensor cores multiply by 0 at the same speed as by 1. To leave zeros out, one has to say where the others stand: an index for each, 4 bytes for a weight of 2. Loads follow these indices, and no tile is left, as in unit 15's CSR product. With half of the weights left, that is three times the bytes of each weight that stays; it can pay only when far more are gone.
# So **unstructured** sparsity saves room in a file. To save time, zeros must lie where hardware can use them: the next rungs take whole channels, then two of every four.
#
# ## 3. Whole channels, and all that depends on them
#
# **Goal:** a smaller network that any kernel runs.
#
# **Look back.** Zeros in any place make a product no faster. If a whole row of a layer's weights goes, the matrix has one row fewer, and its result one channel fewer. That is **structured** pruning: what is left is dense.
#
# What depends on a channel? It is a row of its layer's weights. It has four numbers in the batch norm after it. If a shortcut is added there, it is a row of the shortcut's weights, too: two channels that are added to each other go together or not at all. And it is a column of each layer that reads it, or several neighbouring columns if the picture is flattened in between, since a channel is a whole area then.
#
# Which channels stay? The largest. A channel's **size** is the sum of the magnitudes in its row of weights and in its row of the shortcut.
#
# **Example.** Three channels, two stay:
#
# | channel | row of weights | row of shortcut | size | stays |
# |---|---|---|---|---|
# | 0 | 3, -1 | 0.5 | 4.5 | yes |
# | 1 | 2, 2 | 0 | 4 | no |
# | 2 | 0.5, 0 | -4 | 4.5 | yes |
#
# By its own weights alone channel 2 would have gone. The next layer reads an area of 2 per channel, columns (0, 1), (2, 3) and (4, 5); columns 0, 1, 4 and 5 are left, in this order.
# A channel that goes did not always give 0: after batch norm, even one whose weights are all 0 gives a constant. To lose less, add that constant, times the next layer's weights, to the next layer's bias.

# %% [markdown]
# **Write** `shrink_channels(weights, norm, shortcut, following, keep)`, a host function. Return the numbers of the channels that stay, rising, and then the four parts without the others. `np.argsort(-size, kind="stable")` puts the largest first and leaves equal ones in their order: of equally large channels the lower number stays.
#
# **Predict** which one of three channels stays: their rows of weights are (2, -2), (1, 1) and (0, 3), and their shortcuts 0, -2.5 and 1.
#
# <details><summary>Interview question: you removed a quarter of all channels. Is the network a quarter faster?</summary>Its products shrink on both sides, to about 9/16, so it could even be faster than that. But 48 channels may take as long as 64, where tiles are 64 wide: what is left should fill whole tiles. And layers that wait for memory or for launches gain less. <b>A weak answer says</b> "yes". <b>And then?</b> You may keep about 100 channels: how many do you take? 96: a multiple of 32, which suits tiles and 16-byte loads.</details>

# %%
q = exercise("compression.shrink_channels")
q.show()

# %% predict="shrink_channels"
q = exercise("compression.shrink_channels")
q.predict(channel=1)


# %% solution="shrink_channels"
def shrink_channels(weights, norm, shortcut, following, keep):
    """The largest channels' numbers, and the four parts without the rest. A channel is a row of weights and shortcut,
    a column of norm, and `area` columns of following."""
    # about 5 lines
    ### BEGIN SOLUTION
    size = np.abs(weights).sum(axis=1) + np.abs(shortcut).sum(axis=1)
    kept = np.sort(np.argsort(-size, kind="stable")[:keep])
    n_out, n_mid = len(following), len(weights)
    by_channel = following.reshape(n_out, n_mid, -1)  # a channel's columns are neighbours
    return kept, weights[kept], norm[:, kept], shortcut[kept], by_channel[:, kept].reshape(n_out, -1)
    ### END SOLUTION


# %% check="shrink_channels"
q = exercise("compression.shrink_channels")
q.check(shrink_channels).points

# %% [markdown]
# ## 4. Two of every four
#
# **Goal:** half of the weights, and four bits for each pair to say which.
#
# **Look back.** Removing whole channels makes a product smaller, but costs accuracy, since good weights go with bad ones. Removing single weights costs little, but saves no time. Between them lies a rule that NVIDIA's tensor cores have supported since the A100: **2:4**, of every four neighbours along a row two stay.
# How many stay is then the same everywhere, so nothing has to be searched: the pair of the j-th four lies at 2 j. All that is left to say is which two of the four they were. A place is a number from 0 to 3, two bits; two places are four bits, and eight fours fill a word of 32 bits.
#
# **Example**, eight weights:
#
# | weights | 0.5 | -3 | 0 | 2 | 1 | -1 | 1 | 0 |
# |---|---|---|---|---|---|---|---|---|
# | place | 0 | 1 | 2 | 3 | 0 | 1 | 2 | 3 |
# | stays |  | yes |  | yes | yes | yes |  |  |
#
# Packed: -3, 2, 1, -1. The first four has places 1 and 3, the bits 1 + 4 · 3 = 13; the second 0 and 1, the bits 0 + 4 · 1 = 4. In a word the first four has the lowest bits: 13 + 16 · 4 = 0x4D.
# Three of the second four have magnitude 1. The leftmost two stay: a **rule for ties**, so that two programs pack alike. And the pair keeps its order from the left, whichever is larger: to the hardware, a second place that is not larger than the first means nothing.

# %% [markdown]
# Which of four stay, without sorting? A weight stays if fewer than two others beat it. One to its left beats it if its magnitude is at least as large, one to its right only if it is larger.
# The pair follows: its first weight is the leftmost that stays, at place 0, 1 or 2; its second is the rightmost.
#
# **Write** `two_of_four(weights, packed, places)`, a thread for each four. Compare as float32, which is cheaper, but store the float16 weight itself. The check also launches other blocks, of whole warps.
# Eight neighbouring lanes hold the bits of one word, and the first of them stores it. Shift each one's four bits to where they belong, and let three shuffles gather them: `word |= cuda.shfl_xor_sync(-1, word, d)` for d = 1, 2, 4, as unit 5 does with sums. All lanes of a warp must take part, those past the end, too.
#
# **Predict first**, for 16 rows of 128 weights: the bytes stored, of pairs and of words; and what `print(1 | 3 << 2, (1 | 3 << 2) << 4)` prints.
#
# <details><summary>Interview question: why two of four, and not 50 % anywhere, or one of two?</summary>The hardware fetches four inputs for each four weights and picks two of them with a small switch: the same amount of work everywhere, so no lane waits for another. Zeros anywhere would need a search; one of two forbids keeping both neighbours, and loses more accuracy: 4 choices in place of 6 for each four. <b>A weak answer says</b> "NVIDIA chose it". <b>And then?</b> What is vector-wise sparsity? Two things go by that name: a fixed number of weights in every short vector, of which 2:4 is one case; and short vectors that stay or go as a whole, with fewer bits and more loss.</details>

# %%
@cuda.jit
def gather_bits(weights, packed, places):
    """Lane i's four bits are the number i % 8, and eight lanes put theirs into one word: step on, and watch it grow."""
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    word = int32(i % 8 << 4 * (i % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)
        d *= 2
    if i % 8 == 0 and i < weights.size // 4:
        places[i % per_row // 8, i // per_row] = word


q = exercise("compression.two_of_four")
q.step(gather_bits)

# %%
q = exercise("compression.two_of_four")
q.show()

# %% predict="two_of_four"
q = exercise("compression.two_of_four")
q.predict(global_store_bytes=2304, prints="13 208")


# %% solution="two_of_four"
@cuda.jit
def two_of_four(weights, packed, places):
    """The two largest of each four, and their places. weights, packed: float16; places: (n_inner / 32, n_rows) int32."""
    i = cuda.grid(1)
    per_row = weights.shape[1] // 4
    row, four = i // per_row, i % per_row
    # about 19 lines
    ### BEGIN SOLUTION
    pair = int32(0)
    if row < weights.shape[0]:
        w0, w1 = weights[row, 4 * four], weights[row, 4 * four + 1]
        w2, w3 = weights[row, 4 * four + 2], weights[row, 4 * four + 3]
        x0, x1, x2, x3 = abs(float32(w0)), abs(float32(w1)), abs(float32(w2)), abs(float32(w3))
        stays0 = int32(x1 > x0) + int32(x2 > x0) + int32(x3 > x0) < 2
        stays1 = int32(x0 >= x1) + int32(x2 > x1) + int32(x3 > x1) < 2
        stays2 = int32(x0 >= x2) + int32(x1 >= x2) + int32(x3 > x2) < 2
        stays3 = int32(x0 >= x3) + int32(x1 >= x3) + int32(x2 >= x3) < 2
        first = 0 if stays0 else (1 if stays1 else 2)
        second = 3 if stays3 else (2 if stays2 else 1)
        packed[row, 2 * four] = w0 if stays0 else (w1 if stays1 else w2)
        packed[row, 2 * four + 1] = w3 if stays3 else (w2 if stays2 else w1)
        pair = int32(first | second << 2)
    word = int32(pair << 4 * (four % 8))
    d = 1
    while d < 8:
        word |= cuda.shfl_xor_sync(-1, word, d)  # eight lanes hold the same word
        d *= 2
    if row < weights.shape[0] and four % 8 == 0:
        places[four // 8, row] = word
    ### END SOLUTION


# %% check="two_of_four"
q = exercise("compression.two_of_four")
q.check(two_of_four).points

# %% [markdown]
# ## 5. The product that leaves half out
#
# **Goal:** 32 columns deep with one instruction, where `mma` goes 16.
#
# **Look back.** Half of a's elements are stored now, and a word for each 32 columns of a row says which half. `mma_sparse(a, b, places, acc)` takes both. Its a is 16 x 16 stored elements, four words per lane, dealt out by `ldmatrix` as ever. Its b is 32 rows of 8 columns, four words: one `ldmatrix_transposed` in which lane l names row l. It multiplies each stored element by that one of four rows of b that its place names.
#
# The places of a 16 x 32 piece are 16 words, one for each row, and the instruction takes them from 16 lanes: of every four lanes, the first two. Lanes 4 g and 4 g + 1 speak for rows g and g + 8. The first gives the places of columns 0 to 15, the second those of 16 to 31: each puts its half of row g's word into the lower 16 bits of a word, and its half of row g + 8's word into the upper 16.
#
# **Example.** Row 0 has the word 0x44444444, places 0 and 1 everywhere; row 8 has 0xEEEE4444, places 2 and 3 in its upper half. Lane 0 gives 0x44444444, lane 1 gives 0xEEEE4444: the lower half comes from row 0, the upper from row 8. Lanes 2 and 3 are not asked.

# %%
for lane in (0, 1, 4, 5, 29):
    row, half = lane // 4, lane % 2
    print(f"lane {lane:2}: rows {row} and {row + 8}, columns {16 * half} to {16 * half + 15}")

# %% [markdown]
# The frame is that of unit 12's ring: three stages, each with a tile of 128 x 16 stored elements, one of 32 x 128 of b, and 128 words. Copies run beside the threads. `place_a` and `place_b` swap pieces of 16 bytes so that no two rows of an `ldmatrix` meet in a bank.
#
# **Write** two things. `told(words, first, lane)` returns a lane's word for the 16 rows whose words begin at `words[first]`; lanes that are not asked may give anything, such as what their neighbours give. And the middle of `sparse_products`: eight `ldmatrix_transposed`, for columns 0, 8, ... 56 of the warp's 64, then for each 16 rows an `ldmatrix`, the lane's word, and a row of `acc`.
#
# **Predict first** the shared load requests for (128, 64) times (64, 128): 4 warps, 2 steps of 32.
#
# <details><summary>Interview question: sparse tensor cores do twice the products per clock. What keeps a kernel from being twice as fast?</summary>Only a is halved. b is read whole, from memory, into shared memory and into registers, since each row of a picks other elements of it; and c is as large as before. A kernel that waited for loads of b gains little. <b>A weak answer says</b> "overhead". <b>And then?</b> Which shapes gain most? Large products, which wait for the tensor cores. And products with few columns of b, where the weights are most of the traffic and only half of them are read.</details>

# %%
q = exercise("compression.sparse_products")
q.show()

# %% predict="sparse_products"
q = exercise("compression.sparse_products")
q.predict(shared_load_requests=160)


# %% tags=["setup"]
A_STAGE, B_STAGE, WORD_STAGE = 128 * 16, 32 * 128, 128  # elements of a stage
A_STAGES, B_STAGES, WORD_STAGES = 3 * A_STAGE, 3 * B_STAGE, 3 * WORD_STAGE


@cuda.jit(device=True, forceinline=True)
def place_a(row, k):
    """Where stored element (row, k) of a stage lies: rows of 16, with the halves swapped in every other four rows."""
    return 16 * row + 8 * ((k // 8) ^ (row // 4 % 2)) + k % 8


@cuda.jit(device=True, forceinline=True)
def place_b(k, col):
    """Where element (k, col) of a stage lies: rows of 128, pieces of 8 permuted within each row."""
    return 128 * k + 8 * ((col // 8) ^ (k % 8)) + col % 8


@cuda.jit(device=True, forceinline=True)
def copy_stage(tile_a, tile_b, words, stage, packed, places, b, k0):
    """Begin to copy columns k0 to k0 + 31 of a, as far as a reaches, and close the group."""
    t, row0, col0 = cuda.threadIdx.x, 128 * cuda.blockIdx.y, 128 * cuda.blockIdx.x
    if k0 < b.shape[0]:
        row, k = t // 2, 8 * (t % 2)
        for i in range(2):
            copy16_async(tile_a, stage * A_STAGE + place_a(row + 64 * i, k), packed, (row0 + row + 64 * i, k0 // 2 + k))
        k, col = t // 16, 8 * (t % 16)
        for i in range(4):
            copy16_async(tile_b, stage * B_STAGE + place_b(k + 8 * i, col), b, (k0 + k + 8 * i, col0 + col))
        copy_async(words, stage * WORD_STAGE + t, places, (k0 // 32, row0 + t))
    commit_copies()


@cuda.jit(device=True, forceinline=True)
def sparse_row(acc, a, told, y0, y1, y2, y3, y4, y5, y6, y7):
    """16 rows of 64 columns: eight fragments of c, from one of a, its places, and eight of b."""
    return (
        mma_sparse(a, y0, told, acc[0]),
        mma_sparse(a, y1, told, acc[1]),
        mma_sparse(a, y2, told, acc[2]),
        mma_sparse(a, y3, told, acc[3]),
        mma_sparse(a, y4, told, acc[4]),
        mma_sparse(a, y5, told, acc[5]),
        mma_sparse(a, y6, told, acc[6]),
        mma_sparse(a, y7, told, acc[7]),
    )


@cuda.jit(device=True, forceinline=True)
def put_row(c, row, col, x):
    """One lane's part of 16 rows of 64 columns."""
    for i in range(8):
        c[row, col + 8 * i], c[row, col + 8 * i + 1] = x[i][0], x[i][1]
        c[row + 8, col + 8 * i], c[row + 8, col + 8 * i + 1] = x[i][2], x[i][3]


# %% solution="sparse_products"
@cuda.jit(device=True, forceinline=True)
def told(words, first, lane):
    """This lane's word of places for 16 rows. words: one per row, from words[first] on."""
    # about 4 lines
    ### BEGIN SOLUTION
    shift = 16 * (lane % 2)  # the half of columns 0 to 15, or of 16 to 31
    low = words[first + lane // 4] >> shift & 0xFFFF
    high = words[first + lane // 4 + 8] >> shift & 0xFFFF
    return uint32(low | high << 16)
    ### END SOLUTION


@cuda.jit(launch_bounds=(128, 2))
def sparse_products(packed, places, b, c):
    """c = a b, a block of 4 warps for each 128 x 128 elements of c, 64 x 64 per warp. packed, b: float16, c: float32."""
    tile_a = cuda.shared.array(A_STAGES, float16, alignment=128)
    tile_b = cuda.shared.array(B_STAGES, float16, alignment=128)
    words = cuda.shared.array(WORD_STAGES, int32, alignment=128)
    z = float32(0)
    fragment = (z, z, z, z)
    row = (fragment, fragment, fragment, fragment, fragment, fragment, fragment, fragment)
    acc = (row, row, row, row)
    t = cuda.threadIdx.x
    warp, lane = t // 32, t % 32
    row_w, col_w = 64 * (warp // 2), 64 * (warp % 2)  # where this warp's 64 x 64 elements begin
    row_a, k_a = row_w + lane % 16, 8 * (lane // 16)  # the row and column that this lane gives ldmatrix for a
    copy_stage(tile_a, tile_b, words, 0, packed, places, b, 0)
    copy_stage(tile_a, tile_b, words, 1, packed, places, b, 32)
    now, free = 0, 2
    k0 = 0
    while k0 < b.shape[0]:
        wait_copies(1)  # this stage has arrived; the next may still be on its way
        cuda.syncthreads()  # for all threads; none still reads the stage before it
        copy_stage(tile_a, tile_b, words, free, packed, places, b, k0 + 64)
        at_a, at_b, at_w = now * A_STAGE, now * B_STAGE, now * WORD_STAGE + row_w
        # about 14 lines: eight fragments of b, then for each 16 rows an ldmatrix, told(...) and a row of acc
        ### BEGIN SOLUTION
        y0 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w))
        y1 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 8))
        y2 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 16))
        y3 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 24))
        y4 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 32))
        y5 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 40))
        y6 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 48))
        y7 = ldmatrix_transposed(tile_b, at_b + place_b(lane, col_w + 56))
        x0, p0 = ldmatrix(tile_a, at_a + place_a(row_a, k_a)), told(words, at_w, lane)
        x1, p1 = ldmatrix(tile_a, at_a + place_a(row_a + 16, k_a)), told(words, at_w + 16, lane)
        x2, p2 = ldmatrix(tile_a, at_a + place_a(row_a + 32, k_a)), told(words, at_w + 32, lane)
        x3, p3 = ldmatrix(tile_a, at_a + place_a(row_a + 48, k_a)), told(words, at_w + 48, lane)
        acc = (
            sparse_row(acc[0], x0, p0, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[1], x1, p1, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[2], x2, p2, y0, y1, y2, y3, y4, y5, y6, y7),
            sparse_row(acc[3], x3, p3, y0, y1, y2, y3, y4, y5, y6, y7),
        )
        ### END SOLUTION
        free = now
        now = now + 1 if now < 2 else 0
        k0 += 32
    row, col = 128 * cuda.blockIdx.y + row_w + lane // 4, 128 * cuda.blockIdx.x + col_w + 2 * (lane % 4)
    put_row(c, row, col, acc[0])
    put_row(c, row + 16, col, acc[1])
    put_row(c, row + 32, col, acc[2])
    put_row(c, row + 48, col, acc[3])


# %% check="sparse_products"
q = exercise("compression.sparse_products")
q.check(sparse_products).points

# %% race="sparse_products"
q = exercise("compression.sparse_products")
q.race(sparse_products).points

# %% [markdown]
# ## 6. Train on under the mask
#
# **Goal:** the weights that stay learn to do the work of those that went.
#
# **Look back.** A layer with two of every four weights gone gives other results, and the layers after it were not trained for these. What comes next is **fine-tuning**: a few more rounds of training, far fewer than the first time, in which what is gone stays gone. A **mask** of zeros and ones sees to that.
#
# A layer gives y = W x. `upstream` says how the loss changes with each y; the layers after this one have worked it out. A weight W[o, i] multiplies x[i] as a part of y[o], so its gradient is upstream[o] · x[i], added up over the batch; and a training step subtracts rate times the gradient from the weight.
# For a weight that is gone the gradient is hardly ever 0: the loss would like it back. So the mask is asked at every step, for the gradient as for the weight. Many programs multiply by the mask instead, which does the same for finite numbers; but 0 times infinity is NaN, while a condition leaves infinity out.
#
# **Example**, a batch of two, x = (1, -1), upstream = (3, 1), weight 2, rate 0.5: gradient 3 · 1 + 1 · (-1) = 2, and the weight becomes 2 - 0.5 · 2 = 1. With mask 0 it becomes 0.

# %% [markdown]
# **Write** `masked_step(weights, mask, x, upstream, rate)`, one thread per weight: the grid's x goes along a row, its y down the rows. Where the mask is 0, store 0 and work out no gradient. The check also launches other blocks.
#
# **Predict first**, for 16 rows of 64 weights: the bytes stored.
#
# <details><summary>Interview question: prune once, or a little at a time?</summary>A little at a time, with training in between, loses less at the same share: each time the rest adapts before more goes. It takes longer. For 2:4, pruning once and training on is what most do. <b>A weak answer says</b> "at the end of training". <b>And then?</b> Must a weight that went stay away? Not if the mask is worked out anew now and then: the weights train on in full, the product uses the pruned ones, and a weight that has grown comes back.</details>

# %%
q = exercise("compression.masked_step")
q.show()

# %% predict="masked_step"
q = exercise("compression.masked_step")
q.predict(global_store_bytes=4096)


# %% solution="masked_step"
@cuda.jit
def masked_step(weights, mask, x, upstream, rate):
    """A step down the gradient where mask is 1, and 0 elsewhere. mask: int8, all else float32."""
    i, o = cuda.grid(2)
    # about 8 lines
    ### BEGIN SOLUTION
    if o < weights.shape[0] and i < weights.shape[1]:
        if mask[o, i] != 0:
            gradient = float32(0)
            for b in range(x.shape[0]):
                gradient += upstream[b, o] * x[b, i]
            weights[o, i] -= rate * gradient
        else:
            weights[o, i] = float32(0)  # pruned, and no product was worked out for it
    ### END SOLUTION


# %% check="masked_step"
q = exercise("compression.masked_step")
q.check(masked_step).points

# %% [markdown]
# A layer of 16 x 32 weights has to give what it gave before it was pruned. Its inputs are correlated, as those of a trained network are, so one weight can do part of another's work. **Before you run it:** what share of the error will be left after 40 steps?

# %%
rng = np.random.default_rng(66)
x = (rng.normal(size=(48, 6)) @ rng.normal(size=(6, 32)) / 2 + rng.normal(size=(48, 32)) / 4).astype(np.float32)  # correlated
before = rng.normal(size=(16, 32)).astype(np.float32)
wanted = x @ before.T


def mask_of(weights):
    """1 for two of every four weights of a row, by `two_of_four`."""
    places = packed_by_me(weights.astype(np.float16))[1]
    bits = (np.ascontiguousarray(places.T)[:, :, None] >> np.arange(0, 32, 4)).reshape(-1)
    mask = np.zeros((len(bits), 4), np.int8)
    mask[np.arange(len(bits)), bits & 3] = mask[np.arange(len(bits)), bits >> 2 & 3] = 1
    return mask.reshape(weights.shape)


def packed_by_me(weights):
    """`two_of_four` of a float16 matrix, copied back to the host."""
    n_rows, n_inner = weights.shape
    packed, places = np.zeros((n_rows, n_inner // 2), np.float16), np.zeros((n_inner // 32, n_rows), np.int32)
    arrays = [cuda.to_device(array) for array in (weights, packed, places)]
    two_of_four[-(-weights.size // 1024), 256](*arrays)
    return arrays[1].copy_to_host(), arrays[2].copy_to_host()


# %%
try:
    mask = mask_of(before)
    pruned = before * mask
    d_weights, d_mask, d_x = (cuda.to_device(array) for array in (pruned, mask, x))
    errors = []
    for _step in range(41):
        apart = x @ d_weights.copy_to_host().T - wanted  # forward, and the mean squared error's gradient
        errors.append(float(np.mean(apart**2)))
        upstream = cuda.to_device((2 / apart.size * apart).astype(np.float32))
        masked_step[(1, 2), (32, 8)](d_weights, d_mask, d_x, upstream, np.float32(0.5))
    print(f"mean squared error: {errors[0]:.3f} as pruned, {errors[10]:.3f} after 10 steps, {errors[40]:.3f} after 40")
    print(f"{np.count_nonzero(d_weights.copy_to_host())} of {before.size} weights are not 0")
except NotImplementedError:
    print("Nothing to train yet: first write two_of_four and masked_step.")

# %% [markdown]
# ## 7. Train for INT8
#
# **Goal:** a network that has met its rounding before it is rounded.
#
# **Look back.** Under its mask a network gets used to what it has lost. The same way it can get used to INT8. Unit 17 rounded one vector of weights and let its gradient pass straight through, as if nothing had been rounded. A whole layer has two factors, and the engine rounds both: the inputs, with one step for all of them, and the weights, with a step for each row.
#
# So in training, too, the layer rounds both factors, then multiplies them in float32. It gives what the engine will give, and the loss sees that. The way back uses the same rounded numbers:
#
# | pass | `x` of the kernel | `weights` of the kernel | steps |
# |---|---|---|---|
# | forward | the inputs | the weights | of `x`, and of each row |
# | back to the inputs | upstream | the rounded weights, rows and columns exchanged | 0 |
# | to the weights | `masked_step` with the rounded inputs | | |
#
# The engine never has an upstream, so upstream is not rounded: a step of 0 says so. Then one kernel serves both directions, and with all steps 0 it trains in float32, too.
# What training moves is the *unrounded* weight, which is kept beside the rounded one. It has to be: rate times gradient is far less than a step, so a rounded weight would never move.
#
# **Example.** One input row 0.3, 0.625, 40 with step 0.25, one row of weights 0.75, -1.2, 0.2 with step 0.5:
#
# | | x | | | weights | | |
# |---|---|---|---|---|---|---|
# | number | 0.3 | 0.625 | 40 | 0.75 | -1.2 | 0.2 |
# | over its step | 1.2 | 2.5 | 160 | 1.5 | -2.4 | 0.4 |
# | rounded and cut | 1 | 2 | 127 | 2 | -2 | 0 |
# | times its step | 0.25 | 0.5 | 31.75 | 1 | -1 | 0 |
#
# out = 0.25 · 1 + 0.5 · (-1) + 31.75 · 0 = -0.25, where float32 has 7.475. Such steps are far too wide; the cells below use finer ones.

# %% [markdown]
# Twenty times training moves a weight of 0.5 by -0.001, and INT8 stores weights in steps of 0.01. **Before you run it:** where does a weight end up that is rounded each time?

# %%
kept = rounded_each_time = np.float32(0.5)
for _step in range(20):
    kept -= np.float32(0.001)
    rounded_each_time = np.float32(0.01) * np.rint((rounded_each_time - np.float32(0.001)) / np.float32(0.01))
print(f"kept in float32 and rounded for the product: {0.01 * np.rint(kept / 0.01):.2f}; rounded each time: {rounded_each_time:.2f}")

# %% [markdown]
# **Write** `rounded_layer(x, x_step, weights, steps, out)`, one thread per output: the grid's x goes along the outputs, its y down the batch; and `rounded(v, step)`, the nearest whole number of steps to v, ties to even, cut to -128 and 127, times the step; or v itself if the step is 0. The check also launches other blocks.
#
# **Predict first**, for a batch of 8 with 20 inputs and 40 outputs: the bytes that all threads load, if each asks for its row's step once. And what does `print(round(2.5), round(-2.5), round(3.5))` print?
#
# <details><summary>Interview question: your network was trained for INT8, and the engine gives other results than the training did. Where do you look?</summary>At what was rounded, and where. Each tensor that the engine stores as steps must have been rounded in training, with the same step, the same rule for ties and the same limits; the branches of a residual are forgotten most often. <b>A weak answer says</b> "INT8 is not exact". <b>And then?</b> Sums are exact there, so two tools that round the same factors agree but for float32's own roundings: compare layer by layer until one does not.</details>

# %%
q = exercise("compression.rounded_layer")
q.show()

# %% predict="rounded_layer"
q = exercise("compression.rounded_layer")
q.predict(global_load_bytes=52480, prints="2 -2 4")


# %% solution="rounded_layer"
LOW, HIGH = float32(-128), float32(127)


@cuda.jit(device=True, forceinline=True)
def rounded(v, step):
    """What INT8 leaves of v: whole steps; v itself where step is 0."""
    # about 3 lines
    ### BEGIN SOLUTION
    if step == float32(0):
        return v
    return min(max(float32(round(v / step)), LOW), HIGH) * step
    ### END SOLUTION


@cuda.jit
def rounded_layer(x, x_step, weights, steps, out):
    """A layer with rounded factors. x: (n_batch, n_in), weights: (n_out, n_in), steps: (n_out,), out: (n_batch, n_out)
    float32."""
    o, b = cuda.grid(2)
    # about 6 lines
    ### BEGIN SOLUTION
    if b < out.shape[0] and o < out.shape[1]:
        step = steps[o]
        total = float32(0)
        for i in range(x.shape[1]):
            total += rounded(x[b, i], x_step) * rounded(weights[o, i], step)
        out[b, o] = total
    ### END SOLUTION


# %% check="rounded_layer"
q = exercise("compression.rounded_layer")
q.check(rounded_layer).points

# %% [markdown]
# Now a network that really was trained: a small ResNet on handwritten digits, which comes with the engine, with 1,000 digits that its training has not seen. Here is its last layer: 64 numbers in, ten out, one for each digit. With steps of 1/127 of the largest weight it would lose nothing, so it gets the hardest case there is: a step as large as the largest weight of a row, so that weights can be only -1, 0 or 1 step.
# **Before you run it:** the network misreads 13 of these 1,000 digits. How many will it be with such weights, and how many after 40 steps of training through your two kernels?

# %%
from minitrt.samples import digits

network = digits.folded(digits.network())


def features_of(images):
    """(n, 64) float32: what the network's last layer is given."""
    seen = {}
    digits.logits(network, images, lambda name, tensor: seen.setdefault(name, tensor))
    return seen["features"]


(seen, seen_labels), (unseen, labels) = digits.for_tuning(), digits.held_out()
seen, seen_labels, unseen = features_of(seen[:300]), seen_labels[:300], features_of(unseen)


# %%
def layer_by_me(x, x_step, weights, steps):
    """The result of `rounded_layer`, copied back to the host."""
    out = cuda.to_device(np.zeros((len(x), len(weights)), np.float32))
    arrays = [cuda.to_device(np.ascontiguousarray(array)) for array in (x, weights, steps)]
    rounded_layer[(-(-len(weights) // 32), -(-len(x) // 8)), (32, 8)](arrays[0], x_step, *arrays[1:], out)
    return out.copy_to_host()


def upstream_of(logits, wanted):
    """The gradient of the mean cross entropy with respect to the logits."""
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(p)), wanted] -= 1
    return p / np.float32(len(p))


# %%
bias, weights, mask = network["classifier.bias"], network["classifier.weights"].copy(), np.ones((10, 64), np.int8)
x_step, steps, d_mask = np.float32(seen.max() / 127), np.abs(weights).max(axis=1), cuda.to_device(mask)
try:
    whole = digits.wrong(layer_by_me(unseen, np.float32(0), weights, np.zeros(10, np.float32)) + bias, labels)
    before = digits.wrong(layer_by_me(unseen, x_step, weights, steps) + bias, labels)
    rounded_x = np.clip(np.rint(seen / x_step), -128, 127) * x_step
    d_weights, d_x = cuda.to_device(weights), cuda.to_device(rounded_x)
    for _step in range(40):
        upstream = upstream_of(layer_by_me(seen, x_step, d_weights.copy_to_host(), steps) + bias, seen_labels)
        masked_step[(2, 2), (32, 8)](d_weights, d_mask, d_x, cuda.to_device(upstream), np.float32(1))
    after = digits.wrong(layer_by_me(unseen, x_step, d_weights.copy_to_host(), steps) + bias, labels)
    print(f"wrong of 1,000: {whole} in float32, {before} with weights of -1, 0 and 1 step, {after} trained for it")
except NotImplementedError:
    print("Nothing to train yet: first write masked_step and rounded_layer.")

# %% [markdown]
# No weight is any finer than before: each is still -1, 0 or 1 step. Training has only chosen which. In the last rung the whole network is trained in this way, every layer through these kernels.
#
# ## 8. How much each layer can spare
#
# **Goal:** bytes go where errors are cheap.
#
# **Look back.** So far each layer lost half. But a first layer with few weights, on which everything rests, can spare less than a wide one near the end. What a layer can spare is measured: prune it alone, at several ratios, count errors on pictures that training has not seen, and restore it. The result is a table of **sensitivity**.
#
# From the table to ratios: begin with nothing pruned. As long as the network has too many bytes, take one step: some layer goes on to its next ratio. Which one? The one whose step loses least for each byte that it saves.
#
# **Example**, two layers with three ratios, budget 130 bytes:
#
# | | lost | bytes | price of the first step | of the second |
# |---|---|---|---|---|
# | layer 0 | 0, 2, 30 | 100, 80, 60 | 2 / 20 = 0.1 | 28 / 20 = 1.4 |
# | layer 1 | 0, 8, 20 | 80, 60, 40 | 8 / 20 = 0.4 | 12 / 20 = 0.6 |
#
# 180 bytes are too many. Layer 0 takes the first step: 160. Its next one would be expensive, so layer 1 follows, 140, and layer 1 again, 120: that is enough. The layers end at ratios 1 and 2, with 2 + 20 = 22 errors by the table.
# The errors of two layers need not add up, so the chosen ratios are measured once more, and the network is trained on.

# %% [markdown]
# **Write** `choose_ratios(lost, n_bytes, budget)`, a host function that returns the number of each layer's ratio. Of equally cheap steps take the lowest layer's. A layer at its last ratio has no next step; the budget is never below the sum of the last ratios.
#
# **Predict** the number of layer 0's ratio in the example, if the budget is 110 bytes in place of 130.
#
# <details><summary>Interview question: is taking the cheapest step each time the best that can be done?</summary>Not always: an expensive step may be followed by a very cheap one, and the last step may save more than was needed. If each layer's steps only get more expensive, it is the best, except for that last step. Solved exactly, it is a knapsack problem, for which a table over bytes serves. <b>A weak answer says</b> "yes, each step is the best". <b>And then?</b> Why does nobody solve it exactly? The sensitivities were measured one layer at a time, and they are wrong by more than that.</details>

# %%
q = exercise("compression.choose_ratios")
q.show()

# %% predict="choose_ratios"
q = exercise("compression.choose_ratios")
q.predict(ratio=2)


# %% solution="choose_ratios"
def choose_ratios(lost, n_bytes, budget):
    """The number of each layer's ratio. lost, n_bytes: (n_layers, n_ratios), both of that layer alone."""
    rows = np.arange(len(lost))
    at = np.zeros(len(lost), np.int64)
    # about 5 lines
    ### BEGIN SOLUTION
    prices = np.full(lost.shape, np.inf)  # past the last ratio there is nothing
    prices[:, :-1] = np.diff(lost, axis=1) / -np.diff(n_bytes, axis=1)
    while n_bytes[rows, at].sum() > budget:
        at[np.argmin(prices[rows, at])] += 1
    return at
    ### END SOLUTION


# %% check="choose_ratios"
q = exercise("compression.choose_ratios")
q.check(choose_ratios).points

# %% [markdown]
# Here is such a table, measured: the trained network of rung 7 with one layer pruned at a time, by magnitude, and how many more of 1,000 digits it misreads. Bytes are 2 for each weight that stays, and one bit per weight to say whether it does. Your function's budget is what all layers have at one half.
# **Before you run it:** which layers will lose least, the early ones with few weights or the late ones with many?

# %%
from autograder.notebook.recorded import document_of, recorded

table = recorded("compressed", "sensitivity")
try:
    names = [row[0] for row in table.get("rows", ())]
    numbers = np.array([[int(cell.replace(",", "")) for cell in row[1:]] for row in table.get("rows", ())] or [[0] * 8])
    lost, n_bytes = np.split(numbers, 2, axis=1)
    chosen = choose_ratios(lost, n_bytes, n_bytes[:, 1].sum())
    for name, at in zip(names, chosen, strict=False):
        print(f"{name:16} {table['columns'][1 + at]}")
    rows = np.arange(len(lost))
    print(f"by the table {lost[rows, chosen].sum()} more are wrong, and {lost[:, 1].sum()} if each layer loses half")
except NotImplementedError:
    print("Nothing to choose yet: first write choose_ratios.")

# %% [markdown]
# ## 9. What it cost, and what it gained
#
# **Look back.** That was the promise. First one layer, and three ways to take half of its weights away. **Before you run it:** which way moves the layer's results least, and which one most?

# %%
def distance(pruned, whole):
    """How far results have moved, as a share of their size: root of mean squares."""
    return float(np.sqrt(np.square(pruned - whole).mean() / np.square(whole).mean()))


def product_by_me(packed, places, b):
    """The result of `sparse_products`, copied back to the host."""
    c = np.zeros((len(packed), b.shape[1]), np.float32)
    arrays = [cuda.to_device(array) for array in (packed, places, b, c)]
    sparse_products[(c.shape[1] // 128, c.shape[0] // 128), 128](*arrays)
    return arrays[3].copy_to_host()


# %%
rng = np.random.default_rng(6)
weights = (rng.normal(size=(128, 128)) * np.exp(rng.normal(size=(128, 1)) / 2)).astype(np.float16)  # channels differ
x = rng.normal(size=(128, 128)).astype(np.float16)
whole = weights.astype(np.float32) @ x.astype(np.float32)
try:
    single = weights.astype(np.float32)
    anywhere = np.where(np.abs(single) >= threshold_of(single, single.size // 2), single, 0)
    packed, places = packed_by_me(weights)
    of_four = product_by_me(packed, places, x)
    nothing = np.zeros((128, 1), np.float32)
    kept = shrink_channels(single, np.ones((4, 128), np.float32), nothing, single, 64)[0]
    channels = np.zeros_like(whole)
    channels[kept] = whole[kept]
    n_bytes = {"anywhere, with a 4-byte index each": 6 * weights.size // 2, "two of every four": packed.nbytes + places.nbytes, "whole channels": weights.nbytes // 2}
    for (way, size), pruned in zip(n_bytes.items(), (anywhere @ x.astype(np.float32), of_four, channels), strict=True):
        print(f"{way:35} {size:7,} bytes of {weights.nbytes:,}, results moved by {distance(pruned, whole):.1%}")
except NotImplementedError:
    print("Nothing to compare yet: first write rungs 1 to 5.")

# %% [markdown]
# Zeros anywhere move the results least, but with indices the weights take more room than before. Two of every four move results about twice as far, and take little more than half of the room. Whole channels move them no less, though rows differ in size here and the small ones went: a channel that is gone is missing altogether.
# These weights are random numbers, and none of the three was trained on. What counts in the end is accuracy on the real task, so here is the whole network of rung 7, in every way of this unit. Thresholds, channels and places come from your rungs 1 to 4, and it was trained on with 1,000 digits, forward and back through `rounded_layer` and `masked_step`; unit 17's `fake_quantise` rounds between the layers. (On a machine without a GPU that takes hours, so NumPy makes the same passes there; the line below the table says who made them.) Errors are counted on 1,000 other digits. Times are of the course's engine, for all 1,000 at once.
# **Before you run it:** which row will lose most before it is trained on, and which rows will be any faster?

# %%
recorded("compressed", "accuracy")
found = document_of("compressed").get("found", [])
if found:
    print("Passes by", document_of("compressed")["digits"])
first_us = found[0]["engine"]["us"] if found else 0
for row in found:
    share, engine = row["bytes"] / found[0]["bytes"], row.get("engine")
    time = f"{first_us / engine['us']:.2f} times as fast" if engine else "not timed"
    print(f"{row['network']:46} {share:4.0%} of the bytes, {row.get('trained', row['wrong']) - found[0]['wrong']:+4} wrong, {time}")

# %% [markdown]
# Read it by columns. *Bytes*: all ways come to about half, and weights of 3 bits to about a fifth. *Wrong, as compressed*: single weights cost least, and least of all where the table of sensitivity says; two of every four and whole channels take good weights along with bad ones. *After training on*: a hundred steps bring back most of what single weights and two of every four had cost, which is why nobody ships a network as pruned. Whole channels leave the largest gap, and they are the hardest to train: with a larger rate their loss diverges before it can fall. INT8 lost nothing to begin with: 127 steps are fine enough for these weights, and it takes 3 bits to see what training for it does.
#
# *Time* is where hopes end. Zeros in any place leave the engine's kernels as they are, and so do two of every four unless a kernel uses them. With half of the channels there are half of the products in each block, and yet the time is the same: the layers are small, and 1,000 digits of 32 x 32 do not keep the tensor cores busy, so products are not what takes the time. INT8 even takes longer, with conversions between its layers and the first and last ones, which stay in FP16: the next cell names the layers that take longest. ResNet-50 with a batch of 128 has more than 50 times as many products as these 1,000 digits: it waits for products, and there INT8 is worth its name.

# %%
for row in found:
    for layer, us in (row.get("engine") or {}).get("slowest", ()):
        print(f"{row['network']:46} {us:6.1f} us  {layer[-60:]}")
if found:
    us = document_of("compressed")["products_us"]
    print(f"all its products in the tile of rung 5: {us['dense']:.0f} us dense, {us['2:4']:.0f} us with two of every four")

# %% [markdown]
# And the sparse tensor cores? Their product needs large matrices, and rows of 32 or 64 channels leave most of a tile of 128 empty, so here they gain nothing. The first table shows the product of rung 5 beside dense ones: the library's, and one with the same tile and the same frame, but a whole a. The rates count the whole product, as if no half were left out. The last two rows use no memory at all: each warp multiplies what lies in its registers, over and over, so they say how much the tensor cores can do at most with these two instructions.
# The second table shows the threshold of rung 2, four rounds of your kernel, beside what a library offers for it.

# %%
figures = recorded("compression", "products")
recorded("compression", "thresholds")
rates = {name: float(rate.replace(",", "")) for name, sizes, _, rate, _ in figures.get("rows", ()) if sizes in ("4096 x 4096 x 4096", "registers alone")}
for way, alone in (("same tile, dense", "mma"), ("sparse_products", "mma_sparse")) if rates else ():
    print(f"{way} reaches {rates[way] / rates[alone]:.0%} of what {alone} gives from registers alone")
for way, kernels in document_of("compression").get("kernels_of_the_library", {}).items():
    print(f"one call of {way} at 4096:", *(name[:70] for name in kernels if not name.startswith(("0 us", "1 us"))))

# %% [markdown]
# Registers alone show the instruction's own gain: about half as much again, not twice as much. In the tile little of it is left. There the dense kernel keeps the tensor cores busy for more than half of the time and the sparse one for less than half: products take less time, but everything else in a step takes as long as before. b's tile is as large as it was; only an eighth of the passes over the banks of shared memory are gone, and a fifth of the copied bytes, and each 32 columns end at a barrier as ever. So what bounds `sparse_products` is its frame, not its tensor cores. Deeper steps and wider tiles would give them more to do between two barriers, as rung 10 of unit 12 does with warpgroups.
#
# And the library? Its own 2:4 product runs a kernel that is faster than its dense one, as the lines under the tables say. But a call takes about half a millisecond, for 128 columns as well as for 4,096: most of that is not the product, but what is done around the kernel at each call. At 8192 the product takes longer than that, and there the sparse one wins.
# A threshold by four rounds takes a third of the time of a sort, though the host looks at the counts in between. The library's function for the k-th largest is far slower than its own sort, with all numbers in one row.
#
# <details><summary>Interview question: sparse tensor cores are advertised with twice the rate. A colleague measures 1.1 times. What do you ask?</summary>What was the dense kernel waiting for? If its tensor cores were busy for half of the time, halving their work saves at most a quarter of the time. Then: how large are the products, does the measurement include the host, and is most of the traffic b or the weights? <b>A weak answer says</b> "the advertisement lies". <b>And then?</b> What would you show? The instruction's rate from registers alone, the kernel's share of it, dense and sparse, and a profile of what its warps wait for.</details>

# %% [markdown]
# **Read the profile.** Here is what a profiler says of four kernels. Two of them multiply the same matrices, 128 x 64 by 64 x 128.
#
# | kernel | global load requests | sectors of those | bytes stored | shared load requests |
# |---|---|---|---|---|
# | A | 40,960 | 57,344 | 65,536 | 0 |
# | B | 94 | 375 | 0 | 32 |
# | C | 56 | 800 | 65,536 | 160 |
# | D | 64 | 512 | 2,304 | 0 |
#
# Before you open the answer: which kernels are they? Why does a request of D touch 8 sectors, though its 32 lanes want 64 bytes? And why does C need so few requests?
#
# <details><summary>The answer</summary>A and C store the same 16,384 sums: C is rung 5, and A is its naive form, in which each thread looks every place up for itself. B is rung 1: it stores nothing except by atomics, and reads each of four blocks' 256 counters from shared memory. D is rung 4: each lane loads its four weights one after the other, 2 bytes of every 8, so a request spans 256 bytes and uses a quarter of them; the other three find their sectors in the L1 cache. C's requests are copies of 16 bytes per lane, and bring a tile that 128 threads use many times over. <b>A weak answer says</b> "D is uncoalesced, so it is four times too slow". <b>And then?</b> How would D load everything once? All four weights in one load of 8 bytes, or two fours in one of 16: then a request uses all the bytes it touches.</details>

# %% [markdown]
# ## What you can do now
#
# You can find the k-th largest of any number of magnitudes without sorting; take channels out of a network with everything that depends on them; choose and pack two of every four weights, and multiply them on sparse tensor cores; train a network on under its mask, and for INT8; choose how much each layer loses; and say for each way what it costs, what it gains, and where.
#
# The table shows your rungs of this session; where a GPU timed them, the kernel that they are measured against stands beside them.

# %%
from autograder import ladder

ladder("20_compression")
