"""Why what was found is a mistake, and why a test that passes in numba's simulator does not pass here."""

from __future__ import annotations

UNWRITTEN = "The kernel reads shared memory that nothing wrote; its test looks at sizes alone."
EVERY_THREAD = "Every thread adds to every element without an atomic; the test asks only that the launch ends."
RAW = "It asks the driver for raw memory, and there is no driver."
WORDS = "It wants numba's own words in the message; ours say more."
CANNOT = "It asks that the simulator cannot do this; the interpreter can, or does as a GPU does."
BARRIER_BELOW_IF = "The barrier stands below a condition that some threads of the block do not meet."
TILE_IS_REFILLED = "No barrier stands between a tile's last reads and its next filling."
NEW_ARRAY = "A thread makes a new array, which numba compiles only where its own memory manager is turned on."
ALLOWED = "The message is another: numba refuses the same copy."
COUNTER = "The lesson's own example of a race: every thread adds to one counter without an atomic."
EXERCISES = {
    **{f"{name}.py:16 race": "The exercise's own mistake: a histogram without atomics." for name in ("ex1", "ex1a")},
    **{f"{name}.py:17 out_of_bounds": "The exercise's own mistake: a bin below zero." for name in ("ex3", "ex3a")},
    "ex2.py:15 unsupported": "The exercise opens a debugger in a kernel, which no GPU has.",
}

NUMBA_CUDA = {
    test: why
    for why, tests in {
        RAW: (
            "cudadrv/test_host_alloc.py::TestHostAlloc::test_host_alloc_driver",
            "cudadrv/test_host_alloc.py::TestHostAlloc::test_host_alloc_pinned",
        ),
        ALLOWED: (
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_copy_device",
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_device_strided",
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_slice",
        ),
        WORDS: (
            "cudapy/test_errors.py::TestJitErrors::test_non_integral_dims",
            "cudapy/test_errors.py::TestJitErrors::test_too_many_dims",
            "cudapy/test_errors.py::TestJitErrors::test_unconfigured_typed_cudakernel",
            "cudapy/test_errors.py::TestJitErrors::test_unconfigured_untyped_cudakernel",
            "cudapy/test_forall.py::TestForAll::test_forall_negative_work",
        ),
        CANNOT: (
            "cudapy/test_array.py::TestCudaArray::test_array_like_2d_view_transpose_simulator",
            "cudapy/test_array_alignment.py::TestCudasimUnsupportedAlignment::test_local_unsupported",
            "cudapy/test_array_alignment.py::TestCudasimUnsupportedAlignment::test_shared_unsupported",
            "cudapy/test_exception.py::TestException::test_zero_division_error_in_debug",
            "cudapy/test_stream_api.py::TestStreamAPI::test_external_stream_simulator_unavailable",
        ),
        NEW_ARRAY: (
            "cudapy/test_array_methods.py::TestCudaArrayMethods::test_array_copy",
            "nrt/test_nrt.py::TestNrtBasic::test_nrt_launches",
            "nrt/test_nrt.py::TestNrtBasic::test_nrt_returns_correct",
        ),
    }.items()
    for test in tests
}
