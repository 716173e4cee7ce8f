import pytest

from autograder.classroom.reading import gate
from autograder.classroom.reading.extract import extract
from autograder.classroom.reading.scope import NotAllowed, Scope
from tests.autograder.classroom.conftest import SETUP

KERNEL = "@cuda.jit\ndef scale(factor, src, dst):\n    i = cuda.grid(1)\n    {body}\n"


def taken(text: str, function: str = "scale"):
    """What extract takes from a cell, after the gate has passed it."""
    scope = Scope.of_trusted([SETUP])
    found = extract(text, frozenset({function}), scope)
    gate.check(found.source, scope)
    return found


def test_a_kernel_keeps_its_lines_and_everything_round_it_is_left_alone():
    found = taken("import os\nprint('hello')\n\n" + KERNEL.format(body="dst[i] = src[i]") + "scale[1, 32](2, x, y)\n")

    assert ["", "", "", "@cuda.jit", "def scale(factor, src, dst):"] == found.source.split("\n")[:5]
    assert "    dst[i] = src[i]" == found.source.split("\n")[6]
    assert [(1, "import os"), (2, "print('hello')"), (8, "scale[1, 32](2, x, y)")] == [
        (n.line, n.text) for n in found.not_run
    ]


def test_device_functions_constants_and_comments_come_along():
    text = "HALF = float32(0.5)\nWIDTH = 2 * TILE\n\n"
    text += "@cuda.jit(device=True)\ndef half(x):\n    # by half\n    return HALF * x\n\n"

    found = taken(text + KERNEL.format(body="dst[i] = half(src[i]) + WIDTH"))

    assert found.source.startswith(text.replace("2 * TILE", "64"))


@pytest.mark.parametrize("text", ["W, H = 2 * TILE, 4\n", "W, H = (TILE, 2)\n"])
def test_constants_may_come_in_pairs(text):
    assert text.split("=")[0] in taken(text + KERNEL.format(body="dst[i] = W * H")).source


@pytest.mark.parametrize("text", ["W: int = 4\n", "W = V = 4\n", "W = 2\nW *= 2\n", "W: int\nW = 4\n"])
def test_constants_may_be_annotated_chained_and_changed(text):
    assert "W = 4" in taken(text + KERNEL.format(body="j: int = i\n    dst[j] = W")).source


def test_constants_that_no_kernel_needs_are_left_alone():
    found = taken("BLOCKS = 10 ** 99\nFILE: str = open('x')\n" + KERNEL.format(body="dst[i] = 1"))

    assert ["BLOCKS = 10 ** 99", "FILE: str = open('x')"] == [left.text for left in found.not_run]


def test_small_tables_may_be_made_with_numpy():
    text = "TAPS = np.array([1, 4, 1], np.float32) / np.float32(6)\nGAUSS = np.outer(TAPS, TAPS)\n"

    assert text in taken(text + KERNEL.format(body="dst[i] = GAUSS[0, 0]")).source


@pytest.mark.parametrize(
    "table",
    [
        "np.zeros(10 ** 9)",
        "np.zeros((10 ** 5, 10 ** 5))",
        "np.arange(1e18)",
        "np.linspace(0, 1, 10 ** 9)",
        "np.outer(np.zeros(60000), np.zeros(60000))",
        "np.array(['a'])",
        "np.array([1], dtype='O')",
        "np.array([1], like=open('x'))",
        "np.array([1]).tofile('x')",
        "np.array(open)",
        "np.zeros(-1)",
        "np.zeros((60000, 1)) * np.zeros((1, 60000))",
        "np.zeros(3) + np.zeros(4)",
        "np.zeros(())[()]",
    ],
)
def test_no_other_table_is_made(table):
    with pytest.raises(NotAllowed):
        taken(f"TABLE = {table}\n" + KERNEL.format(body="dst[i] = TABLE[i]"))


def test_whatever_values_the_units_setup_defines_may_be_used_by_name():
    scope = Scope.of_trusted([SETUP + "A, B = make()\nTABLE = np.arange(9)\n"])

    found = extract(KERNEL.format(body="dst[i] = A + B + TABLE[i]"), frozenset({"scale"}), scope)

    gate.check(found.source, scope)


def test_signatures_annotations_and_other_options_are_taken_off():
    text = '@cuda.jit("void(float32[:])", fastmath=True, link=open("x"))\n'
    text += "def scale(factor: print(1), src, dst=2) -> print(2):\n"

    found = taken(text + "    dst[0] = src[0]\n")

    assert ["@cuda.jit(fastmath=True)", "def scale(factor, src, dst=2):"] == found.source.split("\n")[:2]


def test_a_function_that_is_not_needed_is_not_taken():
    found = taken("def other():\n    import os\n    os.remove('x')\n" + KERNEL.format(body="dst[i] = 1"))

    assert "remove" not in found.source


def test_an_import_gives_the_names_that_a_kernel_may_use_and_leaves_the_others():
    text = "from numba import cuda, njit, float32\nimport os, math\n" + KERNEL.format(body="dst[i] = math.pi")

    found = extract(text, frozenset({"scale"}), Scope())

    assert ["from numba import cuda, float32", "import math"] == found.source.split("\n")[:2]
    assert [(1, "from numba import njit"), (2, "import os")] == [(left.line, left.text) for left in found.not_run]


def test_what_a_unit_imports_for_itself_takes_nothing_else_of_that_import_away_and_stays_its_own():
    scope = Scope.of_trusted(["from numba import cuda, njit, prange"])

    assert "cuda" in scope.modules and {"njit"} == scope.opaque
    for text in (KERNEL.format(body="njit(scale)"), "@njit\n" + KERNEL.format(body="dst[i] = 1").partition("\n")[2]):
        with pytest.raises(NotAllowed, match="njit"):
            gate.check(extract(text, frozenset({"scale"}), scope).source, scope)


def test_what_a_formatter_breaks_before_an_operator_is_judged_as_it_was_typed():
    body = "j = (\n        i\n        % 7\n    )\n    if (\n        j\n        != -1\n    ):\n        dst[i] = 1"
    found = taken("%time\n" + KERNEL.format(body=body))

    assert found.source.endswith(KERNEL.format(body=body))
    assert [(1, "%time")] == [(left.line, left.text) for left in found.not_run]


def test_magics_do_not_stop_a_cell_from_being_read():
    assert "def scale" in taken("%load_ext autoreload\n!ls\n" + KERNEL.format(body="dst[i] = 1")).source


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("WIDTH = open('x').read()\n" + KERNEL.format(body="dst[i] = WIDTH"), "WIDTH", 1),
        ("WIDTH = 9 ** 9 ** 9\n" + KERNEL.format(body="dst[i] = WIDTH"), "too large", 1),
        ("@evil\n" + KERNEL.format(body="dst[i] = 1"), "@evil", 1),
        ("@cuda.jit\ndef scale(factor, src, dst=print(1)):\n    dst[0] = 1\n", "default argument", 2),
        ("class scale:\n    pass\n", "scale", 1),
        ("scale = lambda f, s, d: print(1)\n", "scale", 1),
        ("def scale(:\n", "not Python", 1),
        (KERNEL.format(body="import os"), "an import", 4),
        (KERNEL.format(body="eval('1')"), "`eval`", 4),
        (KERNEL.format(body="dst[i] = src.__class__"), ".__class__", 4),
        (KERNEL.format(body="np.save('x', dst)"), "np.save", 4),
        (KERNEL.format(body="cuda.declare_device('f', 'int32()')"), "cuda.declare_device", 4),
        (KERNEL.format(body="cuda.grid = 3"), "cuda.grid", 4),
        (KERNEL.format(body="src.tofile('x')"), ".tofile", 4),
        (KERNEL.format(body="math.__loader__.load_module('os')"), "math.__loader__", 4),
        (KERNEL.format(body="exercise('x')"), "exercise", 4),
        (KERNEL.format(body="a = [x for x in src]"), "list comprehension", 4),
        (KERNEL.format(body="with open('x'): pass"), "`with`", 4),
        ("from os import system as sqrt\n" + KERNEL.format(body="sqrt('x')"), "from os import system", 1),
        ("cuda = __import__('os')\n" + KERNEL.format(body="dst[i] = 1"), "cuda", 1),
        ("from numba import cuda, njit\n" + KERNEL.format(body="njit(scale)"), "from numba import njit", 1),
        ("from numba import cuda, njit\n" + KERNEL.format(body="dst[i] = 1").replace("@cuda.jit", "@njit"), "njit", 1),
        ("import math, os as np\n" + KERNEL.format(body="dst[i] = np.sqrt(src[i])"), "import os", 1),
        ("import os as np\n" + KERNEL.format(body="dst[i] = np.sqrt(src[i])"), "import os", 1),
        (KERNEL.format(body="dst[i] = (lambda: 1)()"), "a lambda", 4),
    ],
)
def test_what_needs_running_is_refused_with_its_line(text, says, line):
    with pytest.raises(NotAllowed) as refusal:
        taken(text)

    assert says in str(refusal.value)
    assert line == refusal.value.line


def test_a_deeply_nested_expression_is_refused_and_does_not_crash():
    with pytest.raises(NotAllowed):
        taken(KERNEL.format(body="dst[i] = " + "(" * 5000 + "1" + ")" * 5000))
