"""What comes before a model: features scaled, filled in, counted, chosen, put side by side."""

from __future__ import annotations

import math

import numpy as np

from minitrt.api.enums import DataType, ErrorCode
from minitrt.network.tensor import ITensor
from minitrt.onnx_import.domains.learned.scores import NO_STRINGS, floats
from minitrt.onnx_import.expanding import Expansion
from minitrt.onnx_import.node import LEARNED, Node, NodeError, array_of, operator

NORMS = "MAX", "L1", "L2"
NAN_IS_A_KEY = 4  # since which version of the domain
TYPES = {"int64s": np.int64, "floats": np.float32}


@operator("Scaler", domains=(LEARNED,))
def scaler(node: Node) -> ITensor:
    """(x - offset) * scale, one of each, or one a column."""
    e = Expansion(node)
    x, offset, scale = floats(e, e.given(0)), node.attr("offset") or [0.0], node.attr("scale") or [1.0]
    return e.result(e.op("Mul", e.op("Sub", x, e.constant(offset, np.float32)), e.constant(scale, np.float32)))


@operator("Normalizer", domains=(LEARNED,))
def normalizer(node: Node) -> ITensor:
    """Rows by their largest element, the sum of their sizes or their length; rows of which that is 0 stay."""
    e, kind = Expansion(node), node.attr("norm", "MAX")
    node.need(kind in NORMS, f"the norm {kind} is not known")
    x = floats(e, e.given(0))
    if kind == "MAX":
        size = e.reduce("ReduceMax", x, [-1])
    elif kind == "L1":
        size = e.reduce("ReduceSum", e.op("Abs", x), [-1])
    else:
        size = e.op("Sqrt", e.reduce("ReduceSum", e.op("Mul", x, x), [-1]))
    nothing = e.op("Equal", size, e.constant(0, np.float32))
    return e.result(e.op("Div", x, e.op("Where", nothing, e.constant(1, np.float32), size)))


@operator("Imputer", domains=(LEARNED,))
def imputer(node: Node) -> ITensor:
    """The columns' values in place of one number, often NaN."""
    e = Expansion(node)
    whole = bool(node.attr("imputed_value_int64s"))
    dtype = np.int64 if whole else np.float32
    values = node.attr("imputed_value_int64s") or node.attr("imputed_value_floats")
    node.need(bool(values), "it has no values to put in")
    absent = node.attr("replaced_value_int64", 0) if whole else node.attr("replaced_value_float", 0.0)
    x = e.given(0)
    nan = not whole and math.isnan(absent)
    there = e.op("IsNaN", x) if nan else e.op("Equal", x, e.constant(absent, dtype))
    return e.result(e.op("Where", there, e.constant(values, dtype), x))


@operator("Binarizer", domains=(LEARNED,))
def binarizer(node: Node) -> ITensor:
    e = Expansion(node)
    above = e.op("Greater", e.given(0), e.constant(node.attr("threshold", 0.0), np.float32))
    return e.result(e.cast(above, DataType.FLOAT))


@operator("OneHotEncoder", domains=(LEARNED,))
def one_hot(node: Node) -> ITensor:
    """(..., categories): 1 where x is the category; what is none is zeros. Raises: NodeError for strings."""
    e, categories = Expansion(node), node.attr("cats_int64s")
    if not categories:
        raise NodeError(f"its categories are strings, and {NO_STRINGS}", ErrorCode.UNSUPPORTED_NODE_DATATYPE)
    x = e.cast(e.given(0), DataType.INT64)
    if not node.attr("zeros", 1):
        node.importing.note("OneHotEncoder: a value that is no category gives zeros here, and not an error of the run")
    equal = e.op("Equal", e.unsqueeze(x, [e.rank(x)]), e.constant(categories, np.int64))
    return e.result(e.cast(equal, DataType.FLOAT))


@operator("LabelEncoder", domains=(LEARNED,))
def label_encoder(node: Node) -> ITensor:
    """Each key's value, and the default for what is no key. Raises: NodeError for strings."""
    e, keys, values = Expansion(node), listed(node, "keys"), listed(node, "values")
    node.need(keys.shape == values.shape and keys.size > 0, "it needs as many values as keys, and one at least")
    node.need(len(np.unique(keys)) == len(keys), "a key is there twice")
    x = e.given(0)
    wide = e.unsqueeze(x, [e.rank(x)])
    found = e.op("Equal", wide, e.constant(keys))
    if node.importing.learned >= NAN_IS_A_KEY and keys.dtype.kind == "f" and np.isnan(keys).any():
        found = e.op("Or", found, e.op("And", e.op("IsNaN", wide), e.constant(np.isnan(keys))))
    place = e.op("ArgMax", e.cast(found, DataType.INT32), axis=-1, keepdims=0)
    any_key = e.reduce("ReduceMax", e.cast(found, DataType.INT32), [-1], keepdims=0)
    out = e.op("Gather", e.constant(values), place, axis=0)
    default = e.constant(default_of(node, values.dtype))
    return e.result(e.op("Where", e.op("Greater", any_key, e.constant(0, np.int32)), out, default))


def listed(node: Node, what: str) -> np.ndarray:
    """Keys or values: int64 or float32. Raises: NodeError for strings."""
    for kind, dtype in TYPES.items():
        if node.attr(f"{what}_{kind}"):
            return np.array(node.attr(f"{what}_{kind}"), dtype)
    tensor = node.attributes.get(f"{what}_tensor")
    if tensor is None or node.attributes.get(f"{what}_strings"):
        raise NodeError(f"its {what} are strings, and {NO_STRINGS}", ErrorCode.UNSUPPORTED_NODE_DATATYPE)
    return np.ravel(array_of(tensor, node.importing.stored))


def default_of(node: Node, dtype: np.dtype) -> np.ndarray:
    """What is given for no key."""
    tensor = node.attributes.get("default_tensor")
    if tensor is not None:
        return np.ravel(array_of(tensor, node.importing.stored))[0]
    whole = dtype.kind in "iu"
    return np.asarray(node.attr("default_int64", -1) if whole else node.attr("default_float", -0.0), dtype)


@operator("ArrayFeatureExtractor", domains=(LEARNED,))
def extractor(node: Node) -> ITensor:
    """The columns that input 1 names, along the last axis; one row of a vector."""
    e = Expansion(node)
    x, places = e.given(0), e.reshape(e.given(1), [-1])
    out = e.op("Gather", x, places, axis=e.rank(x) - 1)
    return e.result(e.reshape(out, [1, -1]) if e.rank(x) == 1 else out)


@operator("FeatureVectorizer", domains=(LEARNED,))
def vectorizer(node: Node) -> ITensor:
    """Inputs (N, some) side by side, as floats; of the numbers of columns that the node says, the first ones."""
    e = Expansion(node)
    parts = []
    for index, _ in enumerate(node.proto.input):
        x = floats(e, e.given(index))
        parts.append(e.reshape(x, [-1, 1]) if e.rank(x) == 1 else x)
    said = node.attr("inputdimensions")
    known = [tuple(e.importing.tensor(part).shape)[1] for part in parts]
    if said and list(said) != known:
        raise NodeError(f"its inputs have {known} columns, but inputdimensions says {said}", ErrorCode.INVALID_NODE)
    return e.result(e.op("Concat", *parts, axis=1) if len(parts) > 1 else e.op("Identity", parts[0]))
