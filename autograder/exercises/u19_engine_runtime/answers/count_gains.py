"""Answers to engine_runtime.count_gains."""

import numpy as np

from autograder.exercises.catalogue import right, wrong


@right("counted_kernel_by_kernel")
def count_gains(steps, elements, flops, gpu):
    launch, rate, wide, half = gpu[0], gpu[1] * 1e3, gpu[2] * 1e6, gpu[3] * 1e6
    n = len(steps)
    alone, fused = list(range(n)), list(steps[:, 3])

    def counted(kernel_of, width, peak, graph):
        read, written, clock, first = 0, 0, 0.0, 0
        number = 0
        while first < n:
            end = first
            while end < n and kernel_of[end] == kernel_of[first]:
                end += 1
            came, went, work = [], 0, 0.0
            for step in range(first, end):
                for tensor in steps[step, :2]:
                    if 0 <= tensor <= first and tensor not in came:
                        came.append(tensor)
                readers = [s for s in range(n) if step + 1 in steps[s, :2]]
                if not readers or max(readers) >= end:
                    went += elements[step + 1]
                work += flops[step]
            n_read = width * (sum(elements[t] for t in came) + sum(steps[first:end, 2]))
            number += 1
            clock = max(clock, launch if graph else number * launch) + max(work / peak, (n_read + width * went) / rate)
            read, written, first = read + n_read, written + width * went, end
        return (1 if graph else number), read, written, clock

    ways = (alone, 4, wide, False), (fused, 4, wide, False), (fused, 2, half, False), (fused, 2, half, True)
    rows = [counted(*way) for way in ways]
    return tuple(np.array(column) for column in zip(*rows, strict=True))


@right("last_reader_of_each_tensor")
def count_gains(steps, elements, flops, gpu):
    n = len(steps)
    out = np.zeros((4, 4))
    for way in range(4):
        kernel = np.arange(n) if way == 0 else steps[:, 3]
        width, peak = (4, gpu[2]) if way < 2 else (2, gpu[3])
        count = kernel[-1] + 1
        n_read, n_written = np.zeros(count), np.zeros(count)
        np.add.at(n_read, kernel, steps[:, 2])
        seen = set()
        last = np.full(n + 1, -1)
        for i in range(n):
            for tensor in steps[i, :2]:
                if tensor < 0:
                    continue
                last[tensor] = kernel[i]
                home = kernel[tensor - 1] if tensor else -1
                if home != kernel[i] and (kernel[i], tensor) not in seen:
                    seen.add((kernel[i], tensor))
                    n_read[kernel[i]] += elements[tensor]
        for i in range(n):
            if last[i + 1] != kernel[i]:
                n_written[kernel[i]] += elements[i + 1]
        work = np.bincount(kernel, weights=flops)
        body = np.maximum(work / peak / 1e6, width * (n_read + n_written) / gpu[1] / 1e3)
        end = 0.0
        for k in range(count):
            end = max(end, gpu[0] if way == 3 else gpu[0] * (k + 1)) + body[k]
        out[:, way] = 1 if way == 3 else count, width * n_read.sum(), width * n_written.sum(), end
    return out[0].astype(int), out[1].astype(int), out[2].astype(int), out[3]


@right("float16_is_half_of_the_fused_bytes")
def count_gains(steps, elements, flops, gpu):
    def kernels_of(number):
        for k in sorted(set(number)):
            mine = [i for i in range(len(steps)) if number[i] == k]
            made = {i + 1 for i in mine}
            taken = {int(t) for i in mine for t in steps[i, :2]} - made - {-1}
            others = {int(t) for i in range(len(steps)) if number[i] != k for t in steps[i, :2]}
            inside = {int(t) for i in mine for t in steps[i, :2]} & made
            stays = inside - others
            n_read = sum(int(elements[t]) for t in taken) + sum(int(steps[i, 2]) for i in mine)
            yield n_read, sum(int(elements[t]) for t in made - stays), sum(float(flops[i]) for i in mine)

    def clock(kernels, width, peak, graph):
        end = 0.0
        for i, (n_read, n_written, work) in enumerate(kernels):
            start = gpu[0] if graph else gpu[0] * (i + 1)
            end = max(end, start) + max(work / (peak * 1e6), width * (n_read + n_written) / (gpu[1] * 1e3))
        return end

    alone, fused = list(kernels_of(range(len(steps)))), list(kernels_of(steps[:, 3].tolist()))
    read, written = (sum(each[i] for each in fused) for i in (0, 1))
    launches = len(alone), len(fused), len(fused), 1
    reads = 4 * sum(each[0] for each in alone), 4 * read, 2 * read, 2 * read
    writes = 4 * sum(each[1] for each in alone), 4 * written, 2 * written, 2 * written
    times = clock(alone, 4, gpu[2], False), clock(fused, 4, gpu[2], False), clock(fused, 2, gpu[3], False)
    return launches, reads, writes, (*times, clock(fused, 2, gpu[3], True))


@right("latest_start_decides")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    rows = []
    for kernel_of, width, peak in ((np.arange(len(steps)), 4, wide), (steps[:, 3], 4, wide), (steps[:, 3], 2, half)):
        kernels = range(kernel_of.max() + 1)
        reads, writes, bodies = [], [], []
        for k in kernels:
            (mine,) = np.nonzero(kernel_of == k)
            made = mine + 1
            taken = np.unique(steps[mine, :2])
            taken = taken[(taken >= 0) & ~np.isin(taken, made)]
            others = np.delete(steps[:, :2], mine, axis=0)
            stays = np.isin(made, steps[mine, :2]) & ~np.isin(made, others)
            reads.append(width * (elements[taken].sum() + steps[mine, 2].sum()))
            writes.append(width * elements[made[~stays]].sum())
            bodies.append(max(flops[mine].sum() / peak / 1e6, (reads[-1] + writes[-1]) / gbs / 1e3))
        bodies = np.array(bodies)
        left = np.cumsum(bodies[::-1])[::-1]  # of this kernel and all after it
        time = max(launch_us * (k + 1) + left[k] for k in kernels)
        rows.append((len(bodies), sum(reads), sum(writes), time))
    rows.append((1, rows[2][1], rows[2][2], launch_us + left[0]))
    return tuple(np.array([row[i] for row in rows]) for i in range(4))


@right("matrices_of_who_reads")
def count_gains(steps, elements, flops, gpu):
    n = len(steps)
    reads = np.zeros((n, n + 1), bool)  # step, tensor
    for column in (0, 1):
        there = steps[:, column] >= 0
        reads[np.flatnonzero(there), steps[there, column]] = True
    makes = np.eye(n, n + 1, 1, dtype=bool)
    launches, read_bytes, write_bytes, time_us = [], [], [], []
    for fuse, width, peak, graph in ((0, 4, 2, 0), (1, 4, 2, 0), (1, 2, 3, 0), (1, 2, 3, 1)):
        kernel = steps[:, 3] if fuse else np.arange(n)
        member = kernel[None] == np.arange(kernel[-1] + 1)[:, None]  # kernel, step
        by_kernel, made = (member @ reads) > 0, (member @ makes) > 0
        readers = by_kernel.sum(axis=0)
        came = by_kernel & ~made
        went = made & ((readers == 0) | (readers > 1) | ~by_kernel)
        n_read = width * (came @ elements + member @ steps[:, 2])
        n_written = width * (went @ elements)
        body = np.maximum(member @ flops / (gpu[peak] * 1e6), (n_read + n_written) / (gpu[1] * 1e3))
        clock = 0.0
        for k, time in enumerate(body):
            clock = max(clock, gpu[0] * (1 if graph else k + 1)) + time
        launches.append(1 if graph else len(body))
        read_bytes.append(n_read.sum())
        write_bytes.append(n_written.sum())
        time_us.append(clock)
    return np.array(launches), np.array(read_bytes), np.array(write_bytes), np.array(time_us)


@right("a_queue_of_launches")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = (float(one) for one in gpu)
    everything = [[int(t) for t in row[:2] if t >= 0] for row in steps]

    def bytes_of(group, width):
        made = [i + 1 for i in group]
        came = []
        for i in group:
            came += [t for t in dict.fromkeys(everything[i]) if t not in made and t not in came]
        outside = [t for i, row in enumerate(everything) if i not in group for t in row]
        inside = [t for i in group for t in everything[i]]
        went = [t for t in made if t in outside or t not in inside]
        read = sum(int(elements[t]) for t in came) + sum(int(steps[i, 2]) for i in group)
        return width * read, width * sum(int(elements[t]) for t in went)

    def played(groups, width, peak, graph):
        queue, clock, read, written = [], 0.0, 0, 0
        for number, group in enumerate(groups):
            queue.append((launch_us if graph else launch_us * (number + 1), group))
        while queue:
            there, group = queue.pop(0)
            a, b = bytes_of(group, width)
            read, written = read + a, written + b
            clock = clock if clock > there else there
            work = sum(float(flops[i]) for i in group) / peak * 1e-6
            clock += max((a + b) / gbs * 1e-3, work)
        return read, written, clock

    alone = [[i] for i in range(len(steps))]
    fused = [np.flatnonzero(steps[:, 3] == k).tolist() for k in np.unique(steps[:, 3])]
    out = [played(alone, 4, wide, False), played(fused, 4, wide, False)]
    out += [played(fused, 2, half, graph) for graph in (False, True)]
    launches = np.array([len(alone), len(fused), len(fused), 1])
    return (launches, *(np.array(column) for column in zip(*out, strict=True)))


@wrong("stores_everything", misconception="inner_moved", says="stays in registers and moves no bytes")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - {-1}
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("counts_each_operand", misconception="read_twice", says="one kernel reads a tensor once")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = [t for t in steps[mine, :2].ravel() if t >= 0 and t not in made]
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("ends_alone", misconception="read_later_forgotten", says="can only find it in memory")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = made - set(steps[:, :2].ravel())
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("what_is_read_alone", misconception="output_forgotten", says="it is an output of the network")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel())
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("tensors_alone", misconception="weights_forgotten", says="they come from memory, too")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken))
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("one_after_the_other", misconception="times_added", says="so the longer one counts")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = flops[mine].sum() / (peak * 1e6) + (n_read + n_written) / (gbs * 1e3)
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("the_whole_at_once", misconception="bound_of_whole", says="each kernel has a bound of its own")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for k in kernels:
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        n_bytes = read_bytes[way] + write_bytes[way]
        time_us[way] = launch_us + max(flops.sum() / (peak * 1e6), n_bytes / (gbs * 1e3))
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("a_launch_and_a_kernel", misconception="launches_added", says="while this one runs")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] += (0 if graph and i else launch_us) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("kernels_alone", misconception="launch_forgotten", says="no kernel begins before the host has launched it")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for k in kernels:
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] += body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("half_the_bytes_alone", misconception="peak_of_float32", says="its flops go through tensor cores")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, wide, False),
        (fused, 2, wide, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("weights_in_float32", misconception="weights_stay_wide", says="the engine stores them in float16, too")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken)) + 4 * int(steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (1 if graph else i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = 1 if graph else len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("kernel_by_kernel", misconception="graph_launched_each", says="launches a graph once")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    fused = steps[:, 3]
    ways = (
        (np.arange(len(steps)), 4, wide, False),
        (fused, 4, wide, False),
        (fused, 2, half, False),
        (fused, 2, half, True),
    )
    launches, read_bytes, write_bytes, time_us = np.zeros((3, 4), np.int64).tolist() + [[0.0] * 4]
    for way, (kernel_of, width, peak, _) in enumerate(ways):
        kernels = np.unique(kernel_of)
        for i, k in enumerate(kernels):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            wanted = set(steps[~mine, :2].ravel()) | (made - set(steps[:, :2].ravel()))
            n_read = width * int(sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = width * int(sum(elements[t] for t in made & wanted))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            time_us[way] = max(time_us[way], launch_us * (i + 1)) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
        launches[way] = len(kernels)
    return launches, read_bytes, write_bytes, time_us


@wrong("bytes_in_32_bits", misconception="wrong_formula", says="tensors past 2 GiB")
def count_gains(steps, elements, flops, gpu):
    launch_us, gbs, wide, half = gpu
    alone, fused = np.arange(len(steps)), steps[:, 3]
    ways = ((alone, 4, wide, False), (fused, 4, wide, False), (fused, 2, half, False), (fused, 2, half, True))
    launches, read_bytes, write_bytes = np.zeros((3, 4), np.int64)
    time_us = np.zeros(4)
    for way, (kernel_of, width, peak, graph) in enumerate(ways):
        for i, k in enumerate(np.unique(kernel_of)):
            mine = kernel_of == k
            made = set(np.flatnonzero(mine) + 1)
            taken = set(steps[mine, :2].ravel()) - made - {-1}
            elsewhere = set(steps[~mine, :2].ravel())
            kept = made & elsewhere | made - set(steps[:, :2].ravel())
            n_read = width * (sum(elements[t] for t in taken) + steps[mine, 2].sum())
            n_written = int(np.int64(width * sum(elements[t] for t in kept)).astype(np.int32))
            body = max(flops[mine].sum() / (peak * 1e6), (n_read + n_written) / (gbs * 1e3))
            launches[way] = 1 if graph else i + 1
            time_us[way] = max(time_us[way], launch_us * launches[way]) + body
            read_bytes[way] += n_read
            write_bytes[way] += n_written
    return launches, read_bytes, write_bytes, time_us
