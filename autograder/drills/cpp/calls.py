"""Calls: what CUDA C++ has built in, and device functions of the answer."""

from __future__ import annotations

from collections.abc import Callable, Collection

from autograder.drills.cpp.body import EXPRESSIONS, Body
from autograder.drills.cpp.expressions import kind_of_cast
from autograder.drills.cpp.instances import inlined, instance
from autograder.drills.cpp.kinds_of_number import (
    BOOL,
    Value,
    common,
    converted,
    is_float,
    is_signed,
    kind_named,
    promoted,
    truth,
)
from autograder.drills.cpp.parsing import field, named, refused, text_of
from autograder.drills.cpp.places import Pointer, element, pointer_of
from autograder.words import count_text

MATH = {  # of floats and of doubles: libdevice's name of the double version
    *("acos", "asin", "atan", "cbrt", "ceil", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs"),
    *(
        "floor",
        "log",
        "log10",
        "log1p",
        "log2",
        "rint",
        "round",
        "rsqrt",
        "sin",
        "sinh",
        "sqrt",
        "tan",
        "tanh",
        "trunc",
    ),
    *("nearbyint", "lgamma", "tgamma"),
}
MATH_OF_TWO = {"atan2", "fmax", "fmin", "fmod", "hypot", "pow", "copysign", "fdim", "remainder"}
FAST = {"__expf": "fast_expf", "__logf": "fast_logf", "__sinf": "fast_sinf", "__cosf": "fast_cosf",
        "__tanf": "fast_tanf", "__log2f": "fast_log2f", "__exp10f": "fast_exp10f"}  # fmt: skip
OF_SINGLES = {  # name -> (libdevice, arguments, what comes back)
    "__float2int_rn": ("float2int_rn", 1, "int32"), "__float2int_rz": ("float2int_rz", 1, "int32"),
    "__float2int_rd": ("float2int_rd", 1, "int32"), "__float2int_ru": ("float2int_ru", 1, "int32"),
    "__fdividef": ("fast_fdividef", 2, "float32"), "__fmul_rn": ("fmul_rn", 2, "float32"),
    "__fadd_rn": ("fadd_rn", 2, "float32"), "__fsub_rn": ("fsub_rn", 2, "float32"),
    "__fmaf_rn": ("fmaf_rn", 3, "float32"), "__frcp_rn": ("frcp_rn", 1, "float32"),
    "__saturatef": ("saturatef", 1, "float32"), "__float_as_int": ("float_as_int", 1, "int32"),
}  # fmt: skip
ORDERS = {
    "__syncthreads": "cuda.syncthreads()", "__threadfence": "cuda.threadfence()",
    "__threadfence_block": "cuda.threadfence_block()", "__threadfence_system": "cuda.threadfence_system()",
}  # fmt: skip
SHUFFLES = {"__shfl_sync": "shfl_sync", "__shfl_down_sync": "shfl_down_sync", "__shfl_up_sync": "shfl_up_sync",
            "__shfl_xor_sync": "shfl_xor_sync"}  # fmt: skip
VOTES = {
    "__ballot_sync": ("ballot_sync", "uint32"),
    "__any_sync": ("any_sync", "int32"),
    "__all_sync": ("all_sync", "int32"),
}
BARRIER_VOTES = {"__syncthreads_count": "syncthreads_count", "__syncthreads_and": "syncthreads_and",
                 "__syncthreads_or": "syncthreads_or"}  # fmt: skip
ATOMICS = {"atomicAdd": "add", "atomicSub": "sub", "atomicMax": "max", "atomicMin": "min", "atomicExch": "exch",
           "atomicAnd": "and_", "atomicOr": "or_", "atomicXor": "xor", "atomicCAS": "cas"}  # fmt: skip
OF_WHOLE_NUMBERS = {"atomicSub", "atomicMax", "atomicMin", "atomicAnd", "atomicOr", "atomicXor", "atomicCAS"}
CASTS = ("static_cast", "const_cast")


def call(body: Body, node, name: str, given: list) -> Value | None:
    """A call; None where it gives nothing back. Raises: CppError for what is not known, by name."""
    name = name.removeprefix("std::")
    if (plain := name.partition("<")[0].strip()) in body.templates:
        name, text = instance(body, node, plain, body.templates[plain], given)
        if text:
            body.build(text)
    if name in body.lambdas and body.find(node, name).form == "lambda":
        return inlined(body, node, name, given)
    if name in body.functions:
        return _own(body, node, name, given)
    if name in ORDERS and not given:
        body.emit(ORDERS[name])
        return None
    if name == "__syncwarp":
        body.emit(f"cuda.syncwarp({_mask(body, given[0]) if given else ''})")
        return None
    if name in ATOMICS:
        return _atomic(body, node, name, given)
    if name == "__ldg" and len(given) == 1 and (pointer := pointer_of(body, given[0])) is not None:
        place = element(pointer.base, pointer.at)
        return Value(place.code, place.kind)
    for table, reader in READERS:
        if name in table:
            return reader(body, node, name, [body.value(each) for each in given])
    if name in SHUFFLES or name in VOTES:
        return (_shuffle if name in SHUFFLES else _vote)(body, node, name, given)
    if not {name, name.removesuffix("f")} & (MATH | MATH_OF_TWO):
        raise refused(node, f"`{name}` is not known here: no function of the answer, and left out of those of CUDA")
    return _mathematics(body, node, name, [body.value(each) for each in given])


def _need(node, name: str, given: list, count: int) -> None:
    if len(given) != count:
        raise refused(node, f"`{name}` takes {count_text(count, 'argument')}, and has {len(given)} here")


def _mask(body: Body, node) -> str:
    return converted(body.value(node), "uint32").code


def _shuffle(body: Body, node, name: str, given: list) -> Value:
    """Of whole warps: numba has no width."""
    if len(given) == 4:
        width = body.value(given.pop())
        if width.known != 32:
            raise refused(node, f"the width of `{name}` is left out, unless it is 32")
    _need(node, name, given, 3)
    value, lane = body.value(given[1]), body.value(given[2])
    kind = promoted(value.kind)
    handed = ", ".join([_mask(body, given[0]), converted(value, kind).code, converted(lane, "int32").code])
    return Value(f"{kind}(cuda.{SHUFFLES[name]}({handed}))", kind)


def _vote(body: Body, node, name: str, given: list) -> Value:
    _need(node, name, given, 2)
    function, kind = VOTES[name]
    return Value(f"{kind}(cuda.{function}({_mask(body, given[0])}, {truth(body.value(given[1])).code}))", kind)


def _barrier_vote(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 1)
    return Value(f"int32(cuda.{BARRIER_VOTES[name]}(int32({truth(given[0]).code})))", "int32")


def _bits(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 1)
    kind = "uint64" if name.endswith("ll") else "uint32"
    function = name.removeprefix("__").removesuffix("ll")
    found = kind if function == "brev" else "int32"
    return Value(f"{found}(cuda.{function}({converted(given[0], kind).code}))", found)


def _active(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 0)
    return Value("uint32(cuda.activemask())", "uint32")


def _extreme(body: Body, node, name: str, given: list[Value]) -> Value:
    """min and max in the common type, as CUDA's overloads have it."""
    _need(node, name, given, 2)
    kind = common(given[0].kind, given[1].kind)
    one, other = (converted(each, kind).code for each in given)
    if is_float(kind):
        return Value(f"libdevice.f{name}{'f' if kind == 'float32' else ''}({one}, {other})", kind)
    return Value(f"{kind}({name}({one}, {other}))", kind)


def _absolute(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 1)
    kind = promoted(given[0].kind)
    if is_float(kind):
        return Value(f"libdevice.fabs{'f' if kind == 'float32' else ''}({given[0].code})", kind)
    return Value(f"{kind}(abs({converted(given[0], kind).code}))", kind) if is_signed(kind) else given[0]


def _fused(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 3)
    kind = "float32" if name == "fmaf" else common(common(given[0].kind, given[1].kind), given[2].kind)
    kind = kind if is_float(kind) else "float64"
    code = ", ".join(converted(each, kind).code for each in given)
    return Value(f"libdevice.fma{'f' if kind == 'float32' else ''}({code})", kind)


def _single(body: Body, node, name: str, given: list[Value]) -> Value:
    function, count, kind = OF_SINGLES.get(name) or (FAST[name], 1, "float32")
    _need(node, name, given, count)
    code = ", ".join(converted(each, "float32").code for each in given)
    return Value(f"{kind}(libdevice.{function}({code}))", kind)


def _is(body: Body, node, name: str, given: list[Value]) -> Value:
    _need(node, name, given, 1)
    return Value(f"math.{name}({given[0].code})", BOOL)


READERS: tuple[tuple[Collection[str], Callable[..., Value]], ...] = (
    (BARRIER_VOTES, _barrier_vote),
    (("__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll"), _bits),
    (("__activemask",), _active),
    (("min", "max"), _extreme),
    (("abs",), _absolute),
    (("fma", "fmaf"), _fused),
    ((*OF_SINGLES, *FAST), _single),
    (("isnan", "isinf"), _is),
)


def _mathematics(body: Body, node, name: str, given: list[Value]) -> Value:
    """exp of a float is expf, as C++ overloads it; of a whole number, of a double."""
    plain = name if name in MATH | MATH_OF_TWO else name.removesuffix("f")
    _need(node, name, given, 1 if plain in MATH else 2)
    kind = "float32" if plain != name or all(each.kind == "float32" for each in given) else "float64"
    function = plain + ("f" if kind == "float32" else "")
    return Value(f"libdevice.{function}({', '.join(converted(each, kind).code for each in given)})", kind)


def _atomic(body: Body, node, name: str, given: list) -> Value:
    """An atomic on an element; its value is what stood there before."""
    _need(node, name, given, 3 if name == "atomicCAS" else 2)
    pointer = pointer_of(body, given[0])
    if pointer is None:
        raise refused(node, f"`{name}` takes the address of an element, as in `{name}(&x[i], ...)`")
    kind = pointer.base.kind
    if pointer.base.const:
        raise refused(node, f"`{pointer.base.name}` is const")
    if is_float(kind) and name in OF_WHOLE_NUMBERS:
        raise refused(node, f"`{name}` has no version for {kind}: it takes whole numbers")
    if kind in ("int8", "uint8", "int16", "uint16", BOOL):
        raise refused(node, f"`{name}` has no version for {kind}")
    values = ", ".join(converted(body.value(each), kind).code for each in given[1:])
    inside = element(pointer.base, pointer.at).code[len(pointer.base.name) + 1 : -1]
    at = f"({inside})" if ", " in inside and len(pointer.base.shape) > 1 else inside
    return Value(f"cuda.atomic.{ATOMICS[name]}({pointer.base.name}, {at}, {values})", kind)


def _own(body: Body, node, name: str, given: list) -> Value | None:
    """A device function: numbers are converted, a pointer goes as an array and where in it."""
    function = body.functions[name]
    _need(node, name, given, len(function.parameters))
    handed = [
        part for each, wanted in zip(given, function.parameters, strict=True) for part in _handed(body, each, wanted)
    ]
    code = f"{function.name}({', '.join(handed)})"
    if not function.returns:
        body.emit(code)
        return None
    return Value(f"{function.returns}({code})", function.returns)


def _handed(body: Body, node, wanted) -> list[str]:
    if wanted.form == "number":
        return [converted(body.value(node), wanted.kind).code]
    pointer: Pointer | None = pointer_of(body, node)
    if pointer is None or pointer.base.kind != wanted.kind or (pointer.base.const and not wanted.const):
        raise refused(node, f"`{text_of(node)}` is no {'const ' if wanted.const else ''}pointer to {wanted.kind}")
    if len(pointer.base.shape) > 1:
        raise refused(node, f"`{text_of(node)}`: an array of several dimensions cannot be handed on")
    return [pointer.base.name, pointer.at.code if pointer.at is not None else "0"]


def _expression(body: Body, node) -> Value:
    """A call, or a cast that looks like one, for its value."""
    function, given = field(node, "function"), named(field(node, "arguments"))
    if function.type == "template_function" and text_of(field(function, "name")) in CASTS:
        return converted(body.value(given[0]), kind_of_cast(named(field(function, "arguments"))[0]))
    kind = kind_named(text_of(function))
    if kind is not None and len(given) == 1:
        return converted(body.value(given[0]), kind)
    found = call(body, node, text_of(function), given)
    if found is None:
        raise refused(node, f"`{text_of(function)}` gives nothing back")
    return found


EXPRESSIONS["call_expression"] = _expression
