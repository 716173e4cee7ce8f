"""The tensor-core kernels, compiled for sm_90a without a GPU: no serialised wgmma, no spills, a trap at every wait."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from numba import int32, types

from minitrt import kernels
from minitrt.kernels import blocks, factories, pooling
from minitrt.kernels import compile as compiling
from minitrt.kernels.attention import kernel as attention
from minitrt.kernels.attention.masks import SeenKeys
from minitrt.kernels.hopper import mbarrier
from minitrt.kernels.hopper_conv import kernel as conv_kernel
from minitrt.kernels.hopper_conv.tile import ConvTile
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import ptx, u32

pytestmark = pytest.mark.release  # the assembler takes a second a kernel

MATMUL = dict(a="float16", b="float16", output="float16", residual="none", name="none")
TILES = {  # one of each kind, and the widest of each role
    "ping-pong, 128 channels": ConvTile(row_groups=2, ping_pong=True, slots=4, residual=True, activation="clip"),
    "resident weights, two blocks an SM": ConvTile(warpgroups=1, row_groups=2, resident=2, slots=2, blocks_per_sm=2),
    "im2col, 192 pixels": ConvTile(kind="conv", pixels=192),
    "halo": ConvTile(kind="halo", ping_pong=True, pixels=208, resident=9, slots=2, pitch=30, rows=7),
    "cluster": ConvTile(kind="conv", warpgroups=1, pixels=16, split=3),
    "stem": ConvTile(kind="stem", warpgroups=1, pixels=112, resident=2, slots=2, pitch=115, rows=1, blocks_per_sm=4),
    "256 pixels": ConvTile(ping_pong=True, pixels=256, k_bytes=64, resident=1, slots=2),
    "strip": ConvTile(kind="strip", ping_pong=True, pixels=224, k_bytes=64, resident=4, pitch=112, rows=2, slots=2),
    "float16, the widest product": ConvTile(element="float16", pixels=256, raster=8),
    "float16, residual": ConvTile(element="float16", kind="conv", row_groups=2, pixels=128, residual=True),
    "GELU": ConvTile(row_groups=2, ping_pong=True, pixels=128, slots=2, activation="gelu_erf"),
    "shortcut": ConvTile(row_groups=2, ping_pong=True, slots=2, shortcut=2, shortcut_stride=2),
    "logits": ConvTile(warpgroups=1, pixels=32, float_output=True, activation="none"),
}


@pytest.mark.parametrize("name", TILES)
def test_a_tile_compiles_without_serialised_wgmma_spills_or_stack(name):
    tile = TILES[name].fitted()
    made = compiling.compile_kernel(conv_kernel.hopper_conv(tile), conv_kernel.SIGNATURE, tile.threads)

    assert (made.warnings, made.spill_bytes, made.stack_bytes) == ((), 0, 0)


@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("hopper_chain", dict(residual=True, slots=3)),
        ("hopper_chain", dict(warpgroups=1, pixels=64, shortcut=2, shortcut_stride=2, stages=3, tail_channels=128)),
        ("hopper_chain", dict(channels=512, pixels=64, k_bytes=128, residual=True, tail_channels=128)),
        ("hopper_stem", {}),
        ("hopper_raw_stem", {}),
        ("hopper_raw_stem", dict(source="uint8", channels=4, pixels=128, pitch=123)),
    ],
    ids=["chain", "chain with a shortcut", "chain of 512 channels", "stem with its pool", "of floats", "of bytes"],
)
def test_a_kernel_for_several_layers_keeps_its_sums_in_registers(name, constants):
    assert factories.cubin(name, constants, (9, 0)).spill_bytes == 0  # raises where wgmma is serialised


def test_a_64_bit_division_in_the_kernel_is_reported_as_serialised_wgmma(monkeypatch):
    monkeypatch.setattr("minitrt.kernels.hopper_conv.order.udiv", inline(lambda a, b: int32(a) // b))
    tile = TILES["im2col, 192 pixels"].fitted()
    made = compiling.compile_kernel(conv_kernel.hopper_conv(tile), conv_kernel.SIGNATURE, tile.threads)

    assert any("C7509" in warning for warning in made.warnings)


def test_no_sum_of_halves_is_set_between_a_fence_and_the_product_behind_it():
    """CUDA 13.0's assembler then puts in a fence of its own and says so (C7519): nobody refuses that, or needs it."""
    tile = ConvTile(element="float16", warpgroups=1, pixels=16, stages=1, activation="none")
    text = compiling.ptx_of(conv_kernel.hopper_conv(tile), conv_kernel.SIGNATURE, tile.threads)
    between = re.findall(r"wgmma\.fence.*?wgmma\.mma_async[^{]*{([^}]*)}", text, re.DOTALL)
    before = re.findall(r"wgmma\.fence(.*?)wgmma\.mma_async", text, re.DOTALL)

    assert between and len(before) == len(between)
    for sums, lines in zip(between, before, strict=True):
        assert not [name for name in sums.split(", ") if re.search(rf"mov\.\w+\s+{re.escape(name)},", lines)]


CLUSTER = dict(kind="conv", warpgroups=1, pixels=16, split=3, residual=True, stages=2)


@pytest.fixture(scope="module", params=["cluster", "chain"])
def text(request) -> str:
    """PTX of a kernel that uses every kind of tensor map, and of every barrier."""
    factory = ("hopper_conv", CLUSTER) if request.param == "cluster" else ("hopper_chain", dict(residual=True, slots=3))
    kernel = factories.kernel(*factory)
    return compiling.ptx_of(kernel.function, kernel.signature, kernel.threads)


def test_every_wait_on_a_barrier_has_its_trap(text):
    waits = re.findall(r"mbarrier\.\w*wait[^}]*?}", text)

    assert len(waits) >= 4
    assert all("trap" in wait for wait in waits)
    assert "mbarrier.test_wait" not in text


def test_every_tensor_map_is_fetched_before_a_kernel_waits_for_its_predecessor(text):
    before, waits, _ = text.partition("griddepcontrol.wait")
    argument = dict(re.findall(r"ld\.param\.u64\s+(%rd\d+), \[(\w+)\]", text))
    fetched = {argument[name] for name in re.findall(r"prefetch\.tensormap \[(%rd\d+)\]", before)}
    loaded = {argument[name] for name in re.findall(r"\[(%rd\d+), \{", text)}

    assert waits and len(loaded) >= 4
    assert loaded <= fetched


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (pooling.int8_max_pool(3, 3), pooling.MAX_SIGNATURE),
        (pooling.int8_global_average(), pooling.AVERAGE_SIGNATURE),
        (blocks.quantize_to_blocks(3, "float32"), blocks.SIGNATURE),
        (blocks.quantize_to_blocks(4, "uint8"), blocks.SIGNATURE),
    ],
    ids=["max pool", "global average", "input float32", "input uint8"],
)
def test_a_pixel_kernel_keeps_everything_in_registers(function, signature):
    made = compiling.compile_kernel(function, signature, 256)

    assert (made.spill_bytes, made.stack_bytes) == (0, 0)


WIDEST_MASK = SeenKeys("bool", by_query=True, causal=True, zeros=True)


@pytest.mark.parametrize(
    ("source", "capability", "size", "mask"),
    [("int8", (9, 0), 64, SeenKeys()), ("float16", (8, 0), 128, WIDEST_MASK)],
    ids=["sm_90a", "sm_80, behind a mask"],
)
def test_attention_keeps_scores_and_results_in_registers(source, capability, size, mask):
    kernel = attention.tensor_core_attention(size, source, source, 4, capability == (9, 0), mask)
    made = compiling.compile_kernel(kernel, attention.SIGNATURE, 128, capability)

    assert (made.spill_bytes, made.stack_bytes) == (0, 0)


def test_a_kernel_that_the_assembler_refuses_is_an_error_with_its_log():
    broken = ptx("no.such.instruction $0;", u32)

    def kernel(out):
        out[0] = broken()

    with pytest.raises(compiling.CompileError, match="kernel cannot be used: ptxas refused it"):
        compiling.compile_kernel(kernel, types.void(types.uint32[::1]), 32)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (dict(warnings=("(C7509) Potential Performance Loss: wgmma.mma_async are serialized",)), "C7509"),
        (dict(spill_bytes=96), "96 bytes spill"),
        (dict(stack_bytes=128), "128 bytes of stack"),
    ],
)
@pytest.mark.parametrize("name", ["hopper_conv", "tensor_conv", "attention"])
def test_a_tensor_core_kernel_that_is_serialised_or_spills_much_cannot_be_used(name, facts, said):
    clean = dict(code=b"", entry="kernel", registers=168, spill_bytes=0, stack_bytes=0, warnings=())
    factories.refuse_slow_code(name, compiling.Cubin(**clean))
    factories.refuse_slow_code(name, compiling.Cubin(**{**clean, "spill_bytes": 28, "stack_bytes": 32}))
    factories.refuse_slow_code(
        name, compiling.Cubin(**{**clean, "warnings": ("(C7519) warpgroup.arrive is injected",)})
    )

    with pytest.raises(compiling.CompileError, match=f"{name} cannot be used.*{said}"):
        factories.refuse_slow_code(name, compiling.Cubin(**{**clean, **facts}))


def test_a_build_meets_that_refusal_where_it_compiles(monkeypatch):
    spilled = compiling.Cubin(b"", "kernel", 255, 96, 0, ())
    monkeypatch.setattr(factories, "compile_kernel", lambda *arguments: spilled)
    tile = dict(pointwise=True, output="int8", residual="none", name="none")

    with pytest.raises(compiling.CompileError, match="96 bytes spill"):
        factories.cubin("tensor_conv", tile, (8, 6))
    assert spilled is factories.cubin("plain_matmul", MATMUL, (8, 6))


def test_no_kernel_waits_for_a_barrier_but_through_the_wait_that_has_the_trap():
    sources = {path: path.read_text() for path in Path(kernels.__file__).parent.rglob("*.py")}
    waiting = [path.name for path, text in sources.items() if re.search(r"(try|test)_wait", text)]

    assert ["mbarrier.py"] == waiting


def test_a_deadlock_gives_up_after_a_bounded_number_of_tries():
    assert 10_000 <= mbarrier.TRIES <= 100_000_000
