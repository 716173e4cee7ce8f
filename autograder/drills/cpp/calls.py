"""Calls: what CUDA C++ has built in, and device functions of the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from autograder.drills.cpp import records
from autograder.drills.cpp.body import EXPRESSIONS, Body
from autograder.drills.cpp.expressions import kind_of_cast
from autograder.drills.cpp.instances import inlined, instance
from autograder.drills.cpp.intrinsics import (
    ATOMICS,
    BARRIER_VOTES,
    REDUCED,
    SHUFFLES,
    VOTES,
    active,
    atomic,
    barrier_vote,
    bits,
    mask,
    need,
    reduced,
    shuffle,
    through_a_cache,
    vote,
)
from autograder.drills.cpp.kinds_of_number import (
    BITS,
    BOOL,
    Value,
    common,
    converted,
    is_float,
    is_signed,
    kind_named,
    promoted,
    whole,
)
from autograder.drills.cpp.own_functions import own
from autograder.drills.cpp.parsing import field, mistaken, named, refused, text_of
from autograder.drills.cpp.teams import of_a_team

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
    "__float_as_uint": ("float_as_int", 1, "uint32"),
}  # fmt: skip
ORDERS = {
    "__syncthreads": "cuda.syncthreads()", "__threadfence": "cuda.threadfence()",
    "__threadfence_block": "cuda.threadfence_block()", "__threadfence_system": "cuda.threadfence_system()",
}  # fmt: skip
LIMIT = re.compile(r"numeric_limits<([\w ]+)>::(\w+)")
FLOAT_LIMITS = {
    "infinity": "math.inf", "max": "3.4028234663852886e38", "lowest": "-3.4028234663852886e38", "min": "2.0 ** -126",
    "epsilon": "2.0 ** -23",
}  # fmt: skip
SILENT = {"assert", "printf", "__builtin_assume"}  # say something, and change nothing
CASTS = ("static_cast", "const_cast")
OLD = {"__shfl", "__shfl_down", "__shfl_up", "__shfl_xor", "__ballot", "__any", "__all"}  # without a mask


def call(body: Body, node, name: str, given: list) -> Value | None:
    """A call; None where it gives nothing back. Raises: CppError for what is not known, by name."""
    name = _without_namespaces(body, name)
    if (functor := _functor(body, node)) is not None:
        name, given = functor, [field(node, "function"), *given]
    if (plain := name.partition("<")[0].strip()) in body.templates:
        name, text = instance(body, node, plain, body.templates[plain], given)
        if text:
            body.build(text)
    if name in body.lambdas and body.find(node, name).form == "lambda":
        return inlined(body, node, name, given)
    if name in body.functions:
        return own(body, node, name, given)
    if name in body.hosts:
        raise refused(node, f"`{name}` is for the host: write __device__ before it")
    found = of_a_team(body, node, given) or through_a_cache(body, node, given)
    if found is not None:
        return found if found.kind else None
    if limit := LIMIT.fullmatch(name):
        return _limit(node, kind_named(limit[1]), limit[2])
    if name in ORDERS and not given:
        body.emit(ORDERS[name])
        return None
    if name == "__syncwarp":
        body.emit(f"cuda.syncwarp({mask(body, given[0]) if given else ''})")
        return None
    if name in ATOMICS:
        return atomic(body, node, name, given)
    for table, reader in READERS:
        if name in table:
            return reader(body, node, name, [body.value(each) for each in given])
    for several, reads in ((SHUFFLES, shuffle), (VOTES, vote), (REDUCED, reduced)):
        if name in several:
            return reads(body, node, name, given)
    if name in OLD:
        raise mistaken(node, f"`{name}` is gone since Volta: write `{name}_sync(mask, ...)`")
    if not {name, name.removesuffix("f")} & (MATH | MATH_OF_TWO):
        raise refused(node, f"`{name}` is not known here: no function of the answer, and left out of those of CUDA")
    return _mathematics(body, node, name, [body.value(each) for each in given])


def _functor(body: Body, node) -> str | None:
    """The function that is called where an object is: op(x), Max()(a, b)."""
    function = node.child_by_field_name("function")
    if function is None or function.type not in ("identifier", "call_expression", "compound_literal_expression"):
        return None
    record = records.variable_of(body, function)
    if record is None and function.type != "identifier":
        record = body.records.get(re.split(r"[({]", text_of(function))[0].strip())
    name = f"{record.name}_call" if record else ""
    return name if name in body.functions or name in body.templates else None


def _without_namespaces(body: Body, name: str) -> str:
    """std::max as max, and a function of the answer's own namespace by its own name."""
    plain = name.rpartition("::")[2]
    return plain if plain in body.functions or plain in body.templates else name.removeprefix("std::")


def _limit(node, kind: str | None, what: str) -> Value:
    """std::numeric_limits<float>::max()"""
    if kind in BITS:
        low = -(2 ** (BITS[kind] - 1)) if is_signed(kind) else 0
        ends = {"max": low + 2 ** BITS[kind] - 1, "min": low, "lowest": low}
        if what in ends:
            return whole(ends[what], kind)
    if kind == "float32" and what in FLOAT_LIMITS:
        return Value(f"float32({FLOAT_LIMITS[what]})", kind)
    if kind == "float64" and what in ("infinity", "max", "lowest"):
        return Value(
            {"infinity": "math.inf", "max": "1.7976931348623157e308", "lowest": "-1.7976931348623157e308"}[what], kind
        )
    raise refused(node, f"`{text_of(node)}` is left out")


def _extreme(body: Body, node, name: str, given: list[Value]) -> Value:
    """min and max in the common type, as CUDA's overloads have it."""
    need(node, name, given, 2)
    kind = common(given[0].kind, given[1].kind)
    one, other = (converted(each, kind).code for each in given)
    if is_float(kind):
        return Value(f"libdevice.f{name}{'f' if kind == 'float32' else ''}({one}, {other})", kind)
    return Value(f"{kind}({name}({one}, {other}))", kind)


def _absolute(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 1)
    kind = promoted(given[0].kind)
    if is_float(kind):
        return Value(f"libdevice.fabs{'f' if kind == 'float32' else ''}({given[0].code})", kind)
    return Value(f"{kind}(abs({converted(given[0], kind).code}))", kind) if is_signed(kind) else given[0]


def _fused(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 3)
    kind = "float32" if name == "fmaf" else common(common(given[0].kind, given[1].kind), given[2].kind)
    kind = kind if is_float(kind) else "float64"
    code = ", ".join(converted(each, kind).code for each in given)
    return Value(f"libdevice.fma{'f' if kind == 'float32' else ''}({code})", kind)


def _single(body: Body, node, name: str, given: list[Value]) -> Value:
    function, count, kind = OF_SINGLES.get(name) or (FAST[name], 1, "float32")
    need(node, name, given, count)
    code = ", ".join(converted(each, "float32").code for each in given)
    return Value(f"{kind}(libdevice.{function}({code}))", kind)


def _product_of_24_bits(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 2)
    kind = "uint32" if name == "__umul24" else "int32"
    one, other = (f"{kind}({kind}({converted(each, kind).code} << 8) >> 8)" for each in given)
    return Value(f"{kind}({one} * {other})", kind)


def _expected(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 2)
    return given[0]


def _from_bits(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 1)
    return Value(f"libdevice.int_as_float({converted(given[0], 'int32').code})", "float32")


def _is(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 1)
    return Value(f"math.{name}({given[0].code})", BOOL)


READERS: tuple[tuple[Collection[str], Callable[..., Value]], ...] = (
    (BARRIER_VOTES, barrier_vote),
    (("__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll"), bits),
    (("__activemask",), active),
    (("min", "max"), _extreme),
    (("abs",), _absolute),
    (("fma", "fmaf"), _fused),
    ((*OF_SINGLES, *FAST), _single),
    (("isnan", "isinf"), _is),
    (("__mul24", "__umul24"), _product_of_24_bits),
    (("__builtin_expect",), _expected),
    (("__int_as_float", "__uint_as_float"), _from_bits),
)


def _mathematics(body: Body, node, name: str, given: list[Value]) -> Value:
    """exp of a float is expf, as C++ overloads it; of a whole number, of a double."""
    plain = name if name in MATH | MATH_OF_TWO else name.removesuffix("f")
    need(node, name, given, 1 if plain in MATH else 2)
    kind = "float32" if plain != name or all(each.kind == "float32" for each in given) else "float64"
    function = plain + ("f" if kind == "float32" else "")
    return Value(f"libdevice.{function}({', '.join(converted(each, kind).code for each in given)})", kind)


def _expression(body: Body, node) -> Value:
    """A call, or a cast that looks like one, for its value."""
    function, given = field(node, "function"), named(field(node, "arguments"))
    if function.type == "template_function" and text_of(field(function, "name")) in CASTS:
        need(node, text_of(function), given, 1)
        return converted(body.value(given[0]), kind_of_cast(named(field(function, "arguments"))[0]))
    kind = kind_named(text_of(function))
    if kind is not None and len(given) == 1:
        return converted(body.value(given[0]), kind)
    found = call(body, node, text_of(function), given)
    if found is None:
        raise mistaken(node, f"`{text_of(function)}` gives nothing back")
    return found


EXPRESSIONS["call_expression"] = _expression
