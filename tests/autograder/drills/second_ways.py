"""Second ways to the numbers of cards that no kernel can measure: simulated, counted, or asked of another program."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from autograder.lint.occupancy import theoretical_occupancy
from simt.timing.gpus import find_gpu


def a3_roundtrips(v):
    return sum(v["mib"] * 2 for _ in range(v["turns"]) for _ in range(v["arrays"]))


def pipelined(chunks: int, stages: tuple[float, ...]) -> float:
    """When the last chunk leaves the last stage, each stage doing one chunk at a time, simulated."""
    free = [0.0] * len(stages)
    done = 0.0
    for _ in range(chunks):
        done = 0.0
        for stage, time in enumerate(stages):
            done = free[stage] = max(done, free[stage]) + time
    return done


def b1_side_by_side(v):
    waiting, time = v["jobs"], 0
    while waiting > 0:
        room = find_gpu(v["gpu"]).multiprocessors
        while waiting > 0 and room >= v["blocks"]:
            waiting, room = waiting - 1, room - v["blocks"]
        time += v["t"]
    return time


def b3_slowest(v):
    return pipelined(v["chunks"], (v["a"], v["k"], v["b"]))


def b2_launch_hidden(v):
    last = pipelined(v["launches"], (v["launch_us"], v["kernel_us"]))
    return last - v["launch_us"]  # the first launch's own delay


def b4_gain(v):
    done, gpu_free, cpu_free, step = 0, 0.0, 0.0, 0.01
    while done < v["n"] / step:
        if gpu_free <= cpu_free:
            gpu_free += step / v["gpu_rate"]
        else:
            cpu_free += step / v["cpu_rate"]
        done += 1
    return max(gpu_free, cpu_free)


def b6_pages(v):
    return len({at // v["page_kib"] for at in range(v["mib"] * 1024)})


def b9_in_flight(v):
    return sum(v["width"] for _ in range(v["warps"]) for _lane in range(32) for _load in range(v["loads"]))


def b10_waves(v):
    left, waves = v["blocks"], 0
    while left > 0:
        left, waves = left - v["sms"] * v["per_sm"], waves + 1
    return waves


def b13_levels(v):
    def launches(level: int) -> int:
        return 1 + (sum(launches(level + 1) for _ in range(v["children"])) if level < v["depth"] else 0)

    return launches(0)


def e22_sequences(v):
    left, fit = v["free"], 0
    while (needed := len(range(0, v["tokens"], v["per_block"]))) <= left:
        left, fit = left - needed, fit + 1
    return fit


def b16_max_grid(v):
    return v["sms"] * theoretical_occupancy(find_gpu(v["gpu"]).compute_capability, v["threads"], v["registers"]).blocks


def b17_break_even(v):
    runs, with_graph, without = 0, v["setup_ms"] * 1000, 0
    while without < with_graph:
        runs, with_graph = runs + 1, with_graph + v["nodes"] * v["kernel_us"]
        without += v["nodes"] * v["launch_us"]
    return runs


def c1_launch_bound(v):
    moved = 2 * v["n_mib"] * 1048576
    return pipelined(1000, (v["launch_us"], moved / (v["rate"] * 1000))) / 1000


def c4_by_registers(v):
    capability = find_gpu(v["gpu"]).compute_capability
    return theoretical_occupancy(capability, v["threads"], v["registers"]).blocks


def c4_by_shared(v):
    capability = find_gpu(v["gpu"]).compute_capability
    return theoretical_occupancy(capability, v["threads"], 0, v["kib"] * 1024).blocks


def c4_tile_limit(v):
    size = np.dtype(v["dtype"]).itemsize
    return max(edge for edge in range(32, 1024, 32) if edge * edge * size <= 49152)


def c5_loads_each(v):
    per_load = v["sms"] * v["warps"] * 32 * 4
    loads = 1
    while loads * per_load < int(v["needed"]):
        loads += 1
    return loads


def c6_crossings(v):
    before = sum(2 * v["n_mib"] for _ in range(v["kernels"]) for _array in range(3))
    after = 3 * v["n_mib"] + v["outs"] * v["n_mib"]
    return before - after


def c8_vectors(v):
    width = v["bits"] // 8 // np.dtype(v["dtype"]).itemsize
    return len(range(0, v["n"], width))


def c8_passes(v):
    return sum(v["n_mib"] for _ in range(v["ops"]) for _array in ("left", "right", "result"))


def c9_amdahl_number(v):
    parts = [Fraction(v["serial"], 100)] + [Fraction(100 - v["serial"], 100)] * 1
    return float(1 / (parts[0] + parts[1] / v["p"]))


def c9_gustafson_number(v):
    serial, parallel = v["serial"], 100 - v["serial"]
    return (serial + sum(parallel for _ in range(v["p"]))) / (serial + parallel)


def d11_lost_lanes(v):
    turns = [v["long"] if lane < v["many"] else v["short"] for lane in range(32)]
    return 32 * max(turns) - sum(turns)


def e2_break_even(v):
    saved, requests = 0, 0
    while saved < v["minutes"] * 60_000:
        saved, requests = saved + v["before"] - v["after"], requests + 1
    return requests


def e4_params(v):
    return np.zeros((v["f"], v["c"], v["k"], v["k"]), np.int8).size + np.zeros(v["f"], np.int8).size


def e7_half_spacing(v):
    return float(np.spacing(np.float16(2 ** v["power"])))


def e8_scale_of(v):
    steps = np.linspace(0, v["amax"], 128)
    return steps[1] - steps[0]


def e9_error(v):
    def worst(amax):
        inside = np.linspace(0, amax, 100_001)
        scale = amax / 127
        return np.abs(np.rint(inside / scale) * scale - inside).max()

    return worst(v["amax"]) - worst(v["amax"] / v["cut"])


def e11_measurements(v):
    layers = [number % v["distinct"] for number in range(v["layers"])]
    cache = {(layer, tactic) for layer in layers for tactic in range(v["tactics"])}
    return len(cache) * v["repeats"]


def planned(lives: dict[str, tuple[int, int, int]]) -> int:
    """The most that is alive at once. lives: name -> (size, first step, last step)."""
    steps = range(max(last for _, _, last in lives.values()) + 1)
    return max(sum(size for size, first, last in lives.values() if first <= step <= last) for step in steps)


def e12_chain(v):
    return planned({"a": (v["a"], 0, 0), "b": (v["b"], 0, 1), "c": (v["c"], 1, 2), "d": (v["d"], 2, 2)})


def e12_residual(v):
    return planned({"x": (v["x"], 0, 2), "y": (v["y"], 0, 1), "z": (v["x"], 1, 2)})


def e13_wasted(v):
    longest = max(v["a"], v["b"], v["c"])
    return sum(longest - length for length in (v["a"], v["b"], v["c"]))


def e15_last_batch(v):
    free, end = {"fast": 0, "slow": 0}, 0
    for _ in range(v["batches"]):
        taker = min(("fast", "slow"), key=lambda name: free[name])
        free[taker] += v[taker]
        end = max(end, free[taker])
    return end


def e16_gaps(v):
    explained = sum(v[name] for name in ("a", "b", "c", "copies"))
    return 100 - 100 * explained / v["total"]


def e17_battery(v):
    joules = v["wh"] * 3600
    return joules / (v["watts"] / v["fps"])  # of what one image takes


def e18_storage(v):
    groups = v["rows"] * v["cols"] // 4
    bits = groups * 2 * (np.dtype(v["dtype"]).itemsize * 8 + 2)
    return bits / 8


def e19_strided(v):
    reached = {0}
    for width, stride in ((v["k3"], 1), (v["k2"], v["s2"]), (v["k1"], v["s1"])):
        reached = {at * stride + k for at in reached for k in range(width)}
    return max(reached) - min(reached) + 1


def e20_of_peak(v):
    operations_per_image = 4.09e9 + 4.09e9
    return 100 / (1979e12 / (v["rate"] * operations_per_image))


def e21_lstm_weights(v):
    gates = [np.zeros((v["h"], v["x"] + v["h"]), np.int8) for _ in "ifgo"]
    return sum(gate.size for gate in gates)


HELD = {
    "a3.roundtrips": a3_roundtrips,
    "b1.side_by_side": b1_side_by_side,
    "b2.launch_hidden": b2_launch_hidden,
    "b3.slowest": b3_slowest,
    "b4.gain": b4_gain,
    "b6.pages": b6_pages,
    "b9.in_flight": b9_in_flight,
    "b10.waves": b10_waves,
    "b13.levels": b13_levels,
    "b16.max_grid": b16_max_grid,
    "b17.break_even": b17_break_even,
    "c1.launch_bound": c1_launch_bound,
    "c4.by_registers": c4_by_registers,
    "c4.by_shared": c4_by_shared,
    "c4.tile_limit": c4_tile_limit,
    "c5.loads_each": c5_loads_each,
    "c6.crossings": c6_crossings,
    "c8.passes": c8_passes,
    "c8.vectors": c8_vectors,
    "c9.amdahl_number": c9_amdahl_number,
    "c9.gustafson_number": c9_gustafson_number,
    "d11.lost_lanes": d11_lost_lanes,
    "e2.break_even": e2_break_even,
    "e4.params": e4_params,
    "e7.half_spacing": e7_half_spacing,
    "e8.scale_of": e8_scale_of,
    "e9.error": e9_error,
    "e11.measurements": e11_measurements,
    "e12.chain": e12_chain,
    "e12.residual": e12_residual,
    "e13.wasted": e13_wasted,
    "e15.last_batch": e15_last_batch,
    "e16.gaps": e16_gaps,
    "e17.battery": e17_battery,
    "e18.storage": e18_storage,
    "e19.strided": e19_strided,
    "e20.of_peak": e20_of_peak,
    "e21.lstm_weights": e21_lstm_weights,
    "e22.sequences": e22_sequences,
}
