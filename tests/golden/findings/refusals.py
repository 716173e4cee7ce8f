"""What numba does not compile, and the interpreter refuses in the same words."""

import enum

import numpy as np

from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from tests.golden.findings.example import Catalogue


def plain(value):
    return value + 1


@cuda.jit
def other_kernel(out):
    out[0] = 1


@cuda.jit(device=True)
def halves(x):
    return x[: x.size // 2]


class Settings:
    width = 4


RECORD = np.dtype([("mass", np.float32), ("place", np.float32, (2,))], align=True)
EXAMPLES = Catalogue(
    {
        "float32": float32, "int32": int32, "plain": plain, "halves": halves, "other_kernel": other_kernel, "TPB": 32,
        "NUMPY_TPB": np.int64(32), "WEIGHTS": [1, 2, 3], "OPTIONS": {"n": 1}, "SETTINGS": Settings(),
        "TABLE": np.arange(4.0), "random": __import__("random"), "bdb": __import__("bdb"),
        "statistics": __import__("statistics"),
        "Color": enum.Enum("Color", "RED GREEN"), "Kind": enum.IntEnum("Kind", "RED"),
    }
)  # fmt: skip
line = EXAMPLES.line
TABLE = np.zeros((4, 4), np.float32)
INTEGERS = np.zeros(8, np.int32)
RECORDS, DAYS = np.zeros(4, RECORD), np.zeros(4, "m8[D]")
HALVES = np.zeros(8, np.float16)

# Brackets of calls
line("shape_is_called", "out[0] = out.shape(0)")
line("size_is_called", "out[0] = out.size()")
line("hint_without_an_array", "out[0] = cuda.ldcs(n, 0)")
line("hint_with_too_many_indices", "out[0] = cuda.ldcs(out, (0, 0))")
line("hint_for_shared_memory", "tile = cuda.shared.array(32, float32)\ncuda.stcg(tile, cuda.threadIdx.x, out[0])")
line("array_of_a_device_function", "out[0] = halves(out)[0]")
line("matrices_are_multiplied_in_place", "out @= out")

# Positions and ranges
line("index_from_an_array_of_floats", "out[0] = out[more[n]]", np.zeros(8), 3, np.zeros(8))
line("position_without_an_axis", "out[0] = cuda.threadIdx + 1")
line("range_is_indexed", "r = range(n)\nout[0] = r[1]")
line("range_becomes_a_tuple", "out[0] = len(tuple(range(4)))")
line("ranges_are_compared", "out[0] = range(n) == range(3)")
line("record_has_no_such_field", "out[0].mas = n", RECORDS, 3)
line("record_has_no_field_of_that_kind", "out[0].velocity = n", RECORDS, 3)
line("least_of_an_empty_range", "out[0] = min(range(n, 0))")

# Shapes and dtypes
line("shape_is_an_argument", "tile = cuda.shared.array(n, float32)")
line("shape_is_of_the_launch", "tile = cuda.shared.array(cuda.blockDim.x, float32)")
line("shape_is_computed", "tile = cuda.shared.array((TPB, TPB + 1), float32)")
line("shape_is_computed_before", "width = TPB + 1\ntile = cuda.local.array(width, float32)")
line("shape_is_a_numpy_integer", "tile = cuda.shared.array(NUMPY_TPB, float32)")
line("shape_is_of_an_array", "tile = cuda.shared.array(TABLE.shape[0], float32)")
line("shape_without_elements", "tile = cuda.local.array((4, 0), float32)\nout[0] = tile.size")
line("dtype_is_pythons", "tile = cuda.shared.array(32, float)")
line("dtype_is_missing", "tile = cuda.shared.array(32)")

# Names
line("name_is_undefined", "out[0] = fill")
line("name_in_the_other_case", "out[0] = N")
line("index_is_undefined", "out[k] = 1")
line("name_is_misspelt", "out[0] = TBP")
line("name_is_read_too_early", "out[0] = later\nlater = 1")
line("name_is_bound_in_an_expression", "if (i := cuda.grid(1)) < n:\n    out[i] = 1")
line("atomic_without_a_place", "cuda.atomic.add(out, 1.5, 1)")
line("function_is_plain", "out[0] = plain(n)", jitted=True)
line("function_of_a_library", "out[0] = statistics.mean(out)", jitted=True)
line("debugger_is_called", "bdb.set_trace()", jitted=True)
line("debugger_is_imported", "from pdb import set_trace\nout[0] = 1")
line("numpy_root", "out[0] = np.sqrt(out[0])", jitted=True)
line("numpy_power", "out[0] = np.power(out[0] + 1, n)", jitted=True)
line("builtin_of_the_host", "out[0] = sorted(n)")
line("builtin_over_all_elements", "out[0] = map(abs, out)")
line("list_of_the_host", "out[0] = WEIGHTS[0]")
line("dictionary_of_the_host", "out[0] = OPTIONS['n']")
line("object_of_the_host", "out[0] = SETTINGS(1)")
line("attribute_of_an_object", "out[0] = SETTINGS.width")
line("call_of_the_host", "cuda.synchronize()")
line("copy_to_the_device_inside", "d = cuda.to_device(out)")
line("position_is_called", "i = cuda.threadIdx.x()")
line("cuda_has_no_such_name", "i = cuda.threadidx.x")
line("cuda_has_nothing_like_it", "cuda.wait_for_everybody()")
line("module_of_the_host", "out[0] = random.random()")
line("function_of_another_module", "out[0] = np.linalg.norm(out)")
line("module_has_no_such_name", "out[0] = 2 * np.PI")
line("module_has_nothing_like_it", "out[0] = math.circle(2)")
line("shape_of_a_type", "out[0] = math.atan2(np.float32.shape, 1.0)")
line("mask_is_a_tuple", "cuda.syncwarp(())")
line("name_of_a_type", "out[0] = len(np.float32.__name__)")
line("numpy_random", "out[0] = np.random.rand()")

# Calls
line("atomic_of_an_element", "cuda.atomic.add(out[0], 1)")
line("atomic_of_an_element_of_a_table", "cuda.atomic.add(out[0, 1], 1)", TABLE)
line("atomic_without_an_index", "cuda.atomic.add(out, 1)")
line("atomic_on_bytes", "cuda.atomic.add(out, 0, 1)", np.zeros(8, np.uint8))
line("shuffle_of_a_float16", "out[0] = cuda.shfl_sync(0xffffffff, out[0], 0)", np.zeros(8, np.float16))
line("compare_and_swap_without_the_old_value", "cuda.atomic.cas(out, 0, 1)", INTEGERS)
line("atomic_of_a_number", "cuda.atomic.add(n, 0, 1)")
line("atomic_of_bits_of_floats", "cuda.atomic.and_(out, 0, 1)")
line("atomic_counter_that_wraps_of_int32", "cuda.atomic.inc(out, 0, 7)", INTEGERS)
line("atomic_of_a_row", "cuda.atomic.add(out, 0, 1)", TABLE)
line("kernel_launched_in_a_kernel", "other_kernel[1, 1](out)")
line("numpy_of_whole_arrays", "out[0] = np.convolve(out, out)")
line("grid_without_dimensions", "i = cuda.grid()")
line("gridsize_without_dimensions", "i = cuda.gridsize()")
line("barrier_with_an_argument", "cuda.syncthreads(1)")
line("syncwarp_with_two_arguments", "cuda.syncwarp(1, 2)")
line("fence_with_an_argument", "cuda.threadfence(1)")
line("barrier_that_counts_bools", "out[0] = cuda.syncthreads_count(out[0] > 0)")
line("vote_on_floats", "out[0] = cuda.any_sync(0xffffffff, out[0])")
line("shuffle_without_a_mask", "out[0] = cuda.shfl_sync(out[0], 1)")
line("shuffle_down_without_a_mask", "out[0] = cuda.shfl_down_sync(out[0], 1)")
line("shuffle_up_without_a_mask", "out[0] = cuda.shfl_up_sync(out[0], 1)")
line("shuffle_xor_without_a_mask", "out[0] = cuda.shfl_xor_sync(out[0], 1)")
line("all_without_a_mask", "out[0] = cuda.all_sync(n > 0)")
line("any_without_a_mask", "out[0] = cuda.any_sync(n > 0)")
line("ballot_without_a_mask", "out[0] = cuda.ballot_sync(n > 0)")
line("popc_without_a_number", "out[0] = cuda.popc()")

# The language
line("yields", "yield n")
line("try_and_except", "try:\n    out[0] = 1\nexcept Exception:\n    out[0] = 2")
line("with_a_file", "with open('x') as file:\n    out[0] = 1")
line("assigns_a_global", "global TPB\nTPB = 3")
line("imports", "import random\nout[0] = 1")
line("starred_names", "first, *rest = (1, 2, 3)")
line("defines_a_class", "class Pair:\n    pass")
line("deletes", "del n")
line("list_is_built", "values = [1, 2]")
line("dictionary_is_built", "values = {1: 2}")
line("set_is_built", "values = {1, 2}")
line("comprehension_is_built", "values = [k for k in range(3)]")
line("f_string_is_built", "print(f'{n}')")
line("text_is_indexed", "text = 'abc'\nout[0] = text[0]")
line("text_is_formatted", "print('%d' % n)")
line("text_has_a_method", "print('{}'.format(n))")
line("exception_with_a_value", "if n > 8:\n    raise ValueError('too large', n)")
line("assertion_with_a_value", "assert n < 8, f'{n} is too large'")
line("array_is_printed", "print(out)")
line("print_without_its_line_end", "print(n, end=' ')")
line("shape_is_compared", "if n < out.shape:\n    out[0] = 1")
line("value_is_returned", "return out[0]")
line("array_is_returned", "return out")

# Types
line("complex_numbers_in_order", "out[0] = 1j < n")
line("root_of_a_complex_number", "out[0] = math.sqrt(1j)")
line("index_is_a_float", "out[n / 2] = 1")
line("index_is_a_position", "out[cuda.threadIdx] = 1")
line("index_is_a_tuple", "i = cuda.grid(2)\nout[i, 0] = 1", TABLE)
line("tuple_by_two_indices", "pair = (1, 2), (3, 4)\nout[0] = pair[cuda.grid(1), 0]")
line("index_is_text", "out['a'] = 1")
line("too_many_indices", "out[0, 0] = 1")
line("number_is_indexed", "out[0] = n[0]")
line("slice_is_copied", "out[0:4] = out[4:8]")
line("array_is_made", "scratch = np.zeros(4)")
line("arrays_are_added", "out[0] = (out + out)[0]")
line("axis_is_unknown", "i = cuda.threadIdx.w")
line("attribute_of_an_array_is_unknown", "out[0] = out.length")
line("attribute_of_a_number_is_unknown", "out[0] = n.size")
line("method_of_an_array_is_unknown", "out.sort()")
line("method_of_a_number_is_unknown", "out[0] = n.sort()")
line("array_is_called", "out[0] = out(0)")
line("too_few_names_on_the_left", "a, b = (1, 2, 3)")
line("position_into_three_names", "x, y, z = cuda.grid(2)")
line("axis_of_one_number", "out[0] = cuda.grid(1).x")
line("array_that_grows", "out.append(1)")
line("caret_for_a_power", "out[0] = out[0] ^ 2")
line("exclusive_or_of_a_float", "out[0] = n ^ out[0]")
line("array_where_a_number_belongs", "out[0] = math.sqrt(out)")
line("shift_of_a_float", "out[0] = out[0] << 1")
line("array_compared_with_a_number", "if out > 0:\n    out[0] = 1")
line("array_is_negated", "out[0] = (-out)[0]")
line("array_is_a_condition", "if out:\n    out[0] = 1")
line("array_is_converted", "out[0] = float(out)")
line("array_into_a_function_of_numpy", "np.sin(out)")
line("complex_number_into_a_real_one", "out[0] = float(1j)")
line("bool_beside_an_integer", "out[0] = max(n > 1, 0)")
line("half_is_a_condition", "if out[0]:\n    out[0] = 1", HALVES)
line("half_into_a_function_of_numpy", "out[0] = np.sin(out[0])", HALVES)
line("view_without_a_type", "out.view(n)")

# Operands that are no numbers
line("function_without_brackets", "out[0] = math.sqrt")
line("module_for_its_constant", "out[0] = math + 1")
line("tuple_where_a_number_belongs", "out[0] = max((1, 2), 3)")
line("rows_are_added", "out[0, 0] = out[n] + out[n]", TABLE, 1)
line("row_compared_with_a_number", "if out[1:3] > 2:\n    out[0] = 1")
line("float_limits_of_an_integer", "out[0] = np.finfo(n).eps")
line("integer_limits_of_floats", "out[0] = np.iinfo(out).max")
line("type_for_a_value", "out[0] = np.float32 + 1")
line("nothing_is_added", "nothing = None\nout[0] = nothing + 1")
line("group_as_a_number", "out[0] = abs(cuda.cg.this_grid())")
line("number_is_counted", "out[0] = len(n)")
line("text_is_counted", "out[0] = abs('text')")
line("record_of_a_number", "out[0] = math.sqrt(out[0]) + math.sqrt()")
line("slice_as_a_number", "out[0] = abs(slice(1, 2))")
line("ellipsis_as_a_number", "out[0] = abs(...)")
line("member_as_a_number", "out[0] = -Color.RED")
line("member_is_converted", "out[0] = float(Kind.RED)")
line("member_into_floats", "out[0] = Kind.RED")
line("member_beside_a_float", "out[0] = 2.5 * Kind.RED")
line("integer_past_64_bits", "out[0] = 99999999999999999999")
line("complex_for_an_integer", "out[0] = cuda.shfl_sync(2j, n, 0)")
line("record_in_an_element", "more[0] = out[0]", RECORDS, 3, INTEGERS)
line("number_in_a_record", "out[0] = n", RECORDS, 3)
line("member_in_a_record", "out[0] = Kind.RED", RECORDS, 3)
line("days_to_a_power", "out[0] = out[1] ** n", DAYS, 3)
line("axis_that_is_not_there", "out[0] = out.shape[2]")
line("item_that_is_not_there", "out[0] = (1, 2)[5]")
line("step_of_nothing", "out[::0] = 1")
line("range_as_a_number", "out[0] = abs(range(n))")
line("range_as_a_condition", "if range(n):\n    out[0] = 1")
