"""What a block of the convolution computes and how it divides the work: the constants one kernel is compiled with.

The weights are wgmma's A (64 output channels a row group), the pixels its B (8 to 256). So scale and bias are four
registers a thread, a tile may have any multiple of 16 pixels, and layers of 64 channels still read little shared
memory for each product.

Shared memory: barriers, resident weights, the ring of stages, the output slots, sums that a cluster's blocks send.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from minitrt.kernels.hopper.shared_memory import ALIGNMENT, WEIGHTS

ROW_GROUP = 64  # output channels of one wgmma
ELEMENT_BYTES = {"int8": 1, "float16": 2}
LIMITS = {1: 232448, 2: 115712, 3: 76288, 4: 57344}  # bytes of shared memory a block may have, by blocks of an SM
KINDS = ("gemm", "conv", "halo", "stem", "strip")
STEM_TAPS = 4  # rows and columns of the window over 2x2 blocks


def round_up(number: int, multiple: int) -> int:
    """The smallest multiple that is not less."""
    return -(-number // multiple) * multiple


def with_stages(tile: Any, most: int) -> Any:
    """A tile with as many stages as shared memory allows, up to `most`; stages is 0 where none fits."""
    room = LIMITS[tile.blocks_per_sm] - replace(tile, stages=0).shared_bytes
    return replace(tile, stages=max(0, min(most, room // tile.stage_bytes)))


@dataclass(frozen=True)
class ConvTile:
    """One compiled form of the kernel.

    element:         of pixels, weights and outputs: int8 (sums in int32) or float16 (sums in float32).
    kind:            gemm (1x1, stride 1: rows as they lie), conv (im2col boxes: any kernel, stride, padding), halo (3x3
                     stride 1: nine taps of one padded tile), stem (4x4 over pixels of 16 bytes), strip (the same for
                     any element: a map whose pixels overlap brings the four columns of a window as one row of K).
    warpgroups:      that multiply and store; one more warp loads.
    row_groups:      64-channel groups of one warpgroup; 2 makes int8 output rows of 128 bytes.
    ping_pong:       warpgroups take turns with a pixel tile each; else they share the tile and divide the channels.
    pixels:          of a tile: wgmma's n, a multiple of 16 up to 256.
    k_bytes:         of K in a sub-tile, and of its swizzled rows: 64 or 128.
    sub_tiles:       of a stage.
    stages:          of the ring.
    slots:           output tiles (residuals come in where results go out).
    resident:        sub-tiles of weights that stay in shared memory; 0: weights stream with the pixels.
    activation:      none, relu, clip, or one of `curves.py`.
    residual:        whether one is added.
    float_output:    float32 in rows of the real channels, instead of int8 pixels; without a residual.
    blocks_per_sm:   which bounds the stages.
    split:           blocks of a cluster that divide K, and send their sums to the first; 1: none do.
    pitch, rows:     halo, stem, strip: pixels of a row of the tile; output rows of a tile.
    raster:          channel tiles that neighbouring blocks share, so that large weights meet in L2; 0: all of them.
    shortcut:        stages of K before the others that belong to a 1x1 convolution of another tensor: its result is
                     the residual, made in the slot (`shortcut.py`); 0: none. INT8, and `residual` is False.
    shortcut_stride: of that convolution, over both axes; 1: its rows as they lie, else im2col boxes.
    """

    element: str = "int8"
    kind: str = "gemm"
    warpgroups: int = 2
    row_groups: int = 1
    ping_pong: bool = False
    pixels: int = 128
    k_bytes: int = 128
    sub_tiles: int = 1
    stages: int = 4
    slots: int = 1
    resident: int = 0
    activation: str = "relu"
    residual: bool = False
    float_output: bool = False
    blocks_per_sm: int = 1
    split: int = 1
    pitch: int = 0
    rows: int = 0
    raster: int = 0
    shortcut: int = 0
    shortcut_stride: int = 1

    @property
    def element_bytes(self) -> int:
        return ELEMENT_BYTES[self.element]

    @property
    def k_elements(self) -> int:
        """Of K in a sub-tile."""
        return self.k_bytes // self.element_bytes

    @property
    def teams(self) -> int:
        """Warpgroups that share a pixel tile."""
        return 1 if self.ping_pong else self.warpgroups

    @property
    def channel_groups(self) -> int:
        """64-channel groups of a tile."""
        return self.teams * self.row_groups

    @property
    def channels(self) -> int:
        """Output channels of a tile."""
        return ROW_GROUP * self.channel_groups

    @property
    def threads(self) -> int:
        return 128 * self.warpgroups + 32

    @property
    def own_rows(self) -> bool:
        """True where a tile is a number of whole output rows, stored through a map of four dimensions."""
        return self.kind in ("halo", "stem", "strip")

    @property
    def pixel_bytes(self) -> int:
        """Bytes that one sub-tile of pixels brings."""
        if self.kind == "halo":
            return (self.rows + 2) * self.pitch * self.k_bytes
        if self.kind == "stem":
            return (self.rows + STEM_TAPS - 1) * self.pitch * 16
        if self.kind == "strip":
            return (self.rows + STEM_TAPS - 1) * self.pitch * self.k_bytes
        return self.pixels * self.k_bytes

    @property
    def pixel_room(self) -> int:
        """The same with the alignment of the next."""
        return round_up(self.pixel_bytes, ALIGNMENT)

    @property
    def weight_bytes(self) -> int:
        """Bytes of one sub-tile of weights."""
        return self.channels * self.k_bytes

    @property
    def stage_bytes(self) -> int:
        """Shared memory of one stage."""
        return self.sub_tiles * (self.pixel_room + (0 if self.resident else self.weight_bytes))

    @property
    def stage_traffic(self) -> int:
        """Bytes that the barrier of a stage waits for."""
        return self.sub_tiles * (self.pixel_bytes + (0 if self.resident else self.weight_bytes))

    @property
    def panels(self) -> int:
        """Parts of one warpgroup's output tile, each with rows of at most 128 bytes, which the swizzle can take."""
        return self.row_groups if self.element == "float16" else 1

    @property
    def output_row(self) -> int:
        """Bytes of a pixel in a panel, which is also its swizzle."""
        return ROW_GROUP * self.element_bytes * self.row_groups // self.panels

    @property
    def panel_bytes(self) -> int:
        return round_up(max(self.pixels, self.pitch * self.rows) * self.output_row, ALIGNMENT)

    @property
    def team_slot(self) -> int:
        """Bytes of one warpgroup's output tile."""
        return self.panels * self.panel_bytes

    @property
    def slot_bytes(self) -> int:
        return self.team_slot * self.teams

    @property
    def ring(self) -> int:
        """Where the ring of stages begins."""
        return WEIGHTS + self.resident * self.weight_bytes

    @property
    def slots_at(self) -> int:
        """Where the output slots begin."""
        return self.ring + self.stages * self.stage_bytes

    @property
    def sums_at(self) -> int:
        """Where the sums of a cluster's other blocks arrive."""
        return self.slots_at + self.slots * self.slot_bytes

    @property
    def sum_bytes(self) -> int:
        """Of one block's sums, four bytes each."""
        return self.channels * self.pixels * 4

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a launch; one alignment more, since the driver aligns to 16 bytes only."""
        return self.sums_at + (self.split - 1) * self.sum_bytes + ALIGNMENT

    def fitted(self, most: int = 6) -> ConvTile:
        """The same with as many stages as shared memory allows, up to `most`; stages is 0 where none fits."""
        return with_stages(self, most)

    @property
    def of_shortcut(self) -> ConvTile:
        """The tile of the shortcut alone, in the same shared memory."""
        kind = "gemm" if self.shortcut_stride == 1 else "conv"
        return replace(self, kind=kind, activation="none", residual=False)

    @property
    def of_both(self) -> ConvTile:
        """The tile whose epilogue ends both convolutions: it finds a residual in the slot."""
        return replace(self, residual=self.residual or self.shortcut > 0)

    @property
    def name(self) -> str:
        """As tactics and reports write it: "int8_gemm_2wgpp_128x128_128_st6_w1"."""
        parts = [
            self.element,
            self.kind,
            f"{self.warpgroups}wg" + ("pp" if self.ping_pong else ""),
            f"{self.channels}x{self.pixels}",
            f"{self.sub_tiles}x{self.k_bytes}" if self.sub_tiles > 1 else f"{self.k_bytes}",
            f"st{self.stages}",
        ]
        optional = (("w", self.resident, 0), ("o", self.slots, 1), ("x", self.blocks_per_sm, 1), ("r", self.rows, 0))
        optional += (("g", self.raster, 0), ("s", self.shortcut, 0))
        return "_".join(parts + [f"{letter}{value}" for letter, value, usual in optional if value != usual])
