"""Answers to language_models.merge_splits."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
FULL_WARP = 0xFFFFFFFF
HEAD, GROUPS = 128, 8
LOWEST = float32(-3.4028234663852886e38)


@cuda.jit(device=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def warp_max(x):
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@right("a_tree_of_groups")
@cuda.jit
def merge_splits(parts, logs, out):
    accs = cuda.shared.array((GROUPS, HEAD), float32)
    totals = cuda.shared.array((GROUPS, HEAD), float32)
    c, g, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    top = LOWEST
    for s in range(c % 32, logs.shape[0], 32):
        top = max(logs[s, head], top)
    top = warp_max(top)
    accs[g, c] = 0
    totals[g, c] = 0
    for s in range(g, logs.shape[0], GROUPS):
        weight = math.exp(logs[s, head] - top)
        accs[g, c] += weight * parts[s, head, c]
        totals[g, c] += weight
    cuda.syncthreads()
    d = GROUPS // 2
    while d > 0:
        if g < d:
            accs[g, c] += accs[g + d, c]
            totals[g, c] += totals[g + d, c]
        cuda.syncthreads()
        d //= 2
    if g == 0:
        out[head, c] = accs[0, c] / totals[0, c]


@right("a_running_maximum_for_each_group")
@cuda.jit
def merge_splits(parts, logs, out):
    kept = cuda.shared.array((3, GROUPS, HEAD), float32)
    c, g, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    top, total, acc = LOWEST, float32(0), float32(0)
    for s in range(g, parts.shape[0], GROUPS):
        log = logs[s, head]
        higher = max(top, log)
        shrink, p = math.exp(top - higher), math.exp(log - higher)
        total = total * shrink + p
        acc = acc * shrink + p * parts[s, head, c]
        top = higher
    kept[0, g, c], kept[1, g, c], kept[2, g, c] = top, total, acc
    cuda.syncthreads()
    if g > 0:
        return
    for other in range(1, GROUPS):
        higher = max(top, kept[0, other, c])
        shrink, grow = math.exp(top - higher), math.exp(kept[0, other, c] - higher)
        total = total * shrink + kept[1, other, c] * grow
        acc = acc * shrink + kept[2, other, c] * grow
        top = higher
    out[head, c] = acc / total


@right("columns_first")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((HEAD, 17), float32)
    c, g, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    mine = logs[:, head]
    top = LOWEST
    s = c % WARP
    while s < mine.size:
        top = max(top, mine[s])
        s += WARP
    for d in (1, 2, 4, 8, 16):
        top = max(top, cuda.shfl_xor_sync(FULL_WARP, top, d))
    acc, total = float32(0), float32(0)
    s = g
    while s < mine.size:
        weight = math.exp(mine[s] - top)
        total += weight
        acc += parts[s, head, c] * weight
        s += GROUPS
    sums[c, 2 * g] = acc
    sums[c, 2 * g + 1] = total
    cuda.syncthreads()
    if g == 7:
        acc, total = float32(0), float32(0)
        for other in range(GROUPS):
            acc += sums[c, 2 * other]
            total += sums[c, 2 * other + 1]
        out[head, c] = acc / total


@right("totals_from_a_second_look")
@cuda.jit
def merge_splits(parts, logs, out):
    room = cuda.shared.array((GROUPS, HEAD), float32)
    c, g, h = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n = parts.shape[0]
    m = LOWEST
    for s in range(c & 31, n, 32):
        m = max(m, logs[s, h])
    m = warp_max(m)
    total = float32(0)
    for s in range(c & 31, n, 32):
        total += math.exp(logs[s, h] - m)
    total = warp_sum(total)
    acc = float32(0)
    for s in range(g, n, GROUPS):
        acc += math.exp(logs[s, h] - m) * parts[s, h, c]
    room[g, c] = acc
    cuda.syncthreads()
    d = GROUPS // 2
    while d > 0:
        if g < d:
            room[g, c] += room[g + d, c]
        cuda.syncthreads()
        d //= 2
    if g == 0:
        out[h, c] = room[0, c] / total


@wrong("all_count_alike", misconception="plain_mean", says="count alike")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = float32(1)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("never_divided", misconception="not_divided", says="never divided")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc


@wrong("nothing_subtracted", misconception="no_maximum", says="subtract the largest")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head])
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("search_from_zero", misconception="maximum_from_zero", says="begins at 0")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = float32(0)
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("one_split_per_group", misconception="first_split_only", says="first eight splits")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, min(n_splits, GROUPS), GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("group_0_alone", misconception="groups_not_combined", says="never added")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        out[head, c] = acc / total


@wrong("own_total", misconception="one_total", says="their totals were not")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
        out[head, c] = acc / total


@wrong("waits_for_a_warp_only", misconception="missing_barrier", says="Race")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncwarp()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("no_barrier", misconception="missing_barrier", says="Race")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(c % WARP, n_splits, WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("each_lane_looks_at_all", misconception="too_much_traffic", says="all at a time")
@cuda.jit
def merge_splits(parts, logs, out):
    sums = cuda.shared.array((2, GROUPS, HEAD), float32)
    c, group, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.x
    n_splits = parts.shape[0]
    top = LOWEST
    for s in range(n_splits):
        top = max(top, logs[s, head])
    acc, total = float32(0), float32(0)
    for s in range(group, n_splits, GROUPS):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    sums[0, group, c], sums[1, group, c] = acc, total
    cuda.syncthreads()
    if group == 0:
        for other in range(1, GROUPS):
            acc += sums[0, other, c]
            total += sums[1, other, c]
        out[head, c] = acc / total


@wrong("one_group_does_it_all", misconception="few_threads", says="1,024 threads")
@cuda.jit
def merge_splits(parts, logs, out):
    c, head = cuda.threadIdx.x, cuda.blockIdx.x
    if cuda.threadIdx.y > 0:
        return
    top = LOWEST
    for s in range(c % WARP, parts.shape[0], WARP):
        top = max(top, logs[s, head])
    top = warp_max(top)
    acc, total = float32(0), float32(0)
    for s in range(parts.shape[0]):
        p = math.exp(logs[s, head] - top)
        acc += p * parts[s, head, c]
        total += p
    out[head, c] = acc / total
