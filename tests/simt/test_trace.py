"""From a kernel's source to findings, notes and counters."""

import numpy as np
import pytest

import simt
from simt.analyses.counters import COUNTERS
from simt.errors import DeadlineExceeded
from simt.lanes.meter import worked_s
from simt.tracing import Tracer
from tests.simt import kernels
from tests.simt.synthetic import line_of


def floats(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def zeros(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def only(trace):
    assert 1 == len(trace.findings), [finding.message for finding in trace.findings]
    return trace.findings[0]


def test_a_right_kernel_has_no_findings_no_notes_and_every_counter():
    a, b, out = floats(1000), floats(1000), zeros(1000)

    trace = simt.trace(kernels.guarded_add, 4, 256, a, b, out)

    assert ([], []) == (trace.findings, trace.notes)
    assert set(COUNTERS) == set(trace.counters)
    assert (a + b == out).all()


def test_bytes_are_what_the_threads_asked_for_to_the_byte():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000))

    assert (8000, 4000) == (trace.counters["global_load_bytes"], trace.counters["global_store_bytes"])
    assert (4000, 4000) == (trace.bytes_by_array()["a"].load_bytes, trace.bytes_by_array()["a"].array_bytes)
    assert 64 == trace.counters["global_load_requests"]
    assert 250 == trace.counters["global_load_sectors"]


def test_a_missing_guard_is_out_of_bounds_for_both_arrays_of_the_line():
    trace = simt.trace(kernels.unguarded_scale, 2, 64, floats(100), zeros(100))

    assert ["out_of_bounds", "out_of_bounds"] == [finding.kind for finding in trace.findings]
    assert ["x", "out"] == [finding.array for finding in trace.findings]
    assert (line_of(kernels.unguarded_scale, "no guard"),) == trace.findings[0].lines


def test_a_negative_index_that_wraps_is_out_of_bounds():
    found = only(simt.trace(kernels.left_neighbour, 2, 64, floats(128), zeros(128)))

    assert ("out_of_bounds", True, (-1,)) == (found.kind, found.detail["wraps"], found.detail["index"])


def test_a_missing_barrier_is_a_race_with_both_lines():
    kernel = kernels.reverse_without_barrier

    found = only(simt.trace(kernel, 1, 64, floats(64), zeros(64)))

    assert ("race", (line_of(kernel, "writes"), line_of(kernel, "reads"))) == (found.kind, found.lines)
    assert "with no barrier between them" in found.message
    assert "Put cuda.syncthreads() after line" in found.remedy


def test_a_tree_with_barriers_is_clean_and_right():
    x, out = floats(256), zeros(4)

    assert [] == simt.trace(kernels.tree_sum, 4, 64, x, out).findings
    assert (x.reshape(4, 64).sum(1) == out).all()


def test_a_tree_without_its_barrier_races_with_the_previous_turn_of_the_loop():
    kernel = kernels.tree_sum_without_barrier

    found = only(simt.trace(kernel, 1, 64, floats(64), zeros(1)))

    assert ("race", (line_of(kernel, "races"),)) == (found.kind, found.lines)
    assert "in the previous iteration of the loop" in found.message
    assert "outside the if" in found.remedy


def test_a_barrier_in_a_branch_comes_before_whatever_follows_from_it():
    kernel = kernels.tree_sum_barrier_in_if

    trace = simt.trace(kernel, 1, 64, floats(64), zeros(1))

    found = trace.findings[0]
    assert ("barrier_divergence", (line_of(kernel, "waits"), line_of(kernel, "splits"))) == (
        found.kind,
        found.lines,
    )


def test_reading_what_nobody_wrote_is_found():
    found = only(simt.trace(kernels.half_written, 1, 64, zeros(64)))

    assert ("uninitialised_read", (line_of(kernels.half_written, "reads"),)) == (found.kind, found.lines)


def test_an_output_that_starts_without_values_must_be_written_before_it_is_read():
    kernel = kernels.lost_updates

    trace = simt.trace(kernel, 1, 1, floats(1), zeros(1), initialised=("x",))

    assert ["uninitialised_read"] == [finding.kind for finding in trace.findings]


def test_adding_without_an_atomic_is_a_race_between_blocks():
    found = only(simt.trace(kernels.lost_updates, 4, 64, floats(256), zeros(1)))

    assert ("race", "grid", True) == (found.kind, found.detail["scope"], found.detail["lost_update"])
    assert "cuda.atomic.add(out" in found.remedy


def test_a_shuffle_in_a_branch_names_the_absent_lanes():
    found = only(simt.trace(kernels.shuffle_in_branch, 1, 64, floats(64), zeros(64)))

    assert ("warp_mask", (line_of(kernels.shuffle_in_branch, "shuffles"),)) == (found.kind, found.lines)


def test_a_spin_lock_that_cannot_end_is_a_deadlock():
    found = only(simt.trace(kernels.spin_forever, 1, 32, zeros(1, dtype=np.int32)))

    assert ("deadlock", (line_of(kernels.spin_forever, "spins"),)) == (found.kind, found.lines)


def test_returning_before_a_barrier_is_a_note():
    trace = simt.trace(kernels.returns_early, 1, 64, floats(48), zeros(48))

    assert [] == trace.findings
    assert [(line_of(kernels.returns_early, "missed"),)] == [note.lines for note in trace.notes]


def test_an_impossible_launch_is_a_finding():
    found = only(simt.trace(kernels.guarded_add, 1, 2048, floats(8), floats(8), zeros(8)))

    assert "invalid_launch" == found.kind


def test_the_last_block_pattern_is_a_note_and_right():
    x, out = floats(256), zeros(1)

    trace = simt.trace(kernels.last_block_adds, 4, 64, x, zeros(4), zeros(1, dtype=np.int32), out)

    assert [] == trace.findings
    assert ["race"] == [note.kind for note in trace.notes]
    assert x.sum() == out[0]


def test_a_tiled_transpose_counts_what_nsight_compute_counts():
    """1024 x 1024 floats, 32 x 8 threads, unpadded tile; measured on an H200."""
    src, dst = floats(1024, 1024), zeros(1024, 1024)

    trace = simt.trace(kernels.transpose_unpadded, (32, 32), (32, 8), src, dst, races=False)

    names = ("global_load_requests", "global_load_sectors", "global_store_sectors")
    assert (32768, 131072, 131072) == tuple(trace.counters[name] for name in names)
    assert 1015808 == trace.counters["shared_load_bank_conflicts"]
    assert 0 == trace.counters["shared_store_bank_conflicts"]
    assert (src.T == dst).all()


def test_a_block_sum_takes_the_passes_nsight_compute_counts():
    """4,096 floats in blocks of 256; 400 load and 320 store passes measured on an H200."""
    trace = simt.trace(kernels.block_sum, 16, 256, floats(4096), zeros(16))

    names = ("shared_load_wavefronts", "shared_store_wavefronts", "shared_load_bank_conflicts")
    assert (400, 320, 0) == tuple(trace.counters[name] for name in names)


def test_padding_the_tile_removes_every_conflict():
    trace = simt.trace(kernels.transpose_padded, 1, (32, 32), floats(32, 32), zeros(32, 32))

    assert ([], 0) == (trace.findings, trace.counters["shared_load_bank_conflicts"])


@pytest.mark.parametrize(("stride", "requests"), [(1, 2048), (2, 1024), (8, 256)])
def test_a_strided_copy_moves_the_same_sectors_with_fewer_requests(stride, requests):
    x, out = floats(1 << 16), zeros(1 << 16)

    trace = simt.trace(kernels.copy_strided, (1 << 16) // stride // 256, 256, x, out, stride)

    assert (requests, 8192) == tuple(trace.counters[f"global_load_{name}"] for name in ("requests", "sectors"))


def test_a_histogram_counts_its_atomics_and_their_hottest_bin():
    x = np.tile(np.arange(64, dtype=np.int32), 16)
    x[:100] = 7
    bins = zeros(64, dtype=np.int32)

    trace = simt.trace(kernels.histogram, 4, 256, x, bins)

    assert 1024 == trace.counters["atomic_operations"]
    assert 32 == trace.counters["atomic_max_contention"]
    assert bins.max() == trace.counters["atomic_hottest_cell"]


def test_rows_by_line_carry_the_source_line_and_add_up_to_the_counters():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000))

    rows = trace.by_line()
    assert ["i = cuda.grid(1)", "if i < out.size:", "out[i] = a[i] + b[i]"] == [row["text"] for row in rows]
    for name in ("global_load_sectors", "warp_instructions", "divergent_branches"):
        assert trace.counters[name] == sum(row[name] for row in rows)


def test_rows_by_site_keep_the_accesses_of_one_line_apart():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000))

    loads = {row["text"]: row["global_load_bytes"] for row in trace.by_site() if row["global_load_bytes"]}
    assert {"a[i]": 4000, "b[i]": 4000} == loads


def test_several_launches_add_up_and_writing_an_input_is_found():
    tracer = Tracer(read_only=("out",))
    for _ in range(3):
        tracer.launch(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000))

    trace = tracer.result()
    assert (24000, 3) == (trace.counters["global_load_bytes"], len(trace.launches))
    assert ["write_to_input"] == [finding.kind for finding in trace.findings]


def test_the_order_of_blocks_changes_no_finding():
    def findings(seed):
        trace = simt.trace(kernels.lost_updates, 700, 64, floats(44800), zeros(1), seed=seed)
        return [(finding.kind, finding.lines, finding.detail["scope"]) for finding in trace.findings]

    assert findings(None) == findings(1) == findings(2)


def test_the_same_trace_twice_says_the_same():
    def messages():
        trace = simt.trace(kernels.tree_sum_without_barrier, 3, 64, floats(192), zeros(3))
        return [(finding.message, finding.remedy, finding.count) for finding in trace.findings]

    assert messages() == messages()


def test_the_first_blocks_stand_for_a_large_launch():
    trace = simt.trace(kernels.guarded_add, 1024, 256, *(floats(1 << 18) for _ in range(3)), max_blocks=128)

    assert 128 * 8 == trace.counters["global_store_requests"]


def test_a_deadline_is_passed_on():
    with pytest.raises(DeadlineExceeded):
        simt.trace(kernels.guarded_add, 4, 256, floats(8), floats(8), zeros(8), deadline=worked_s() - 1)


def test_a_recording_keeps_the_first_warps_of_each_access():
    trace = simt.trace(kernels.guarded_add, 4, 256, floats(1000), floats(1000), zeros(1000), record=True)

    kept = [(picture.site.text, picture.kind, picture.warp) for picture in trace.recording.accesses]
    assert [("a[i]", "load", 0), ("a[i]", "load", 1), ("b[i]", "load", 0)] == kept[:3]
    assert list(range(32)) == trace.recording.accesses[0].cells.tolist()


def test_a_recording_keeps_accesses_of_every_kernel_of_a_host_function():
    tracer = Tracer(record=True)
    tracer.launch(kernels.tree_sum, 2, 64, floats(128), zeros(2))
    tracer.launch(kernels.guarded_add, 1, 32, floats(32), floats(32), zeros(32))

    kept = tracer.result().recording
    assert {"tree_sum", "guarded_add"} == {picture.site.function for picture in kept.accesses}
    assert {"tree_sum"} == {moment.function for moment in kept.moments}


def test_dynamic_shared_memory_written_as_floats_may_be_read_as_integers():
    x, out = floats(64), zeros(64, dtype=np.int32)

    trace = simt.trace(kernels.bits_of_floats, 1, 64, x, out, dynamic_shared_bytes=256)

    assert [] == trace.findings
    assert (x[::-1].view(np.int32) == out).all()


def test_a_lock_with_a_fence_is_no_race_and_adds_up():
    total = zeros(1, dtype=np.int64)

    trace = simt.trace(kernels.locked_add, 2, 32, zeros(1, dtype=np.int32), total)

    assert ([], 64) == (trace.findings, total[0])
