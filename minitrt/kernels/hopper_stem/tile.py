"""What a block of the first convolution with its pool computes: pooled rows of an image, one below the other.

Shared memory: barriers, the weights, the ring of stages (each the four rows of blocks that one row of windows reads),
the slots of pooled rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from minitrt.kernels.hopper.shared_memory import ALIGNMENT
from minitrt.kernels.hopper_conv.tile import ConvTile, round_up, with_stages

MOST_STAGES = 4


@dataclass(frozen=True)
class StemTile:
    """One compiled form of the kernel: 64 channels, ReLU, a pool of 3x3 at stride 2.

    pixels:        of a row of the convolution: wgmma's n, a multiple of 16 up to 256.
    pitch:         blocks of a row of the input, its padding among them.
    pooled_rows:   that a block makes one after another.
    stages, slots: of the ring; of pooled rows.
    blocks_per_sm: which bounds the stages.
    """

    pixels: int = 112
    pitch: int = 115
    pooled_rows: int = 14
    stages: int = 4
    slots: int = 2
    blocks_per_sm: int = 2

    @property
    def row(self) -> ConvTile:
        """One row of the convolution."""
        return ConvTile(kind="stem", warpgroups=1, resident=2, pixels=self.pixels, pitch=self.pitch, rows=1)

    @property
    def threads(self) -> int:
        return self.row.threads

    @property
    def stage_bytes(self) -> int:
        return self.row.pixel_room

    @property
    def ring(self) -> int:
        return self.row.ring

    @property
    def slots_at(self) -> int:
        return self.ring + self.stages * self.stage_bytes

    @property
    def slot_bytes(self) -> int:
        return round_up(self.pixels // 2 * 64, ALIGNMENT)

    @property
    def shared_bytes(self) -> int:
        return self.slots_at + self.slots * self.slot_bytes + ALIGNMENT

    def fitted(self) -> StemTile:
        """The same with as many stages as shared memory allows; stages is 0 where not even one fits."""
        return with_stages(self, MOST_STAGES)

    @property
    def name(self) -> str:
        return f"int8_stem_pool_64x{self.pixels}_r{self.pooled_rows}_st{self.stages}_x{self.blocks_per_sm}"
