"""Tiles filled in every style that people write: right ones are never accused, and one that skips elements is told.

Each program sums a window of radius 2 around every element, chunk after chunk, out of a tile with a halo. A way to
fill, a way to loop and a way to read are put together at random sizes; NumPy says which programs are right.
"""

import itertools
import linecache
import re
import textwrap

import numpy as np
import pytest
from numba import cuda, float32

import simt

THREADS, RADIUS = 16, 2
SPAN = THREADS + 2 * RADIUS
SIZES = (1, 3, 16, 17, 31, 33, 37, 64)

FILLS = {  # g is the place in src of element k of the tile; outside it, zeros belong
    "if_elif_else": """
        if 0 <= g < n:
            tile[k] = src[g]
        elif g < 0:
            tile[k] = 0
        else:
            tile[k] = 0
    """,
    "else_first": """
        if g < 0 or g >= n:
            tile[k] = 0
        else:
            tile[k] = src[g]
    """,
    "zero_then_value": """
        tile[k] = 0
        if 0 <= g and g < n:
            tile[k] = src[g]
    """,
    "conditional": """
        tile[k] = src[g] if 0 <= g < n else 0
    """,
    "in_a_variable": """
        value = float32(0)
        if g >= 0 and g < n:
            value = src[g]
        tile[k] = value
    """,
    "helper": """
        tile[k] = there(src, g)
    """,
    "clamped_times_inside": """
        tile[k] = src[min(max(g, 0), n - 1)]
        if g < 0 or g > n - 1:
            tile[k] = 0
    """,
    "two_ifs": """
        if g < 0 or g >= n:
            tile[k] = 0
        if 0 <= g < n:
            tile[k] = src[g]
    """,
    "continue_outside": """
        inside = 0 <= g < n
        if inside:
            tile[k] = src[g]
        if not inside:
            tile[k] = 0
    """,
    "only_what_exists": """
        if 0 <= g < n:
            tile[k] = src[g]
    """,
}
WALKS = {
    "range_with_a_stride": """
for k in range(t, SPAN, THREADS):
    g = base + k - RADIUS
    FILL
    """,
    "while": """
k = t
while k < SPAN:
    g = base + k - RADIUS
    FILL
    k += THREADS
    """,
    "backwards": """
for k in range(SPAN - 1 - t, -1, -THREADS):
    g = base + k - RADIUS
    FILL
    """,
    "own_then_halo": """
k = t + RADIUS
g = base + t
FILL
if t < 2 * RADIUS:
    k = t if t < RADIUS else t + THREADS
    g = base + k - RADIUS
    FILL
    """,
}
READS = {
    "everything": """
if i < n:
    acc = float32(0)
    for d in range(2 * RADIUS + 1):
        acc += tile[t + d]
    dst[i] = acc
    """,
    "what_exists": """
if i < n:
    acc = float32(0)
    for d in range(2 * RADIUS + 1):
        if 0 <= i + d - RADIUS < n:
            acc += tile[t + d]
    dst[i] = acc
    """,
}
KERNEL = """
@cuda.jit
def window(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t, n = cuda.threadIdx.x, src.size
    base = cuda.blockIdx.x * THREADS
    while base < n:
        i = base + t
        BODY
        cuda.syncthreads()
        READ
        cuda.syncthreads()
        base += cuda.gridDim.x * THREADS
"""


@cuda.jit(device=True)
def there(src, g):
    return src[g] if 0 <= g < src.size else float32(0)


def kernel_of(fill: str, walk: str, read: str):
    """The kernel put together, with its text where the interpreter looks for it."""
    source = put(put(KERNEL, "BODY", WALKS[walk]), "FILL", FILLS[fill])
    source = put(source, "READ", READS[read])
    name = f"<{fill} {walk} {read}>"
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    space = {"cuda": cuda, "float32": float32, "there": there, "SPAN": SPAN, "THREADS": THREADS, "RADIUS": RADIUS}
    exec(compile(source, name, "exec"), space)
    return space["window"]


def put(text: str, place: str, part: str) -> str:
    """The text with a part in the lines that hold only `place`, as deep as they are."""
    part = textwrap.dedent(part).strip("\n ")
    return re.sub(rf"^( *){place}$", lambda line: textwrap.indent(part, line[1]), text, flags=re.MULTILINE)


def traced(kernel, n: int, grid: int):
    """Findings, and whether the result is right. Whole numbers: every order of adding gives the same bytes."""
    src, dst = np.random.default_rng(n).integers(1, 9, n).astype(np.float32), np.zeros(n, np.float32)
    trace = simt.trace(kernel, grid, THREADS, src, dst)
    around = np.concatenate([np.zeros(RADIUS), src, np.zeros(RADIUS)])
    expected = sum(around[d : d + n] for d in range(2 * RADIUS + 1))
    return trace.findings, np.array_equal(expected, dst)


RIGHT = [parts for parts in itertools.product(FILLS, WALKS, READS) if parts[0] != "only_what_exists"]
RIGHT += [("only_what_exists", walk, "what_exists") for walk in WALKS]


@pytest.mark.parametrize(("fill", "walk", "read"), RIGHT, ids=["-".join(parts) for parts in RIGHT])
def test_a_right_fill_is_never_accused(fill, walk, read):
    kernel = kernel_of(fill, walk, read)
    for n, grid in zip(SIZES, itertools.cycle((1, 3)), strict=False):
        assert ([], True) == traced(kernel, n, grid), (n, grid)


@pytest.mark.parametrize("walk", WALKS)
def test_elements_that_the_last_turn_skips_are_told_where_they_change_the_result(walk):
    kernel = kernel_of("only_what_exists", walk, "everything")
    found, right = traced(kernel, n=2 * THREADS + 5, grid=1)

    assert not right
    assert {"uninitialised_read"} == {finding.kind for finding in found}
    assert any(finding.detail.get("stale") for finding in found)
