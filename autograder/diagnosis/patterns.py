"""Wrong outputs that betray their cause: the table of known mistakes. `recognise` looks one up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from autograder.diagnosis import digits, symptoms
from autograder.diagnosis.advice.places import NO_MORE_KNOWN
from autograder.diagnosis.symptoms import Output


@dataclass(frozen=True)
class Pattern:
    """A named shape of wrongness. says and remedy may use the words of `words_for`.

    everywhere: it speaks of every call ("nothing was ever written"), so that small cases can refute it, too.
    begins_right: it says that the first block's elements are right, which a case of no more of them refutes.
    of_all: it explains nothing where another output is wrong in another way.
    unstored: the output holds nothing but what it held before the call.
    """

    misconception: str
    says: str
    remedy: str
    holds: Callable[[Output], bool] = lambda output: True
    everywhere: bool = False
    unstored: bool = False
    begins_right: bool = False
    of_all: bool = False


DEPENDENCES = {  # what made one of two runs right
    "order": Pattern(
        "order_dependent",
        "{name} is right or wrong depending on the order in which blocks run, and they run in any order.",
        "Make every element the work of one thread, or combine results in a way that no order changes.",
    ),
    "calls": Pattern(
        "output_accumulates",
        "A first call gets {name} right and a second one with the same input does not: something of the first is left.",
        "Start every call afresh: set what you add to, and keep nothing between calls.",
    ),
    "contents": Pattern(
        "output_accumulates",
        "{name} is right or wrong depending on what it held before the call.",
        "Set {name} before you read it, or store the result with = where it is complete.",
    ),
}

NO_BLOCKS = Pattern(  # of a function that runs on the host alone: nothing there has an order of blocks
    "output_accumulates",
    "Two calls with the same input give different {name}: something other than the input decides it.",
    "Look for what the function does not set itself: memory of np.empty, what an earlier call has left, the order of a "
    "set, or a random number.",
)

COPIED_HERE = Pattern(
    "wrong_formula",
    "{name} is a copy of an input{at}, and in other cases it is right.",
    "Compare what that case is given, single numbers too, with a case that is right: something there leads round the "
    "computation.",
)

PATTERNS = (
    Pattern(
        "output_not_written",
        "What comes back as {name} was never filled: nothing was copied into it.",
        "Copy the result down into what you return, as d_out.copy_to_host() does.",
        symptoms.nothing_copied,
    ),
    Pattern(
        "output_not_written",
        "Nothing was ever written to {name}: it still holds what it held before the call.",
        "Fill the array that the caller handed over, as d_out.copy_to_host({name}) and {name}[:] = ... do. "
        "`{name} = ...` only gives the name to another array.",
        symptoms.nothing_written_by_host,
        everywhere=True,
        unstored=True,
    ),
    Pattern(
        "output_not_written",
        "Nothing was ever written to {name}: it still holds what it held before the call.",
        "Let each thread store its result, as in {name}[i] = ...",
        symptoms.nothing_written,
        everywhere=True,
        unstored=True,
    ),
    Pattern(
        "only_first_block",
        "The launch has one block of {block} threads, which covers only the first {block} of {size} elements of "
        "{name}.",
        "Launch as many blocks as all elements need: their number over the threads of a block, rounded up.",
        symptoms.one_block_launched,
        begins_right=True,
    ),
    Pattern(
        "missing_tail",
        "Only the first {block} elements of {name} are right{at}, where one block of {block} threads does them all: "
        "its threads take other elements in later iterations.",
        "Move on by the size of the grid, whatever it is: for i in range(cuda.grid(1), {name}.size, cuda.gridsize(1)).",
        symptoms.later_turns_elsewhere,
        begins_right=True,
    ),
    Pattern(
        "only_first_block",
        "Only the first block's {block} elements of {name} are right: every block works on the same place.",
        "Count the blocks before yours too: i = cuda.grid(1) is cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x.",
        symptoms.only_first_block,
        begins_right=True,
    ),
    Pattern(
        "missing_tail",
        "{name} was written up to element {edge} only{at}: the launch has {threads} threads for {size} elements, and "
        "each did one.",
        "Let each thread go on, in a loop, until its share is done.",
        symptoms.too_few_threads,
    ),
    Pattern(
        "only_first_block",
        "Only the first {edge} elements of {name} were ever written{at}: later blocks work on those of earlier ones.",
        "Count the blocks before yours too: i = cuda.grid(1) is cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x.",
        symptoms.blocks_overlap,
        begins_right=True,
    ),
    Pattern(
        "missing_tail",
        "{name} is right up to element {edge}{at}, where a block of {block} ends, and wrong after it: the tail is "
        "missing.",
        "Cover the last, partial block, too: round the number of blocks or iterations up and guard with the length.",
        symptoms.tail_missing,
    ),
    Pattern(
        "swapped_axes",
        "The launch has {across} threads along x and {down} along y, and the shape of {name} is {shape}: no thread "
        "comes to element {edge}{at}. x and y are exchanged.",
        "cuda.grid(2) gives x first. Let x count the axis of {name} for which it has enough threads, and y the other.",
        symptoms.threads_along_the_other_axis,
    ),
    Pattern(
        "missing_tail",
        "One stretch of {name} was never written{at}, neither by the device nor by the host: it begins at element "
        "{edge}.",
        "Compare where one part ends with where the next one begins: both have to be the same number.",
        symptoms.gap_between_parts,
    ),
    Pattern(
        "store_not_reached",
        "Elements of {name} were never written{at}, here and there among others that were; the first is element "
        "{edge}.",
        "Threads come to their neighbours, so look at what decides whether a thread stores: take that element's "
        "numbers through every condition on the way.",
        symptoms.unwritten_here_and_there,
    ),
    Pattern(
        "missing_tail",
        "Some elements of {name} were never written{at}; the first is element {edge}.",
        NO_MORE_KNOWN,
        symptoms.some_unwritten,
    ),
    Pattern(
        "zero_added",
        "Zeros come out of {name} with the other sign{at}: -0.0 went in. -0.0 + 0 is 0, so adding 0 is arithmetic and "
        "not a move.",
        "Store the element as it is.",
        symptoms.sign_of_zero_lost,
        everywhere=True,
    ),
    Pattern(
        "nan_by_arithmetic",
        "{name} is wrong only where the input has infinities or NaN{at}: it is NaN where it should not be. 0 * inf and "
        "inf - inf are NaN, so a value does count when it is multiplied by 0 or taken away again.",
        "Decide with an if, or with `x if condition else y`, which values take part.",
        symptoms.nan_from_arithmetic,
        everywhere=True,
    ),
    Pattern(
        "nan_compared",
        "{name} is wrong only where the input has NaN{at}: it should be NaN and is not. Every comparison with NaN is "
        "false, so no `>` ever chooses it.",
        "Ask for NaN by name: `x != x` is true for it alone, and so is math.isnan(x); once it is held, nothing may "
        "replace it.",
        symptoms.chosen_without_nan,
        everywhere=True,
    ),
    Pattern(
        "infinity_left_out",
        "{name} is wrong only where the input has infinities or NaN{at}: it should be NaN and is not. 0 * inf is NaN, "
        "so is inf - inf, and so is a sum in which one term is NaN: leaving a term out makes a difference.",
        "Compute every term, whatever it is and whatever its factor is.",
        symptoms.infinity_left_out,
        everywhere=True,
    ),
    Pattern(
        "narrow_type",
        "{name} holds exactly what an {narrow} keeps of the right numbers, and it keeps {range}: {was} became {became}"
        "{at}.",
        "Keep every number on the way to {name} in a type that holds it, such as an {wider}.",
        lambda output: bool(digits.squeezed_through(output)),
    ),
    Pattern(
        "narrow_type",
        "{name} holds whole numbers where fractions belong{at}: what follows the point was cut off.",
        "Look for whole numbers on the way to {name}: `//`, int(...), or an array of integers.",
        digits.cut_to_whole,
    ),
    Pattern(
        "rounding",
        "{name} is nearly right{at}: what is wrong differs in its last digits, by more than the task's sums and "
        "products explain.",
        "{exactly}",
        digits.nearly_right,
        of_all=True,
    ),
    Pattern(
        "uninitialised_read",
        "{name} depends on what {scratch} held before the call: some of it is read that no launch has written.",
        "Read what was written and no more, as a slice such as {scratch}[:n_blocks] does, or clear it first.",
        lambda output: bool(output.in_scratch),
    ),
    Pattern(
        "output_accumulates",
        "What {name} holds afterwards depends on what it held before: the result is added to old contents.",
        "Set {name} before adding to it, or store the result with = where it is complete.",
        lambda output: output.right_from_zero,
    ),
    Pattern(
        "order_dependent",
        "Two runs on the same input give different {name}: the result depends on the order in which blocks run.",
        "Blocks run in any order. Make every element the work of one thread, or combine results with an atomic.",
        symptoms.runs_differ,
    ),
    Pattern(
        "value_for_bits",
        "{name} holds the number itself, as a whole one, where the bits of a float32 are asked for.",
        "cuda.libdevice.float_as_int(x) has the same 32 bits as x; int32(x) is the number without its fraction.",
        symptoms.value_for_bits,
        everywhere=True,
    ),
    Pattern(
        "swapped_axes",
        "{name} holds the right values with rows and columns exchanged.",
        "cuda.grid(2) gives x first, and x walks along a row: write col, row = cuda.grid(2) and index with [row, col].",
        symptoms.transposed,
    ),
    Pattern(
        "off_by_one",
        "{name} holds the right values one place off.",
        "Compare the index you read with the index you write: one of them is 1 too large or too small.",
        symptoms.shifted,
    ),
    *(
        Pattern("wrong_formula", f"Every element of {{name}} {is_}.", f"Look {look}.", symptoms.factor(by))
        for by, is_, look in (
            (2.0, "is exactly twice what it should be", "for work done twice"),
            (0.5, "is exactly half of what it should be", "for work left out"),
            (-1.0, "has the wrong sign", "at the order of a subtraction"),
        )
    ),
    Pattern(
        "wrong_formula",
        "Every element of {name} is {factor} times what it should be.",
        "Look for a factor that is missing, or applied twice.",
        lambda output: symptoms.common_factor(output) is not None,
    ),
    Pattern(
        "output_not_written",
        "{name} is zero everywhere.",
        "Check that the value you compute is the value you store.",
        symptoms.all_zero,
    ),
    Pattern(
        "wrong_formula",
        "{name} is a copy of {copied}.",
        "The computation itself is missing, or leaves {copied} as it is.",
        symptoms.copy_of_input,
    ),
    Pattern(
        "output_accumulates",
        "{name} is NaN everywhere, which no input is: a value that was never set took part in the computation, or an "
        "operation that has no result, such as 0 / 0.",
        "Set every accumulator before adding to it, and look at what is divided.",
        symptoms.all_nan,
    ),
    Pattern(
        "wrong_formula",
        "{name} is wrong only where the input has infinities or NaN{at}; the first such element is element {edge}.",
        "Take that element's numbers through your code: every comparison with NaN is false, whichever way round it is "
        "written, and inf - inf and 0 * inf are NaN.",
        symptoms.with_infinities,
        everywhere=True,
    ),
)
