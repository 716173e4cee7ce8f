"""Lint on real kernels, through the real compiler."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from autograder.lint import LintReport, lint, signature_of
from autograder.lint.compiler import ARCHITECTURE_VARIABLE, gpu_architecture, unavailable_reason
from autograder.plain_data import from_json
from tests.autograder.lint import kernels

pytestmark = pytest.mark.skipif(bool(unavailable_reason()), reason=unavailable_reason() or "compiler present")

LINE = np.zeros(64, np.float32)
ROOT = Path(__file__).parents[3]
TABLE = np.zeros((8, 8), np.float32)


def linted(kernel, *values, **options):
    return lint(kernel, signature_of(values), **options)


def float64_findings(report):
    return [finding for finding in report.findings if finding.misconception == "float64_arithmetic"]


def line_in(kernel, text):
    """The line of `text` in the file that defines the kernel."""
    with open(kernels.__file__, encoding="utf-8") as file:
        numbered = list(enumerate(file, 1))
    first = kernel.py_func.__code__.co_firstlineno
    return next(number for number, line in numbered if number >= first and text in line)


def test_the_first_compilation_of_a_process_loads_no_linear_algebra_for_the_cpu():
    """numba.cuda looks for a BLAS in SciPy, which takes a fifth of the first check of a session."""
    text = """
        import sys, numpy
        from autograder.lint import lint, signature_of
        from tests.autograder.lint import kernels
        assert lint(kernels.copy, signature_of((numpy.zeros(64, "f"),) * 2)).ok
        print("numba.cuda.np.arraymath" in sys.modules, "scipy.linalg" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, cwd=ROOT)
    assert "True False" == done.stdout.strip(), done.stderr


def test_where_cudas_library_sees_no_gpu_kernels_are_compiled_as_where_there_is_none(monkeypatch):
    """As with a driver and a hidden GPU: numba raises the first time that it is asked, and never again."""
    from numba.cuda.cudadrv.driver import CudaAPIError, driver

    def sees_none(_flags):
        raise CudaAPIError(100, "no device")

    monkeypatch.delenv(ARCHITECTURE_VARIABLE, raising=False)
    for name, value in {"cuInit": sees_none, "is_initialized": False, "initialization_error": None}.items():
        monkeypatch.setitem(vars(driver), name, value)
    gpu_architecture.cache_clear()
    try:
        assert "" == gpu_architecture()
    finally:
        gpu_architecture.cache_clear()


def test_a_plain_kernel_is_ok_and_has_facts_for_every_architecture_asked_for():
    report = linted(kernels.copy, LINE, LINE, architectures=("sm_75", "sm_90"))
    assert report.ok and ["sm_75", "sm_90"] == list(report.facts)
    assert all(facts.registers > 0 and facts.shared_bytes == 0 for facts in report.facts.values())


def test_static_shared_memory_is_the_tile_to_the_byte():
    report = linted(kernels.transpose, TABLE, TABLE, architectures=("sm_80", "sm_90"))
    assert [4 * 32 * 33] * 2 == [facts.shared_bytes for facts in report.facts.values()]


def test_a_plain_function_is_linted_like_its_kernel():
    assert linted(kernels.copy, LINE, LINE).facts == linted(kernels.copy.py_func, LINE, LINE).facts


def test_a_float64_array_silences_the_float64_finding():
    doubles = np.zeros(64)
    assert [] == float64_findings(linted(kernels.in_double, doubles, LINE))
    assert 1 == len(float64_findings(linted(kernels.in_double, LINE, LINE)))


def test_arithmetic_that_the_optimiser_narrows_to_float32_is_not_reported():
    assert [] == float64_findings(linted(kernels.narrowed, LINE, LINE))


def test_the_double_precision_inside_sinf_is_not_the_learners():
    assert [] == float64_findings(linted(kernels.sine, LINE, LINE))


def test_a_literal_in_a_device_function_is_found_on_its_own_line():
    (finding,) = float64_findings(linted(kernels.through_a_helper, LINE, LINE))
    assert (line_in(kernels.scaled, "value * SCALE"),) == finding.lines
    assert "`SCALE`" in finding.says


def test_several_literals_on_one_line_are_one_mistake():
    (finding,) = float64_findings(linted(kernels.many_literals, LINE, LINE))
    assert "`0.3`, `0.7` and `0.9` are float64" in finding.says


def test_an_integer_in_a_loop_whose_variables_make_each_other_double_is_named():
    (finding,) = float64_findings(linted(kernels.double_by_each_other, LINE, LINE))

    assert "`2` is an integer" in finding.says
    assert line_in(kernels.double_by_each_other, "2 * zr * zi") in finding.lines


def test_a_division_of_integers_is_named():
    (finding,) = float64_findings(linted(kernels.integer_division, LINE, LINE))
    assert "`i / src.size` divides integers" in finding.says


def test_float64_that_is_asked_for_is_a_note():
    findings = float64_findings(linted(kernels.on_purpose, LINE, LINE))
    assert ["note"] == [finding.severity for finding in findings]


@pytest.mark.parametrize(
    ("kernel", "values", "text"),
    [(kernels.step_in_double, (LINE, LINE, np.float32(1)), "`np.float64(dt)`"),
     (kernels.double_through_libdevice, (LINE, LINE), "`np.double(")],
    ids=["a scalar", "an element"],
)  # fmt: skip
def test_a_float32_that_is_made_a_float64_is_named(kernel, values, text):
    (finding,) = float64_findings(linted(kernel, *values))

    assert text in finding.says


def test_integer_division_is_noted_on_its_line():
    notes = [finding for finding in linted(kernels.divides_indices, LINE, LINE).findings if "division" in finding.kind]
    assert [(line_in(kernels.divides_indices, "i // dst.size"),)] == [note.lines for note in notes]


def test_the_division_that_counts_the_turns_of_a_range_is_not_the_learners():
    assert [] == [one for one in linted(kernels.strides_over_the_grid, LINE, LINE).findings if "division" in one.kind]


@pytest.mark.parametrize("kernel", [kernels.weighed_in_double, kernels.weighed_in_double_directly])
def test_a_float64_array_of_the_module_is_named_as_what_makes_a_line_double(kernel):
    (finding,) = float64_findings(linted(kernel, LINE, LINE))
    assert "warning" == finding.severity
    assert "because the array `WIDE_WEIGHTS` is float64" in finding.says
    assert "WIDE_WEIGHTS = np.array(..., np.float32)" in finding.remedy


def test_max_registers_of_the_kernel_is_honoured():
    assert all(facts.registers <= 32 for facts in linted(kernels.limited, LINE, LINE).facts.values())


def test_the_wrong_number_of_arguments_is_told_with_both_numbers():
    report = linted(kernels.copy, LINE, LINE, LINE)
    assert "Your kernel takes 2 arguments (src, dst), the exercise passes 3" in report.error.says
    assert (line_in(kernels.copy, "def copy"),) == report.error.lines


def test_a_report_survives_json():
    for report in (linted(kernels.in_double, LINE, LINE), linted(kernels.copy, LINE)):
        document = json.loads(json.dumps(report.to_json(), allow_nan=False))
        assert report.ok is document.pop("ok")
        assert report == from_json(LintReport, document)


def test_text_names_severity_line_and_remedy():
    text = str(linted(kernels.in_double, LINE, LINE))
    assert f"warning: float64_arithmetic, line {line_in(kernels.in_double, '0.1')}" in text
    assert "Write float32(0.1)." in text


def test_the_learners_device_functions_are_left_as_they_were():
    before = dict(kernels.scaled.targetoptions)
    linted(kernels.through_a_helper, LINE, LINE)
    assert before == kernels.scaled.targetoptions


def test_without_the_compiler_the_report_says_why_and_nothing_else(monkeypatch):
    monkeypatch.setattr("autograder.lint.unavailable_reason", lambda: "numba-cuda is not installed")
    report = linted(kernels.in_double, LINE, LINE)
    assert (False, False, {}, ()) == (report.available, report.ok, dict(report.facts), report.findings)
    assert "not compiled here. numba-cuda is not installed" in str(report)


BYTES, COUNTS = np.zeros(64, np.uint8), np.zeros(256, np.int32)


@pytest.mark.parametrize(
    ("kernel", "told"),
    [
        (kernels.counts_in_float, "# counted"),
        (kernels.counts_pass_through_float, "# converted"),
        (kernels.float_is_stored_as_it_is, "# added"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_whole_numbers_that_go_through_a_float32_are_told_where_they_do(kernel, told):
    (finding,) = [one for one in linted(kernel, BYTES, COUNTS).findings if one.kind == "float_index"]

    assert (line_in(kernel, told),) == finding.lines


def test_whole_numbers_that_a_device_function_adds_up_as_float32_are_told_in_it():
    (finding,) = [
        one for one in linted(kernels.sums_in_float_elsewhere, BYTES, COUNTS).findings if one.kind == "float_index"
    ]

    assert (line_in(kernels.added_up_in_float, "acc +="),) == finding.lines


@pytest.mark.parametrize("kernel", [kernels.scaled_bytes, kernels.compared_in_float])
def test_floats_that_are_no_sums_of_whole_numbers_are_not_told(kernel):
    assert [] == [one for one in linted(kernel, BYTES, COUNTS).findings if one.kind == "float_index"]


def test_sums_of_floats_are_not_told_where_an_argument_is_made_of_floats():
    findings = linted(kernels.counts_in_float, BYTES, LINE).findings

    assert [] == [one for one in findings if one.kind == "float_index"]
