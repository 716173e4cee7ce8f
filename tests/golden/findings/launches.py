"""Launches that no GPU accepts, and arguments that no kernel takes."""

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32
from simt.cuda_api.streams import Stream
from tests.golden.findings.example import Catalogue, Example, zeros

EXAMPLES = Catalogue()
TILE = (128, 128)
TABLE = np.zeros(10_000)


def fill(out):
    out[cuda.grid(1)] = 1


def launch(name, grid, block, *arguments, strict=False, **options):
    """List a launch of `fill`."""
    text = "def fill(out):\n    out[cuda.grid(1)] = 1\n"
    make = lambda: list(arguments) or [zeros(8)]  # noqa: E731
    EXAMPLES.enter(Example(name, text, "fill", {}, grid, block, make, options, strict))


launch("block_too_large", 1, 2048)
launch("block_too_deep", 1, (1, 1, 65))
launch("grid_too_tall", (1, 70000), 32)
launch("no_blocks", 0, 32)
launch("no_threads", 1, (8, 0))
launch("negative", -1, 32)
launch("swapped", 1000000, 4096)
launch("grid_and_block_exchanged", (64, 4), (4096, 1))
launch("four_dimensions", (1, 1, 1, 1), 32)
launch("divided_with_a_slash", 1024 / 256, 32)
launch("stream_in_the_place_of_the_blocks", Stream(7), 1)
launch("dynamic_shared_memory_beyond_the_limit", 1, 32, dynamic_shared_bytes=300_000)
launch("dynamic_shared_memory_on_request", 1, 8, dynamic_shared_bytes=65_536)
launch("argument_is_a_list", 1, 8, [1, 2, 3])
launch("argument_is_a_text", 1, 8, "sum")
launch("argument_is_none", 1, 8, None)
launch("argument_is_a_dict", 1, 8, {"scale": 2.0})
launch("argument_is_a_function", 1, 8, fill)
launch("argument_is_missing", 1, 8, zeros(8), 3)
launch(
    "elements_at_odd_distances",
    1,
    1,
    np.lib.stride_tricks.as_strided(np.zeros(8, np.float32), (4,), (6,)),
)
launch("late", 1, 1, strict=True, deadline=0.0)


def program(name, text, *arguments):
    """List a launch of what a text calls `fill`."""
    EXAMPLES.enter(Example(name, text, "fill", {}, 1, 1, lambda: list(arguments) or [zeros(8)]))


program("no_function", "fill = 3\n")
program("device_function", "@cuda.jit(device=True)\ndef fill(out):\n    out[0] = 1\n")
program("types_of_another_signature", "@cuda.jit('void(int32[:])')\ndef fill(out):\n    out[0] = 1\n", zeros(2, 2))
GAPS = np.zeros((4, 4), np.float32)[:, :2]
program(
    "gaps_where_the_signature_has_none", "@cuda.jit('void(float32[:, ::1])')\ndef fill(out):\n    out[0, 0] = 1\n", GAPS
)
FORTRAN = np.zeros((4, 4), np.float32, order="F")
program("another_order", "@cuda.jit('void(float32[:, ::1])')\ndef fill(out):\n    out[0, 0] = 1\n", FORTRAN)
TWO = "@cuda.jit(['void(float32[:], float32, float64)', 'void(float32[:], float64, float32)'])\n"
program("two_signatures_fit", f"{TWO}def fill(out, a, b):\n    out[0] = a + b\n", zeros(2), 1, 2)
program("larger_than_its_bounds", "@cuda.jit(launch_bounds=0)\ndef fill(out):\n    out[0] = 1\n")
program("bounds_are_no_number", "@cuda.jit(launch_bounds='many')\ndef fill(out):\n    out[0] = 1\n")
LARGE = "tile = cuda.local.array((400, 400), float64)"
program(
    "local_array_too_large", f"from simt.cuda_api.cuda import float64\ndef fill(out):\n    {LARGE}\n    out[0] = 1\n"
)
program("text_given_to_exec", "names = {}\nexec('def fill(out):\\n    out[0] = 1', names)\nfill = names['fill']\n")
program(
    "source_that_changed",
    "def fill(out):\n    out[0] = 1\n\nfill.__code__ = fill.__code__.replace(co_firstlineno=40)\n",
)


@EXAMPLES.kernel(1, 1, zeros(8))
def constant_array_beyond_the_limit(out):
    out[0] = cuda.const.array_like(TABLE)[cuda.grid(1)]


@EXAMPLES.kernel(1, 32, zeros(8))
def static_shared_memory_beyond_the_limit(out):
    tile = cuda.shared.array(TILE, float32)
    tile[0, 0] = 1
    out[0] = tile[0, 0]


@EXAMPLES.kernel(1, 32, zeros(8), dynamic_shared_bytes=200_000)
def static_and_dynamic_beyond_the_limit(out):
    tile = cuda.shared.array(10_000, float32)
    tile[0] = 1
    out[0] = tile[0]


@EXAMPLES.kernel(1, 32, zeros(8), dynamic_shared_bytes=40_000)
def static_and_dynamic_on_request(out):
    tile = cuda.shared.array(4_000, float32)
    tile[0] = 1
    out[0] = tile[0]


@EXAMPLES.kernel(1, 1, zeros(8))
def too_few_arguments(out, n):
    out[0] = n


@EXAMPLES.kernel(4096, 256, zeros(8))
def blocks_that_wait_for_blocks_without_a_place(out):
    cuda.cg.this_grid().sync()
    out[cuda.threadIdx.x % 8] = 1


@EXAMPLES.kernel(1, 1, np.zeros(8, object))
def python_objects(out):
    out[0] = 1


@EXAMPLES.kernel(1, 1, np.zeros(8, [("x", ">f4")]))
def bytes_the_other_way_round(out):
    out[0].x = 1


@EXAMPLES.kernel(1, 1, np.zeros(8, np.longdouble))
def wider_than_float64(out):
    out[0] = 1


@EXAMPLES.kernel(1, 1, np.ma.zeros(8))
def masked_array(out):
    out[0] = 1
