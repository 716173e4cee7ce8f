"""Answers to warps.one_path."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

STEPS = 12


@cuda.jit(device=True)
def recipe(x):
    """The two numbers that the sign of x chooses."""
    if x < 0:
        return float32(0.5), float32(3)
    return float32(-0.5), float32(1)


@cuda.jit(device=True)
def first_recipe(x):
    for _ in range(STEPS):
        x = float32(0.5) * x + float32(3)
    return x


@cuda.jit(device=True)
def second_recipe(x):
    for _ in range(STEPS):
        x = float32(-0.5) * x + float32(1)
    return x


@right("if_else_sets_the_numbers")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        if x < 0:
            a = float32(0.5)
            b = float32(3)
        else:
            a = float32(-0.5)
            b = float32(1)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@right("while_loop")
@cuda.jit
def one_path(src, out):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i >= out.size:
        return
    x = src[i]
    a, b = float32(-0.5), float32(1)
    if x < 0:
        a, b = float32(0.5), float32(3)
    step = 0
    while step < STEPS:
        x = x * a + b
        step += 1
    out[i] = x


@right("device_function_chooses")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a, b = recipe(x)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@right("a_condition_as_a_number")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        negative = float32(x < 0)
        a = negative - float32(0.5)
        b = float32(1) + float32(2) * negative
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@right("written_out")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = float32(0.5 if x < 0 else -0.5)
        b = float32(3 if x < 0 else 1)
        for _ in range(STEPS // 3):
            x = a * x + b
            x = a * x + b
            x = a * x + b
        out[i] = x


@right("grid_stride")
@cuda.jit
def one_path(src, out):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        x = src[i]
        negative = x < 0
        for _ in range(STEPS):
            x = (float32(0.5) if negative else float32(-0.5)) * x + (float32(3) if negative else float32(1))
        out[i] = x


@right("select_instructions")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        start = src[i]
        a = cuda.selp(start < 0, float32(0.5), float32(-0.5))
        b = cuda.selp(start < 0, float32(3), float32(1))
        x = start
        for _ in range(STEPS):
            x = cuda.fma(a, x, b)
        out[i] = x


@wrong("a_loop_on_each_side", misconception="both_paths", says="one after the other")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        if x < 0:
            for _ in range(STEPS):
                x = float32(0.5) * x + float32(3)
        else:
            for _ in range(STEPS):
                x = float32(-0.5) * x + float32(1)
        out[i] = x


@wrong("a_function_on_each_side", misconception="both_paths", says="one after the other")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        if src[i] < 0:
            out[i] = first_recipe(src[i])
        else:
            out[i] = second_recipe(src[i])


@wrong("both_computed_one_kept", misconception="both_computed", says="before the loop")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        first = first_recipe(src[i])
        second = second_recipe(src[i])
        out[i] = first if src[i] < 0 else second


@wrong("both_results_by_multiplication", misconception="infinity_times_zero", says="infinity times 0")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        negative = float32(src[i] < 0)
        out[i] = negative * first_recipe(src[i]) + (float32(1) - negative) * second_recipe(src[i])


@wrong("sign_of_every_step", misconception="decided_again", says="once")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        for _ in range(STEPS):
            a = float32(0.5) if x < 0 else float32(-0.5)
            b = float32(3) if x < 0 else float32(1)
            x = a * x + b
        out[i] = x


@wrong("sides_exchanged", misconception="sides_exchanged", says="recipe of the others")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = float32(-0.5) if x < 0 else float32(0.5)
        b = float32(1) if x < 0 else float32(3)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@wrong("eleven_steps", misconception="off_by_one", says="each number took eleven steps")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        a, b = recipe(src[i])
        x = src[i]
        for _ in range(1, STEPS):
            x = a * x + b
        out[i] = x


@wrong("thirteen_steps", misconception="off_by_one", says="each number took thirteen steps")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        a, b = recipe(src[i])
        x = a * src[i] + b
        step = 0
        while step < STEPS:
            x = a * x + b
            step += 1
        out[i] = x


@wrong("zero_counts_as_negative", misconception="zero_is_negative", says="0 takes the recipe")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = float32(0.5) if x <= 0 else float32(-0.5)
        b = float32(3) if x <= 0 else float32(1)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@wrong("nan_counts_as_negative", misconception="zero_is_negative", says="0 takes the recipe")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = float32(-0.5) if x > 0 else float32(0.5)
        b = float32(1) if x > 0 else float32(3)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@wrong("double_precision", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        a = 0.5 if x < 0 else -0.5
        b = 3 if x < 0 else 1
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x


@wrong("no_guard", misconception="no_guard", says="outside the array")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    x = src[i]
    a, b = recipe(x)
    for _ in range(STEPS):
        x = a * x + b
    out[i] = x


@right("two_numbers_of_all_twelve_steps")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        a, b = recipe(src[i])
        times, plus = float32(1), float32(0)
        for _ in range(STEPS):
            plus = a * plus + b
            times = a * times
        out[i] = times * src[i] + plus


@wrong("nearly_zero_counts_as_zero", misconception="zero_is_special", says="Only tiny numbers, such as 1e-7 or 1e-30")
@cuda.jit
def one_path(src, out):
    i = cuda.grid(1)
    if i < src.size:
        x = src[i]
        negative = x < float32(-1e-6)
        a = float32(0.5) if negative else float32(-0.5)
        b = float32(3) if negative else float32(1)
        for _ in range(STEPS):
            x = a * x + b
        out[i] = x
