"""The cause that is told is the mistake itself, and not what follows from it lines later."""

import pytest

from autograder.judge import check
from tests.autograder.answers import add_by, program
from tests.autograder.sample import ADD, HOST_ADD

ADDS = "@cuda.jit\ndef add(a, b, out):\n"
GUARDED = "    i = cuda.grid(1)\n    if i < out.size:\n        "
HELPER = "@cuda.jit(device=True)\ndef total(x, y):\n    x + y\n"
KERNEL = "@cuda.jit\ndef k(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n        out[i] = a[i] + b[i]\n"
UP = "def host_add(a, b):\n    x, y = cuda.to_device(a), cuda.to_device(b)\n"
TOLD = {  # name -> (exercise, source, misconception, what the cause must say)
    "no_return": (
        ADD,
        HELPER + ADDS + f"{GUARDED}out[i] = total(a[i], b[i])\n",
        "not_compiled",
        "`total` ends without `return`, so `total(a[i], b[i])` is None",
    ),
    "whole_position": (
        ADD,
        ADDS + "    i = cuda.threadIdx\n    if i < 3:\n        out[i] = 0\n",
        "not_compiled",
        "`cuda.threadIdx` is three numbers",
    ),
    "name_of_cuda_c": (
        ADD,
        ADDS + "    i = blockIdx.x * blockDim.x + threadIdx.x\n    out[i] = 0\n",
        "not_compiled",
        "written `cuda.blockIdx.x`",
    ),
    "barrier_of_cuda_c": (
        ADD,
        ADDS + f"    cuda.__syncthreads()\n{GUARDED}out[i] = 0\n",
        "not_compiled",
        "written `cuda.syncthreads()`",
    ),
    "grid_not_called": (
        ADD,
        ADDS + "    i = cuda.grid\n    if i < out.size:\n        out[i] = 0\n",
        "not_compiled",
        "i = cuda.grid(1)",
    ),
    "grid_in_one_name": (
        ADD,
        ADDS + "    i = cuda.grid(2)\n    if i < out.size:\n        out[i] = 0\n",
        "not_compiled",
        "takes them all at once",
    ),
    "values_for_positions": (
        ADD,
        ADDS + "    for i in out:\n        out[i] = a[i] + b[i]\n",
        "not_compiled",
        "an index is a position",
    ),
    "compiled_for_the_cpu": (
        ADD,
        "from numba import njit\n@njit\ndef add(a, b, out):\n    out[0] = a[0]\n",
        "not_compiled",
        "compile for the CPU",
    ),
    "device_function": (
        ADD,
        "@cuda.jit(device=True)\ndef add(a, b, out):\n    out[0] = a[0]\n",
        "not_compiled",
        "Leave device=True out",
    ),
    "parameter_order": (
        ADD,
        f"@cuda.jit\ndef add(out, a, b):\n{GUARDED}out[i] = a[i] + b[i]\n",
        "parameter_order",
        "What is passed first is `a`",
    ),
    "plus_equals": (
        ADD,
        ADDS + f"{GUARDED}out[i] += a[i] + b[i]\n",
        "output_accumulates",
        "Store the result with = instead.",
    ),
    "reduction": (
        ADD,
        ADDS + "    out[0] = np.sum(a) + b.sum()\n",
        "whole_array_reduction",
        "Every thread that comes to `np.sum(a)`",
    ),
    "range_order": (
        ADD,
        ADDS + "    for i in range(cuda.grid(1), cuda.gridsize(1), out.size):\n        out[i] = a[i] + b[i]\n",
        "no_guard",
        "stop at `out.size`, and move by `cuda.gridsize(1)`",
    ),
    "step_of_a_block": (
        ADD,
        ADDS + "    for i in range(cuda.grid(1), out.size, cuda.blockDim.x):\n"
        "        out[i] = a[i] + b[i] + cuda.blockIdx.x\n",
        "lost_update",
        "Move by the threads of the whole grid",
    ),
    "never_filled": (
        HOST_ADD,
        KERNEL + UP + "    out = np.empty_like(a)\n    k[max(1, -(-a.size // 256)), 256](x, y, "
        "cuda.device_array_like(x))\n    return out\n",
        "output_not_written",
        "nothing was copied into it",
    ),
    "no_configuration": (
        HOST_ADD,
        KERNEL + UP + "    k(x, y, x)\n    return x.copy_to_host()\n",
        "exception",
        "how many blocks to launch",
    ),
    "no_import": (
        HOST_ADD,
        "del math\ndef host_add(a, b):\n    math.ceil(1)\n    return a + b\n",
        "exception",
        "Write `import math` above",
    ),
    "bits_that_were_not_cut_off": (
        ADD,
        ADDS
        + "    s = cuda.shared.array(256, float32)\n    i = cuda.grid(1)\n    v = (i + 9) * 65537 >> 4\n    s[v] = 1\n"
        "    if i < out.size:\n        out[i] = a[i] + b[i]\n",
        "far_index",
        "`(i + 9) * 65537 >> 4` at line 9 still holds all the bits above",
    ),
    "only_of_nothing": (
        HOST_ADD,
        KERNEL + UP + "    z = cuda.device_array_like(x)\n    k[-(-a.size // 256), 256](x, y, z)"
        "\n    return np.full_like(a, 7)\n",
        "wrong_formula",
        "is right",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_the_mistake_itself_is_told(name):
    exercise, source, misconception, says = TOLD[name]
    outcome = check(exercise, program(source, exercise.function), device="simt", isolate=False)
    cause = outcome.causes[0]
    assert (misconception, True) == (outcome.misconception, says in f"{cause.says} {cause.remedy}"), outcome


def test_parameters_in_another_order_are_no_mistake_where_the_result_is_right():
    outcome = check(
        ADD, program(f"@cuda.jit\ndef add(b, a, out):\n{GUARDED}out[i] = a[i] + b[i]\n", "add"), device="simt"
    )
    assert outcome.passed, outcome


def test_a_kernel_that_stores_nan_is_not_taken_for_one_that_stores_nothing():
    outcome = check(ADD, add_by("math.nan"), device="simt", isolate=False)
    assert "is nan, expected" in outcome.observed and "a first call" not in str(outcome)
