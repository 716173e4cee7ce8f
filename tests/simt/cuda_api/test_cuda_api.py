"""The host side of numba.cuda over the interpreter."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

import simt
from simt import cuda_api
from simt.cuda_api import DeviceArray, cuda, streams
from simt.errors import InvalidLaunchError, SimtError
from simt.host_order.watch import watch


@cuda.jit
def double(src, dst):
    i = cuda.grid(1)
    if i < src.size:
        dst[i] = 2 * src[i]


def test_a_program_of_host_and_kernel_runs_unchanged():
    src = np.arange(100, dtype=np.float32)
    d_src = cuda.to_device(src)
    d_dst = cuda.device_array_like(d_src)
    double[4, 32](d_src, d_dst)
    cuda.synchronize()
    np.testing.assert_array_equal(2 * src, d_dst.copy_to_host())


def test_host_arrays_are_changed_in_place():
    src, dst = np.arange(10), np.zeros(10, np.int64)
    double[1, 32](src, dst)
    np.testing.assert_array_equal(2 * src, dst)


def test_a_device_array_is_a_copy():
    src = np.arange(4)
    d_src = cuda.to_device(src)
    src[0] = 99
    assert [0, 1, 2, 3] == d_src.copy_to_host().tolist()
    host = d_src.copy_to_host()
    host[0] = 7
    assert 0 == d_src[0]


def test_copy_to_host_fills_a_given_array_and_checks_it():
    d = cuda.to_device(np.arange(4, dtype=np.int64))
    target = np.zeros(4, np.int64)
    assert target is d.copy_to_host(target)
    assert [0, 1, 2, 3] == target.tolist()
    with pytest.raises(ValueError, match=r"shape \(4,\), the other one \(5,\)"):
        d.copy_to_host(np.zeros(5, np.int64))
    with pytest.raises(TypeError, match="holds int64, the other one float64"):
        d.copy_to_host(np.zeros(4))


def test_copy_to_device_overwrites():
    d = cuda.device_array(4, np.int64)
    d.copy_to_device(np.arange(4, dtype=np.int64))
    d[1:3].copy_to_device(np.array([7, 8], np.int64))
    assert [0, 7, 8, 3] == d.copy_to_host().tolist()


def test_slices_and_shapes_are_views():
    d = cuda.to_device(np.zeros((4, 6)))
    d[1] = 1
    d[2, 3:] = np.array([5.0, 6.0, 7.0])
    d.reshape(24)[23] = 9
    d.ravel()[0] = 8
    expected = np.zeros((4, 6))
    expected[1], expected[2, 3:], expected[3, 5], expected[0, 0] = 1, [5, 6, 7], 9, 8
    np.testing.assert_array_equal(expected, d.copy_to_host())
    assert ((4, 6), 24, 192, 2, 4) == (d.shape, d.size, d.nbytes, d.ndim, len(d))
    assert isinstance(d[1:2], DeviceArray)
    assert 9.0 == d[3, 5]


def test_numpy_sees_a_copy_of_a_device_array():
    d = cuda.to_device(np.arange(3))
    seen = np.asarray(d)
    seen[0] = 5
    assert 0 == d[0]
    with pytest.raises(ValueError, match="copy_to_host"):
        d.__array__(copy=False)


def test_fresh_device_arrays_hold_no_zeros():
    assert np.isnan(cuda.device_array(8, np.float32).copy_to_host()).all()
    assert (cuda.device_array(8, np.int32).copy_to_host() != 0).all()


def test_a_kernel_with_a_stream_and_dynamic_shared_memory():
    @cuda.jit
    def reverse(values):
        tile = cuda.shared.array(0, cuda.int64)
        t = cuda.threadIdx.x
        tile[t] = values[t]
        cuda.syncthreads()
        values[t] = tile[cuda.blockDim.x - 1 - t]

    values = np.arange(16)
    stream = cuda.stream()
    with stream.auto_synchronize():
        reverse[1, 16, stream, 16 * 8](values)
    assert list(range(15, -1, -1)) == values.tolist()


def test_forall_launches_a_thread_per_task():
    src, dst = np.arange(1000), np.zeros(1000, np.int64)
    double.forall(1000)(src, dst)
    np.testing.assert_array_equal(2 * src, dst)
    double.forall(0)(src, dst)


def test_jit_with_a_signature_converts_scalars():
    @cuda.jit("void(float64[:], int32, float32)")
    def store(out, n, x):
        out[0], out[1] = n, x

    out = np.zeros(2)
    store[1, 1](out, 2**40 + 2, 0.1)
    assert [2.0, float(np.float32(0.1))] == out.tolist()


def test_device_functions_and_kernels_are_told_apart():
    @cuda.jit(device=True)
    def square(x):
        return x * x

    @cuda.jit
    def apply(out):
        out[cuda.grid(1)] = square(cuda.grid(1))

    out = np.zeros(4, np.int64)
    apply[1, 4](out)
    assert [0, 1, 4, 9] == out.tolist()
    with pytest.raises(SimtError, match="Call it from a kernel"):
        square(3)
    with pytest.raises(SimtError, match=r"Launch it with apply\[blocks, threads\]"):
        apply(out)
    with pytest.raises(InvalidLaunchError, match="device function"):
        square[1, 1](3)


def test_swapped_grid_and_block_are_suspected():
    with pytest.raises(InvalidLaunchError, match="Were the two swapped"):
        double[128, 2048](np.zeros(1), np.zeros(1))


def test_names_of_kernels_do_not_work_on_the_host():
    with pytest.raises(SimtError, match="cuda.grid works inside kernels only"):
        cuda.grid(1)
    with pytest.raises(AttributeError, match="cuda.atomic has no ad"):
        getattr(cuda.atomic, "ad")  # noqa: B009


def test_time_is_not_measured_and_that_is_said_once(capsys, monkeypatch):
    monkeypatch.setattr(streams, "_said", False)
    start, end = cuda.event(), cuda.event()
    start.record()
    end.record()
    end.synchronize()
    assert math.isnan(start.elapsed_time(end))
    assert math.isnan(cuda.event_elapsed_time(start, end))
    captured = capsys.readouterr()
    assert "Time is not measured here: this kernel runs in the interpreter.\n" == captured.out
    assert "" == captured.err


def test_who_watches_host_code_reads_no_line_of_ours_that_looks_like_the_learners(capsys, monkeypatch):
    monkeypatch.setattr(streams, "_said", False)
    with watch():
        assert math.isnan(cuda.event_elapsed_time(cuda.event(), cuda.event()))
    assert "" == capsys.readouterr().out


def test_the_device_says_that_it_is_none(capsys):
    assert "simt interpreter, no GPU" == cuda.get_current_device().name
    assert cuda.is_available() is False
    assert cuda.detect() is False
    assert "no GPU" in capsys.readouterr().out
    free, total = cuda.current_context().get_memory_info()
    assert 0 <= free <= total
    with cuda.gpus[0], cuda.defer_cleanup():
        cuda.select_device(0)
    cuda.close()


def test_pinned_mapped_and_managed_memory_are_host_arrays():
    for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array):
        array = make(4, np.int64)
        array[:] = 1
        out = np.zeros(4, np.int64)
        double[1, 4](array, out)
        assert [2, 2, 2, 2] == out.tolist()
    with cuda.pinned(out):
        pass


def test_launches_of_host_code_can_be_intercepted():
    seen = []

    def launcher(kernel, grid, block, *args, dynamic_shared_bytes=0):
        seen.append((kernel.__name__, grid, block, len(args), dynamic_shared_bytes))

    with cuda_api.intercept(launcher):
        double[2, (8, 4)](1, 2)
    assert [("double", (2, 1, 1), (8, 4, 1), 2, 0)] == seen


def test_the_module_works_without_numba():
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "import numpy as np\nfrom simt.cuda_api import cuda\n"
        "assert cuda.__simt_cuda__\n"
        "print(sorted(set(sys.modules) & {'numba', 'autograder', 'matplotlib', 'minitrt'}))\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "['numba']" == result.stdout.strip()


def test_numba_kernels_run_through_the_stand_in():
    numba_cuda = pytest.importorskip("numba.cuda")
    from numba import float32

    @numba_cuda.jit
    def copy(src, dst):
        tile = numba_cuda.shared.array(32, float32)
        t = numba_cuda.threadIdx.x
        tile[t] = src[t]
        numba_cuda.syncthreads()
        dst[t] = float32(tile[31 - t])

    src = cuda.to_device(np.arange(32, dtype=np.float32))
    dst = cuda.device_array_like(src)
    cuda_api.configure(copy, 1, 32)(src, dst)
    assert list(range(31, -1, -1)) == dst.copy_to_host().tolist()


def test_numba_with_a_signature_waits_for_its_gpu():
    numba_cuda = pytest.importorskip("numba.cuda")
    jit = cuda_api.jit_later(numba_cuda.jit)

    @jit("void(int64[:], int32)")
    def store(out, n):
        out[0] = n

    out = np.zeros(1, np.int64)
    cuda_api.configure(store, 1, 1)(out, 2**32 + 2)
    assert 2 == out[0]


def test_global_device_arrays_are_read_and_written_where_they_are():
    source, target = cuda.to_device(np.arange(4.0)), cuda.device_array(4)

    @cuda.jit(device=True)
    def put(i, value):
        target[i] = value

    @cuda.jit
    def double_it():
        i = cuda.grid(1)
        if i < source.size:
            put(i, 2 * source[i])

    double_it[1, 32]()
    source[:] = np.full(4, 10.0)
    assert [0.0, 2.0, 4.0, 6.0] == target.copy_to_host().tolist()
    double_it[1, 32]()
    assert [20.0] * 4 == target.copy_to_host().tolist()


def test_a_global_device_array_is_traced_like_an_argument():
    source = cuda.to_device(np.arange(64, dtype=np.float32))

    def shift(out):
        i = cuda.grid(1)
        source[i] = source[(i + 1) % 64]
        out[i] = source[i]

    found = simt.trace(shift, 1, 64, np.zeros(64, np.float32)).findings
    assert ["source"] == sorted({finding.array for finding in found}), found


@pytest.mark.parametrize("make", [cuda.device_array, cuda.pinned_array, cuda.mapped_array, cuda.managed_array])
def test_a_shape_is_integers_in_any_sequence_as_numba_takes_it(make):
    assert [(6, 4)] * 3 == [make(shape).shape for shape in ((6, 4), [6, 4], np.array([6, 4]))]
    for wrong in (4.0, (2, 4.0), np.array([4.0])):
        with pytest.raises(TypeError, match="integer"):
            make(wrong)
