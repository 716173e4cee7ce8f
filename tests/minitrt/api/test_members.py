"""The whole surface of TensorRT 10.16's Python bindings: every member is there, or says by name that it is not.

lists/api_10.16.txt holds classes and members; lists/api_used.txt the names among them that NVIDIA's samples and
Polygraphy use, by their syntax trees; lists/enum_values_10.16.txt the numbers of NVIDIA's headers, and whether the
bindings order an enumeration; lists/arguments_10.16.txt the names of arguments, a line for each overload.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import minitrt as trt
from minitrt.api.deprecation import NotInMinitrt

LISTS = Path(__file__).parents[1] / "lists"
PYTHONS_OWN = re.compile(r"__\w+__$")
ELSEWHERE = {"DataType": "module attributes, as in TensorRT: trt.float32"}


def api() -> dict[str, list[str]]:
    """Class -> members."""
    found = {}
    for line in (LISTS / "api_10.16.txt").read_text().splitlines():
        name, _, members = line.partition(" ")
        found[name] = [member.partition("@")[0] for member in ast.literal_eval(members)]
    return found


def has_member(owner: type, name: str) -> bool:
    """In the class, or given to instances by a method of it or of its bases."""
    if hasattr(owner, name):
        return True
    return any(
        re.search(rf"self\.{name}\b", inspect.getsource(base))
        for base in owner.__mro__
        if base.__module__ != "builtins"
    )


def test_every_class_is_there():
    missing = [name for name in api() if name != "<module>" and not hasattr(trt, name)]

    assert missing == []


@pytest.mark.parametrize("name", [name for name in api() if name != "<module>"])
def test_every_member_of_a_class_is_there(name):
    members = [m for m in api()[name] if not PYTHONS_OWN.match(m) and m != "_plugin_registry"]
    if name in ELSEWHERE:
        members = [member for member in members if not hasattr(trt, member)]
    missing = [member for member in members if not has_member(getattr(trt, name), member)]

    assert missing == []


def test_every_function_of_the_module_is_there():
    assert [name for name in api()["<module>"] if not hasattr(trt, name)] == []


def test_the_surface_has_the_size_that_the_bindings_have():
    classes = api()
    names = {member for members in classes.values() for member in members}

    assert (len(classes), len(names)) == (212, 862)


ABSENT_THOUGH_USED = {
    "INetworkDefinition.add_plugin": "belongs to quickly deployable plugins; derive from IPluginV3",
    "INetworkDefinition.serialize": "the name is used of engines; a network is kept as its ONNX file",
    "Runtime.load_runtime": "loads a lean runtime from a library, and this runtime is Python",
}


def test_what_samples_and_polygraphy_use_works_but_for_a_named_few():
    used = set((LISTS / "api_used.txt").read_text().split())
    absent = set()
    for name, members in api().items():
        owner = trt if name == "<module>" else getattr(trt, name)
        if (owner.__doc__ or "").startswith("Not in minitrt"):
            continue
        for member in used & set(members):
            found = inspect.getattr_static(owner, member, None) if inspect.isclass(owner) else getattr(owner, member)
            text = (getattr(found, "__doc__", None) or "") if callable(found) or isinstance(found, property) else ""
            if text.startswith("Raises NotInMinitrt"):
                absent.add(f"{name}.{member}")

    assert len(used) >= 251
    assert absent == set(ABSENT_THOUGH_USED)


def test_an_absent_member_names_itself_and_what_to_do():
    network = trt.Builder(trt.Logger()).create_network()

    with pytest.raises(NotInMinitrt, match="INetworkDefinition.add_dynamic_quantize: it computes in"):
        network.add_dynamic_quantize()
    with pytest.raises(NotInMinitrt, match="IMoELayer"):
        trt.IMoELayer()


def test_an_attribute_that_tensorrt_lacks_too_is_an_error_not_a_silent_new_one():
    network = trt.Builder(trt.Logger()).create_network()
    layer = network.add_identity(network.add_input("x", trt.float32, (1,)))

    with pytest.raises(AttributeError, match="strid_nd"):
        layer.strid_nd = (1, 1)
    with pytest.raises(AttributeError, match="no attribute 'Bilder'"):
        trt.Bilder  # noqa: B018


def test_enumerations_behave_as_those_of_the_bindings():
    assert int(trt.DataType.HALF) == 1
    assert trt.DataType.FLOAT != 0
    assert str(trt.DataType.FLOAT) == "DataType.FLOAT"
    assert trt.float32 is trt.DataType.FLOAT
    assert "INT8" in trt.DataType.__members__
    assert (trt.float16.itemsize, trt.int4.itemsize) == (2, 0.5)
    assert [1 << int(source) for source in trt.TacticSource] == [1, 2, 4, 8, 16]
    assert trt.Logger.VERBOSE is trt.Logger.Severity.VERBOSE


def test_dims_compare_with_any_sequence_and_know_their_limits():
    dims = trt.Dims((1, 3, 224, 224))

    assert dims == (1, 3, 224, 224) and dims == [1, 3, 224, 224] and dims[1:] == (3, 224, 224)
    assert (trt.DimsHW(2, 3).h, trt.DimsHW((2, 3)).w, trt.volume(dims)) == (2, 3, 150528)
    with pytest.raises(ValueError):
        len(trt.Dims.of(None))
    assert "()" == str(trt.Dims()) and 0 == len(trt.Dims())
    with pytest.raises(ValueError, match="takes 4 values"):
        trt.Dims4((1, 2))


def test_enumerations_have_the_numbers_of_the_headers_and_the_order_of_the_bindings():
    for line in (LISTS / "enum_values_10.16.txt").read_text().splitlines():
        name, ordered, *values = line.split()
        kind = getattr(trt, name, None) or getattr(trt.ILogger, name)
        numbers = {each: int(value) for each, value in (pair.split("=") for pair in values)}

        assert numbers == {each: int(kind[each]) for each in numbers}, name
        assert (ordered == "ordered") == hasattr(kind, "_matching"), name


def test_a_severity_is_compared_with_severities_alone():
    assert trt.Logger.ERROR <= trt.Logger.WARNING < trt.Logger.INFO
    assert max(trt.Logger.VERBOSE, trt.Logger.INFO) is trt.Logger.VERBOSE
    with pytest.raises(TypeError, match="ordered among Severity alone"):
        assert trt.Logger.ERROR < 3


def test_arguments_have_the_names_and_places_that_the_bindings_give_them():
    wrong = []
    for line in (LISTS / "arguments_10.16.txt").read_text().splitlines():
        owner, method, *names = line.replace(".", " ", 1).split()
        parameters = inspect.signature(getattr(getattr(trt, owner), method)).parameters.values()
        by_place = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD and p.name != "self"]
        others = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]
        if not any(p.kind == p.VAR_KEYWORD for p in parameters) and by_place[: len(names)] != names:
            wrong += [line] if not (set(names) & set(others) and set(names) <= {*others, *by_place}) else []

    assert wrong == []
    assert (2, 3) == trt.DimsHW(h=2, w=3) == trt.Dims2(dim0=2, dim1=3) == trt.Dims2(shape=[2, 3])
