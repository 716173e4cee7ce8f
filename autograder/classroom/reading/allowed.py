"""What a kernel's text may name. A list of what is known, never a list of what is bad.

Everything that is looked up while a kernel is compiled or interpreted is looked up by one of these names, so
that reading a submission can start nothing, open nothing and import nothing.
"""

from __future__ import annotations

import math

from autograder.classroom.reading.libdevice_names import LIBDEVICE

TYPES = frozenset(
    "bool_ boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
    "intp uintp void".split()
)
MATH = frozenset(name for name in dir(math) if not name.startswith("_"))
NUMPY = TYPES | frozenset(
    "abs absolute arccos arcsin arctan arctan2 array ceil cos cosh exp exp2 expm1 e fabs float_power floor fmax fmin "
    "hypot inf isfinite isinf isnan log log10 log1p log2 maximum minimum nan negative pi power rint sign sin sinh "
    "sqrt square tan tanh trunc bitwise_and bitwise_or bitwise_xor left_shift right_shift finfo iinfo".split()
)
NUMBA = TYPES | {"cuda", "types", "literally", "prange"}
SHUFFLES = "shfl_sync shfl_up_sync shfl_down_sync shfl_xor_sync"
VOTES = "all_sync any_sync eq_sync uni_sync ballot_sync match_any_sync match_all_sync activemask"
FENCES = "syncthreads syncthreads_and syncthreads_count syncthreads_or syncwarp threadfence threadfence_block"
CUDA = frozenset(
    f"threadIdx blockIdx blockDim gridDim laneid warpsize grid gridsize shared local const atomic cg this_grid "
    f"{SHUFFLES} {VOTES} {FENCES} threadfence_system lanemask_lt nanosleep popc brev clz ffs fma cbrt selp "
    f"libdevice fp16 random".split()
)
HALF = (
    "habs hadd hceil hcos hdiv heq hexp hexp10 hexp2 hfloor hfma hge hgt hle hlog hlog10 hlog2 hlt hmax hmin hmul hne "
    "hneg hrcp hrint hrsqrt hsin hsqrt hsub htanh htrunc"
)
CUDA_PARTS = {  # cuda.<part>.<name>: names one by one, since a module of functions also holds what those are made with
    "shared": frozenset({"array"}),
    "local": frozenset({"array"}),
    "const": frozenset({"array_like"}),
    "cg": frozenset({"this_grid"}),
    "atomic": frozenset("add sub and_ or_ xor inc dec exch cas compare_and_swap max min nanmax nanmin".split()),
    "libdevice": LIBDEVICE,
    "fp16": frozenset(HALF.split()),
    "random": frozenset(f"xoroshiro128p_{kind}_float{bits}" for kind in ("uniform", "normal") for bits in (32, 64)),
}
INTRINSICS = frozenset(  # the course's own
    "bits16 commit_copies copy16_async copy_async halves ldmatrix ldmatrix_transposed load16 mma mma_int8 "
    "mma_sparse store16 wait_copies".split()
)
COPIES = frozenset("commit_copies copy16_async copy_async wait_copies".split())  # those that run beside the threads
WARPGROUPS = frozenset(
    "show_tiles stmatrix_transposed store_sums wait_products warpgroup_mma warpgroup_mma_int8 zero_sums "
    "zero_sums_int8".split()
)
MODULES = {
    "numba": NUMBA,
    "numba.cuda": CUDA | {"jit"},
    "numpy": NUMPY,
    "math": MATH,
    "numba.types": TYPES,
    "autograder.notebook.copies": COPIES,
    "autograder.notebook.intrinsics": INTRINSICS,
    "autograder.notebook.relaxed": frozenset({"load_relaxed"}),
    "autograder.notebook.warpgroups": WARPGROUPS,
}

# Attributes of values (arrays, thread indices, grid groups) rather than of modules.
VALUES = frozenset(
    "x y z shape size ndim strides itemsize nbytes dtype T real imag sync max min eps sum mean astype fill copy "
    "reshape ravel flatten append".split()
)
BUILTINS = frozenset(
    "abs bool complex divmod enumerate float int len max min ord pow print range reversed round slice sum tuple zip "
    "list NotImplementedError ValueError IndexError AssertionError RuntimeError".split()
)
HOST = frozenset(  # full names, beside those of a kernel: nothing here reaches what runs the text
    [f"numba.cuda.{name}" for name in (
        "to_device device_array device_array_like pinned_array pinned_array_like mapped_array mapped_array_like "
        "managed_array mapped pinned stream "
        "default_stream event event_elapsed_time synchronize defer_cleanup").split()]
    + [f"numpy.{name}" for name in (
        "zeros empty ones full arange linspace zeros_like empty_like ones_like full_like asarray ascontiguousarray "
        "concatenate stack copyto add subtract multiply divide sum mean dot where clip cumsum allclose").split()]
)  # fmt: skip
HOST_VALUES = frozenset(
    "copy_to_host copy_to_device synchronize record wait query elapsed_time auto_synchronize extend pop tolist item "
    "all any forall".split()
)
HOST_CLOCKS = frozenset(f"time.{name}" for name in ("perf_counter", "perf_counter_ns", "monotonic", "time"))
HOST_HELPERS = frozenset({"prefetch"})  # what a unit brings along for its host functions
JIT_OPTIONS = frozenset(
    {"device", "fastmath", "inline", "max_registers", "opt"}
)  # literal values only; others are dropped
