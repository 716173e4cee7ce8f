"""Wrong answers to unit 11 from outside, each of a class, as in `answers`."""

FROM_PERFORMANCE = {  # exercise, source, line, what the verdict says
    "a round too many of the host": (
        "performance.time_launches",
        """def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    for k in range(5):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
""",
        11,
        "IndexError: index 1 is out of bounds",
    ),
    "the host waits before the second mark": (
        "performance.time_launches",
        """def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        cuda.synchronize()
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
""",
        0,
        "5 timed host waits, at most 0 allowed",
    ),
    "one element is timed": (
        "performance.time_launches",
        """def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    for k in range(times.size):
        start.record()
        scale[1, 1](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
""",
        0,
        "1 fewest timed element, at least 4,099",
    ),
    "marks in a stream that nothing runs in": (
        "performance.time_launches",
        """def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(), cuda.event()
    s, t = cuda.stream(), cuda.stream()
    for k in range(times.size):
        start.record(t)
        scale[blocks_for(x.size), THREADS, s](d_x, d_out)
        stop.record(t)
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
""",
        0,
        "0 fewest timed launches",
    ),
    "events that keep no time": (
        "performance.time_launches",
        """def time_launches(x, times, out):
    d_x = cuda.to_device(x)
    d_out = cuda.device_array_like(d_x)
    scale[blocks_for(x.size), THREADS](d_x, d_out)
    start, stop = cuda.event(timing=False), cuda.event(timing=False)
    for k in range(times.size):
        start.record()
        scale[blocks_for(x.size), THREADS](d_x, d_out)
        stop.record()
        stop.synchronize()
        times[k] = start.elapsed_time(stop)
    d_out.copy_to_host(out)
""",
        11,
        "made with timing=False keeps no time",
    ),
    "the largest block left out": (
        "performance.resident_warps",
        """def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    per_warp = -(-32 * registers // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = SM_REGISTERS // per_warp // 4 * 4 // warps
    per_block = -(-(shared_bytes + RESERVED) // SHARED_UNIT) * SHARED_UNIT
    by_shared = SM_SHARED // per_block if shared_bytes < BLOCK_SHARED else 0
    return warps * min(SM_WARPS // warps, SM_BLOCKS, by_registers, by_shared)
""",
        0,
        "the number at the border falls on the wrong side",
    ),
    "part of a block is resident": (
        "performance.resident_warps",
        """def resident_warps(threads, registers, shared_bytes):
    warps = -(-threads // 32)
    per_warp = -(-32 * registers // REGISTER_UNIT) * REGISTER_UNIT
    by_registers = SM_REGISTERS // per_warp // 4 * 4 // warps
    per_block = -(-(shared_bytes + RESERVED) // SHARED_UNIT) * SHARED_UNIT
    by_shared = SM_SHARED // per_block if shared_bytes <= BLOCK_SHARED else 0
    return int(warps * min(SM_WARPS / warps, SM_BLOCKS, by_registers, by_shared))
""",
        0,
        "warps is 64, expected 63",
    ),
    "nine terms at most": (
        "performance.poly_four",
        """@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        for k in range(min(9, coefficients.size)):
            term = coefficients[k]
            p = p * a + term
            q = q * b + term
            r = r * c + term
            s = s * d + term
        out[i] = p
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s
""",
        0,
        "terms = 300",
    ),
    "points at 0 left out": (
        "performance.poly_four",
        """@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            term = coefficients[k]
            p = p * a + term
            q = q * b + term
            r = r * c + term
            s = s * d + term
        out[i] = p if a != 0 else coefficients[coefficients.size - 1]
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s
""",
        0,
        "should be NaN and is not",
    ),
    "turns for one circle": (
        "performance.follow_four",
        """@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = starts[i], starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps % succ.size):
            p = succ[p]
            q = succ[q]
            r = succ[r]
            s = succ[s]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s
""",
        0,
        "cells = 105, steps = 307",
    ),
    "cells counted in 16 bits": (
        "performance.follow_four",
        """@cuda.jit
def follow_four(succ, starts, steps, ends):
    i, step, last = cuda.grid(1), cuda.gridsize(1), starts.size - 1
    if i < starts.size:
        p, q = np.int16(starts[i]), starts[min(i + step, last)]
        r, s = starts[min(i + 2 * step, last)], starts[min(i + 3 * step, last)]
        for _ in range(steps):
            p = succ[p]
            q = succ[q]
            r = succ[r]
            s = succ[s]
        ends[i] = p
        if i + step < ends.size:
            ends[i + step] = q
        if i + 2 * step < ends.size:
            ends[i + 2 * step] = r
        if i + 3 * step < ends.size:
            ends[i + 3 * step] = s
""",
        0,
        "cells = 70001",
    ),
    "cut off before a factor that may be negative": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) % uint32(n_cols)
        out[i] = max(src[i] - mean[c], float32(0)) * factor[c]
""",
        6,
        "takes its limit first, and the limit is asked of the whole",
    ),
    "elements counted in 16 bits": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = np.uint16(i) % np.uint16(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
""",
        0,
        "n = 70003",
    ),
    "loads taken for granted": (
        "performance.read_profile",
        """def read_profile(loads, sectors, wavefronts, conflicts, warp_instructions, lanes):
    return sectors / loads, conflicts / wavefronts if wavefronts else 0.0, lanes / warp_instructions
""",
        2,
        "`loads` is 0 here",
    ),
    "two digits kept": (
        "performance.read_profile",
        """def read_profile(loads, sectors, wavefronts, conflicts, warp_instructions, lanes):
    pairs = (sectors, loads), (conflicts, wavefronts), (lanes, warp_instructions)
    return tuple(round(part / whole, 2) if whole else 0.0 for part, whole in pairs)
""",
        0,
        "leave out what rounds on the way",
    ),
    "one law for both": (
        "performance.speedups",
        """def speedups(parallel_share, workers):
    amdahl = 1 / (1 - parallel_share + parallel_share / workers)
    return amdahl, amdahl
""",
        0,
        "Work gustafson out by hand",
    ),
    "a thousand workers at most": (
        "performance.speedups",
        """def speedups(parallel_share, workers):
    serial, workers = 1 - parallel_share, min(workers, 1024)
    return 1 / (serial + parallel_share / workers), serial + parallel_share * workers
""",
        0,
        "workers = 1000000",
    ),
}
