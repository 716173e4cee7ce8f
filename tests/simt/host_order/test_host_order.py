"""Right pipelines are never accused; of wrong ones, the race is told with both lines and a way out."""

from __future__ import annotations

import inspect
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from autograder.backend import cuda
from simt.cuda_api.dispatcher import intercept
from simt.host_order.watch import watch
from simt.run import launch as interpret
from tests.simt.host_order import right, unseen_right, unseen_right_graphs, unseen_wrong, wrong
from tests.simt.host_order.kernels import scale


@pytest.mark.parametrize("pipeline", right.PIPELINES, ids=lambda function: function.__name__)
def test_a_right_pipeline_is_not_accused(pipeline):
    with watch() as order:
        total = pipeline()

    assert [] == [finding.message for finding in order.findings]
    assert (1500 if pipeline is right.two_streams_with_every_other_element else 2000) == total or total == 2 * right.N


@pytest.mark.parametrize(("pipeline", "says"), wrong.PIPELINES.items(), ids=lambda one: getattr(one, "__name__", ""))
def test_a_race_between_operations_of_the_host_is_told(pipeline, says):
    with watch() as order:
        pipeline()

    told = [finding.message for finding in order.findings]
    assert any(says in message for message in told), told
    assert all(finding.remedy and finding.lines for finding in order.findings)


@pytest.mark.parametrize(
    "pipeline", [*unseen_right.PIPELINES, *unseen_right_graphs.PIPELINES], ids=lambda function: function.__name__
)
def test_a_right_pipeline_that_was_not_in_mind_is_not_accused(pipeline):
    with watch() as order:
        pipeline()

    assert [] == [finding.message for finding in order.findings]


@pytest.mark.parametrize("pipeline", unseen_wrong.PIPELINES, ids=lambda function: function.__name__)
def test_a_mistake_that_was_not_in_mind_is_told_by_its_line(pipeline):
    source, first = inspect.getsourcelines(pipeline)
    (line,) = (first + offset for offset, text in enumerate(source) if text.rstrip().endswith("# here"))

    with watch() as order:
        pipeline()

    assert [line] == [finding.lines[0] for finding in order.findings]


def test_the_lines_are_those_of_the_program():
    with watch() as order:
        wrong.the_result_read_before_the_wait()

    first = wrong.the_result_read_before_the_wait.__code__.co_firstlineno
    assert (first + 5, first + 4) == order.findings[0].lines


def test_nobody_is_told_after_the_block():
    with watch() as order:
        pass

    wrong.a_kernel_in_another_stream_than_the_copy()
    assert ([], []) == (order.findings, order.steps)


def test_a_freed_array_leaves_no_history_to_the_next_one_at_its_address():
    def fill_and_drop(stream):
        array = right.cuda.pinned_array(right.N, "f4")
        array[:] = 1
        right.cuda.to_device(array, stream=stream)
        stream.synchronize()

    with watch() as order:
        for _ in range(5):
            fill_and_drop(right.cuda.stream())

    assert [] == order.findings


def test_threads_of_the_host_with_a_stream_each_are_not_accused():
    """Their launches are told one after the other: what a kernel touched belongs to the launch that it was."""

    def slowly(kernel, *launch, **options):
        time.sleep(0.002)  # in the middle of a launch another thread would begin one
        interpret(kernel, *launch, **options)

    def in_a_stream(number):
        stream, x, out = cuda.stream(), cuda.pinned_array(64, np.float32), cuda.pinned_array(64, np.float32)
        x[:] = number
        d = cuda.to_device(x, stream=stream)
        scale[2, 32, stream](d)
        d.copy_to_host(out, stream=stream)
        stream.synchronize()
        return out[0]

    with watch() as order, intercept(slowly), ThreadPoolExecutor(4) as pool:
        results = list(pool.map(in_a_stream, range(8)))

    assert [2 * number for number in range(8)] == results
    assert [] == [finding.message for finding in order.findings]


def test_an_exception_is_not_told_as_a_copy_that_nobody_waited_for():
    x = np.ones(right.N, "f4")
    with watch() as order, pytest.raises(ZeroDivisionError), right.cuda.pinned(x):
        right.cuda.to_device(x, stream=right.cuda.stream())
        _ = 1 // 0

    assert [] == order.findings
