"""Hints of unit 01, by exercise. Each ladder answers one mistake: nudge, concept, place, skeleton."""

from __future__ import annotations

from autograder.contract import Hint
from autograder.exercises.hints.common import COMMON

NO_GUARD = Hint(
    "no_guard",
    (
        "The launch has 256 threads in every block. How many of them have an element to work on in the last block?",
        "A launch comes in whole blocks, so there are nearly always more threads than elements. "
        "A spare thread that reads or writes anyway touches memory behind the array: no error on a GPU, "
        "just damage.",
        "Put the line with the addition under an `if` that lets a thread through only when its index is inside `out`.",
        "i = ...\nif i < out.size:\n    out[i] = ...",
    ),
)
OFF_BY_ONE = Hint(
    "off_by_one",
    (
        "Take n = 1. Which index does your first thread use, and which indices exist?",
        "An array of n elements has the indices 0 to n - 1. `i <= out.size` lets one thread too many "
        "through, "
        "and an index that starts at 1 forgets the first element.",
        "Compare with `<`, never `<=`, and start counting at 0, as `threadIdx.x` and `cuda.grid(1)` do.",
        "if i < out.size:\n    ...",
    ),
)
MISSING_TAIL = Hint(
    "missing_tail",
    (
        "The verdict names the first element that nobody wrote. Which thread should have written it?",
        "Every index from 0 to n - 1 needs a thread, and the guard must stop only the threads whose index "
        "is n or more. "
        "A guard that is too strict leaves the end undone; an index that starts at 1 leaves the beginning.",
        "Look at the line that computes `i` (what does the very first thread get?), then at the condition of the `if`.",
        "i = ...   # 0 for the first thread, n - 1 for the last\nif i < out.size:\n    ...",
    ),
)

TWO_WRITERS = Hint(
    "lost_update",
    (
        "Two threads wrote the same element. Compute the index by hand for the two that the verdict names.",
        "Every thread of the whole grid needs an index of its own: "
        "each block has to start where the block before it ends.",
        "Look at the factor in front of `cuda.blockIdx.x`: it must be the number of elements that one block covers.",
        "i = cuda.blockIdx.x * (elements a block covers) + cuda.threadIdx.x",
    ),
)
NOTHING_WRITTEN = Hint(
    "output_not_written",
    (
        "At the size in the verdict nothing was written at all. Which condition did thread 0 of block 0 fail?",
        "A block that is not full still has work: the threads whose own index is inside the array must do theirs.",
        "Look at the `if`: it should ask about this thread's element, not about the end of the block.",
        "if i < out.size:\n    out[i] = ...",
    ),
)

ADD_ONE_BLOCK = (
    Hint(
        "start",
        (
            "Imagine that you are thread 5. Which element is yours?",
            "Every thread runs the same lines; only `cuda.threadIdx.x`, its number within the block, "
            "differs. "
            "That number can serve as the index.",
            "Three lines: take the index, check that it is inside the array, add one pair of elements.",
            "i = cuda.threadIdx.x\nif i < out.size:\n    out[i] = ...",
        ),
    ),
    NO_GUARD,
    OFF_BY_ONE,
    MISSING_TAIL,
    Hint(
        "too_much_traffic",
        (
            "Count the additions that one thread does, then multiply by 256 threads.",
            "The launch is the loop. A `for` over all elements inside a kernel makes each thread repeat "
            "everybody's work.",
            "Remove the `for`, and let `cuda.threadIdx.x` take the place of its loop variable.",
            "i = cuda.threadIdx.x   # instead of: for i in range(out.size)\nif i < out.size:\n    ...",
        ),
    ),
    *COMMON,
)

VECTOR_ADD = (
    Hint(
        "start",
        (
            "Block 0 covers elements 0 to 255. Which elements should block 1 cover?",
            "A thread's place in the whole grid: the threads in all blocks before its own, plus its number "
            "within the block.",
            "Start from your first kernel; only the line that computes `i` changes. `cuda.grid(1)` is its short form.",
            "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x\nif i < out.size:\n    out[i] = ...",
        ),
    ),
    NO_GUARD,
    TWO_WRITERS,
    NOTHING_WRITTEN,
    OFF_BY_ONE,
    Hint(
        "only_first_block",
        (
            "Elements 0 to 255 are right and nothing after them. Which block wrote the right ones, and "
            "what did the rest do?",
            "`cuda.threadIdx.x` starts again at 0 in every block, so all blocks did the work of block 0.",
            "Add the block's offset to the thread index where `i` is computed.",
            "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "The verdict names the first element that nobody wrote. Which thread of which block should "
            "have written it?",
            "Neighbouring threads need neighbouring indices: 1 more from thread to thread, 256 more from "
            "block to block. "
            "And the guard must stop only the threads whose index is n or more, not a whole block.",
            "Both `cuda.blockIdx.x` and `cuda.threadIdx.x` belong in the index; the block number is the "
            "one that is multiplied.",
            "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x\nif i < out.size:\n    ...",
        ),
    ),
    Hint(
        "uncoalesced",
        (
            "The sums are right. Now look at thread 0 and thread 1: how far apart are their elements?",
            "A warp's 32 loads are fetched together, in sectors of 32 bytes. Neighbouring threads on "
            "neighbouring elements "
            "need 4 sectors; threads that are far apart need one sector each and use 4 bytes of it.",
            "In the line that computes `i`, multiply the block's number, not the thread's.",
            "i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x",
        ),
    ),
    *COMMON,
)

BLOCKS_FOR = (
    Hint(
        "start",
        (
            "With 256 threads a block, how many blocks do 256 elements need? And 257?",
            "Divide and round up: a started block counts as a whole one. Python's `//` rounds down, "
            "and rounding down minus the number is rounding up.",
            "One line for the division, and `max` for the case of no elements at all.",
            "return max(1, ...)   # n / threads, rounded up",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "Try n = 257 with 256 threads on paper. Who works on the last element?",
            "`n // threads` counts only full blocks. The elements left over need a block too, even if most "
            "of it idles.",
            "Add `threads - 1` before dividing, so that any remainder lifts the result by one.",
            "(n + threads - 1) // threads",
        ),
    ),
    Hint(
        "off_by_one",
        (
            "Try n = 512 with 256 threads on paper. How many blocks would be full, and how many empty?",
            "`n // threads + 1` is right only where there is a remainder; for a multiple of `threads` it "
            "adds an idle block.",
            "Add `threads - 1` to n before dividing, in place of adding 1 after.",
            "(n + threads - 1) // threads",
        ),
    ),
    Hint(
        "launch_too_small",
        (
            "What does your function say for n = 0, and would a GPU accept that launch?",
            "A grid of 0 blocks is not a small launch but an invalid one: the driver refuses it with an error.",
            "Wrap the result so that it never falls below 1. The guard in the kernel keeps that one block idle.",
            "return max(1, ...)",
        ),
    ),
    Hint(
        "wrong_return",
        (
            "What does your function hand back to its caller, and of which type?",
            "A launch counts blocks, so it needs a whole number: `/` gives a float, `//` an int. "
            "And a function without a `return` hands back None.",
            "Look at the last line: it should begin with `return` and contain `//`.",
            "return max(1, ... // threads)",
        ),
    ),
)

FORWARD_DIFFERENCE = (
    Hint(
        "start",
        (
            "Which elements does the last thread that passes the guard read?",
            "The guard `i < dst.size` protects `dst[i]` and `src[i]`. It says nothing about `src[i + 1]`.",
            "The last element needs a case of its own: it has no right neighbour, and the contract says 0.",
            "if i + 1 < src.size:\n    dst[i] = ...\nelif i < dst.size:\n    dst[i] = ...",
        ),
    ),
    Hint(
        "off_by_one",
        (
            "The verdict names a line, a thread and an index. Is that index inside the array?",
            "An array of n elements ends at index n - 1, so `src[i + 1]` is outside for the thread with i "
            "= n - 1. "
            "On a GPU nothing stops that read; it returns whatever lies behind the array.",
            "Guard the read itself: ask whether i + 1 is inside, before using `src[i + 1]`.",
            "if i + 1 < src.size:\n    dst[i] = ...\nelif i < dst.size:\n    dst[i] = ...",
        ),
    ),
    Hint(
        "negative_index",
        (
            "What is `i - 1` in the first thread, and what does Python do with such an index?",
            "numba keeps Python's rule that -1 is the last element, so there is no error, only a wrong neighbour.",
            "The contract asks for the right neighbour, `src[i + 1]`; guard that end.",
            "if i + 1 < src.size:\n    dst[i] = src[i + 1] - src[i]",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "Which thread writes the last element of `dst` in your version?",
            "An output array starts with arbitrary contents. Whatever no thread writes stays arbitrary; it "
            "is not 0 by itself.",
            "Add a branch for the one thread that has no right neighbour.",
            "elif i < dst.size:\n    dst[i] = ...",
        ),
    ),
    NO_GUARD,
    Hint(
        "wrong_formula",
        (
            "Take src = [10, 13, 9] and write dst down by hand. What does your kernel give for each of the three?",
            "dst[i] is the step to the right: the right neighbour minus the element itself. "
            "The last element has nobody to its right, and its step is 0.",
            "Check the order of the subtraction, then the branch for the last element.",
            "dst[i] = src[i + 1] - src[i]   # and 0 where i + 1 is outside",
        ),
    ),
    *COMMON,
)

BLEND = (
    Hint(
        "start",
        (
            "With weight 0 the result is x, with weight 1 it is y. What is it with weight 0.25?",
            "Start at x and walk the fraction `weight` of the way to y. That form needs no constant.",
            "The kernel is vector_add with one more argument; only the line that writes `out[i]` is new.",
            "out[i] = x[i] + weight * (...)",
        ),
    ),
    NO_GUARD,
    Hint(
        "float64_arithmetic",
        (
            "Every number you were given is float32. Which one did you bring along?",
            "The bare `1` in `1 - weight` is an int64, and int64 with float32 makes float64 in numba. "
            "From there on the whole line is computed in double precision and rounded back at the end.",
            "Write `float32(1)`, or rearrange the formula so that no constant is left: from x towards y.",
            "out[i] = x[i] + weight * (y[i] - x[i])",
        ),
    ),
    Hint(
        "wrong_formula",
        (
            "Try weight = 0 in your formula. Does x come out?",
            "The weight belongs to y: 0 gives all of x, 1 gives all of y.",
            "Swap x and y in the line that writes `out[i]`.",
            "out[i] = x[i] + weight * (y[i] - x[i])",
        ),
    ),
    *COMMON,
)

ADD_ON_DEVICE = (
    Hint(
        "start",
        (
            "Your arrays live in the computer's memory; the kernel works in the GPU's. What has to travel, "
            "and which way?",
            "Three kinds of memory traffic: inputs go up once, the result comes down once, "
            "and the output array can be born on the device without travelling at all.",
            "`cuda.to_device` for each input, `cuda.device_array_like` for the output, launch, "
            "`copy_to_host` at the end.",
            "d_a = cuda.to_device(a)\nd_b = ...\nd_out = cuda.device_array_like(d_a)\n"
            "vector_add[blocks_for(...), THREADS](...)\nreturn d_out.copy_to_host()",
        ),
    ),
    Hint(
        "host_array",
        (
            "How many bytes travelled, and how many did you mean to send?",
            "A NumPy array passed straight to a kernel is copied up before the launch and down after it, "
            "inputs and outputs alike. It works, and pays for every array twice.",
            "Before the launch, make a device array of each input with `cuda.to_device`.",
            "d_a, d_b = cuda.to_device(a), cuda.to_device(b)",
        ),
    ),
    Hint(
        "too_many_transfers",
        (
            "One array too many travelled. Does anybody read the output's old contents?",
            "`cuda.to_device` copies the contents of its argument. An output has none worth copying; "
            "`cuda.device_array_like` only sets memory aside.",
            "Replace the line that makes the output on the device.",
            "d_out = cuda.device_array_like(d_a)",
        ),
    ),
    Hint(
        "wrong_return",
        (
            "Look at what you return: where does it live, and what is its dtype?",
            "The caller wants a float32 NumPy array. A device array is only a handle to memory on the GPU, "
            "and `cuda.device_array(shape)` without a dtype is float64.",
            "Make the output with `cuda.device_array_like`, and copy it down in the last line.",
            "d_out = cuda.device_array_like(d_a)\n...\nreturn d_out.copy_to_host()",
        ),
    ),
    Hint(
        "launch_too_large",
        (
            "What is the first number inside the brackets of a launch: blocks or threads?",
            "It is `kernel[blocks, threads]`. A block holds at most 1,024 threads, a grid can have "
            "millions of blocks; "
            "swapped, a long array asks for a block that no GPU has.",
            "Swap the two numbers between the brackets.",
            "vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)",
        ),
    ),
    Hint(
        "only_first_block",
        (
            "How many elements can one block of your launch cover?",
            "The kernel handles one element a thread, so the launch must bring at least n threads.",
            "Compute the first number in the brackets with your own `blocks_for`.",
            "vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)",
        ),
    ),
    Hint(
        "output_not_written",
        (
            "You return a NumPy array. Which line of yours ever wrote to it?",
            "`cuda.to_device` makes a copy. Whatever the kernel writes lands in the copy on the device, "
            "and the array on the host does not notice.",
            "Return what you copy down from the device, in the last line.",
            "return d_out.copy_to_host()",
        ),
    ),
)


ADD_FOUR = (
    Hint(
        "start",
        (
            "You need three additions. Which of the arrays in between does anybody on the host look at?",
            "A device array can be the output of one launch and an input of the next. "
            "Launches queue up in order, so the second one sees what the first one wrote.",
            "Send the four inputs up, launch three times on device arrays, bring one array down.",
            "d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))\n"
            "d_sum = cuda.device_array_like(d_a)\nvector_add[...](d_a, d_b, d_sum)\nvector_add[...](d_sum, "
            "d_c, ...)\n...",
        ),
    ),
    Hint(
        "too_many_transfers",
        (
            "Follow the first sum, a + b. How often does it cross between host and device?",
            "Calling `add_on_device` three times brings each sum down and sends it straight back up. "
            "The link to the host is far slower than the GPU's own memory, so those trips cost more than "
            "the additions.",
            "Launch `vector_add` yourself, three times, on arrays that stay on the device.",
            "vector_add[blocks, THREADS](d_a, d_b, d_sum)\nvector_add[blocks, THREADS](d_sum, d_c, d_sum)\n...",
        ),
    ),
    Hint(
        "host_array",
        (
            "Which arguments of your launches are still NumPy arrays?",
            "Each NumPy array handed to a kernel is copied up and down again for that one launch.",
            "Call `cuda.to_device` once for each of the four inputs, before the first launch.",
            "d_a, d_b, d_c, d_d = (cuda.to_device(v) for v in (a, b, c, d))",
        ),
    ),
    Hint(
        "wrong_formula",
        (
            "Write down what each launch reads and what it writes. Is every input in the list?",
            "Three launches add four arrays: the sum so far, plus one more input each time.",
            "Check the first argument of the second and third launch: it should be the sum so far.",
            "vector_add[blocks, THREADS](d_sum, d_c, d_sum)",
        ),
    ),
    Hint(
        "uninitialised_read",
        (
            "What does the array that you add to contain before the first launch?",
            "`cuda.device_array` sets memory aside and leaves in it whatever was there before. "
            "Adding to that adds to garbage.",
            "Let the first launch write the array (a + b), or start from the device copy of a.",
            "vector_add[blocks, THREADS](d_a, d_b, d_sum)   # written first, added to later",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "How many threads does your launch have at n = 1,025, and how many elements are there?",
            "`//` rounds down, so the last, partial block is never launched.",
            "Take the number of blocks from your own `blocks_for`.",
            "blocks = blocks_for(a.size, THREADS)",
        ),
    ),
)


VECTOR_ADD_UNROLLED = (
    Hint(
        "start",
        (
            "One block now covers 1,024 elements with 256 threads. Which four are thread 0's, if "
            "neighbours stay neighbours?",
            "Take four elements that lie one block width apart. In each of the four steps the 32 threads "
            "of a warp "
            "still touch 32 neighbours, and each thread has eight loads under way instead of two.",
            "First index: `4 * blockDim.x * blockIdx.x + threadIdx.x`. The others add `blockDim.x` once, "
            "twice, three times.",
            "step = cuda.blockDim.x\ni = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x\n"
            "if i + 3 * step < out.size:\n    ...   # eight loads into variables, then four stores\n"
            "else:\n    ...   # the ragged end, one element at a time",
        ),
    ),
    NO_GUARD,
    TWO_WRITERS,
    NOTHING_WRITTEN,
    Hint(
        "uncoalesced",
        (
            "In its first load, which element does thread 0 read, and which does thread 1?",
            "Four consecutive elements a thread put neighbouring threads 16 bytes apart, so a warp's 32 "
            "loads "
            "are spread over 16 sectors instead of 4.",
            "Let neighbouring threads read neighbouring elements: step by `blockDim.x` between a thread's "
            "four elements.",
            "i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x   # then i + step, i + 2 * step, i + 3 * step",
        ),
    ),
    Hint(
        "missing_tail",
        (
            "Which is the first element that nobody wrote? Is it near the end, or does it begin a later quarter?",
            "This launch has a quarter of the threads, so each block must cover 4 x 256 elements, "
            "and the last block must cover whatever is left, even where a thread's first element is inside "
            "and its last is not.",
            "Look at the factor in front of `cuda.blockIdx.x`; "
            "then give the ragged block a loop of its own, guarded at each step.",
            "i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x\n...\n"
            "else:\n    for _ in range(4):\n        if i < out.size:\n            out[i] = ...\n        i += step",
        ),
    ),
    *COMMON,
)
