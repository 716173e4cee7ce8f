"""Where numba's compiler makes other accesses of an access than its source says, and counters have to follow.

Each rule was seen in machine code for an H200 and counted there: tests/golden/counters holds both. What depends on more
than the access itself is not modelled: loads that are merged or kept in a register, and loops that are unrolled.
"""

from __future__ import annotations

import ast
from functools import lru_cache

import numpy as np

from simt.events import Access

WORDS = (np.dtype("i4"), np.dtype("u4"))
SUMS = ("add", "sub")
REDUCED = (*SUMS, "max", "min", "and", "or", "xor")
SAME_IN_A_BLOCK = ("blockIdx", "blockDim", "gridDim")


def is_packed(dtype: np.dtype) -> bool:
    """Whether numba takes the fields of a record for unaligned: its dtype was made without `align=True`."""
    return dtype.names is not None and not dtype.isalignedstruct


def pieces(event: Access, packed: bool) -> list[tuple[int, int]]:
    """(offset, size) in bytes of the accesses that one access to global memory becomes, each by every lane.

    A complex number is two accesses, its real and its imaginary parts. A field of a packed record is read byte by byte.
    """
    size = event.access_bytes
    if packed:
        return [(offset, 1) for offset in range(size)]
    if event.array.dtype.kind == "c":
        return [(offset, size // 2) for offset in (0, size // 2)]
    return [(0, size)]


def counts_by_one(event: Access) -> bool:
    """Whether an atomic adds the literal 1 to a 32-bit integer and ignores the result.

    In shared memory the compiler turns that into ATOMS.POPC.INC, where lanes on one address are merged.
    """
    if event.operation != "add" or event.result_used or event.array.dtype not in WORDS:
        return False
    arguments = _arguments(event.site.text)
    return bool(arguments) and isinstance(arguments[-1], ast.Constant) and arguments[-1].value == 1


def reduced_first(event: Access) -> bool:
    """Whether the compiler reduces the operands of a warp to one before it updates memory, with a single lane.

    It does so for 32-bit integers where the source names one address for the block, as in `cuda.atomic.add(n, 0, x)`.
    """
    if event.array.dtype not in WORDS or event.operation not in (SUMS if event.result_used else REDUCED):
        return False
    arguments = _arguments(event.site.text)
    return len(arguments) > 1 and _same_in_a_block(arguments[1])


@lru_cache(maxsize=1024)
def _arguments(text: str) -> tuple[ast.expr, ...]:
    """The arguments of a call in the source; none where it is no call."""
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return ()
    return tuple(call.args) if isinstance(call, ast.Call) else ()


def _same_in_a_block(index: ast.expr) -> bool:
    """Whether an index is made of literals and of what all threads of a block agree on."""
    if isinstance(index, ast.Tuple):
        return all(map(_same_in_a_block, index.elts))
    if isinstance(index, ast.BinOp):
        return _same_in_a_block(index.left) and _same_in_a_block(index.right)
    if isinstance(index, ast.Attribute):
        owner = index.value
        return (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) in SAME_IN_A_BLOCK
    return isinstance(index, ast.Constant)
