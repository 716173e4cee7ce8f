"""`numba` and `numba_cuda_mlir` where they are not installed. The programs run in a process that cannot import them."""

from __future__ import annotations

import textwrap
import types as python_types

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda, random, types
from tests.no_numba import run

SIGNATURES = ("", "(float32[:], float32[::1], types.int64)", "types.void(float32[:], float32[:], types.int32)")


def test_without_the_stand_in_there_is_no_numba():
    says = "try:\n    import {0}\nexcept ModuleNotFoundError as error:\n    print(error.name)\n"
    assert ["numba", "numba_cuda_mlir"] == run("".join(map(says.format, ("numba", "numba_cuda_mlir")))).split()


@pytest.mark.parametrize("package", ["numba", "numba_cuda_mlir"])
def test_every_usual_import_works_and_names_one_module(package):
    printed = run(f"""
        from simt import cuda_api
        cuda_api.install()
        cuda_api.install()
        import sys
        import {package}
        from {package} import cuda, float32, int32, types
        import {package}.cuda as again
        from {package}.cuda import grid, float64, atomic
        from {package}.cuda.random import create_xoroshiro128p_states
        from {package}.core.errors import NumbaPerformanceWarning
        assert cuda is again is {package}.cuda and cuda.grid is grid
        assert {package}.float32 is float32 is types.float32 is cuda.float32
        assert cuda.random.create_xoroshiro128p_states is create_xoroshiro128p_states
        print(cuda_api.is_stand_in({package}), [type(f).__name__ for f in sys.meta_path].count("StandInFinder"))
    """)
    assert "True 1" == printed


def test_a_kernel_of_each_package_runs_unmodified(tmp_path):
    program = """
        import numpy as np
        import {package}
        from {package} import cuda, float32, types

        @cuda.jit(device=True)
        def half(x):
            return x / types.float32(2)

        @cuda.jit({signature})
        def kernel(src, out, n):
            tile = cuda.shared.array(32, float32)
            i = cuda.grid(1)
            tile[cuda.threadIdx.x] = src[i] if i < n else {package}.float32(0)
            cuda.syncthreads()
            if i < n:
                out[i] = half(tile[31 - cuda.threadIdx.x])

        src, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        kernel[2, 32](src, out, 64)
        print(out[:3].tolist(), out[63])
    """
    lines = []
    for package in ("numba", "numba_cuda_mlir"):
        for signature in (
            "",
            "(float32[:], float32[::1], types.int64)",
            "types.void(float32[:], float32[:], types.int32)",
        ):
            path = tmp_path / f"{package}_{len(lines)}.py"
            path.write_text(textwrap.dedent(program).format(package=package, signature=signature))
            lines.append(f"runpy.run_path({str(path)!r})")
    printed = run("\n".join(["import runpy", "from simt import cuda_api", "cuda_api.install()", *lines]))
    assert ["[15.5, 15.0, 14.5] 16.0"] * 6 == printed.splitlines()


def test_what_is_installed_is_found_first(tmp_path):
    package = tmp_path / "numba"
    package.mkdir()
    (package / "__init__.py").write_text("real = True\n")
    printed = run(f"""
        import sys
        import sitecustomize
        sitecustomize.HIDDEN.clear()
        sys.path.insert(0, {str(tmp_path)!r})
        from simt import cuda_api
        cuda_api.install()
        import numba
        print(numba.real, cuda_api.is_stand_in(numba))
        try:
            import numba.types
        except ImportError as error:
            print(error.name)
        from numba import cuda
        print(cuda_api.is_stand_in(cuda))
    """)
    assert ["True False", "numba.types", "True"] == printed.splitlines()


def test_what_would_be_compiled_for_the_cpu_runs_as_python_and_that_is_told_once():
    printed = run("""
        from simt import cuda_api
        cuda_api.install()
        from numba import float32, njit, prange

        @njit
        def double(x):
            return 2 * x

        @njit(parallel=True)
        def total(n):
            return sum(double(i) for i in prange(n))

        print(total(4), total.py_func(3), njit(float32(float32))(double)(5))
    """)
    told, *values = printed.splitlines()
    assert "what njit would compile for the CPU runs as plain Python" in told
    assert ["12 6 10"] == values


def test_compiling_for_the_cpu_says_what_is_missing():
    printed = run("""
        from simt import cuda_api
        cuda_api.install()
        from numba import cfunc
        try:
            cfunc("float64(float64)")
        except NotImplementedError as error:
            print(error)
    """)
    assert "cfunc compiles for the CPU, and numba is not installed here" in printed


def test_compiling_for_a_gpu_says_what_is_missing():
    printed = run("""
        from simt import cuda_api
        cuda_api.install()
        from numba import cuda
        try:
            cuda.compile_ptx(lambda out: None, ())
        except NotImplementedError as error:
            print(error)
    """)
    assert "compile_ptx needs numba's compiler" in printed


def test_types_are_written_as_in_numba():
    assert "array(float32, 2d, C)" == repr(types.float32[:, ::1])
    assert "array(int32, 1d, A)" == repr(types.int32[:])
    assert "array(float64, 2d, F)" == repr(types.float64[::1, :])
    assert types.float32[:] == types.Array(types.float32, 1, "A")
    assert types.int64 is types.intp
    assert (types.float32[:], types.int32) == types.void(types.float32[:], types.int32).args
    assert np.float32(1.5).tobytes() == types.float32(1.5).tobytes()
    assert np.dtype(np.int16) == np.zeros(1, types.int16).dtype
    with pytest.raises(TypeError, match="one slice a dimension"):
        types.float32[4]


def test_a_numpy_dtype_has_a_type_unless_no_kernel_can_hold_it():
    assert types.uint8 is types.from_dtype(np.uint8)
    pair = np.dtype([("x", np.int32), ("y", np.float32)])
    assert pair == types.from_dtype(pair).dtype
    with pytest.raises(TypeError, match="is no element type of a kernel"):
        types.from_dtype("datetime64[s]")


def test_a_dispatcher_of_another_package_is_known_by_its_python_function():
    def kernel(out):
        out[cuda.grid(1)] = 7

    dispatcher = python_types.SimpleNamespace(py_func=kernel, targetoptions={"device": False})
    out = np.zeros(4)
    simt.launch(dispatcher, 1, 4, out)
    assert [7, 7, 7, 7] == out.tolist()


def test_kernels_of_numba_cuda_mlir_itself_run_on_the_interpreter():
    cuda_mlir = pytest.importorskip("numba_cuda_mlir.cuda")

    @cuda_mlir.jit
    def double(src, out):
        i = cuda_mlir.grid(1)
        out[i] = cuda_mlir.float32(2) * src[i]

    src, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    simt.launch(double, 1, 32, src, out)
    np.testing.assert_array_equal(2 * src, out)


def draws(module, name: str, states: np.ndarray) -> np.ndarray:
    """(n, 3) what each thread draws."""
    draw = getattr(module, f"xoroshiro128p_{name}")

    def kernel(states, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            for j in range(3):
                out[i, j] = draw(states, i)

    out = np.zeros((len(states), 3))
    simt.launch(kernel, 2, 32, states.copy(), out)
    return out


@pytest.mark.parametrize("start", [0, 5])
def test_random_states_are_those_of_numba(start):
    theirs = pytest.importorskip("numba.cuda.random")
    states = random.create_xoroshiro128p_states(37, seed=12345, subsequence_start=start).copy_to_host()
    expected = np.empty(37, random.xoroshiro128p_dtype)
    theirs.init_xoroshiro128p_states_cpu(expected, np.uint64(12345), np.uint64(start))
    np.testing.assert_array_equal(expected, states)


@pytest.mark.parametrize("name", ["next", "uniform_float32", "uniform_float64", "normal_float32", "normal_float64"])
def test_random_numbers_are_those_of_numba(name):
    theirs = pytest.importorskip("numba.cuda.random")
    states = random.create_xoroshiro128p_states(40, seed=3).copy_to_host()
    ours = draws(random, name, states)
    np.testing.assert_array_equal(draws(theirs, name, states), ours)
    assert len(np.unique(ours)) == ours.size


def test_a_kernel_has_nothing_of_what_a_compiler_makes():
    @cuda.jit
    def kernel(out):
        out[0] = 1

    with pytest.raises(AttributeError, match="kernel has no inspect_asm: nothing was compiled"):
        kernel.inspect_asm()
