"""What a block of the chain computes: all channels of some pixels, twice.

A block has the weights of both convolutions in shared memory for good, so it reads nothing but pixels. A tile's first
result fills an output slot: it leaves from there, and the second convolution reads it there, as rows of pixels under
the swizzle that wgmma and the copy engine share.

Shared memory: barriers, weights of the first convolution (its shortcut's among them), weights of the second, the ring
of stages, the slots of the first result, one slot of the second.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from minitrt.kernels.hopper.shared_memory import ALIGNMENT, WEIGHTS
from minitrt.kernels.hopper_conv.tile import ROW_GROUP, ConvTile, with_stages

MOST_STAGES, MOST_SUMS = 4, 160


@dataclass(frozen=True)
class ChainTile:
    """One compiled form of the kernel; all of it INT8.

    warpgroups:       that multiply and store, 1 or 2; they divide the channels of a pass.
    channels:         of the first result, a multiple of 128 a warpgroup.
    pixels:           of a tile, a multiple of 16 a warpgroup up to 128.
    k_bytes:          of K in a sub-tile of the first convolution: 64 or 128.
    sub_tiles:        of its K.
    shortcut:         sub-tiles of K of the 1x1 convolution that makes its residual; 0: none.
    shortcut_stride:  of that one, over both axes.
    residual:         whether one is read; not with a shortcut.
    activation:       of the first convolution: none, relu, clip.
    tail_channels:    of the second result, a multiple of 64 up to 256.
    tail_activation:  of the second convolution: none or relu.
    stages, slots:    of the ring; of the first result.
    blocks_per_sm:    which bounds the stages.
    """

    warpgroups: int = 2
    channels: int = 256
    pixels: int = 128
    k_bytes: int = 64
    sub_tiles: int = 1
    shortcut: int = 0
    shortcut_stride: int = 1
    residual: bool = False
    activation: str = "relu"
    tail_channels: int = 64
    tail_activation: str = "relu"
    stages: int = 2
    slots: int = 2
    blocks_per_sm: int = 1

    @property
    def first(self) -> ConvTile:
        """The first convolution as one pass of one warpgroup sees it: 128 channels, a residual in the slot."""
        return ConvTile(
            warpgroups=1, row_groups=2, pixels=self.pixels, k_bytes=self.k_bytes, activation=self.activation,
            residual=self.residual or self.shortcut > 0,
        )  # fmt: skip

    @property
    def of_shortcut(self) -> ConvTile:
        """The convolution that makes the residual, the same way."""
        kind = "gemm" if self.shortcut_stride == 1 else "conv"
        return replace(self.first, kind=kind, activation="none", residual=False)

    @property
    def halves(self) -> bool:
        """True where warpgroups divide the second result's pixels, since it has too few channels."""
        return self.warpgroups > 1 and self.tail_channels < ROW_GROUP * self.warpgroups

    @property
    def second(self) -> ConvTile:
        """The second convolution as one warpgroup sees it."""
        groups = self.tail_channels // ROW_GROUP // (1 if self.halves else self.warpgroups)
        pixels = self.pixels // self.warpgroups if self.halves else self.pixels
        return ConvTile(warpgroups=1, row_groups=groups, pixels=pixels, activation=self.tail_activation)

    @property
    def threads(self) -> int:
        return 128 * self.warpgroups + 32

    @property
    def panels(self) -> int:
        """Parts of 128 channels of the first result; a warpgroup makes every second (or every) one."""
        return self.channels // 128

    @property
    def passes(self) -> int:
        """Panels of a warpgroup."""
        return self.panels // self.warpgroups

    @property
    def k_sub_tiles(self) -> int:
        """Of the shortcut, then of the first convolution."""
        return self.shortcut + self.sub_tiles

    @property
    def panel_weights(self) -> int:
        """Bytes of the first convolution's weights for one panel."""
        return self.k_sub_tiles * 128 * self.k_bytes

    @property
    def second_weights(self) -> int:
        """Bytes of the second convolution's weights for one panel of its K."""
        return self.tail_channels * 128

    @property
    def second_at(self) -> int:
        """Where the second convolution's weights begin."""
        return WEIGHTS + self.panels * self.panel_weights

    @property
    def weight_traffic(self) -> int:
        return self.panels * (self.panel_weights + self.second_weights)

    @property
    def ring(self) -> int:
        return WEIGHTS + self.weight_traffic

    @property
    def sub_tile_bytes(self) -> int:
        """Of pixels: a multiple of the alignment, since pixels are a multiple of 16."""
        return self.pixels * self.k_bytes

    @property
    def stage_bytes(self) -> int:
        return self.k_sub_tiles * self.sub_tile_bytes

    @property
    def slots_at(self) -> int:
        return self.ring + self.stages * self.stage_bytes

    @property
    def panel_bytes(self) -> int:
        """Of one panel of the first result."""
        return self.pixels * 128

    @property
    def slot_bytes(self) -> int:
        return self.panels * self.panel_bytes

    @property
    def tail_at(self) -> int:
        return self.slots_at + self.slots * self.slot_bytes

    @property
    def tail_bytes(self) -> int:
        """Of one warpgroup's part of the second result."""
        return self.second.team_slot

    @property
    def shared_bytes(self) -> int:
        return self.tail_at + self.warpgroups * self.tail_bytes + ALIGNMENT

    def fitted(self) -> ChainTile:
        """The same with as many stages as shared memory allows; stages is 0 where not even one fits."""
        return with_stages(self, MOST_STAGES)

    @property
    def sums(self) -> int:
        """Registers of a thread for the sums of a panel and of the second result: the assembler wants both at once."""
        return self.pixels + self.second.pixels // 2 * self.second.row_groups

    @property
    def sound(self) -> bool:
        """Whether the numbers go together."""
        second = self.second
        aligned = self.sub_tile_bytes % ALIGNMENT == 0 and second.pixels % 16 == 0 and second.row_groups in (1, 2)
        whole = self.channels % (128 * self.warpgroups) == 0 and self.slots > 1
        share = second.row_groups * ROW_GROUP * (1 if self.halves else self.warpgroups)
        return whole and aligned and self.stages > 0 and share == self.tail_channels and self.sums <= MOST_SUMS

    @property
    def name(self) -> str:
        """As tactics and reports write it: "int8_chain_2wg_256x128_64_st4_o3_s1_t64"."""
        shape = f"{self.channels}x{self.pixels}_{self.k_sub_tiles}x{self.k_bytes}"
        more = [f"st{self.stages}", f"o{self.slots}", f"t{self.tail_channels}"]
        more += [f"s{self.shortcut}"] * bool(self.shortcut) + [f"x{self.blocks_per_sm}"] * (self.blocks_per_sm > 1)
        return "_".join(["int8_chain", f"{self.warpgroups}wg", shape, *more])
