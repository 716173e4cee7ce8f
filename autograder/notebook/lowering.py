"""How an intrinsic of the course becomes machine code: its two meanings, where its operands lie, and for which GPU.

Where numba is not installed there is the interpreter's meaning alone, and numba's names here are None.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    from simt.compilers.low_level import capability, cgutils, intrinsic, ir, types
except ImportError:  # a browser, or a machine that only interprets
    intrinsic = None
    cgutils = ir = types = None

ALIGNMENT = 16  # bytes that one lane moves in one request, and that their address must be a multiple of


def with_meaning(meaning: Callable) -> Callable:
    """Decorate the typing function of an intrinsic with what the interpreter does in its place.

    meaning: (env, mask, place, *values) -> value, as for any call of `simt.compiling.calls`.
    """

    def decorate(typed: Callable) -> Any:
        made: Any = typed if intrinsic is None else intrinsic(typed)
        made.simt_meaning = meaning
        return made

    return decorate


def wide_part(array: Any) -> Any:
    """What 16 bytes of an array are made of: float32, or words of two float16 or four int8. None for other elements."""
    words = {types.float32: types.float32, types.float16: types.uint32, types.int8: types.uint32}
    return words.get(getattr(array, "dtype", None))


def pointer_to(context: Any, builder: Any, kinds: Any, arguments: Any) -> Any:
    """Where element `index` of `array` lies: the first two arguments, of these types. No index counts from the end."""
    array_type, array, index = kinds[0], arguments[0], arguments[1]
    index_type: Any = kinds[1]  # a type of an integer, or of a tuple of them
    made = context.make_array(array_type)(context, builder, value=array)
    if hasattr(index_type, "types"):
        parts: list = cgutils.unpack_tuple(builder, index, len(index_type))
        indices = [context.cast(builder, part, index_type[i], types.intp) for i, part in enumerate(parts)]
    else:
        indices = [context.cast(builder, index, index_type, types.intp)]
    return cgutils.get_item_pointer(context, builder, array_type, made, indices, wraparound=False)


def is_old() -> bool:
    """Whether the GPU to compile for has no copies beside its threads: a T4 loads and stores instead."""
    return capability() < (8, 0)


def on_hopper(what: str) -> None:
    """Refuse to compile for a GPU that is not of compute capability 9.0. what: the instruction it lacks."""
    have = capability()
    if have != (9, 0):
        _refuse(f"{what} is an instruction of compute capability 9.0, which an H100 and an H200 have", have)


def on_ampere(what: str) -> None:
    """Refuse to compile for a GPU older than compute capability 8.0. what: the instruction it lacks."""
    have = capability()
    if have < (8, 0):
        _refuse(f"{what} is an instruction of compute capability 8.0 and newer, which an A100 has", have)


def _refuse(needs: str, have: tuple[int, int]) -> None:
    from simt.compilers.low_level import TypingError

    raise TypingError(
        f"{needs}; this GPU has {'.'.join(map(str, have))}. Check the kernel with q.check, which interprets it, or use "
        "mma, which every GPU since the T4 has."
    )
