"""Every message reads as its golden file says, and no message is without an example."""

import re

import pytest

from simt.events import Finding
from tests.golden.findings import catalogue
from tests.golden.findings.catalogue import FILES, HERE, ROOT, messages, rendered

KINDS = (
    "race", "out_of_bounds", "uninitialised_read", "barrier_divergence", "deadlock", "invalid_launch", "unsupported",
    "warp_mask", "write_to_input",
)  # fmt: skip

# Files whose long texts are no messages about a kernel: names, tables, counters, reports.
NO_MESSAGES = {
    "simt/analyses/counters.py", "simt/timing/bound_tables.py", "simt/text/tables.py", "simt/timing/roofline.py",
    "simt/timing/gpus.py", "simt/text/text_tables.py", "simt/__init__.py", "simt/hardware.py", "simt/text/notebook.py",
}  # fmt: skip

TOLD = "told with its cause: tests/autograder/diagnosis/test_told_causes.py"
LIMIT = "the limit of work, and loops that never end: tests/simt/compiling/test_endless.py"
WIDE = "16 bytes at once, and tensor cores: tests/simt/memory/test_wide.py"
SPARSE = "products that leave half out: tests/simt/threads/test_sparse_cores.py"
COPIES = "copies to shared memory beside the threads: tests/simt/memory/test_async_copies.py"
PRODUCTS = "products of warpgroups: tests/simt/threads/test_warpgroups.py"
NAMES = "one row of a table of names"

UNSEEN = {
    "sqrt exp log sin": "names of functions",
    "log sqrt sin cos": "names of functions",
    "sqrt exp expm1 log1p": "names of functions",
    "sum mean prod var": "names of functions",
    "alnum alpha ascii": "names of functions",
    "getattr hasattr repr str": "names of functions",
    "perf_counter|": "a pattern",
    "is read as the program taught numba": "tests/simt/compiling/test_objects_of_the_host.py",
    "Move the barrier out of the condition at line": "tests/simt/programs/test_barrier_places.py",
    "bfloat16 needs the package ml_dtypes in the interpreter": "it takes a machine without that package",
    "acosh cosh log10 sinh": "names of functions",
    "Use operators and the functions of `math` on single numbers": "the lint says it: it takes the compiler",
    "It needs an array of uint32 or uint64, and wraps round": "the lint says it: it takes numba's types",
    "takes one number as the index of an array with one axis": "the lint says it: it takes numba's types",
    "The compiler for the GPU does not take the letter": "said where the compiler refuses one; it takes those we know",
    "Spell the name with the letters a to z": "said where the compiler refuses a letter; it takes those we know",
    "int8 int16 int32": "names of types",
    "uint8 uint16 uint32": "names of types",
    "np.asarray makes no array": "tests/simt/compiling/test_as_numba_compiles.py",
    "(?P<type>": "a pattern",
    "which @intrinsic teaches numba as LLVM code": "it takes numba's decorator; tests/simt/programs has a program",
    "which the program teaches numba": "tests/simt/compiling/test_taught.py",
    "numba.cuda.typing.templates": "the name of a module",
    "numba.core.typing.templates": "the name of a module",
    "grid.sync() was not seen before the launch": "a guard: the compiler finds every grid barrier before the launch",
    "The raw format string will be emitted": "a warning, in numba's words",
    "the interpreter does not know `cuda.": "said of names that numba has and the interpreter lacks; needs numba",
    "This statement does not exist on the GPU": "the lint says it where it has no syntax to quote",
    "Write it another way": "the lint says it where it has no syntax to quote",
    "is a function of the host; it does not": "the lint says it of functions that numba found in a module",
    "Use the functions of `math`, on one number.": "the lint says it of functions that numba found in a module",
    "calls itself, and numba cannot compile": "the lint says it; the interpreter runs recursion",
    "is a part of an array, and a thread needs one number here": "the lint says it: it takes numba's type inference",
    "on one path and": "the lint says it: it takes numba's type inference",
    "races and reads of what nobody wrote were looked for in": "a remark: it takes an array of 16 million elements",
    "the signature takes a pointer": "it takes a type of numba's",
    "is CUDA C, which numba links": "it takes a declaration of numba's",
    "a whole position: three numbers": "one row of a table of kinds",
    "Give it a number before.": "one row of a table of kinds",
    "Write the name of what it holds": "one row of a table of kinds",
    "Call it to convert a number, as in float32(2)": "one row of a table of kinds",
    "write it in simpler steps": "what is left where no operand is to blame",
    "tuple index out of range": "an exception of a kernel with debug=True",
    "Where it is to go round the end, take `(": TOLD,
    "An array without elements has no last one: let the thread whose inde": TOLD,
    "has one element: if all threads are to meet there, its index is 0, n": TOLD,
    "`, works out a value and keeps nothing of it: write `": LIMIT,
    "nothing leaves the loop": LIMIT,
    "no iteration changes": LIMIT,
    "as before": LIMIT,
    "is all that changes": LIMIT,
    "an array without elements has no smallest or largest: the GPU gives": TOLD,
    "steps of the interpreter": LIMIT,
    "was at iteration": LIMIT,
    ": on a GPU the other": LIMIT,
    ". Then the check stopped, after": LIMIT,
    "The kernel was stopped after": LIMIT,
    "a slice whose bounds differ per thread needs a step that is the same": TOLD,
    "store16 stores a tuple of four numbers of 32 bits": WIDE,
    "16 bytes at once are for arrays of float32, float16 or int8": WIDE,
    "indices, as many as": WIDE,
    "on, and that address is no multiple of 16: a GPU stops with a misali": WIDE,
    "Begin at an element whose index": WIDE,
    "Begin at a column that": WIDE,
    "began may still be under way: nothing has waited for it": COPIES,
    "let the threads that copy call commit_copies() and then wait_copies()": COPIES,
    "copy_async copies elements of 4 or 8 bytes": COPIES,
    "wait_copies takes a number that is the same for all threads, 0 or mo": COPIES,
    "copies from global to shared memory, and to nowhere else": COPIES,
    "moves bytes as they are: both arrays need one element type": COPIES,
    ", one an axis": COPIES,
    "cuda.shared.array(shape, dtype)": NAMES,
    "cuda.local.array(shape, dtype)": NAMES,
    "import numpy as np": NAMES,
    "from numba import cuda": NAMES,
    "eps epsneg iexp machep": NAMES,
    "_sync(mask, value, lane)": NAMES,
    "` above; in a notebook, run that cell.": NAMES,
    "In numba it is written `": NAMES,
    "` ends without `return`, so `": NAMES,
    "` with `return` and the value it works out.": NAMES,
    "` is three numbers, x, y and z, and `": TOLD,
    "` without parentheses is the function itself, and ": TOLD,
    "` is to be a number": TOLD,
    "a number is needed here": TOLD,
    "` has the mask, `": TOLD,
    "`prange` shares a loop out": TOLD,
    "There each thread takes elements of its own": TOLD,
    ", and arrays are indexed by integers. `": TOLD,
    "Use % on integers for a remainder.": TOLD,
    "Convert it with int(...).": TOLD,
    "Call it with the number of dimensions:": TOLD,
    "` gives one number a dimension, and `": TOLD,
    "Give each a name, as in x, y = cuda.grid(2), or ask for one: cuda.gr": TOLD,
    ", and an index is a position.": TOLD,
    "Take the position of the thread, as in": TOLD,
    "ldmatrix reads shared arrays of": WIDE,
    "stmatrix writes shared arrays of float16 or int8": WIDE,
    "stmatrix writes a tuple of four words": WIDE,
    "as a tuple of": WIDE,
    "The first of two stored elements comes from the left of the second": SPARSE,
    "For four zeros 0 and 1 will do.": SPARSE,
    "` reads tiles from shared memory, and a thread of the block": PRODUCTS,
    "has not called show_tiles() since its copies arrived": PRODUCTS,
    "has called show_tiles() after the last barrier, so that nobody els": PRODUCTS,
    "cores may see what lay there before.": PRODUCTS,
    "wait_products takes a number that is the same for all threads, 0 o": PRODUCTS,
    "store_sums writes to a 2D array of float32": PRODUCTS,
    "reads a shared array of … with one axis": PRODUCTS,
    "` takes the sums as zero_sums … () or the last product gave them": PRODUCTS,
    "threads: the threads of a block must be a multiple of that": PRODUCTS,
    "threads of a warpgroup, and some did not come here: call it outsid": PRODUCTS,
    "` reads past the end of": PRODUCTS,
    "` needs one tile for all": PRODUCTS,
    ": the tensor cores would read the wrong pieces.": PRODUCTS,
    "was filled again while a product could still read it: this product": PRODUCTS,
    "Call show_tiles() between wait_copies and the barrier.": PRODUCTS,
    "sums while a product still adds to them.": PRODUCTS,
    "Begin every tile at a multiple of": PRODUCTS,
    "Wait for the product before you copy into its tiles, or let the co": PRODUCTS,
    "Wait before you use the sums: sums = wait_products(sums, 0).": PRODUCTS,
    "Use two names, or convert both": "the lint says it: it takes numba's type inference",
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_said_is_what_the_golden_file_says(name):
    path = HERE / f"{name}.txt"
    assert path.exists(), "write it with: python -m tests.golden.findings --write"
    assert path.read_text() == rendered(name)


@pytest.mark.parametrize("name", FILES)
def test_every_example_earns_a_message(name):
    said = {example.name: example.says() for example in FILES[name]}
    assert [] == [one for one, text in said.items() if text == "nothing"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_finding_has_an_example_with_a_remedy(kind):
    assert f"{kind}, " in (Finding.__doc__ or "").replace(" or ", ", ").replace(".", ", ").replace("\n    ", " ")
    said = "\n".join((HERE / f"{name}.txt").read_text() for name in FILES)
    heads = [part for part in said.split("\n\n") if part.startswith(f"{kind};")]
    assert any(len(part.splitlines()) >= 3 for part in heads)


def without_example() -> list[str]:
    golden = catalogue.golden_text().lower()  # a finding begins with a large letter
    faces = (
        "compilers",
        "cuda_api",
        "figures",
        "host_order",
        "programs",
        "stepper",
    )  # whose messages have tests of their own
    sources = [path for path in (ROOT / "simt").rglob("*.py") if path.relative_to(ROOT).parts[1] not in faces]
    missing = []
    for path in sorted(sources):
        name = str(path.relative_to(ROOT))
        for line, parts in messages(path) if name not in NO_MESSAGES else ():
            if not all(part.lower() in golden for part in parts):
                missing.append(f"{name}:{line}: {' … '.join(parts)}")
    return missing


def test_no_message_is_without_an_example():
    unseen = without_example()
    assert [] == [message for message in unseen if not any(known in message for known in UNSEEN)]


def test_the_list_of_messages_without_example_is_current():
    unseen = without_example()
    assert [] == [known for known in UNSEEN if not any(known in message for message in unseen)]


def test_every_message_is_a_sentence():
    for name in FILES:
        for example in FILES[name]:
            for line in example.says().splitlines():
                if line.startswith("  "):
                    small = line[2].islower() and not re.match(r"  (numba|print|Python|[\w]+\.)", line)
                    assert not small and line[-1] in ".!?", (example.name, line)
