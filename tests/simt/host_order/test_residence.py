"""What crosses the bus of itself: mapped memory that kernels read, managed pages that somebody touches."""

import numpy as np

from autograder.notebook.host.managed import prefetch
from simt.cuda_api import cuda
from simt.host_order.watch import watch

PAGE = 4096
THREE_PAGES = 3 * 1024  # float32


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += np.float32(1)


@cuda.jit
def pick(table, out):
    i = cuda.grid(1)
    out[i] = table[100 * i]


def pages_moved(program):
    """(by faults, by prefetches) of a program on three managed pages that the host has filled."""
    with watch() as order:
        x = cuda.managed_array(THREE_PAGES, np.float32)
        x[:] = 0
        program(x)
    return order.residence.faulted_bytes // PAGE, order.residence.prefetched_bytes // PAGE


def run(x):
    add_one[THREE_PAGES // 256, 256](x)
    cuda.synchronize()


def test_pages_that_a_kernel_touches_come_by_faults():
    assert (3, 0) == pages_moved(run)


def test_pages_that_were_prefetched_fault_no_more():
    def program(x):
        prefetch(x)
        run(x)
        prefetch(x, to_host=True)
        cuda.synchronize()
        x.sum()

    assert (0, 6) == pages_moved(program)


def test_one_element_read_by_the_host_moves_its_page_and_the_next_kernel_moves_it_back():
    def program(x):
        prefetch(x)
        for _ in range(3):
            run(x)
            float(x[0])

    assert (5, 3) == pages_moved(program)


def test_memory_that_nobody_has_touched_moves_nowhere():
    with watch() as order:
        run(cuda.managed_array(THREE_PAGES, np.float32))

    assert 0 == order.residence.faulted_bytes


def test_a_kernel_reads_of_mapped_memory_only_what_it_asks_for():
    table, out = np.arange(1000, dtype=np.float32), cuda.device_array(4, np.float32)
    with watch() as order:
        with cuda.mapped(table) as far:
            pick[1, 4](far, out)
            cuda.synchronize()
    np.testing.assert_array_equal([0, 100, 200, 300], out.copy_to_host())

    assert (16, []) == (order.residence.mapped_bytes, order.findings)


def test_a_mapping_that_ends_before_the_kernel_is_a_race():
    table, out = np.arange(1000, dtype=np.float32), cuda.device_array(4, np.float32)
    with watch() as order, cuda.mapped(table) as far:
        pick[1, 4](far, out)
    (finding,) = order.findings

    assert "unmapped" in finding.message and "the kernel `pick`" in finding.message
