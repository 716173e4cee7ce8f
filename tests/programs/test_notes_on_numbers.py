"""Notes on numbers: what does not fit, begins again at the other end, is divided by 0, or never wins."""

import pytest

from tests.programs.test_notes import told

PROGRAMS = {
    "narrowed": """
        @cuda.jit
        def share(a, total, out):
            i = cuda.grid(1)
            out[i] = a[i] / total
        share[1, 4](np.arange(4), 6, np.zeros(4, np.int64))
        """,
    "unsigned_difference": """
        @cuda.jit
        def darker(a, b, out):
            i = cuda.grid(1)
            if a[i] - b[i] < 0:
                out[i] = 1
        darker[1, 4](np.arange(4, dtype=np.uint8), np.full(4, 2, np.uint8), np.zeros(4))
        """,
    "division_by_zero": """
        @cuda.jit
        def mean(total, count, out):
            i = cuda.grid(1)
            out[i] = total[i] // count[i]
        mean[1, 4](np.ones(4, np.int64), np.arange(4), np.zeros(4))
        """,
    "overflow": """
        @cuda.jit
        def factorial(out):
            r = 1
            for k in range(2, out.size):
                r *= k
            out[0] = r
        factorial[1, 1](np.zeros(22))
        """,
    "never_better": """
        @cuda.jit
        def greatest(x, best):
            cuda.atomic.max(best, 0, x[cuda.grid(1)])
        greatest[1, 4](np.arange(-4.0, 0.0), np.zeros(1))
        """,
}
RIGHT = {
    "narrowed": PROGRAMS["narrowed"].replace("np.arange(4), 6", "np.arange(4), 2"),
    "unsigned_difference": PROGRAMS["unsigned_difference"].replace("uint8", "int8"),
    "division_by_zero": PROGRAMS["division_by_zero"].replace("np.arange(4)", "np.arange(1, 5)"),
    "overflow": PROGRAMS["overflow"].replace("22", "21"),
    "never_better": PROGRAMS["never_better"].replace("np.zeros(1)", "np.full(1, -np.inf)"),
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_it_is_told_with_its_line_and_not_where_all_is_well(kind):
    (report,) = told(PROGRAMS[kind], kind)
    assert report.note and report.finding.remedy and report.places
    assert [] == told(RIGHT[kind], kind)


STORES = {
    "float16": ("float32", "float16", 70_000.0, "inf is what stays"),
    "a difference below 0": ("uint8", "float64", 3, "difference below 0 of unsigned integers"),
    "a fraction of a byte": ("float64", "uint8", 0.25, "the fraction is cut"),
}


@pytest.mark.parametrize("name", STORES)
def test_a_number_that_its_element_cannot_hold_is_told(name):
    given, held, value, says = STORES[name]
    program = f"""
        @cuda.jit
        def copy(a, out):
            out[0] = a[0] - a[1]
        copy[1, 1](np.array([{value if given != "uint8" else 0}, {0 if given != "uint8" else value}], np.{given}),
                   np.zeros(1, np.{held}))
        """
    (report,) = told(program, "narrowed")
    assert says in report.finding.message


ONLY_LAST_BITS = {
    "stored in an integer": "out[i] = a[i] - b[i]",
    "masked": "c = (a[i] - b[i]) & 255\n    out[i] = c",
    "converted": "c = np.int64(a[i] - b[i])\n    out[i] = c",
    "a part of a sum": "out[i] = a[i] - b[i] + a[i]",
}


@pytest.mark.parametrize("body", ONLY_LAST_BITS.values(), ids=ONLY_LAST_BITS)
def test_a_difference_of_which_only_the_last_bits_count_is_none(body):
    head = "@cuda.jit\ndef kernel(a, b, out):\n    i = cuda.grid(1)\n    "
    call = "\nkernel[1, 4](np.zeros(4, np.uint8), np.ones(4, np.uint8), np.zeros(4, np.int64))\n"
    assert [] == told(head + body + call, "unsigned_difference")


def test_numbers_that_wrap_in_a_hash_are_not_told():
    program = """
        @cuda.jit
        def mix(out):
            s = cuda.grid(1)
            for k in range(4):
                s = s * 6364136223846793005 + 1442695040888963407
            out[cuda.grid(1)] = s
        mix[1, 4](np.zeros(4, np.int64))
        """
    assert [] == told(program, "overflow")


def test_a_rounding_that_leaves_something_of_some_numbers_is_meant():
    program = PROGRAMS["narrowed"].replace("np.arange(4), 6", "np.arange(4) * 10, 6")
    assert [] == told(program, "narrowed")


@pytest.mark.parametrize(
    ("dtype", "constant", "notes"),
    [
        ("float32", "0.1", 1),
        ("float64", "0.1", 0),
        ("float32", "0.5", 0),
        ("float64", "np.nan", 1),
        ("int32", "0.5", 0),
    ],
)
def test_a_comparison_that_is_never_true_is_told(dtype, constant, notes):
    program = f"""
        @cuda.jit
        def find(a, out):
            if a[0] == {constant} and out[0] == 0:
                out[0] = 1
        find[1, 1](np.full(1, {constant}).astype(np.{dtype}), np.zeros(1))
        """
    assert notes == len(told(program, "never_equal"))


def test_a_ufunc_s_result_that_is_cut_is_told_at_the_function():
    program = """
        @cuda.vectorize(["{small}(int64)"], target="cuda")
        def cut(a):
            return a
        cut(np.array([2**40 + 1, 7]))
        """
    for small in ("int32", "int16"):
        (note,) = told(program.replace("{small}", small), "narrowed")
        assert "stores 1099511627777 as the result of `cut`, at line" in note.finding.message
        assert "vectorize" not in note.places[0].file
    assert [] == told(program.replace("{small}", "uint32"), "narrowed")  # as a hash is to be


def test_fractions_that_an_atomic_adds_to_integers_are_told_where_nothing_of_any_is_left():
    mean = """
        @cuda.jit
        def mean(x, out):
            cuda.atomic.add(out, 0, x[cuda.grid(1)] / x.size)
        mean[1, 64](np.full(64, 3.0), np.zeros(1, np.{dtype}))
        """
    (report,) = told(mean.format(dtype="int64"), "narrowed")
    assert "the fraction is cut, and 0 is what stays" in report.finding.message
    assert [] == told(mean.format(dtype="float64"), "narrowed")
