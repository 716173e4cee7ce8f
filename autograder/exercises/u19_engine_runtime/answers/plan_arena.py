"""Answers to engine_runtime.plan_arena."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("a_matrix_of_who_meets")
def plan_arena(sizes, first, last, align):
    sizes = (sizes + align - 1) // align * align
    meet = (first[:, None] <= last) & (first <= last[:, None])
    offsets = np.full(len(sizes), -1)
    for i in np.argsort(-sizes, kind="stable"):
        others = np.flatnonzero(meet[i] & (offsets >= 0))
        at = 0
        for j in others[np.argsort(offsets[others], kind="stable")]:
            if offsets[j] >= at + sizes[i]:
                break
            at = max(at, offsets[j] + sizes[j])
        offsets[i] = at
    least = 0
    for step in range(last.max() + 1):
        least = max(least, sizes[(first <= step) & (last >= step)].sum())
    return offsets, np.max(offsets + sizes), least


@right("candidates_are_ends")
def plan_arena(sizes, first, last, align):
    n = len(sizes)
    up = [(int(size) + int(align) - 1) // int(align) * int(align) for size in sizes]
    offsets = {}
    for i in sorted(range(n), key=lambda k: up[k], reverse=True):
        near = [j for j in offsets if not (first[j] > last[i] or first[i] > last[j])]
        for at in sorted({0} | {offsets[j] + up[j] for j in near}):
            if all(at + up[i] <= offsets[j] or offsets[j] + up[j] <= at for j in near):
                offsets[i] = at
                break
    arena = max(offsets[i] + up[i] for i in range(n))
    least = max(sum(up[j] for j in range(n) if first[j] <= first[i] <= last[j]) for i in range(n))
    return [offsets[i] for i in range(n)], arena, least


@right("a_row_of_free_units")
def plan_arena(sizes, first, last, align):
    units = -(-sizes // align)
    taken = np.zeros((last.max() + 1, units.sum()), bool)
    offsets = np.zeros(len(sizes), np.int64)
    for i in np.lexsort((np.arange(len(sizes)), -units)):
        busy = taken[first[i] : last[i] + 1].any(axis=0)
        blocked = np.concatenate(([0], np.cumsum(busy)))
        starts = np.flatnonzero(blocked[units[i] :] == blocked[: -units[i]])
        offsets[i] = starts[0]
        taken[first[i] : last[i] + 1, offsets[i] : offsets[i] + units[i]] = True
    return offsets * align, (offsets + units).max() * align, taken.sum(axis=1).max() * align


@right("moved_up_until_free")
def plan_arena(sizes, first, last, align):
    up = sizes + -sizes % align
    offsets = np.zeros_like(sizes)
    done = []
    for i in sorted(range(len(up)), key=lambda i: (-up[i], i)):
        at, again = 0, True
        while again:
            again = False
            for j in done:
                if first[i] <= last[j] and first[j] <= last[i] and offsets[j] < at + up[i] and at < offsets[j] + up[j]:
                    at, again = offsets[j] + up[j], True
        offsets[i] = at
        done.append(i)
    steps = np.arange(first.min(), last.max() + 1)[:, None]
    return offsets, np.max(offsets + up), ((first <= steps) & (steps <= last)).dot(up).max()


@right("least_by_changes")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    change = np.zeros(last.max() + 2, np.int64)
    np.add.at(change, first, up)
    np.add.at(change, last + 1, -up)
    placed, offsets = [], [0] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        at = 0
        for begin, end, a, b in sorted(placed):
            if a <= last[i] and first[i] <= b and begin < at + up[i]:
                at = max(at, end)
        offsets[i] = at
        placed.append((at, at + up[i], first[i], last[i]))
    return np.array(offsets), max(end for _, end, _, _ in placed), np.cumsum(change).max()


@right("a_helper_for_gaps")
def plan_arena(sizes, first, last, align):
    def lowest(size, places):
        at = 0
        while places:
            begin, end = min(places)
            if begin >= at + size:
                return at
            at = max(at, end)
            places.remove((begin, end))
        return at

    padded = np.ceil(sizes / align).astype(np.int64) * align
    offsets = np.full(len(sizes), -1, np.int64)
    for i in np.argsort(-padded, kind="stable"):
        near = [j for j in range(len(sizes)) if offsets[j] >= 0 and first[i] <= last[j] and first[j] <= last[i]]
        offsets[i] = lowest(padded[i], [(offsets[j], offsets[j] + padded[j]) for j in near])
    least = max(int(padded[(first <= t) & (t <= last)].sum()) for t in range(int(last.max()) + 1))
    return offsets, int((offsets + padded).max()), least


@wrong("sizes_as_they_are", misconception="not_aligned", says="round every size up first")
def plan_arena(sizes, first, last, align):
    up = sizes
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
    least = max((-(-sizes // align) * align)[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("as_they_come", misconception="in_order_of_steps", says="the largest one comes first")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in range(len(sizes)):
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


@wrong("ties_backwards", misconception="ties_from_the_end", says="the lower number goes first")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], -i)):
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


@wrong("argsort_turned_round", misconception="ties_from_the_end", says="the lower number goes first")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in np.argsort(up, kind="stable")[::-1]:
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


@wrong("lives_without_ends", misconception="last_step_forgotten", says="that share one step overlap")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        taken = [(offsets[j], offsets[j] + up[j]) for j in placed if first[i] < last[j] and first[j] < last[i]]
        at = 0
        for begin, end in sorted(taken):
            if begin - at >= up[i]:
                break  # the gap below this one is wide enough
            at = max(at, end)
        offsets[i] = at
        placed.append(i)
    least = max(up[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("always_on_top", misconception="gaps_missed", says="a gap between two of them will do")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        taken = [(offsets[j], offsets[j] + up[j]) for j in placed if first[i] <= last[j] and first[j] <= last[i]]
        at = 0
        for _, end in sorted(taken):
            at = max(at, end)
        offsets[i] = at
        placed.append(i)
    least = max(up[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("tightest", misconception="tightest_gap", says="the lowest one that is wide enough")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        taken = [(offsets[j], offsets[j] + up[j]) for j in placed if first[i] <= last[j] and first[j] <= last[i]]
        at, gaps = 0, []
        for begin, end in sorted(taken):
            if begin - at >= up[i]:
                gaps.append((begin - at, at))
            at = max(at, end)
        offsets[i] = min(gaps)[1] if gaps else at
        placed.append(i)
    least = max(up[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("one_after_the_other", misconception="no_reuse", says="may lie in the same bytes")
def plan_arena(sizes, first, last, align):
    up = -(-sizes // align) * align
    offsets, placed = np.zeros(len(sizes), np.int64), []
    for i in sorted(range(len(sizes)), key=lambda i: (-up[i], i)):
        taken = [(offsets[j], offsets[j] + up[j]) for j in placed]
        at = 0
        for begin, end in sorted(taken):
            if begin - at >= up[i]:
                break  # the gap below this one is wide enough
            at = max(at, end)
        offsets[i] = at
        placed.append(i)
    least = max(up[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("arena_to_the_last_offset", misconception="begin_for_end", says="add the size of each tensor")
def plan_arena(sizes, first, last, align):
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
    return offsets, offsets.max(), least


@wrong("least_is_the_sum", misconception="least_of_all", says="have to lie side by side")
def plan_arena(sizes, first, last, align):
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
    least = up.sum()
    return offsets, (offsets + up).max(), least


@wrong("least_of_plain_sizes", misconception="least_unrounded", says="counts sizes that are not rounded up")
def plan_arena(sizes, first, last, align):
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
    least = max(sizes[(first <= step) & (step <= last)].sum() for step in first)
    return offsets, (offsets + up).max(), least


@wrong("least_of_all_steps_but_the_last", misconception="wrong_formula", says="one tensor after the other")
def plan_arena(sizes, first, last, align):
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
    least = max(up[(first <= step) & (step <= last)].sum() for step in range(max(last.max(), 1)))
    return offsets, (offsets + up).max(), least


@wrong("sizes_in_32_bits", misconception="wrong_formula", says="tensors past 2 GiB")
def plan_arena(sizes, first, last, align):
    up = (-(-sizes // align) * align).astype(np.int32)
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
