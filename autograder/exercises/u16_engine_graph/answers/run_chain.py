"""Answers to engine_graph.run_chain."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

ADD_ARRAY, TIMES_ARRAY, ADD_NUMBER, TIMES_NUMBER, AT_LEAST, AT_MOST = 0, 1, 2, 3, 4, 5


@right("operand_first")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i >= dst.size:
        return
    v = arrays[0, i]
    for step in range(len(program)):
        op, at = program[step]
        other = arrays[at, i] if op <= 1 else numbers[at]
        if op == 0 or op == 2:
            v = v + other
        elif op == 1 or op == 3:
            v = v * other
        elif op == 4:
            if other > v:
                v = other
        elif op == 5:
            if other < v:
                v = other
    dst[i] = v


@cuda.jit(device=True)
def one_step(v, op, at, numbers, arrays, i):
    if op == ADD_ARRAY:
        return v + arrays[at, i]
    if op == TIMES_ARRAY:
        return v * arrays[at, i]
    if op == ADD_NUMBER:
        return v + numbers[at]
    if op == TIMES_NUMBER:
        return v * numbers[at]
    if op == AT_LEAST:
        return max(v, numbers[at])
    return min(v, numbers[at])


@right("a_device_function_does_a_step")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    for i in range(cuda.grid(1), dst.size, cuda.gridsize(1)):
        v = arrays[0, i]
        for s in range(program.shape[0]):
            v = one_step(v, program[s, 0], program[s, 1], numbers, arrays, i)
        dst[i] = v


@right("program_in_shared_memory")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    steps = cuda.shared.array((64, 2), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    v = arrays[0, i] if i < dst.size else float32(0)
    for first in range(0, program.shape[0], 64):
        here = min(64, program.shape[0] - first)
        cuda.syncthreads()
        if t < here:
            steps[t, 0] = program[first + t, 0]
            steps[t, 1] = program[first + t, 1]
        cuda.syncthreads()
        if i < dst.size:
            for s in range(here):
                op, at = int(steps[s, 0]), int(steps[s, 1])
                if op == 0:
                    v += arrays[at, i]
                elif op == 1:
                    v *= arrays[at, i]
                elif op == 2:
                    v += numbers[at]
                elif op == 3:
                    v *= numbers[at]
                elif op == 4:
                    v = max(v, numbers[at])
                else:
                    v = min(v, numbers[at])
    if i < dst.size:
        dst[i] = v


@right("while_and_views")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < dst.shape[0]:
        x = arrays[0][i]
        s = 0
        while s < program.shape[0]:
            step = program[s]
            if step[0] == AT_MOST:
                x = min(x, numbers[step[1]])
            elif step[0] == AT_LEAST:
                x = max(x, numbers[step[1]])
            elif step[0] == TIMES_NUMBER:
                x = x * numbers[step[1]]
            elif step[0] == ADD_NUMBER:
                x = x + numbers[step[1]]
            elif step[0] == TIMES_ARRAY:
                x = x * arrays[step[1]][i]
            else:
                x = x + arrays[step[1]][i]
            s += 1
        dst[i] = x


@right("a_factor_and_a_summand_per_step")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op = program[s, 0]
            at = program[s, 1]
            if op < 4:
                taken = numbers[at] if op > 1 else arrays[at, i]
                factor = taken if op & 1 else float32(1)
                summand = float32(0) if op & 1 else taken
                v = v * factor + summand
            elif op == 4:
                v = max(numbers[at], v)
            else:
                v = min(numbers[at], v)
        dst[i] = v


@right("match_on_the_operation")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            at = program[s, 1]
            if program[s, 0] == ADD_ARRAY:
                v += arrays[at, i]
            if program[s, 0] == TIMES_ARRAY:
                v *= arrays[at, i]
            if program[s, 0] == ADD_NUMBER:
                v += numbers[at]
            if program[s, 0] == TIMES_NUMBER:
                v *= numbers[at]
            if program[s, 0] == AT_LEAST:
                v = max(v, numbers[at])
            if program[s, 0] == AT_MOST:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if True:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("each_step_from_the_start", misconception="starts_anew", says="what the step before left")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v = arrays[0, i] + arrays[at, i]
            elif op == TIMES_ARRAY:
                v = arrays[0, i] * arrays[at, i]
            elif op == ADD_NUMBER:
                v = arrays[0, i] + numbers[at]
            elif op == TIMES_NUMBER:
                v = arrays[0, i] * numbers[at]
            elif op == AT_LEAST:
                v = max(arrays[0, i], numbers[at])
            else:
                v = min(arrays[0, i], numbers[at])
        dst[i] = v


@wrong("begins_with_zero", misconception="starts_with_zero", says="row 0 of arrays")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = float32(0)
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("places_for_numbers", misconception="place_for_number", says="numbers[place]")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += float32(at)
            elif op == TIMES_NUMBER:
                v *= float32(at)
            elif op == AT_LEAST:
                v = max(v, float32(at))
            else:
                v = min(v, float32(at))
        dst[i] = v


@wrong("the_first_number_for_all", misconception="always_the_first_number", says="its place is in the program")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[0]
            elif op == TIMES_NUMBER:
                v *= numbers[0]
            elif op == AT_LEAST:
                v = max(v, numbers[0])
            else:
                v = min(v, numbers[0])
        dst[i] = v


@wrong("row_1_for_all", misconception="always_row_one", says="the row is in the program")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[1, i]
            elif op == TIMES_ARRAY:
                v *= arrays[1, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("ends_exchanged", misconception="ends_exchanged", says="max(v, 0)")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = min(v, numbers[at])
            else:
                v = max(v, numbers[at])
        dst[i] = v


@wrong("a_relu_for_at_least", misconception="cut_at_zero", says="not always 0")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, float32(0))
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("at_most_left_out", misconception="step_skipped", says="does nothing")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
        dst[i] = v


@wrong("from_the_last_to_the_first", misconception="steps_backwards", says="from the last to the first")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0] - 1, -1, -1):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("one_step_too_few", misconception="last_step_missing", says="the last step is missing")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0] - 1):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("from_step_1_on", misconception="first_step_missing", says="the first step is missing")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(1, program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("first_step_alone", misconception="first_step_only", says="store after the loop")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(min(1, program.shape[0])):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("dst_holds_the_element", misconception="stored_each_step", says="stored once")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = arrays[0, i]
        for s in range(program.shape[0]):
            v = dst[i]
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
            dst[i] = v


@wrong("rows_of_the_program_along_its_columns", misconception="no_guard", says="outside")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]
        for s in range(program.shape[0]):
            op, at = program[0, s], program[1, s]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v


@wrong("four_numbers_alone", misconception="never_read", says="a sum of all there is")
@cuda.jit
def run_chain(program, numbers, arrays, dst):
    i = cuda.grid(1)
    if i < dst.size:
        v = arrays[0, i]  # in a register from here on
        for s in range(program.shape[0]):
            op, at = program[s, 0], program[s, 1]
            if op == ADD_ARRAY:
                v += arrays[at, i]
            elif op == TIMES_ARRAY:
                v *= arrays[at, i]
            elif op == ADD_NUMBER:
                v += numbers[at % 4]
            elif op == TIMES_NUMBER:
                v *= numbers[at]
            elif op == AT_LEAST:
                v = max(v, numbers[at])
            else:
                v = min(v, numbers[at])
        dst[i] = v
