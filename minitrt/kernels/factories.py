"""Every kernel by name: what a plan's KernelKey means. A factory is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from minitrt.kernels.compile import Cubin, SlowCode, compile_kernel


@dataclass(frozen=True)
class Kernel:
    """A kernel before it is compiled. signature: numba's; threads: the most a block may have; options: numba's, in
    place of our own."""

    function: Callable
    signature: Any
    threads: int
    options: Mapping[str, Any] = field(default_factory=dict)


class UnknownKernel(KeyError):
    """A name that no factory has. Attributes: name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no kernel factory is named {name!r}; there are {', '.join(sorted(FACTORIES))}.")
        self.name = name


TENSOR_CORES = ("hopper_", "tensor_", "attention")  # how names of kernels begin whose sums must stay in registers
FACTORIES = {  # name -> function below minitrt.kernels, which returns (kernel, signature, threads), and options
    "own": "own.factory",
    "hopper_conv": "hopper_conv.kernel.factory",
    "hopper_chain": "hopper_chain.kernel.factory",
    "hopper_stem": "hopper_stem.kernel.factory",
    "hopper_raw_stem": "hopper_stem.raw.factory",
    "max_pool_16_bytes": "pooling.max_factory",
    "global_average": "pooling.average_factory",
    "to_blocks": "blocks.factory",
    "depthwise": "depthwise.factory",
    "depthwise_walk": "depthwise_walk.factory",
    "tensor_conv": "tensor_conv.kernel.factory",
    "attention": "attention.kernel.factory",
    "rows_norm": "normalise.factory",
    "convert_eights": "conversion.factory",
    "pointwise": "plain.pointwise.factory",
    "plain_move": "plain.movement.move",
    "plain_gather": "plain.gathering.gather",
    "plain_gather_elements": "plain.gathering.gather_elements",
    "plain_gather_nd": "plain.gathering.gather_nd",
    "plain_scatter": "plain.scattering.scatter",
    "plain_claim": "plain.scattering.claim",
    "plain_topk": "plain.ordering.topk",
    "plain_cumulative": "plain.ordering.cumulative",
    "plain_triangle": "plain.choosing.triangle",
    "plain_one_hot": "plain.choosing.one_hot",
    "plain_rotary": "plain.rotary.rotary",
    "plain_recurrent": "plain.recurrent.recurrent",
    "plain_roi_align": "plain.regions.roi_align",
    "plain_grid_sample": "plain.sampling.grid_sample",
    "plain_local_response": "plain.sampling.local_response",
    "plain_einsum": "plain.contraction.einsum",
    "plain_pool_places": "plain.windows.pool_places",
    "plain_interpolate": "plain.interpolation.interpolate",
    "plain_convert": "plain.layout.convert",
    "plain_transpose": "plain.layout.transpose",
    "plain_reduce": "plain.rows.reduce",
    "plain_whole_reduce": "plain.whole_rows.reduce",
    "plain_arg": "plain.extremes.arg",
    "plain_attention": "plain.attention.attention",
    "plain_softmax": "plain.rows.softmax",
    "plain_norm": "plain.rows.normalize",
    "plain_pool": "plain.windows.pool",
    "plain_matmul": "plain.products.matmul",
    "plain_convolution": "plain.products.convolution",
    "plain_deconvolution": "plain.products.deconvolution",
}


def kernel(name: str, constants: Mapping[str, Any]) -> Kernel:
    """The kernel that a key means. Raises: UnknownKernel."""
    if name not in FACTORIES:
        raise UnknownKernel(name)
    module, _, function = FACTORIES[name].rpartition(".")
    return Kernel(*getattr(import_module(f"minitrt.kernels.{module}"), function)(**constants))


def cubin(name: str, constants: Mapping[str, Any], capability: tuple[int, int]) -> Cubin:
    """Compiled for an architecture.

    Raises: UnknownKernel; CompileError; SlowCode for a tensor-core kernel that ptxas serialised, or that spills much.
    """
    made = kernel(name, constants)
    found = compile_kernel(made.function, made.signature, made.threads, capability, made.options)
    if name.startswith(TENSOR_CORES):
        refuse_slow_code(name, found)
    return found


FEW_BYTES = 64  # of a thread: what one assembler spills and the next one does not; the tuner times what it costs


def refuse_slow_code(name: str, made: Cubin) -> None:
    """Raises: SlowCode for code that would run several times slower than it should, which nothing else tells."""
    serialised = [line for line in made.warnings if "serializ" in line]  # other C75 lines cost nothing that is measured
    if serialised:
        raise SlowCode(name, f"its wgmma run one by one. {' '.join(serialised)}", made)
    if max(made.spill_bytes, made.stack_bytes) > FEW_BYTES:
        lost = f"{made.spill_bytes} bytes spill, {made.stack_bytes} bytes of stack"
        raise SlowCode(name, f"its sums do not fit into {made.registers} registers: {lost}. Take a smaller tile.", made)
