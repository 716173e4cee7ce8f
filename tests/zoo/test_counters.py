"""simt counts what Nsight Compute counted on an H200, for the zoo and every kernel of the course. Needs no GPU.

The golden files come from `python -m tests.zoo measure`. A difference is listed with its reason in exceptions.py.
"""

import re
from collections import Counter

import pytest

from simt.analyses.counters import COUNTERS
from tests.zoo import compare, course, exceptions, measure, page
from tests.zoo.catalogue import ENTRIES
from tests.zoo.metrics import INSTRUCTIONS, METRICS

LOADS_ASKED = "shared_load_requests"
LOADS_BESIDE = {  # requests for what is no matrix
    "attention.attention_tensor": 8,  # which instruction makes them is not known
    "compression.sparse_products": 320,  # where the kept weights are
    "engine_kernels.conv_warpgroup": 38,  # which instructions make all of them is not known
    "engine_kernels.conv_split": 2,  # none in the launch after, and the source has none
}
LEAST_PATTERNS = 60
LEAST_EQUAL = 0.95
UNSTEADY = (
    "retried",
    "split",
    "unsteady",
    "waits",
    "arbitration",
    "unknown",
)  # reasons for which a GPU may differ from itself
RETRIES = re.compile(r"ATOMS\.CAST\.SPIN|ATOMG\.E\.CAS")


def differing():
    return {pair.key: pair for pair in compare.pairs() if not pair.equal}


def machine_code(entry):
    """The memory instructions of an entry, by name, each with how often it occurs in all of its launches."""
    launches = measured(entry)["launches"]
    return sum((Counter(launch["instructions"]) for launch in launches), Counter())


def measured(entry):
    """What a golden file says of an entry of the zoo or of the course."""
    part = "zoo" if entry in compare.golden("zoo")["entries"] else "course"
    return compare.golden(part)["entries"][entry]


def entries_because(reason):
    return list(exceptions.of(reason))


def test_every_launch_of_the_zoo_was_measured_and_nothing_else():
    assert {entry.name for entry in ENTRIES} == set(compare.golden("zoo")["entries"])


def test_kernels_that_the_course_no_longer_has_leave_the_golden_file():
    assert set() == set(compare.golden("course")["entries"]) - {entry.name for entry in course.entries()}


def test_every_kernel_of_the_course_was_measured():
    if compare.not_measured():
        names = ", ".join(sorted(compare.not_measured()))
        pytest.skip(f"needs a GPU, as in `python -m tests.zoo measure --only NAME`: {names}")


def test_names_are_unique_and_patterns_many():
    assert len(ENTRIES) == len({entry.name for entry in ENTRIES})
    assert LEAST_PATTERNS <= len({entry.kernel for entry in ENTRIES})


@pytest.mark.parametrize("part", ["zoo", "course"])
def test_golden_files_say_what_they_were_measured_on(part):
    head = compare.golden(part)

    assert all(head[key] for key in ("device", "driver", "date", "tool", "versions"))
    assert "numba-cuda" in head["versions"]


def test_of_counters_that_a_gpu_repeats_at_least_ninety_five_of_a_hundred_are_the_hardware_s():
    equal = [pair.equal for pair in compare.pairs() if pair.repeats]

    assert LEAST_EQUAL <= sum(equal) / len(equal)


def test_no_finding_on_any_correct_kernel_of_the_zoo_or_the_course():
    """Here, since the traces are those that the counters are read from."""
    traces = compare.traces().items()

    assert {} == {name: [finding.message for finding in trace.findings] for name, trace in traces if trace.findings}


def test_a_counter_that_differs_is_listed_with_its_reason():
    differs = [pair for key, pair in differing().items() if key not in compare.listed()]

    assert [] == differs, "if a kernel or its cases changed: python -m tests.zoo measure --only NAME, on a GPU"


def test_a_listed_exception_that_has_become_equal_must_leave_the_list():
    assert [] == sorted(compare.listed() - set(differing()))


def test_every_reason_explains_something_and_nothing_is_explained_without_one():
    of_the_course = {reason for reasons in exceptions.COURSE.values() for reason, _ in reasons}
    assert set(exceptions.REASONS) == {reason for reason, _ in exceptions.ZOO.values()} | of_the_course
    assert set() == set(exceptions.ZOO) & set(exceptions.COURSE)


def test_merged_loads_are_wide_in_the_machine_code():
    for entry in entries_because("merged"):
        assert "LDS.128" in machine_code(entry), entry


def test_unrolled_loops_have_several_copies_of_their_load_or_store():
    for entry in entries_because("unrolled"):
        code = machine_code(entry)
        loads, stores = (sum(n for name, n in code.items() if name.startswith(one)) for one in ("LDG.E", "STG.E"))
        assert loads > 4 or stores > 1, entry


def test_retried_atomics_are_a_loop_of_compare_and_swap_and_differ_from_run_to_run():
    for entry in entries_because("retried"):
        assert any(RETRIES.match(name) for name in machine_code(entry)), entry
        assert "again" in measured(entry), entry


def test_whoever_waits_looks_or_swaps_with_atomics_or_strong_loads():
    for entry in entries_because("waits"):
        assert any(name.startswith("ATOMG") for name in machine_code(entry)), entry


def test_matrices_come_to_registers_by_ldmatrix_alone():
    for entry in entries_because("matrices"):
        of_loads = [pair.measured for key, pair in differing().items() if key == (entry, LOADS_ASKED)]
        assert [LOADS_BESIDE.get(entry, 0)] == of_loads, entry


def test_paired_stores_are_twice_as_wide_and_half_as_many():
    for entry in entries_because("paired"):
        pairs = [pair for pair in differing().values() if pair.entry == entry and "store" in pair.counter]
        assert {2} == {pair.counted / pair.measured for pair in pairs} and "STG.E.64" in machine_code(entry), entry


def test_split_atomics_add_numbers_of_64_bits():
    for entry in entries_because("split"):
        assert any(re.match(r"REDG\.E\.ADD\.(F?64)", name) for name in machine_code(entry)), entry


def test_an_unsteady_counter_was_equal_the_second_time():
    for entry in entries_because("unsteady"):
        pairs = [pair for key, pair in differing().items() if key[0] == entry]
        assert [(pair.counted, False) for pair in pairs] == [(pair.again, pair.repeats) for pair in pairs], entry


def test_only_atomics_differ_from_run_to_run():
    unsteady = {pair.entry for pair in compare.pairs() if not pair.repeats}

    assert unsteady <= {entry for reason in UNSTEADY for entry in entries_because(reason)}


def test_metrics_stand_for_counters_that_simt_has_and_the_page_shows_each_once():
    assert {*METRICS, *INSTRUCTIONS} <= set(COUNTERS)
    shown = [name for name in METRICS for _, _, prefixes in page.ROWS if name.startswith(prefixes)]
    assert list(METRICS) == shown


def test_the_page_quotes_the_golden_files():
    """Mend it with `python -m tests.zoo page`."""
    text = page.PAGE.read_text()

    assert page.written(text) == text


@pytest.mark.gpu
def test_this_gpu_counts_what_the_golden_file_says():
    try:
        rows, launches = measure.profile("load_stride_3")
    except measure.MeasuringError as error:
        pytest.skip(f"no counters of a GPU to read here: {str(error).splitlines()[0]}")
    if measure.device()["device"] != compare.golden("zoo")["device"]:
        pytest.skip(f"the golden file is of another GPU than the {measure.device()['device']} here")
    golden = compare.golden("zoo")["entries"]

    found = measure.matched(rows, launches)

    assert found
    for name, entry in found.items():
        expected = golden[name.partition(":")[2]]["counters"]
        assert {key: expected[key] for key in METRICS} == {key: entry["counters"][key] for key in METRICS}, name
