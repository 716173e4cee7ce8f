"""Every setting of the API has an effect, is refused, or says that it has none."""

from __future__ import annotations

import ast
import enum
import inspect
import textwrap
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import minitrt as trt
from minitrt.api.without_effect import MEMBERS, SETTINGS
from minitrt.runtime.serialization import ISerializationConfig
from simt.source.walking import walk
from tests.minitrt.engines import Heard, model_of, parsed
from tests.minitrt.passes.graphs import node

PACKAGE = Path(trt.__file__).parent
SAYING = {"say", "warning", "error", "removed_in_11", "missing", "_changed", "set_input", "set_flag", "told"}
ANSWERS = "IAlgorithm IAlgorithmContext IAlgorithmIOInfo IAlgorithmVariant InterfaceInfo TimingCacheKey".split()


@cache
def text(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def settings_of(kind: type) -> dict[str, object]:
    """Public names that may be set, with their descriptors; None of a plain attribute."""
    members = {name: inspect.getattr_static(kind, name) for name in dir(kind) if not name.startswith("_")}
    found = {
        name: member
        for name, member in members.items()
        if hasattr(type(member), "__set__") and (not isinstance(member, property) or member.fset)
    }
    bodies = [each for each in walk(text(Path(inspect.getfile(kind)))) if getattr(each, "name", "") == kind.__name__]
    for each in (part for body in bodies for part in walk(body)):
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and ast.unparse(each.value) == "self":
            if not each.attr.startswith("_"):
                found.setdefault(each.attr, None)
    return found


def api() -> list[type]:
    kinds = [getattr(trt, name) for name in trt.__all__ if inspect.isclass(getattr(trt, name, None))]
    return [
        kind
        for kind in kinds
        if not issubclass(kind, enum.Enum | BaseException)
        and kind.__module__.startswith("minitrt")
        and kind.__name__ not in ANSWERS
        and not kind.__module__.startswith(("minitrt.api.absent", "minitrt.plugins.interfaces"))
    ]


PAIRS = [(kind, name) for kind in api() for name in settings_of(kind)]


def reads(part: ast.AST) -> list[str]:
    """The attribute that a piece of text reads, or the names that it gives a call."""
    if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Load):
        return [part.attr]
    given = part.args if isinstance(part, ast.Call) else []
    return [arg.value for arg in given if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]


@cache
def all_reads() -> tuple[Counter, Counter]:
    """How often a name is read, and how often by functions of a name: (function, name)."""
    read, of_itself = Counter(), Counter()
    for path in PACKAGE.rglob("*.py"):
        for part in walk(text(path)):
            read.update(reads(part))
            if isinstance(part, ast.FunctionDef):
                of_itself.update((part.name, name) for inner in walk(part) for name in reads(inner))
    return read, of_itself


def has_effect(kind: type, name: str) -> bool:
    member = settings_of(kind)[name]
    read, of_itself = all_reads()
    if not isinstance(member, property):
        return getattr(member, "why", None) is not None or read[name] > 0
    setter = ast.parse(textwrap.dedent(inspect.getsource(member.fset)))
    names = Counter(getattr(part, "id", getattr(part, "attr", "")) for part in walk(setter))
    if any(isinstance(part, ast.Raise) for part in walk(setter)) or SAYING & names.keys():
        return True
    kept = [each.attr for each in walk(setter) if isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self"]
    return any(
        read[each] > of_itself[name, each] or each in settings_of(kind) and has_effect(kind, each) for each in kept
    )


@pytest.mark.parametrize(("kind", "name"), PAIRS, ids=[f"{kind.__name__}.{name}" for kind, name in PAIRS])
def test_a_setting_is_read_somewhere_or_is_listed_as_one_without_effect(kind, name):
    assert name in SETTINGS.get(kind.__name__, {}) or has_effect(kind, name)


def objects(logger: Heard) -> dict[str, object]:
    model = model_of([node("MatMul", "x w", "y")], {"x": (np.float32, [2, 2])}, ["y"], {"w": np.eye(2, dtype="f4")})
    builder, network, config = parsed(model, logger)
    config.target = None
    config.set_flag(trt.BuilderFlag.REFIT)
    runtime = trt.Runtime(logger)
    engine = runtime.deserialize_cuda_engine(builder.build_serialized_network(network, config))
    made = [builder, config, runtime, engine.create_execution_context(), trt.Refitter(engine, logger)]
    made += [builder.create_optimization_profile(), trt.get_plugin_registry(), engine.create_engine_inspector()]
    tensors = [network.add_input(name, trt.float32, (1, 2, 4, 8)) for name in "qkv"]
    made.append(network.add_attention(*tensors, trt.AttentionNormalizationOp.SOFTMAX, False))
    return {type(each).__name__: each for each in made}


def another(value: object) -> object:
    if isinstance(value, enum.Enum):
        return list(type(value))[-1] if value != list(type(value))[-1] else list(type(value))[0]
    return {bool: not value, int: 7, float: 2.5, str: "else", list: ["else"]}.get(type(value), object())


@pytest.mark.filterwarnings("always")
def test_a_setting_without_effect_says_so_once_and_only_where_it_is_set_to_something_else(recwarn):
    logger = Heard()
    made = objects(logger)
    assert made.keys() == SETTINGS.keys()
    for owner, names in SETTINGS.items():
        for name, why in names.items():
            one, text = made[owner], f"{owner}.{name} has no effect: {why}"
            first, before = getattr(one, name), len(logger.of(trt.ILogger.WARNING))
            setattr(one, name, first)
            assert before == len(logger.of(trt.ILogger.WARNING))
            for _ in range(2):
                setattr(one, name, another(first))
            setattr(one, name, first)
            heard = logger.of(trt.ILogger.WARNING)[before:] + [
                str(each.message) for each in recwarn if text in str(each.message)
            ]
            assert [text] == [each for each in heard if "has no effect" in each]


def test_a_member_without_effect_says_so():
    logger = Heard()
    builder = trt.Builder(logger)
    config, parser = builder.create_builder_config(), trt.OnnxParser(builder.create_network(), logger)
    for feature in trt.PreviewFeature:
        config.set_preview_feature(feature, config.get_preview_feature(feature))
    assert [] == logger.of(trt.ILogger.WARNING)
    for flag in trt.BuilderFlag:
        config.set_flag(flag)
    for feature in trt.PreviewFeature:
        config.set_preview_feature(feature, not config.get_preview_feature(feature))
    config.set_memory_pool_limit(trt.MemoryPoolType.TACTIC_DRAM, 1 << 20)
    parser.clear_flag(trt.OnnxParserFlag.NATIVE_INSTANCENORM)
    parser.flags = (1 << len(trt.OnnxParserFlag)) - 1
    with pytest.warns(UserWarning) as warned:
        for flag in trt.SerializationFlag:
            ISerializationConfig().set_flag(flag)

    heard = [*logger.of(trt.ILogger.WARNING), *(str(each.message) for each in warned)]
    assert {f"{name} has no effect: {why}" for name, why in MEMBERS.items()} == set(heard)


def test_a_mask_of_flags_says_what_each_flag_would():
    logger = Heard()
    config = trt.Builder(logger).create_builder_config()
    config.flags = 1 << int(trt.BuilderFlag.SPARSE_WEIGHTS) | 1 << int(trt.BuilderFlag.DEBUG)

    assert 2 == sum("has no effect" in each for each in logger.of(trt.ILogger.WARNING))
    assert not config.get_flag(trt.BuilderFlag.TF32)


def test_what_engines_do_not_have_is_refused_where_it_would_change_results():
    network = trt.Builder(Heard()).create_network(1)
    x = network.add_input("x", trt.float32, (1, 3, 8, 8))
    scale = network.add_constant((), np.float32(0.1)).get_output(0)

    with pytest.raises(NotImplementedError, match="selector_for_single_pixel"):
        network.add_resize(x).selector_for_single_pixel = trt.ResizeSelector.UPPER
    with pytest.raises(NotImplementedError, match="block_shape"):
        network.add_quantize(x, scale).block_shape = (1, 16)
