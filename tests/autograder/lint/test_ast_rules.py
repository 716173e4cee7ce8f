"""What the source alone gives away, and what it does not."""

import ast
import textwrap

from autograder.lint.ast_rules import source_findings


def kinds(body, arrays=()):
    """Kinds of the findings in a kernel with this body."""
    text = "@cuda.jit\ndef kernel(a, b):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    return [finding.kind for finding in source_findings(ast.parse(text).body[0], frozenset(arrays))]


def test_a_barrier_and_a_host_wait_need_parentheses():
    assert ["bare_call", "bare_call"] == kinds("cuda.syncthreads\ncuda.synchronize")
    assert ["bare_call"] == kinds("stream.synchronize")
    assert [] == kinds("cuda.syncthreads()\nstream.synchronize()")


def test_a_value_that_is_worked_out_and_not_kept_is_told():
    assert ["dropped_value"] * 3 == kinds("b[0] == a[0] + 1\ni + cuda.gridsize(1)\na[0] > a[1]")
    assert [] == kinds("b[0] = a[0] == a[1]\nb[1] = i + 1\nreturn a[0] > a[1]")


def test_two_values_exchanged_one_by_one_are_told():
    assert ["habit"] == kinds("if a[0] > a[1]:\n    a[0] = a[1]\n    a[1] = a[0]")
    assert [] == kinds("if a[0] > a[1]:\n    x = a[0]\n    a[0] = a[1]\n    a[1] = x")
    assert [] == kinds("a[0] = a[1]\na[1] = a[2]\na[0] = 1\nb[0] = a[0]")


def test_what_any_line_may_do_is_told_in_a_helper_as_well():
    helper, kernel = ast.parse("def f(x):\n    x[0] == 1\ndef kernel(a):\n    f(a)").body

    assert [] == source_findings(kernel)
    assert ["dropped_value"] == [one.kind for one in source_findings(kernel, helpers={"f": helper})]


def test_reductions_are_found_however_they_are_written():
    body = "b[0] = np.sum(a)\nb[1] = a.max()\nb[2] = sum(a)\nb[3] = numpy.mean(a)"
    assert ["whole_array_reduction"] * 4 == kinds(body, arrays="ab")


def test_reductions_of_single_elements_rows_and_scalars_are_fine():
    body = "b[0] = max(a[0], a[1])\nb[1] = np.sum(a[0])\nb[2] = min(n, 3)\nb[3] = cuda.atomic.max(b, 0, 1)"
    assert [] == kinds(body, arrays="ab")


def test_x_as_the_row_is_noted_with_arithmetic_on_either_index_too():
    assert ["grid_axes"] == kinds("i, j = cuda.grid(2)\nb[i, j] = a[i, j]")
    assert ["grid_axes"] == kinds("i, j = cuda.grid(2)\nb[0, 0] = a[2 * i + 1, j - 1]")


def test_x_as_the_column_is_fine():
    assert [] == kinds("col, row = cuda.grid(2)\nb[row, col] = a[row, col]\nb[col, col] = a[row + col, row]")


def test_one_dynamic_array_or_slices_of_it_are_fine():
    assert ["dynamic_shared_alias"] == kinds("s = cuda.shared.array(0, f4)\nt = cuda.shared.array(0, i4)")
    assert ["dynamic_shared_alias"] == kinds("s = cuda.shared.array(shape=0, dtype=f4)\nt = cuda.shared.array(0, i4)")
    assert [] == kinds("s = cuda.shared.array(0, f4)\nt = cuda.shared.array(0, i4)[64:]")
    assert [] == kinds("s = cuda.shared.array(0, f4)\nt = cuda.shared.array(0, i4)\nu = t[64:]")
    assert [] == kinds("s = cuda.shared.array(8, f4)\nt = cuda.shared.array(9, i4)")


def test_exceptions_are_noted_once_with_every_line():
    text = "@cuda.jit\ndef kernel(a):\n    assert a.size\n    if a.size > 9:\n        raise ValueError\n"
    (finding,) = source_findings(ast.parse(text).body[0])
    assert ("silent_exception", "note", (3, 5)) == (finding.kind, finding.severity, finding.lines)


def test_a_host_function_may_raise():
    text = "@decorated\ndef host(a):\n    raise ValueError\n"
    assert [] == source_findings(ast.parse(text).body[0])


def test_who_is_here_is_no_mask_of_who_should_be():
    assert ["active_mask"] == kinds("b[0] = cuda.ballot_sync(cuda.activemask(), a[0] > 0)")
    assert ["active_mask"] == kinds("m = cuda.activemask()\nb[0] = cuda.shfl_sync(m, a[0], 0)\ncuda.syncwarp(m)")
    assert [] == kinds("m = cuda.ballot_sync(-1, a[0] > 0)\nb[0] = cuda.shfl_sync(m, a[0], 0)")
    assert [] == kinds("m = cuda.activemask()\nb[0] = cuda.popc(m)")
