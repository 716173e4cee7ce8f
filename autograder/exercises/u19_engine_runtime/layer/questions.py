"""What an engine asks a plugin about types and layouts, and the registry as unit 19's threshold_plugin meets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograder.exercises.u19_engine_runtime.layer.network import KEY


def combinations(trt: Any) -> Iterator[tuple[tuple, tuple]]:
    """Types and layouts of input and result that a builder may ask about, the right one first."""
    good, row = trt.float32, trt.TensorFormat.LINEAR
    yield (good, good), (row, row)
    for other in (trt.float16, trt.int8, trt.int32):
        for types in ((other, good), (good, other), (other, other)):
            yield types, (row, row)
    for other in (trt.TensorFormat.CHW32, trt.TensorFormat.HWC):
        for layouts in ((other, row), (row, other), (other, other)):
            yield (good, good), layouts


def described(trt: Any, types: Sequence[Any], layouts: Sequence[Any]) -> list[Any]:
    """Input and result as a builder describes them."""
    return [
        trt.DynamicPluginTensorDesc(trt.PluginTensorDesc((2, 3, 4, 4), one, layout))
        for one, layout in zip(types, layouts, strict=True)
    ]


@contextmanager
def only(creator: Any, trt: Any) -> Iterator[None]:
    """In the registry, this creator beside some of its name under other keys; afterwards what was there before."""
    registry = trt.get_plugin_registry()
    before = registry.all_creators
    for one in before:
        registry.deregister_creator(one)
    others = [namesake(version, namespace) for version, namespace in (("1", ""), ("2", ""), ("1", "course"))]
    try:
        for one in (*others, creator):
            registry.register_creator(one, "")
        yield
    finally:
        for one in registry.all_creators:
            registry.deregister_creator(one)
        for one in before:
            registry.register_creator(one, "")


def namesake(version: str, namespace: str) -> Any:
    """A creator of the same name that must not be taken."""
    import minitrt as trt

    class Another(trt.IPluginCreatorV3One):
        """Of another version or namespace."""

        name, plugin_version, plugin_namespace, field_names = KEY[0], version, namespace, ()

    return Another()
