"""What a kernel may try on the GPU itself, as bodies of vector_add, with the verdict of the GPU's stage.

tests/gpu/test_sealed_on_gpu.py tries them. On an H200 they had these verdicts. `row` is the line of the catalogue of
cheats; 0 for a harmless kernel of which one could think otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD = "from numba import cuda, float32\n@cuda.jit\ndef vector_add(a, b, out):\n    i = cuda.grid(1)\n"
ADDS = "    if i < out.size:\n        out[i] = a[i] + b[i]\n"
NEVER_ENDS = "a[0] < 1e30:\n        cuda.nanosleep(100)\n        if out[0] == 12345.678:\n            out[0] = 1\n"
TIMES = '{\\"event_us\\": 0.01, \\"wall_us\\": 0.01, \\"damaged\\": []}'


@dataclass(frozen=True)
class OnGpu:
    """becomes: the status of a case, or of the whole answer; says: words that a verdict shows of it."""

    name: str
    row: int
    body: str
    becomes: str
    says: str = ""

    @property
    def source(self) -> str:
        return HEAD + self.body


ON_GPU = (
    OnGpu("hangs", 61, f"    while {NEVER_ENDS}", "TimedOut", "did not end"),
    OnGpu("hangs_when_it_is_done", 61, f"{ADDS}    while i == 0 and {NEVER_ENDS}", "TimedOut", "did not end"),
    OnGpu("stores_far_away", 68, "    out[i + (1 << 40)] = 1\n", "crashed"),
    OnGpu("stores_far_away_when_it_is_done", 58, f"{ADDS}    if i == 0:\n        out[1 << 40] = 1\n", "crashed"),
    OnGpu("stores_behind", 49, f"{ADDS}    if i == 0:\n        out[out.size] = 3\n", "wrong", "outside"),
    OnGpu("stores_before", 49, f"{ADDS}    if i == 0:\n        out[-1 - out.size] = 3\n", "wrong", "outside"),
    OnGpu("stores_60_000_bytes_behind", 49, f"{ADDS}    if i == 0:\n        out[out.size + 15000] = 3\n", "wrong",
          "outside"),
    OnGpu("copies_behind_the_end", 49, "    out[i] = a[i] + b[i] if i < out.size else a[i]\n", "wrong", "outside"),
    OnGpu("past_shared_memory", 49, "    x = cuda.shared.array(32, float32)\n    x[i * 1000000] = 1\n"
          "    out[i] = x[i * 1000000]\n", "crashed"),
    OnGpu("does_nothing", 27, "    if i > 1 << 40:\n        out[0] = 1\n", "wrong", "out"),
    OnGpu("adds_to_what_lies_there", 24, "    if i < out.size:\n        out[i] += a[i] + b[i]\n", "wrong", "out"),
    OnGpu("changes_its_input", 37, f"{ADDS}        a[i] = 0\n", "wrong", "input"),
    OnGpu("changes_what_inputs_are_copied_from", 37, f"{ADDS}    for k in range(0, 600000, 256):\n"
          "        out[k + i % 256 + out.size + 20000] = 0\n", "wrong"),
    OnGpu("looks_for_the_answer", 23, "    if i < out.size:\n        for k in range(-3000, 3000):\n"
          "            if k != i and a[k] == a[i] + b[i]:\n                out[i] = a[k]\n", "wrong", "out"),
    OnGpu("looks_for_the_answer_all_over", 23, "    if i < out.size:\n        for k in range(-400000, 400000, 7):\n"
          "            if k != i and a[k] == a[i] + b[i]:\n                out[i] = a[k]\n", "wrong", "out"),
    OnGpu("keeps_a_result_behind_its_array", 47, "    at = out.size + 400000 + i\n    if i < out.size:\n"
          "        if out[at] != 0 and out[at] == out[at]:\n            out[i] = out[at]\n"
          "        else:\n            out[i] = a[i] + b[i]\n            out[at] = out[i]\n", "wrong"),
    OnGpu("fills_local_memory", 64, "    x = cuda.local.array(1 << 20, float32)\n    x[i] = i\n"
          "    out[0] = x[i + 1]\n", "NotCheckable", "local memory"),
    OnGpu("prints_without_end", 67, f"{ADDS}    for k in range(1 << 30):\n        print(i, k)\n", "TimedOut",
          "printing"),
    OnGpu("prints_times", 73, f"{ADDS}    if i == 0:\n        print('{TIMES}')\n", "right"),
    OnGpu("prints", 0, f"{ADDS}    if i < 2:\n        print(i, i)\n", "right"),
    OnGpu("asserts_what_is_false", 0, f"{ADDS}    assert i < 0\n", "right"),
    OnGpu("raises", 0, f"{ADDS}    if i >= 0:\n        raise ValueError\n", "right"),
)  # fmt: skip
