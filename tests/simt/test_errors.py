"""What goes wrong in a kernel is said with its place and with what to do."""

from __future__ import annotations

import linecache
import subprocess
import sys

import numpy as np
import pytest

import simt
from simt.cuda_api import cuda
from simt.cuda_api.cuda import float32, int32
from simt.errors import (
    BarrierDivergenceError,
    DeadlineExceeded,
    DeadlockError,
    InvalidLaunchError,
    KernelNameError,
    KernelTypeError,
    OutOfBoundsError,
    UnsupportedError,
)
from simt.lanes.meter import worked_s

TPB = 32
SIZES = (4, 4)
NUMPY_SIZE = np.int64(32)


def line_of(function, text):
    """Line in this file where `text` first stands in a function."""
    first = function.__code__.co_firstlineno
    lines = linecache.getlines(__file__)
    return next(n for n in range(first, len(lines)) if text in lines[n - 1])


def test_out_of_bounds_names_line_index_shape_block_and_thread():
    def shift(src, dst):
        i = cuda.grid(1)
        dst[i] = src[i + 1]

    with pytest.raises(OutOfBoundsError) as caught:
        simt.launch(shift, 2, 64, np.zeros(128), np.zeros(128))
    error = caught.value
    assert ("shift", line_of(shift, "src[i + 1]")) == (error.function, error.line)
    assert ((1, 0, 0), (63, 0, 0)) == (error.block, error.thread)
    assert ("src", (128,), (128,), "load") == (error.array, error.index, error.shape, error.kind)
    assert "`src[i + 1]` reads index 128, but src has shape (128,)" in str(error)


def test_out_of_bounds_counts_the_threads_and_names_the_axis():
    def fill(out):
        x, y = cuda.grid(2)
        out[y, x] = 1

    with pytest.raises(OutOfBoundsError, match=r"along axis 1 are 0 to 4\. 12 threads do this") as caught:
        simt.launch(fill, (2, 1), (4, 4), np.zeros((4, 5)))
    assert (0, 5) == caught.value.index


def test_a_negative_index_counts_from_the_end_as_in_numba():
    def last(src, out):
        i = cuda.grid(1)
        out[i] = src[i - 4]

    out = np.zeros(4)
    simt.launch(last, 1, 4, np.arange(10.0), out)
    assert [6, 7, 8, 9] == out.tolist()


def test_an_unsigned_index_does_not_wrap():
    def before(src, out, offset):
        out[0] = src[cuda.grid(1) * offset - offset]

    with pytest.raises(OutOfBoundsError):
        simt.launch(before, 1, 1, np.zeros(4), np.zeros(1), np.int64(5))


def test_an_atomic_out_of_bounds_says_updates():
    def count(bins):
        cuda.atomic.add(bins, cuda.grid(1), 1)

    with pytest.raises(OutOfBoundsError, match="updates index 4"):
        simt.launch(count, 1, 8, np.zeros(4, np.int64))


def test_a_float_index_is_a_type_error():
    def half(src, out):
        out[0] = src[src.size / 2]

    with pytest.raises(KernelTypeError, match="index of `src.src.size / 2.` is a float64.* Divide with //"):
        simt.launch(half, 1, 1, np.zeros(4), np.zeros(1))


def test_a_loop_that_changes_nothing_is_a_deadlock():
    def spin(flag):
        while flag[0] == 0:
            pass

    with pytest.raises(DeadlockError, match="`flag.0. == 0` stays true") as caught:
        simt.launch(spin, 1, 32, np.zeros(1, np.int64))
    assert line_of(spin, "while") == caught.value.line


def test_a_loop_that_writes_the_same_again_is_a_deadlock():
    def forgot_to_advance(src, out):
        i = cuda.grid(1)
        while i < src.size:
            value = src[i] * 2
            out[i] = value

    with pytest.raises(DeadlockError):
        simt.launch(forgot_to_advance, 1, 32, np.arange(100.0), np.zeros(100))


def test_a_long_loop_that_does_change_something_is_none():
    def count(out):
        k = 0
        while k < 3000:
            inner = 0
            while inner < 2:
                inner += 1
            k += 1
        out[cuda.grid(1)] = k

    out = np.zeros(4, np.int64)
    simt.launch(count, 1, 4, out)
    assert [3000] * 4 == out.tolist()


def test_a_loop_whose_condition_does_the_work_is_none():
    def take_tickets(counter, out):
        while cuda.atomic.add(counter, 0, 1) < 500:
            pass
        out[0] = counter[0]

    counter, out = np.zeros(1, np.int64), np.zeros(1, np.int64)
    simt.launch(take_tickets, 1, 1, counter, out)
    assert [501] == out.tolist()


def test_waiting_for_a_later_block_is_a_deadlock():
    def chain(flags):
        b = cuda.blockIdx.x
        if b == 0:
            while cuda.atomic.add(flags, 1, 0) == 0:
                pass
        else:
            cuda.atomic.exch(flags, 1, 1)

    with pytest.raises(DeadlockError):
        simt.launch(chain, 2, 1024, np.zeros(2, np.int32), deadline=worked_s() + 10)


def test_a_spin_lock_is_a_deadlock():
    def lock(mutex):
        while cuda.atomic.cas(mutex, 0, 0, 1) != 0:
            pass
        cuda.atomic.exch(mutex, 0, 0)

    with pytest.raises(DeadlockError, match="31 threads go round forever; 1 thread waits"):
        simt.launch(lock, 1, 32, np.zeros(1, np.int32))


def test_the_deadline_ends_a_loop_that_never_does():
    def forever(out):
        k = 0
        while k >= 0:
            k += 1
        out[0] = k

    with pytest.raises(DeadlineExceeded, match="Does every loop end"):
        simt.launch(forever, 1, 32, np.zeros(1), deadline=worked_s() + 0.2)


def test_a_barrier_in_a_divergent_if_is_reported_with_counts():
    def wrong(out):
        t = cuda.threadIdx.x
        if t < 40:
            cuda.syncthreads()
        out[t] = t

    with pytest.raises(BarrierDivergenceError, match="40 of the block's 64 live threads") as caught:
        simt.launch(wrong, 2, 64, np.zeros(64))
    assert (40, 64) == (caught.value.arrived, caught.value.live)
    assert line_of(wrong, "syncthreads") == caught.value.line


def test_threads_that_returned_are_not_waited_for():
    def guarded(out):
        i = cuda.grid(1)
        if i >= out.size:
            return
        cuda.syncthreads()
        out[i] = 1

    out = np.zeros(100)
    simt.launch(guarded, 2, 64, out)
    assert 100 == out.sum()


def test_barriers_count_threads_that_return_inside_loops_with_few_lanes_left():
    def shrink(out):
        t = cuda.threadIdx.x
        for k in range(10):
            if t < 600 - 60 * k:
                if t >= 540 - 60 * k:
                    return
            else:
                return
            cuda.syncthreads()
            if t == 0:
                out[0] += 1

    out = np.zeros(1)
    simt.launch(shrink, 1, 1024, out)
    assert 9 == out[0]


@pytest.mark.parametrize("size", ["TPB + 1", "(TPB, TPB + 1)", "n", "NUMPY_SIZE", "cuda.blockDim.x", "out.shape[0]"])
def test_shapes_that_numba_does_not_know_are_refused(size):
    kernel = define(f"tile = cuda.shared.array({size}, float32)")
    says = "line 4: The shape .* of cuda.shared.array is not a constant.*[Aa]bove the kernel"
    with pytest.raises(UnsupportedError, match=says):
        simt.launch(kernel, 1, 32, np.zeros(32), 32)


@pytest.mark.parametrize("size", ["TPB", "SIZES", "(TPB, 2)", "2 * 16", "SIZES[0]", "m", "32", "(m, 4)"])
def test_shapes_that_numba_knows_are_accepted(size):
    kernel = define(f"m = 8; tile = cuda.shared.array({size}, float32)")
    simt.launch(kernel, 1, 32, np.zeros(32), 32)


def scale_by(value, factor):
    return value * factor


def define(line):
    """A kernel of one line, with source that the interpreter finds. The line is the fourth of its file."""
    text = f"# a cell\ndef kernel(out, n):\n    # a comment\n    {line}\n    out[0] = 1\n"
    name = f"<cell {len(linecache.cache)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = dict(scale_by=scale_by, cuda=cuda, float32=float32, TPB=TPB, SIZES=SIZES, NUMPY_SIZE=NUMPY_SIZE, np=np)
    exec(compile(text, name, "exec"), namespace)
    return namespace["kernel"]


def tile_of(n):
    tile = cuda.shared.array(n, int32)
    tile[cuda.threadIdx.x] = 1
    return tile[cuda.threadIdx.x]


def test_a_literal_may_size_an_array_of_a_device_function_but_a_variable_may_not():
    def literal(out):
        out[cuda.threadIdx.x] = tile_of(4)

    def variable(out):
        out[cuda.threadIdx.x] = tile_of(out.size)

    out = np.zeros(4, np.int64)
    simt.launch(literal, 1, 4, out)
    assert 4 == out.sum()
    with pytest.raises(UnsupportedError, match="The shape `n` of cuda.shared.array is not a constant"):
        simt.launch(variable, 1, 4, out)


@pytest.mark.parametrize(
    "line, complaint",
    [
        ("out[0] = sum([x for x in range(3)])", "builds a comprehension"),
        ("d = {}", "builds a dictionary"),
        ("print(f'{n}')", "builds an f-string"),
        ("out[0] = np.linalg.norm(out)", "`numpy.linalg.norm` does not exist on the GPU"),
        ("out @= out", "one element as a loop"),
        ("import math", "cannot import modules"),
        ("with open('f') as f: pass", "cannot use `with`"),
        ("a, *b = 1, 2, 3", "Starred unpacking does not exist"),
        ("out[0] = out.foo", "Arrays have no `foo`"),
        ("out[0] = out.sort()", "Arrays have no `sort..`"),
        ("tile = cuda.shared.array(4, float)", "`float` is not a dtype that cuda.shared.array takes"),
        ("out[0, 0] = 1", "`out.0, 0.` uses 2 indices, and the array of float64 has 1 dimension"),
        ("out[0] = None", "Cannot store nothing"),
        ("a, b = (1, 2, 3)", "number of names on the left differs"),
        ("for k in range(out.shape): pass", "is a tuple. Take one of its values"),
        ("for k in range(0, 4, 0): pass", "step 0"),
        ("out = out @ out", "one element as a loop"),
        ("x = [1, 2]", "builds a list"),
        ("k = 1; k = 2; f = lambda: k", "reads k, which changes"),
        ("g = scale_by(2, factor=3, offset=1)", "`scale_by` takes no offset"),
    ],
)
def test_what_does_not_run_on_a_gpu_is_refused_with_its_line(line, complaint):
    with pytest.raises((UnsupportedError, KernelTypeError), match=f"kernel, line 4: .*({complaint})"):
        simt.launch(define(line), 1, 1, np.zeros(32), 3)


def test_names_without_a_value_are_reported():
    with pytest.raises(KernelNameError, match="The name `undefined_name` is not defined"):
        simt.launch(define("out[0] = undefined_name"), 1, 1, np.zeros(4), 3)
    with pytest.raises(KernelNameError, match="The variable `y` is read before"):
        simt.launch(define("out[0] = y; y = 1"), 1, 1, np.zeros(4), 3)


def test_a_kernel_that_returns_a_value_is_told_to_write_it():
    with pytest.raises(KernelTypeError, match="Write the result into the output array"):
        simt.launch(define("return out[0]"), 1, 1, np.zeros(4), 3)


def test_too_much_static_shared_memory_is_an_invalid_launch():
    with pytest.raises(InvalidLaunchError, match="take 65536 bytes; the limit is 49152"):
        simt.launch(define("tile = cuda.shared.array((128, 128), float32)"), 1, 1, np.zeros(4), 3)


def test_kernels_without_source_say_so():
    namespace = {}
    exec("def kernel(out):\n    out[0] = 1\n", namespace)
    with pytest.raises(UnsupportedError, match="define it in a file or a notebook cell"):
        simt.launch(namespace["kernel"], 1, 1, np.zeros(1))


def test_kernels_of_a_command_line_have_source():
    program = (
        "import numpy as np, simt\nfrom simt.cuda_api import cuda\n"
        "def kernel(out):\n    out[cuda.grid(1)] = 7\n"
        "out = np.zeros(3)\nsimt.launch(kernel, 1, 3, out)\nprint(out.sum())\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "21.0" == result.stdout.strip()


def test_wrong_number_of_arguments_is_reported():
    with pytest.raises(KernelTypeError, match="needs a value for n"):
        simt.launch(define("pass"), 1, 1, np.zeros(1))
    with pytest.raises(KernelTypeError, match="takes 2 arguments, but 3 were given"):
        simt.launch(define("pass"), 1, 1, np.zeros(1), 2, 3)


def test_decorated_functions_keep_their_lines():
    def unchanged(function):
        return function

    @cuda.jit(
        fastmath=True,
    )
    @unchanged
    def two_decorators(out):
        # a comment
        out[1] = 0

    with pytest.raises(OutOfBoundsError) as caught:
        simt.launch(two_decorators, 1, 1, np.zeros(1))
    assert line_of(two_decorators.py_func, "out[1]") == caught.value.line


def test_lists_are_no_arguments():
    with pytest.raises(UnsupportedError, match="`out` is of type list: a kernel takes arrays and scalars"):
        simt.launch(define("pass"), 1, 1, [1, 2], 3)
    with pytest.raises(UnsupportedError, match="`n` is of type object: a kernel takes arrays and scalars"):
        simt.launch(define("pass"), 1, 1, np.zeros(2), object())


def test_exceptions_of_debug_kernels_are_raised_with_their_thread():
    def check(out):
        if cuda.threadIdx.x == 3:
            raise ValueError("three is not allowed")
        out[cuda.threadIdx.x] = 1

    out = np.zeros(8)
    simt.launch(check, 1, 8, out)
    assert 7 == out.sum()
    with pytest.raises(ValueError, match=r"tid=\[3, 0, 0\] ctaid=\[0, 0, 0\]: three is not allowed"):
        simt.launch(check, 1, 8, out, debug=True)


def test_a_defect_of_a_listener_is_not_blamed_on_the_kernel():
    class Broken(simt.events.Listener):
        def access(self, event):
            raise ValueError("no")

    with pytest.raises(simt.errors.ListenerError, match="Broken.access failed: ValueError"):
        simt.launch(define("out[0] = 1"), 1, 1, np.zeros(1), 3, listeners=[Broken()])
