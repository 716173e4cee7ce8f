"""Where a model's weights lie: not in the message that is parsed, but in its bytes, or in files beside it.

A message that holds all weights is one copy more of them, and is kept whole until the last of them is read. So large
ones are cut out of the bytes before these are parsed, and marked as ONNX marks external data: by offset and length, in
a file without a name, which is the model itself. Each is read when it is first asked for, into memory of its own.
"""

from __future__ import annotations

import io
import mmap
import os
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
import onnx

from minitrt.api.enums import ErrorCode

LARGE = 4096  # bytes of what is cut out
VARINT, EIGHT_BYTES, BYTES, FOUR_BYTES = 0, 1, 2, 5  # protobuf's wire types
HERE = ""  # the location of what lies in the model itself
RAW_DATA, EXTERNAL_DATA, DATA_LOCATION, DATA_TYPE = 9, 13, 14, 2  # fields of TensorProto
PACKED = {4: onnx.TensorProto.FLOAT, 10: onnx.TensorProto.DOUBLE}  # lists that lie as raw data does, and whose they are
LISTS = 7, 8, 9  # fields of AttributeProto, behind its name
Tree = dict[int, "Tree | None"]
TENSOR: Tree = {}
ATTRIBUTE: Tree = {5: TENSOR}
GRAPH: Tree = {1: {5: ATTRIBUTE}, 5: TENSOR}  # its nodes' attributes, and its initializers
ATTRIBUTE[6] = GRAPH
MODEL: Tree = {7: GRAPH}


class MissingWeights(ValueError):
    """Weights that do not lie where the model says."""

    code = ErrorCode.INVALID_NODE


class Field(NamedTuple):
    """A field of a message: its number and wire type, where it begins, where its content does and where both end."""

    number: int
    kind: int
    begin: int
    content: int
    end: int


class Stored:
    """The bytes of a model and of the files beside it. model: bytes, or an open file's descriptor."""

    def __init__(self, model: bytes | int, folder: str | None):
        self.model, self.folder = model, folder

    def proto(self) -> onnx.ModelProto:
        """The model, without its large weights. Raises: what protobuf raises of bytes that are no model."""
        if isinstance(self.model, bytes):
            return light(self.model)
        if not os.fstat(self.model).st_size:
            return onnx.ModelProto()
        with mmap.mmap(self.model, 0, access=mmap.ACCESS_READ) as mapped:
            return light(mapped)

    def raw(self, proto: onnx.TensorProto) -> bytearray | None:
        """The elements of a tensor that do not lie in its message; None of one whose elements do.

        Raises: MissingWeights.
        """
        if proto.data_location != onnx.TensorProto.EXTERNAL:
            return None
        place = {entry.key: entry.value for entry in proto.external_data}
        location = place.get("location", HERE)
        if location == HERE:
            return part(self.model, place, proto.name, "the model")
        with open(self.beside(location, proto.name), "rb") as file:
            return part(file.fileno(), place, proto.name, repr(location))

    def beside(self, location: str, name: str) -> str:
        """The path of a file beside the model: no other one is opened. Raises: MissingWeights."""
        if self.folder is None:
            raise MissingWeights(
                f"weights {name!r} lie in {location!r}, beside the model: give parse its path, or use parse_from_file"
            )
        folder = os.path.realpath(self.folder)
        path = os.path.realpath(os.path.join(folder, location))
        if os.path.commonpath([folder, path]) != folder:
            raise MissingWeights(f"weights {name!r} lie in {location!r}, which is not beside the model")
        if not os.path.isfile(path):
            raise MissingWeights(f"weights {name!r} lie in {location!r}, but there is no such file beside the model")
        return path


NOWHERE = Stored(b"", None)  # of a message that has all its elements


def part(source: bytes | int, place: dict[str, str], name: str, where: str) -> bytearray:
    """The bytes of weights, of a model in memory or an open file, from an offset on and of a length.

    Raises: MissingWeights where there are not as many.
    """
    size = len(source) if isinstance(source, bytes) else os.fstat(source).st_size
    offset = int(place.get("offset", 0))
    length = int(place["length"]) if "length" in place else size - offset
    if offset < 0 or length < 0 or offset + length > size:
        raise MissingWeights(f"weights {name!r} are bytes {offset} to {offset + length} of {where}, which has {size}")
    if isinstance(source, bytes):
        return bytearray(memoryview(source)[offset : offset + length])
    return read(source, offset, length)


def read(file: int, offset: int, length: int) -> bytearray:
    """Bytes of a file, in memory of their own. Raises: MissingWeights where there are not as many."""
    buffer, done = bytearray(length), 0
    with io.FileIO(file, closefd=False) as raw:
        raw.seek(offset)
        while done < length:
            count = raw.readinto(memoryview(buffer)[done:])
            if not count:
                raise MissingWeights(f"the file ended {length - done} bytes early")
            done += count
    return buffer


# --- a message without its large weights ---


def light(model) -> onnx.ModelProto:
    """The model of these bytes (bytes or a map of a file), large weights left where they lie."""
    try:
        parts = list(rewritten(model, 0, len(model), MODEL))
    except (IndexError, ValueError):  # no model: protobuf says what is wrong
        return onnx.load_from_string(bytes(model))
    return onnx.load_from_string(b"".join(parts))


def rewritten(data, begin: int, end: int, tree: Tree) -> Iterator[bytes]:
    """A message's fields, those of `tree` rewritten in turn; a tensor's elements cut out if they are large."""
    if tree is ATTRIBUTE and is_list(data, begin, end):
        yield data[begin:end]
        return
    fields = list(fields_of(data, begin, end))
    cut = large_elements(data, fields) if tree is TENSOR else None
    for field in fields:
        inner = tree.get(field.number) if field.kind == BYTES else None
        if field is cut:
            yield from place_of(field)
        elif cut and field.number == DATA_LOCATION:
            continue  # the last of several would count
        elif inner is not None and field.end - field.content > LARGE:
            content = b"".join(rewritten(data, field.content, field.end, inner))
            yield varint(field.number << 3 | BYTES) + varint(len(content)) + content
        else:
            yield data[field.begin : field.end]


def is_list(data, begin: int, end: int) -> bool:
    """Whether an attribute is a list of numbers or texts, of which a forest has millions, and so holds no tensor."""
    return any(field.number in LISTS for field in islice(fields_of(data, begin, end), 2))


def large_elements(data, fields: list[Field]) -> Field | None:
    """The field of a tensor that holds all its elements as they lie in an array, if that is large."""
    kind = next((number_at(data, field.content)[0] for field in fields if field.number == DATA_TYPE), None)
    outside = any(field.number == EXTERNAL_DATA for field in fields)
    held = [f for f in fields if f.number == RAW_DATA or f.number in PACKED]
    if outside or len(held) != 1 or held[0].kind != BYTES or held[0].end - held[0].content < LARGE:
        return None
    return held[0] if PACKED.get(held[0].number, kind) == kind else None


def place_of(field: Field) -> Iterator[bytes]:
    """The fields of a tensor whose elements lie elsewhere."""
    place = {"location": HERE, "offset": str(field.content), "length": str(field.end - field.content)}
    for key, value in place.items():
        entry = onnx.StringStringEntryProto(key=key, value=value).SerializeToString()
        yield varint(EXTERNAL_DATA << 3 | BYTES) + varint(len(entry)) + entry
    yield varint(DATA_LOCATION << 3 | VARINT) + varint(onnx.TensorProto.EXTERNAL)


def fields_of(data, begin: int, end: int) -> Iterator[Field]:
    """The fields of a message. Raises: ValueError or IndexError for bytes that are none."""
    while begin < end:
        key, content = number_at(data, begin)
        kind = key & 7
        if kind == VARINT:
            after = number_at(data, content)[1]
        elif kind == BYTES:
            length, content = number_at(data, content)
            after = content + length
        elif kind in (EIGHT_BYTES, FOUR_BYTES):
            after = content + (8 if kind == EIGHT_BYTES else 4)
        else:
            raise ValueError(f"wire type {kind}")
        if after > end:
            raise ValueError("a field is longer than its message")
        yield Field(key >> 3, kind, begin, content, after)
        begin = after


def number_at(data, place: int) -> tuple[int, int]:
    """A number as protobuf writes it, seven bits a byte, and where it ends."""
    number = shift = 0
    while True:
        byte = data[place]
        number, place, shift = number | (byte & 127) << shift, place + 1, shift + 7
        if byte < 128:
            return number, place


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def dense(sparse: onnx.SparseTensorProto) -> onnx.TensorProto:
    """A sparse tensor as an ordinary one of its name. Indices are places in the flat tensor, or a row an element."""
    values, indices = (onnx.numpy_helper.to_array(each) for each in (sparse.values, sparse.indices))
    array = np.zeros(tuple(sparse.dims), values.dtype)
    array[tuple(indices.T) if indices.ndim == 2 else np.unravel_index(indices, array.shape)] = values
    return onnx.numpy_helper.from_array(array, sparse.values.name)


def name_of_type(kind: int) -> str:
    """As ONNX calls an element type; a number that it does not know is that number."""
    known = onnx.TensorProto.DataType.items()
    return next((name for name, number in known if number == kind), f"type {kind}")
