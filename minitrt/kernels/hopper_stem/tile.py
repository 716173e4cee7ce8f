"""What a block of the first convolution with its pool computes: pooled rows of an image, one below the other.

Shared memory: barriers, the weights, the ring of stages (each the four rows of blocks that one row of windows reads),
the slots of pooled rows.
"""

from __future__ import annotations

from dataclasses import dataclass

from minitrt.kernels.blocks import BLOCK_PADDING, PIXEL_BYTES
from minitrt.kernels.hopper.shared_memory import ALIGNMENT
from minitrt.kernels.hopper_conv.tile import ConvTile, round_up, with_stages

MOST_STAGES = 4
SOURCE_BYTES = {"float32": 4, "uint8": 1}  # of an element of images that are not quantised yet


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


@dataclass(frozen=True)
class RawStemTile(StemTile):
    """The same of images as they come: some warps quantise rows of blocks in shared memory.

    Shared memory: barriers, the weights, the ring of stages (each the two rows of every channel that one row of blocks
    is made of), the ring of rows of blocks, the slots.

    source, channels: of the images.
    quantisers:       warps that quantise: one is slower, and three leave too few registers for the sums.
    block_rows:       of the second ring: a power of two, more than the four that one row of windows reads.
    """

    source: str = "float32"
    channels: int = 3
    quantisers: int = 2
    block_rows: int = 16

    @property
    def threads(self) -> int:
        return 128 + 32 * self.quantisers

    @property
    def width(self) -> int:
        """Blocks of a row of the image."""
        return self.pitch - BLOCK_PADDING

    @property
    def line_bytes(self) -> int:
        """Of a row of one channel; each block has two."""
        return 2 * self.width * SOURCE_BYTES[self.source]

    @property
    def stage_traffic(self) -> int:
        """Bytes that the barrier of a stage waits for."""
        return self.channels * 2 * self.line_bytes

    @property
    def stage_bytes(self) -> int:
        return round_up(self.stage_traffic, 128)

    @property
    def blocks_at(self) -> int:
        """Where the ring of rows of blocks begins."""
        return self.ring + self.stages * self.stage_bytes

    @property
    def block_row_bytes(self) -> int:
        """A row of blocks with its padding; windows of the last pixels, which nobody stores, may end in the next."""
        return self.pitch * PIXEL_BYTES

    @property
    def slots_at(self) -> int:
        beyond = PIXEL_BYTES * (self.pixels - self.width)
        return round_up(self.blocks_at + self.block_rows * self.block_row_bytes + beyond, ALIGNMENT)

    @property
    def name(self) -> str:
        return super().name.replace("stem", f"stem_of_{self.source}")
