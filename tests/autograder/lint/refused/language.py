"""Python that does not exist on the GPU."""

from numba import cuda, float32

from tests.autograder.lint.refused.entry import SINGLES, refused


@refused(SINGLES, kind="python_object", says="a list, `[]`", line=2)
@cuda.jit
def grows_a_list(dst):
    values = []
    values.append(1)
    dst[0] = values[0]


@refused(SINGLES, kind="python_object", says="a comprehension")
@cuda.jit
def comprehends(dst):
    values = [i for i in range(4)]
    dst[0] = values[0]


@refused(SINGLES, kind="python_object", says="a set")
@cuda.jit
def builds_a_set(dst):
    odd = {1, 3}
    dst[0] = 1 if 1 in odd else 0


@refused(SINGLES, kind="python_object", says="there are no strings on the GPU", line=2)
@cuda.jit
def indexes_text(dst):
    text = "abc"
    dst[0] = text[0]


def plain(value):
    return value + 1


@refused(
    SINGLES,
    kind="missing_device",
    says="`plain` is a plain Python function",
    remedy="@cuda.jit(device=True) above `def plain`",
)
@cuda.jit
def calls_plain_function(dst):
    dst[0] = plain(dst[0])


@cuda.jit(device=True)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@refused(SINGLES, kind="recursion", says="`factorial` calls itself", remedy="loop", where=factorial)
@cuda.jit
def recurses(dst):
    dst[0] = factorial(5)


@cuda.jit(device=True)
def doubled(x):
    both = cuda.local.array(2, float32)
    both[0] = both[1] = x
    return both


@refused(
    SINGLES,
    kind="returned_array",
    says="`doubled` returns an array of its own",
    remedy="Make the array where `doubled` is called",
)
@cuda.jit
def uses_a_returned_array(dst):
    dst[0] = doubled(dst[0])[0]


@refused(SINGLES, kind="generator", says="cannot yield")
@cuda.jit
def yields(dst):
    yield dst[0]


@refused(SINGLES, kind="statement", says="cannot use `with`")
@cuda.jit
def opens_a_file(dst):
    with open("x") as file:
        dst[0] = len(file)


@refused(SINGLES, kind="statement", says="cannot assign a global", line=2)
@cuda.jit
def assigns_a_global(dst):
    global TPB
    TPB = 3


@refused(SINGLES, kind="statement", says="cannot import modules")
@cuda.jit
def imports(dst):
    import random

    dst[0] = random.random()


@refused(SINGLES, kind="exceptions", says="this line puts a value into it", remedy="ValueError", line=2)
@cuda.jit
def raises_with_a_value(dst):
    if dst.size > 4:
        raise ValueError("too large", dst.size)


@refused(SINGLES, kind="statement", says="A kernel cannot use `with`", line=1)
@cuda.jit
def enters_a_context(dst):
    with dst:
        dst[0] = 1
