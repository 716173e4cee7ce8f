"""A load that sees what other blocks have written, without the price of an atomic: `ld.relaxed`.

    word = load_relaxed(state, i)    # state[i] as it is now

A plain load may be answered from a cache of this multiprocessor, or by the compiler with what it loaded before; whoever
waits for another block would wait forever. The interpreter takes it for what it is among the races of a program: an
access that is atomic and changes nothing. Source: PTX ISA, "ld", "Memory Consistency Model: strong operations".
"""

from __future__ import annotations

import numpy as np

from autograder.notebook.lowering import cgutils, ir, types, with_meaning
from simt.threads.atomics import INTRINSICS


def _looked_at(env, mask, place, array, index):
    """What the interpreter does: an atomic that changes nothing."""
    return INTRINSICS["atomic.or_"](env, mask, place, array, index, np.int64(0))


@with_meaning(_looked_at)
def load_relaxed(typing_context, array, index):
    """array[index] as it is now, from where all blocks see it. array: 1D, of integers of 32 or 64 bits."""
    bits = getattr(getattr(array, "dtype", None), "bitwidth", 0)
    if bits not in (32, 64):
        return None

    def codegen(context, builder, signature, arguments):
        made = context.make_array(signature.args[0])(context, builder, value=arguments[0])
        at = context.cast(builder, arguments[1], signature.args[1], types.intp)
        pointer = cgutils.get_item_pointer(context, builder, signature.args[0], made, [at], wraparound=False)
        address = builder.ptrtoint(pointer, ir.IntType(64))
        kind = ir.FunctionType(ir.IntType(bits), [ir.IntType(64)])
        register = "l" if bits == 64 else "r"
        text = f"ld.relaxed.gpu.b{bits} $0, [$1];"
        code = ir.InlineAsm(kind, text, f"={register},l,~{{memory}}", side_effect=True)
        return builder.call(code, [address])

    return array.dtype(array, index), codegen
