"""The smallest expressions: names, elements of arrays, literals, and indices that stay inside an array."""

from __future__ import annotations

from collections.abc import Callable

from .expr import ArrayName, Expr, is_integer, kind_of, width_of

SMALL = (0, 1, 2, 3, 5, 7, 10, -1, -2, -5)
EDGES = (127, 128, 255, 256, -128, 32767, 65535, -32768, 2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**53 + 1, 2**63 - 1)
FLOAT_LITERALS = (
    "1.0",
    "0.0",
    "0.5",
    "2.0",
    "-1.5",
    "0.1",
    "3.75",
    "-0.0",
    "100.0",
    "1e10",
    "1e-3",
    "-1e300",
    "1e-310",
)


def literal(w) -> Expr:
    """A whole number; numba types it int64."""
    value = w.choices.pick(SMALL if not w.choices.chance(25) else EDGES)
    text = f"({value})" if value < 0 else str(value)
    return Expr(f"int64({value})" if w.portable else text, "int64", bits=abs(value).bit_length())


def float_literal(w) -> Expr:
    text = w.choices.pick(FLOAT_LITERALS)
    wanted = "float32" if w.choices.chance(40) and not w.portable else "float64"
    if wanted == "float32" or w.portable:
        return Expr(f"{wanted}({text})", wanted)
    return Expr(f"({text})", wanted)


def name_of(w, accepts: Callable[[str], bool]) -> Expr | None:
    """A name in scope whose type is accepted."""
    names = [(name, kind) for name, kind in w.scope.names().items() if accepts(kind)]
    if not names:
        return None
    name, kind = w.choices.pick(names)
    return Expr(name, kind, bits=_width(kind, w.bits_of_names[name]))


def _width(kind: str, known: int) -> int:
    return min(width_of(kind), known) if is_integer(kind) else known


def element(w, accepts: Callable[[str], bool], depth: int) -> Expr | None:
    """An element of an array in scope whose element type is accepted."""
    arrays = [array for array in w.scope.arrays if accepts(array.type)]
    if not arrays:
        return None
    array = w.choices.pick(arrays)
    return Expr(array.name + subscript(w, array, depth), array.type, bits=_width(array.type, array.bits))


def subscript(w, array: ArrayName, depth: int) -> str:
    """``[...]`` inside the array, for reading."""
    indices = [index(w, array, axis, depth) for axis in range(len(array.shape))]
    if len(indices) > 1 and w.choices.chance(15):
        return "".join(f"[{one}]" for one in indices)
    return f"[{', '.join(indices)}]"


def index(w, array: ArrayName, axis: int, depth: int) -> str:
    """An index along one axis, maybe negative, never outside."""
    extent = array.shape[axis]
    if w.choices.chance(15):
        return str(w.choices.between(0, extent - 1) - (extent if w.choices.chance(40) else 0))
    position = w.integer(max(depth - 1, 0)).text
    size = str(extent)
    if w.choices.chance(40):
        size = f"{array.name}.shape[{axis}]"
        if axis == 0 and w.choices.chance(40):
            size = f"len({array.name})" if len(array.shape) > 1 else f"{array.name}.size"
    forms = [f"{position} % {size}", f"-1 - ({position} % {size})", f"{position} % {size} - {size}"]
    if extent & (extent - 1) == 0:
        forms.append(f"{position} & {extent - 1}")
    if w.portable:
        forms = [f"int64({form})" for form in forms]
    return w.choices.pick(forms)


def integer_leaf(w, depth: int) -> Expr:
    """A whole number: a name, an element, a literal, or a special register."""
    choice = w.choices.below(10)
    found = None
    if choice < 5:
        found = name_of(w, is_integer)
    elif choice < 8:
        found = element(w, is_integer, depth)
    elif choice == 8 and not w.portable:
        found = Expr(w.choices.pick(REGISTERS), "int32", bits=10)
    return found or literal(w)


REGISTERS = (
    "cuda.threadIdx.x", "cuda.blockIdx.x", "cuda.blockDim.x", "cuda.gridDim.x", "cuda.threadIdx.y", "cuda.blockIdx.y",
    "cuda.blockDim.z", "cuda.laneid",
)  # fmt: skip


def float_leaf(w, depth: int) -> Expr:
    """A float64 or float32: a name, an element or a literal."""

    def accepts(kind: str) -> bool:
        return kind in ("float64", "float32")

    choice = w.choices.below(10)
    found = name_of(w, accepts) if choice < 5 else element(w, accepts, depth) if choice < 8 else None
    return found or float_literal(w)


def complex_leaf(w, depth: int) -> Expr:
    """A complex number whose parts are quarters up to 32."""

    def accepts(kind: str) -> bool:
        return kind_of(kind) == "c"

    choice = w.choices.below(10)
    found = name_of(w, accepts) if choice < 5 else element(w, accepts, depth) if choice < 8 else None
    if found is not None:
        return Expr(found.text, found.type, bits=9)
    real, imag = w.choices.between(-8, 8) / 4, w.choices.between(-8, 8) / 4
    kind = w.choices.pick(("complex128", "complex64"))
    text = f"complex({real}, {imag})"
    return Expr(text if kind == "complex128" else f"complex64({text})", kind, bits=9)
