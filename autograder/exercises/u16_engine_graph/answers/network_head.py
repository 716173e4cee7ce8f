"""Answers to engine_graph.network_head."""

from numba import cuda, float32, float64

from autograder.exercises.catalogue import right, wrong

CHANNELS = 64


@cuda.jit(device=True)
def warp_sum(value):
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, step)
    return value


@right("sums_divided_at_the_end")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    sums = cuda.shared.array(CHANNELS, float32)
    t = cuda.threadIdx.x
    image = cuda.blockIdx.x
    lane, warp = t & 31, t >> 5
    channel = warp
    while channel < x.shape[1]:
        total = float32(0)
        p = lane
        while p < x.shape[2]:
            v = x[image, channel, p] + residual[image, channel, p]
            if v > 0:
                total += v
            p += 32
        total = warp_sum(total)
        if lane == 0:
            sums[channel] = total
        channel += 4
    cuda.syncthreads()
    for o in range(t, logits.shape[1], cuda.blockDim.x):
        score = float32(0)
        for k in range(x.shape[1]):
            score += sums[k] * weights[k, o]
        logits[image, o] = score / float32(x.shape[2]) + bias[o]


@right("atomics_on_shared_sums")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    sums = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    if t < CHANNELS:
        sums[t] = 0
    cuda.syncthreads()
    for i in range(t, n_channels * n_pixels, 128):
        channel, p = i // n_pixels, i % n_pixels
        cuda.atomic.add(sums, channel, max(x[image, channel, p] + residual[image, channel, p], float32(0)))
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += sums[channel] / float32(n_pixels) * weights[channel, c]
        logits[image, c] = acc


@right("a_tree_per_channel")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    cells = cuda.shared.array((4, 32), float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    warp, lane = t // 32, t % 32
    for first in range(0, x.shape[1], 4):
        channel = first + warp
        acc = float32(0)
        if channel < x.shape[1]:
            for p in range(lane, x.shape[2], 32):
                acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        cells[warp, lane] = acc
        d = 16
        while d > 0:
            cuda.syncthreads()
            if lane < d:
                cells[warp, lane] += cells[warp, lane + d]
            d //= 2
        if lane == 0 and channel < x.shape[1]:
            averages[channel] = cells[warp, 0] / float32(x.shape[2])
        cuda.syncthreads()
    cuda.syncthreads()
    for c in range(t, weights.shape[1], 128):
        acc = float32(0)
        for channel in range(weights.shape[0]):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc + bias[c]


@cuda.jit(device=True)
def added_and_cut(x, residual, image, channel, p):
    v = x[image, channel, p] + residual[image, channel, p]
    return v if v > float32(0) else float32(0)


@cuda.jit(device=True)
def average(x, residual, image, channel, lane):
    acc = float32(0)
    for p in range(lane, x.shape[2], 32):
        acc += added_and_cut(x, residual, image, channel, p)
    return warp_sum(acc) / float32(x.shape[2])


@right("a_device_function_per_layer")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    for channel in range(t // 32, x.shape[1], 4):
        mean = average(x, residual, image, channel, t % 32)
        if t % 32 == 0:
            averages[channel] = mean
    cuda.syncthreads()
    for c in range(t, logits.shape[1], 128):
        score = bias[c]
        for k in range(x.shape[1]):
            score += averages[k] * weights[k, c]
        logits[image, c] = score


@right("butterfly_and_views")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    lane, warp = cuda.threadIdx.x % 32, cuda.threadIdx.x // 32
    picture, past, scores = x[cuda.blockIdx.x], residual[cuda.blockIdx.x], logits[cuda.blockIdx.x]
    for channel in range(warp, picture.shape[0], cuda.blockDim.x // 32):
        total = float32(0)
        for p in range(lane, picture.shape[1], 32):
            total += max(float32(0), picture[channel, p] + past[channel, p])
        for mask in (1, 2, 4, 8, 16):
            total += cuda.shfl_xor_sync(0xFFFFFFFF, total, mask)
        averages[channel] = total / float32(picture.shape[1])
    cuda.syncthreads()
    for c in range(cuda.threadIdx.x, scores.size, cuda.blockDim.x):
        acc = bias[c]
        for channel in range(picture.shape[0]):
            acc += averages[channel] * weights[channel, c]
        scores[c] = acc


@right("averages_cleared_and_classes_first")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    if t < 64:
        averages[t] = float32(0)
    cuda.syncthreads()
    share = float32(1) / float32(n_pixels)
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0)) * share
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc
    cuda.syncthreads()
    c = t
    while c < bias.size:
        acc = bias[c]
        for channel in range(n_channels):
            acc += weights[channel, c] * averages[channel]
        logits[image, c] = acc
        c += 128


@wrong("no_barrier_before_the_averages_are_read", misconception="missing_barrier", says="Race")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("cut_after_averaging", misconception="relu_after_average", says="cut every element first")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += x[image, channel, p] + residual[image, channel, p]
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = max(acc / float32(n_pixels), float32(0))
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("residual_past_the_relu", misconception="residual_after_relu", says="cuts the sum of both")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p], float32(0)) + residual[image, channel, p]
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("no_relu", misconception="relu_left_out", says="what is below 0")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += x[image, channel, p] + residual[image, channel, p]
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("no_residual", misconception="residual_left_out", says="the residual is missing")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("sums_for_averages", misconception="not_divided", says="number of a channel's pixels")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("divided_by_the_lanes", misconception="not_divided", says="the lanes of a warp")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(32)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("whole_averages", misconception="average_cut", says="an average has a fraction")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc // float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("max_pooling", misconception="largest_taken", says="the average is asked for")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        best = float32(0)
        for p in range(t % 32, n_pixels, 32):
            best = max(best, x[image, channel, p] + residual[image, channel, p])
        for step in (16, 8, 4, 2, 1):
            best = max(best, cuda.shfl_down_sync(0xFFFFFFFF, best, step))
        if t % 32 == 0:
            averages[channel] = best
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("one_pixel_per_lane", misconception="first_turn_only", says="in steps of 32")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        p = t % 32
        if p < n_pixels:
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("no_shuffle", misconception="own_lane_only", says="all 32 lanes")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("four_channels_of_all", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    channel = t // 32
    if channel < n_channels:
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("no_bias", misconception="bias_left_out", says="the bias is missing")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = float32(0)
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("a_bias_per_channel", misconception="bias_per_channel", says="once per channel")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = float32(0)
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c] + bias[c]
        logits[image, c] = acc


@wrong("the_first_128_classes", misconception="missing_tail", says="never written")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    c = t
    if c < bias.size:
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("a_thread_per_channel", misconception="uncoalesced", says="sectors")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    if t < n_channels:
        acc = float32(0)
        for p in range(n_pixels):
            acc += max(x[image, t, p] + residual[image, t, p], float32(0))
        averages[t] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("double_sum", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float64(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("image_of_block_0", misconception="image_0_for_all", says="image 0")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[0, channel, p] + residual[0, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("weights_turned_round", misconception="swapped_axes", says="outside")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[c, channel]
        logits[image, c] = acc


@wrong("barrier_in_the_loop", misconception="barrier_in_branch", says="not every thread")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    averages = cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            averages[channel] = acc / float32(n_pixels)
            cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += averages[channel] * weights[channel, c]
        logits[image, c] = acc


@wrong("averages_in_global_memory", misconception="off_by_one", says="outside the array: logits")
@cuda.jit
def network_head(x, residual, weights, bias, logits):
    cuda.shared.array(CHANNELS, float32)
    t, image = cuda.threadIdx.x, cuda.blockIdx.x
    n_channels, n_pixels = x.shape[1], x.shape[2]
    for channel in range(t // 32, n_channels, 4):
        acc = float32(0)
        for p in range(t % 32, n_pixels, 32):
            acc += max(x[image, channel, p] + residual[image, channel, p], float32(0))
        acc = warp_sum(acc)
        if t % 32 == 0:
            logits[image, channel] = acc / float32(n_pixels)
    cuda.syncthreads()
    for c in range(t, bias.size, 128):
        acc = bias[c]
        for channel in range(n_channels):
            acc += logits[image, channel] * weights[channel, c]
        logits[image, c] = acc
