"""Results that are wrong without a word: warps nobody hears, copies that are out of date, guards exchanged."""

import linecache
import textwrap

import pytest

from simt.programs.session import Session
from tests.programs.test_notes import IMPORTS, told


def told_of_a_file(program: str, kind: str, folder) -> list:
    """The same for a program that stands in a file, as host code must that is read."""
    path = folder / "program.py"
    path.write_text(IMPORTS + textwrap.dedent(program))
    linecache.checkcache(str(path))
    with Session() as session:
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "program"})
    return [report for report in session.reports if report.kind == kind]


WARPS = """
    @cuda.jit(device=True)
    def warp_sum(v):
        offset = 16
        while offset > 0:
            v += cuda.shfl_down_sync(0xffffffff, v, offset)
            offset //= 2
        return v
    @cuda.jit
    def total(x, out):
        shared = cuda.shared.array(32, float32)
        i, t = cuda.grid(1), cuda.threadIdx.x
        lane, warp = t % 32, t // 32
        v = x[i] if i < x.size else 0.0
        v = warp_sum(v)
        {end}
    total[2, {threads}](np.ones({size}), np.zeros(64))
    """
TWO_STEPS = """if lane == 0:
            shared[warp] = v
        cuda.syncthreads()
        w = shared[lane] if lane < cuda.blockDim.x // 32 else 0.0
        w = warp_sum(w)
        if t == 0:
            out[cuda.blockIdx.x] = w"""


@pytest.mark.parametrize("end", ["out[cuda.blockIdx.x] = v", "cuda.atomic.add(out, 0, v)"])
def test_warps_whose_sums_nobody_stores_are_told(end):
    (report,) = told(WARPS.format(end=f"if t == 0:\n            {end}", threads=128, size=256), "lost_warps")
    assert report.note and 2 == len(report.places)


HEARD = {
    "one warp a block": ("if t == 0:\n            out[cuda.blockIdx.x] = v", 32, 64),
    "each warp adds its sum": ("if lane == 0:\n            cuda.atomic.add(out, 0, v)", 128, 256),
    "two steps": (TWO_STEPS, 128, 256),
    "counted by all": (
        "n = cuda.syncthreads_count(int32(v > 3))\n        if t == 0:\n            out[cuda.blockIdx.x] = n",
        128,
        256,
    ),
    "nothing to add there": ("if t == 0:\n            out[0] = v", 64, 32),
    "all store": ("out[i % 64] = v", 64, 64),
}


@pytest.mark.parametrize("name", HEARD)
def test_warps_that_hand_their_sums_on_are_not(name):
    end, threads, size = HEARD[name]
    assert [] == told(WARPS.format(end=end, threads=threads, size=size), "lost_warps")


def test_warps_that_all_read_the_same_are_not_missed():
    program = WARPS.format(end="if t == 0:\n            out[cuda.blockIdx.x] = v", threads=64, size=64)
    assert [] == told(program.replace("x[i] if i < x.size else 0.0", "x[lane]"), "lost_warps")


STENCIL = """
    @cuda.jit
    def smooth(a, b):
        i = cuda.grid(1)
        if 0 < i < a.size - 1:
            b[i] = (a[i - 1] + a[i + 1]) / 2
    @cuda.jit
    def take(b, a):
        i = cuda.grid(1)
        a[i] = b[i]
    a, b = {made}
    def run(a, b):
        smooth[1, 32](a, b)
        return b.copy_to_host()
    {loop}
    """
MADE = "cuda.to_device(np.arange(32.0) % 5), cuda.to_device(np.zeros(32))"
REPEATED = {
    "device arrays": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)"),
    "host arrays": ("np.arange(32.0) % 5, np.zeros(32)", "for k in range(9):\n        smooth[1, 32](a, b)"),
    "with a wait": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)\n        cuda.synchronize()"),
    "while": (MADE, "k = 0\n    while k < 9:\n        smooth[1, 32](a, b)\n        k += 1"),
}
EXCHANGED = {
    "names": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)\n        a, b = b, a"),
    "two launches": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)\n        smooth[1, 32](b, a)"),
    "a copy": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)\n        a.copy_to_device(b)"),
    "a kernel that copies, all settled": (
        "cuda.to_device(np.ones(32)), cuda.to_device(np.ones(32))",
        "for k in range(9):\n        smooth[1, 32](a, b)\n        take[1, 32](b, a)",
    ),
    "measured": (MADE, "import time\n    for k in range(9):\n        smooth[1, 32](a, b)\n    print(time.time())"),
    "the same is asked for": (MADE, "for k in range(9):\n        assert run(a, b) is not None"),
    "once": (MADE, "smooth[1, 32](a, b)"),
    "each looked at": (MADE, "for k in range(9):\n        smooth[1, 32](a, b)\n        b.copy_to_host()"),
}


@pytest.mark.parametrize("name", REPEATED)
def test_iterations_that_do_not_exchange_their_arrays_are_told(name, tmp_path):
    made, loop = REPEATED[name]
    (report,) = told_of_a_file(STENCIL.format(made=made, loop=loop), "same_launch", tmp_path)
    assert "a, b = b, a" in report.finding.remedy


@pytest.mark.parametrize("name", EXCHANGED)
def test_launches_that_are_repeated_for_a_reason_are_not(name, tmp_path):
    made, loop = EXCHANGED[name]
    assert [] == told_of_a_file(STENCIL.format(made=made, loop=loop), "same_launch", tmp_path)


COPIED = """
    @cuda.jit
    def double(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = 2 * x[i]
    x = np.arange(8.0)
    d_x = cuda.to_device(x)
    out = cuda.device_array_like(d_x)
    {body}
    """
LAUNCH, SHOWN = "double[1, 8](d_x, out)", "print(out.copy_to_host())"
OUTDATED = {
    "in the loop": ("for k in range(3):", f"    {LAUNCH}", "    x += 1", SHOWN),
    "an element": ("x[0] = 7", LAUNCH, SHOWN),
    "all of it": (LAUNCH, "x[:] = 3", LAUNCH, SHOWN),
    "in place": ("x *= 3", LAUNCH, "print(np.allclose(out.copy_to_host(), 2 * x))"),
    "sorted": ("x[::-1].sort()", LAUNCH, SHOWN),
    "filled": ("x.fill(4)", LAUNCH, SHOWN),
}
UP_TO_DATE = {
    "copied again": ("x[0] = 7", "d_x.copy_to_device(x)", LAUNCH, SHOWN),
    "another copy": ("x[0] = 7", "d_x = cuda.to_device(x)", LAUNCH, SHOWN),
    "a buffer for several": ("x += 8", "d_y = cuda.to_device(x)", LAUNCH, "double[1, 8](d_y, out)", SHOWN),
    "what is expected": ("x *= 2", LAUNCH, "np.testing.assert_allclose(out.copy_to_host(), x)"),
    "room for the result": ("x[:] = 0", LAUNCH, "out.copy_to_host(x)", "print(x)"),
    "copied in the loop": ("for k in range(3):", "    d_x.copy_to_device(x)", f"    {LAUNCH}", "    x += 1", SHOWN),
    "after the launch": (LAUNCH, "x[:] = 0", SHOWN),
    "another array of that name": ("x = x + 1", LAUNCH, SHOWN),
    "the same again": ("x[0] = 0", LAUNCH, SHOWN),
    "the copy is written": ("x[0] = 7", "double[1, 8](d_x, d_x)", "print(d_x.copy_to_host())"),
}


@pytest.mark.parametrize("name", OUTDATED)
def test_a_host_array_that_is_changed_after_its_copy_is_told(name, tmp_path):
    program = COPIED.format(body="\n    ".join(OUTDATED[name]))
    (report,) = told_of_a_file(program, "changed_after_copy", tmp_path)
    assert report.note and 3 == len(report.places)


@pytest.mark.parametrize("name", UP_TO_DATE)
def test_a_change_that_is_no_matter_of_the_device_is_not(name, tmp_path):
    assert [] == told_of_a_file(COPIED.format(body="\n    ".join(UP_TO_DATE[name])), "changed_after_copy", tmp_path)


GUARD = """
    @cuda.jit
    def fill(image):
        {start}
        if {guard}:
            {body}
    fill[(8, 8), (8, 8)](np.zeros({shape}))
    """
GRID, PLAIN = "x, y = cuda.grid(2)", "x < image.shape[0] and y < image.shape[1]"
EXCHANGED_GUARDS = {
    "both": (GRID, PLAIN, "image[y, x] = 1", (30, 40)),
    "one": (GRID, "x < image.shape[0] and y < 30", "image[y, x] = 1", (30, 40)),
    "by names": (f"{GRID}; h, w = image.shape", "x < h and y < w", "image[y, x] = 1", (30, 40)),
    "the other way round": (
        GRID,
        "image.shape[0] > x and image.shape[1] > y",
        "image[y, x] += image[y, x - 1]",
        (9, 40),
    ),
}
OWN_GUARDS = {
    "right": (GRID, PLAIN, "image[x, y] = 1", (30, 40)),
    "as long as wide": (GRID, PLAIN, "image[y, x] = 1", (40, 40)),
    "both ways": (GRID, PLAIN, "image[x, y] = image[y % 30, x]", (30, 40)),
    "by names": (f"{GRID}; h, w = image.shape", "x < w and y < h", "image[y, x] = 1", (30, 40)),
    "another size": (GRID, "x < 30 and y < 30", "image[y, x] = 1", (30, 40)),
    "a part of it": (GRID, "x < image.shape[0] and y < x", "image[x, y] = 1", (30, 40)),
}


@pytest.mark.parametrize("name", EXCHANGED_GUARDS)
def test_an_index_compared_with_another_axis_is_told(name):
    start, guard, body, shape = EXCHANGED_GUARDS[name]
    (report,) = told(GUARD.format(start=start, guard=guard, body=body, shape=shape), "exchanged_guard")
    assert report.note and report.places[0].line


@pytest.mark.parametrize("name", OWN_GUARDS)
def test_an_index_compared_with_its_own_axis_is_not(name):
    start, guard, body, shape = OWN_GUARDS[name]
    assert [] == told(GUARD.format(start=start, guard=guard, body=body, shape=shape), "exchanged_guard")


LOOP = """
    @cuda.jit
    def product(a, b, c):
        x, y = cuda.grid(2)
        if x < c.shape[0] and y < c.shape[1]:
            for k in range({bound}):
                c[x, y] += a[x, k] * b[k, y]
    product[(1, 2), (16, 16)](np.ones((10, 30)), np.ones((30, 20)), np.zeros((10, 20)))
    """


def test_a_loop_that_counts_an_index_up_to_another_axis_is_told_and_one_up_to_its_own_is_not():
    (report,) = told(LOOP.format(bound="a.shape[0]"), "exchanged_guard")
    assert "counts `k`, index 1 of a, up to a.shape[0]" in report.finding.message
    for bound in ("a.shape[1]", "0, b.shape[0], 1", "min(30, a.shape[1])"):
        assert [] == told(LOOP.format(bound=bound), "exchanged_guard")
