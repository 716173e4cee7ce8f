"""Answers to engine_runtime.mend_layers."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("plain_loops")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    gains, memory = [], []
    for i in range(len(time_us)):
        a = flops[i] / tflops / 1e6
        b = n_bytes[i] / gbs / 1e3
        memory.append(1 if b > a else 0)
        gains.append((time_us[i] - max(a, b), i))
    best = sorted(gains, key=lambda pair: -pair[0])[:3]
    best = [(gain, i) for gain, i in best if gain > 0]
    worst = [i for _, i in best] + [-1] * (3 - len(best))
    return np.array(worst), np.array(memory), float(sum(gain for gain, _ in best) / sum(time_us))


@right("in_seconds")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    seconds = np.stack([flops / (tflops * 1e12), n_bytes / (gbs * 1e9)])
    memory = np.argmax(seconds, axis=0)
    gain = time_us * 1e-6 - seconds.max(axis=0)
    worst = np.full(3, -1)
    saved = 0.0
    for k in range(min(3, len(gain))):
        i = int(np.argmax(gain))
        if gain[i] <= 0:
            break
        worst[k], saved = i, saved + gain[i]
        gain[i] = -1
    return worst, memory, saved / (time_us.sum() * 1e-6)


@right("by_the_ridge")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    ridge = tflops * 1e12 / (gbs * 1e9)
    memory = (flops < ridge * n_bytes).astype(np.int64)
    bound = np.where(memory, n_bytes / (gbs * 1e3), flops / (tflops * 1e6))
    gain = np.maximum(time_us - bound, 0)
    order = np.argsort(gain)[::-1][:3]
    worst = [int(i) if gain[i] > 0 else -1 for i in order]
    worst += [-1] * (3 - len(worst))
    return worst, memory, gain[order].sum() / np.sum(time_us)


@right("where_and_sort")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    a, b = flops / tflops * 1e-6, n_bytes / gbs * 1e-3
    gain = time_us - np.where(a > b, a, b)
    can = [i for i in np.flatnonzero(gain > 0)]
    can.sort(key=lambda i: gain[i], reverse=True)
    three = can[:3]
    worst = np.array(three + [-1, -1, -1])[:3]
    return worst, np.where(b > a, 1, 0), sum(gain[i] for i in three) / time_us.sum()


@right("a_rate_per_microsecond")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    per_us = (float(tflops) * 1e6, float(gbs) * 1e3)
    used = [(f / per_us[0], b / per_us[1]) for f, b in zip(flops, n_bytes, strict=True)]
    gain = {i: t - max(pair) for i, (t, pair) in enumerate(zip(time_us, used, strict=True)) if t > max(pair)}
    worst = sorted(gain, key=gain.get, reverse=True)[:3]
    share = sum(gain[i] for i in worst) / float(np.sum(time_us))
    return worst + [-1] * (3 - len(worst)), [int(pair[1] > pair[0]) for pair in used], share


@right("with_a_heap")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    import heapq

    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)
    gain = time_us - np.fmax(of_flops, of_bytes)
    best = heapq.nlargest(3, ((g, i) for i, g in enumerate(gain) if g > 0))
    worst = np.array([-1, -1, -1])
    for k, (_, i) in enumerate(best):
        worst[k] = i
    return worst, np.int64(of_bytes > of_flops), np.sum([g for g, _ in best]) / np.sum(time_us)


@wrong("longest", misconception="longest_taken", says="compare each with its bound")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("by_quotient", misconception="ratio_taken", says="how many times as long as their bound")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)
    bound = np.maximum(of_flops, of_bytes)
    order = np.argsort(-time_us / bound)[:3]
    left = order[time_us[order] > bound[order]]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), (time_us - bound)[left].sum() / time_us.sum()


@wrong("sum_of_times", misconception="times_added", says="the longer one is the bound")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - (of_flops + of_bytes)
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("flops_alone", misconception="bytes_not_asked", says="the bound is that of flops alone")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - of_flops
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("bytes_alone", misconception="flops_not_asked", says="the bound is that of bytes alone")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - of_bytes
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("rising", misconception="least_first", says="order by falling gain")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(gain)
    left = order[gain[order] > 0][:3]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("three_in_any_case", misconception="nothing_to_gain_named", says="a layer without anything to gain is named")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(-gain)[:3]
    left = order
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("arithmetic_is_1", misconception="sides_exchanged", says="1 is memory, 0 is arithmetic")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes <= of_flops).astype(int), gain[left].sum() / time_us.sum()


@wrong("of_their_own_time", misconception="share_of_three", says="it is asked of the time of all layers")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), gain[left].sum() / (time_us[left].sum() or 1)


@wrong("all_of_it_saved", misconception="whole_time_saved", says="at their bound they still take")
def mend_layers(flops, n_bytes, time_us, tflops, gbs):
    worst = np.full(3, -1)
    of_flops, of_bytes = flops / (tflops * 1e6), n_bytes / (gbs * 1e3)  # microseconds
    gain = time_us - np.maximum(of_flops, of_bytes)
    order = np.argsort(-gain)[:3]
    left = order[gain[order] > 0]
    worst[: left.size] = left
    return worst, (of_bytes > of_flops).astype(int), time_us[left].sum() / time_us.sum()
