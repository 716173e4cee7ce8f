"""Shuffles, votes, bits and atomics, by the names that CUDA C++ has for them."""

from __future__ import annotations

from autograder.drills.cpp.body import Body
from autograder.drills.cpp.kinds_of_number import BOOL, Value, converted, declared, is_float, promoted, truth
from autograder.drills.cpp.parsing import field, mistaken, refused, text_of
from autograder.drills.cpp.places import element
from autograder.drills.cpp.pointers import pointer_of
from autograder.drills.cpp.teams import NOTHING, shuffled
from autograder.words import count_text


def need(node, name: str, given: list, count: int) -> None:
    """Raises: CppError where a call has another number of arguments."""
    if len(given) != count:
        raise mistaken(node, f"`{name}` takes {count_text(count, 'argument')}, and has {len(given)} here")


SHUFFLES = {"__shfl_sync": "shfl_sync", "__shfl_down_sync": "shfl_down_sync", "__shfl_up_sync": "shfl_up_sync",
            "__shfl_xor_sync": "shfl_xor_sync"}  # fmt: skip


VOTES = {
    "__ballot_sync": ("ballot_sync", "uint32"),
    "__any_sync": ("any_sync", "int32"),
    "__all_sync": ("all_sync", "int32"),
    "__match_any_sync": ("match_any_sync", "uint32"),
}


BARRIER_VOTES = {"__syncthreads_count": "syncthreads_count", "__syncthreads_and": "syncthreads_and",
                 "__syncthreads_or": "syncthreads_or"}  # fmt: skip


ATOMICS = {"atomicAdd": "add", "atomicSub": "sub", "atomicMax": "max", "atomicMin": "min", "atomicExch": "exch",
           "atomicAnd": "and_", "atomicOr": "or_", "atomicXor": "xor", "atomicCAS": "cas",
           "atomicInc": "inc", "atomicDec": "dec"}  # fmt: skip


OF_WHOLE_NUMBERS = {
    "atomicSub",
    "atomicMax",
    "atomicMin",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "atomicCAS",
    "atomicInc",
    "atomicDec",
}


REDUCED = {"__reduce_add_sync": "add", "__reduce_max_sync": "max", "__reduce_min_sync": "min"}


def mask(body: Body, node) -> str:
    return converted(body.value(node), "uint32").code


def shuffle(body: Body, node, name: str, given: list) -> Value:
    width = 32
    if len(given) == 4:
        width = body.value(given.pop()).known or 0
        if width not in (1, 2, 4, 8, 16, 32):
            raise refused(node, f"the width of `{name}` is a power of two up to 32, and known when it compiles")
    need(node, name, given, 3)
    return shuffled(SHUFFLES[name], mask(body, given[0]), body.value(given[1]), body.value(given[2]), width)


def reduced(body: Body, node, name: str, given: list) -> Value:
    """One instruction from the A100 on; here as many shuffles as lanes."""
    need(node, name, given, 2)
    value = body.value(given[1])
    kind = promoted(value.kind)
    if kind not in ("int32", "uint32"):
        raise refused(node, f"`{name}` has no version for {kind}: it takes int and unsigned")
    return Value(f"{kind}(c_reduce_{REDUCED[name]}({mask(body, given[0])}, {converted(value, kind).code}))", kind)


def vote(body: Body, node, name: str, given: list) -> Value:
    need(node, name, given, 2)
    function, kind = VOTES[name]
    if name == "__match_any_sync":
        value = body.value(given[1])
        return Value(
            f"{kind}(cuda.{function}({mask(body, given[0])}, {converted(value, promoted(value.kind)).code}))", kind
        )
    return Value(f"{kind}(cuda.{function}({mask(body, given[0])}, {truth(body.value(given[1])).code}))", kind)


def barrier_vote(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 1)
    return Value(f"int32(cuda.{BARRIER_VOTES[name]}(int32({truth(given[0]).code})))", "int32")


def bits(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 1)
    kind = "uint64" if name.endswith("ll") else "uint32"
    function = name.removeprefix("__").removesuffix("ll")
    found = kind if function == "brev" else "int32"
    return Value(f"{found}(cuda.{function}({converted(given[0], kind).code}))", found)


def active(body: Body, node, name: str, given: list[Value]) -> Value:
    need(node, name, given, 0)
    return Value("uint32(cuda.activemask())", "uint32")


def atomic(body: Body, node, name: str, given: list) -> Value:
    """An atomic on an element; its value is what stood there before."""
    need(node, name, given, 3 if name == "atomicCAS" else 2)
    pointer = pointer_of(body, given[0])
    if pointer is None:
        raise mistaken(node, f"`{name}` takes the address of an element, as in `{name}(&x[i], ...)`")
    kind = pointer.base.kind
    if pointer.base.const:
        raise mistaken(node, f"`{pointer.base.name}` is const")
    if is_float(kind) and name in OF_WHOLE_NUMBERS:
        raise refused(node, f"`{name}` has no version for {kind}: it takes whole numbers")
    if kind in ("int8", "uint8", "int16", "uint16", BOOL):
        raise refused(node, f"`{name}` has no version for {kind}")
    if name in ("atomicInc", "atomicDec") and kind != "uint32":
        raise refused(node, f"`{name}` has no version for {kind}: it takes unsigned numbers")
    values = ", ".join(converted(body.value(each), kind).code for each in given[1:])
    at = element(pointer.base, pointer.at).code[len(pointer.base.name) + 1 : -1]
    if is_float(kind) and name == "atomicExch":  # numba's exchanges whole numbers: the same bits as one of those
        whole_kind, into, back = OF_BITS[kind]
        code = f"cuda.atomic.exch({pointer.base.name}.view(np.{whole_kind}), {at}, libdevice.{into}({values}))"
        return Value(f"libdevice.{back}({code})", kind)
    return Value(f"cuda.atomic.{ATOMICS[name]}({pointer.base.name}, {at}, {values})", kind)


OF_BITS = {  # a float's bits as a whole number: its kind, and there and back
    "float32": ("int32", "float_as_int", "int_as_float"),
    "float64": ("int64", "double_as_longlong", "longlong_as_double"),
}


LOADS = {"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"}  # which cache they go through changes no value


STORES = {"__stwb", "__stcg", "__stcs", "__stwt"}


def through_a_cache(body: Body, node, given: list) -> Value | None:
    """__ldg(&x[i]), __stcs(&x[i], v). NOTHING of a store; None for other calls."""
    name = text_of(field(node, "function"))
    wanted = 1 if name in LOADS else 2 if name in STORES else 0
    pointer = pointer_of(body, given[0]) if wanted and len(given) == wanted else None
    if pointer is None:
        return None
    place = element(pointer.base, pointer.at)
    if name in LOADS:
        return Value(place.code, place.kind)
    if place.const:
        raise mistaken(node, f"`{pointer.base.name}` is const, and this writes to it")
    body.emit(f"{place.code} = {declared(body.value(given[1]), place.kind)}")
    return NOTHING
