"""What the interpreter cannot run, or numba cannot either, told by the interpreter in words of its own."""

import enum
import operator

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from tests.golden.findings.example import Catalogue, zeros
from tests.golden.findings.refusals import RECORD


class Place(enum.IntEnum):
    FIRST = 0


EXAMPLES = Catalogue(
    {
        "Place": Place,
        "float32": float32,
        "int32": int32,
        "operator": operator,
        "TABLE": np.arange(4.0),
        "RECORD": RECORD,
    }
)
line = EXAMPLES.line
TABLE = np.zeros((4, 4), np.float32)
COMPLEX = np.zeros(4, np.complex64)
RECORDS = np.zeros(4, RECORD)
UNALIGNED = np.zeros(4, np.dtype([("flag", np.int8), ("mass", np.float32), ("place", np.float32, (2,))]))

line("two_stars_in_a_call", "out[0] = max(**n)")
line("default_values_inside", "def twice(x=n):\n    return 2 * x\nout[0] = twice()")
line("decorator_inside", "@cuda.jit(device=True)\ndef twice(x):\n    return 2 * x\nout[0] = twice(n)")
line("inner_function_reads_what_changes", "k = 1\nk = 2\nf = lambda: k\nout[0] = f()")
line("product_of_matrices", "out[0] = (out @ out)[0]")
line("product_of_matrices_in_place", "out @= out")
line("text_that_is_no_number", "out[0] = float('ten')")
line("code_of_two_letters", "out[0] = ord('ab')")
line("in_a_number", "out[0] = 1 in n")
line("item_of_several", "out[0] = out.item()")
line("search_on_no_side", "out[0] = np.searchsorted(out, 1.0, side='middle')")
line("assigned_to_a_call", "for out.size in range(3):\n    pass")
line("loop_over_a_number", "for k in n:\n    out[0] = k")
line("range_of_a_shape", "for k in range(out.shape):\n    out[0] = k")
line("range_of_an_array", "for k in range(out):\n    out[0] = k")
line("range_of_text", "for k in range('ab'):\n    out[0] = k")
line("range_with_step_zero", "for k in range(0, 4, 0):\n    out[0] = k")
line("next_of_what_is_no_walk", "out[0] = next(n)")
line("constant_array_written", "TABLE[0] = 1")
line("complex_into_real", "out[0] = 3j")
line("nothing_stored", "out[0] = None")
line("array_stored", "out[0] = out")
line("tuple_stored", "out[0] = (1, 2)")
line("two_statements_on_a_line", "k = 1; k += out")
line("size_of_a_group", "out[0] = cuda.cg.this_grid().size")
line("rank_in_a_group", "out[0] = cuda.cg.this_grid().thread_rank()")
line("complex_remainder", "out[0] = (out[0] % out[1]).real", COMPLEX)
line("inversion_of_a_float", "out[0] = ~out[0]")
line("tuple_plus_number", "out[0] = ((1, 2) + n)[0]")
line("reshape_of_columns", "out[0, 0] = out.T.reshape(16)[0]", TABLE)
line("reshape_to_another_size", "out[0] = out.reshape((3, 3))[0, 0]")
line("view_of_wider_elements", "out[0] = out[1:].view(np.float64)[0]", np.zeros(7, np.float32))
line("element_type_unknown", "tile = cuda.local.array(4, None)")
line("record_without_the_field", "out[0].weight = 1", RECORDS)
line("record_not_aligned", "out[0].mass = 1", UNALIGNED)
line("nested_arrays_at_odd_addresses", "out.place[0, 0] = 1", UNALIGNED)
line("number_into_a_nested_array", "out[0].place = 1", RECORDS)
line("field_of_a_number", "n.mass = 1")
line("vector_component_unknown", "out[0] = cuda.float32x2(1, 2).w")
line("vector_indexed", "out[0] = cuda.float32x2(1, 2)[0]")
line("sum_of_vectors", "v = cuda.float32x2(1, 2) + cuda.float32x2(3, 4)")
line("vector_of_another_type", "v = cuda.float32x4(cuda.int32x2(1, 2), 3, 4)")
line("length_of_a_vector", "out[0] = len(cuda.threadIdx)")
line("unpacked_vector", "a, b = cuda.float32x2(1, 2)")
line("loop_over_a_vector", "for part in cuda.float32x2(1, 2):\n    out[0] = part")
line("sequence_of_a_vector", "t = tuple(cuda.float32x2(1, 2))")
line("grid_of_four_dimensions", "x = cuda.grid(4)")
line("vector_of_too_many", "v = cuda.float32x2(1, 2, 3)")
line("isinstance_of_a_list", "out[0] = isinstance(n, list)")
line("isinstance_of_a_function", "f = lambda x: x\nout[0] = isinstance(f, int)")
line("function_indexed", "f = lambda x: x\nout[0] = f[0]")
line("function_of_math_unknown", "out[0] = math.comb(5, 2)")
line("cube_root", "out[0] = math.cbrt(out[0])")
line("function_of_operator_unknown", "out[0] = operator.index(n)")
line("items_of_several_types", "for v in (1, 2.5):\n    out[0] = v")
line("dynamic_elements_of_twelve_bytes", "cells = cuda.shared.array(0, RECORD)", dynamic_shared_bytes=16)
line("arithmetic_with_a_record", "out[0] = out[0] + 1", RECORDS)
line("case_of_a_pair", "match (n, 1):\n    case (a, b):\n        out[0] = a + b")
line("statement_that_python_refuses", "out[0] = len(n)")
line("indices_of_a_shape_per_thread", "for k in np.ndindex(cuda.laneid):\n    out[0] = 1")
line("power_modulo", "out[0] = pow(n, 2, 5)")
line("type_of_a_tuple", "t = type((1, 2))")
line("sum_of_rows", "out[0, 0] = sum(out)", TABLE)
line("function_that_only_numba_compiles", "out[0] = hasattr(n, 'real')")
line("method_that_only_numba_compiles", "out[0] = (3, 4).index(n)")
line("member_of_an_enum_as_an_index", "out[Place.FIRST] = 1")
line("rounded_by_numpy", "out[0] = np.round(out[0])")
line("trace_with_an_offset_per_thread", "out[0, 0] = np.trace(out, cuda.laneid)", TABLE)
line("numpy_function_without_its_output", "out[0] = np.logical_and(out, n)[0]")
line("number_is_indexed_by_an_operator", "out[0] = operator.getitem(n, 0)")


@EXAMPLES.kernel(1, 32, zeros(32), zeros(32))
def variable_that_is_two_arrays(first, second):
    t = cuda.threadIdx.x
    chosen = first
    if t % 2:
        chosen = second
    chosen[t] = 1


@EXAMPLES.kernel(1, 32, zeros(32))
def name_that_is_two_functions(out):
    t = cuda.threadIdx.x

    def f(x):
        return x

    if t % 2:

        def f(x):
            return -x

    out[t] = f(t)


@EXAMPLES.kernel(1, 32, RECORDS, np.zeros(4, RECORD))
def variable_that_is_two_records(first, second):
    t = cuda.threadIdx.x
    chosen = first[0]
    if t % 2:
        chosen = second[0]
    chosen.mass = 1


@EXAMPLES.kernel(1, 32, zeros(32))
def variable_that_is_a_number_or_a_tuple(out):
    t = cuda.threadIdx.x
    pair = 1
    if t % 2:
        pair = (1, 2)
    out[t] = pair[0]


@EXAMPLES.kernel(1, 32, zeros(32))
def slice_of_another_length_in_each_thread(out):
    t = cuda.threadIdx.x
    part = out[:t]
    out[0] = part.nbytes


def scaled(value, factor):
    return value * factor


@EXAMPLES.kernel(1, 1, zeros(1), uses=(scaled,))
def device_function_with_an_unknown_name(out):
    out[0] = scaled(2, offset=1)


@EXAMPLES.kernel(1, 1, zeros(1), uses=(scaled,))
def device_function_without_an_argument(out):
    out[0] = scaled(2)


@EXAMPLES.kernel(1, 1, zeros(1))
def keyword_only_parameters(out, *, factor=1):
    out[0] = factor


@EXAMPLES.kernel(1, 32, zeros(32))
def pairs_of_parts_of_another_length_in_each_thread(out):
    t = cuda.threadIdx.x
    pairs = tuple(enumerate(out[:t]))
    out[t] = pairs[0][1]


@EXAMPLES.kernel(1, 32, np.zeros(32))
def pairs_of_two_kinds(out):
    t = cuda.threadIdx.x
    pairs = enumerate(out)
    if t % 2:
        pairs = zip(out, out)  # noqa: B905 - numba knows no strict
    for a, b in pairs:
        out[t] = a + b


@EXAMPLES.kernel(1, 32, zeros(32))
def walks_by_thread(out):
    walk = iter(out)
    if cuda.grid(1) > 7:
        walk = iter(out)
    out[cuda.grid(1)] = next(walk)
