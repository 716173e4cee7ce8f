"""The shape of one block's work, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass

WARP_CHANNELS = 32  # of one warp: four products side by side, so that a lane ends up with 8 neighbouring channels
ROW_WORDS, ROW_CHUNKS, CHUNK_WORDS = 16, 4, 4  # of K in one step: 64 bytes a row, in chunks of 16 bytes
SHARED_BYTES = 48 << 10  # what every architecture gives a block without being asked


@dataclass(frozen=True)
class Tile:
    """pixels x channels of a block: warps_m x warps_n warps, each of row_groups x 16 pixels and 32 channels.

    element: int8 or float16; instruction: ampere, turing (mma.sync) or dp4a; stages: tiles of K in shared memory.
    """

    element: str = "int8"
    instruction: str = "ampere"
    warps_m: int = 2
    warps_n: int = 2
    row_groups: int = 4
    stages: int = 3

    @property
    def pixels(self) -> int:
        return 16 * self.row_groups * self.warps_m

    @property
    def channels(self) -> int:
        return WARP_CHANNELS * self.warps_n

    @property
    def threads(self) -> int:
        return 32 * self.warps_m * self.warps_n

    @property
    def chunks_of_pixels(self) -> int:
        """16-byte chunks of pixels that each thread moves in a step."""
        return self.pixels * ROW_CHUNKS // self.threads

    @property
    def chunks_of_weights(self) -> int:
        return self.channels * ROW_CHUNKS // self.threads

    @property
    def rows_at_once(self) -> int:
        """Rows that all threads together move a chunk of: a multiple of 8."""
        return self.threads // ROW_CHUNKS

    @property
    def held_words(self) -> int:
        """Words that a thread moves in a step."""
        return (self.chunks_of_pixels + self.chunks_of_weights) * CHUNK_WORDS

    @property
    def pixel_words(self) -> int:
        """Words of a stage before its weights."""
        return self.pixels * ROW_WORDS

    @property
    def stage_words(self) -> int:
        return (self.pixels + self.channels) * ROW_WORDS

    @property
    def fits(self) -> bool:
        """Whether the threads share out the chunks evenly, and the stages fit."""
        even = self.pixels * ROW_CHUNKS % self.threads == self.channels * ROW_CHUNKS % self.threads == 0
        return even and 4 * self.stage_words * self.stages <= SHARED_BYTES

    @property
    def name(self) -> str:
        return f"{self.element}_{self.instruction}_{self.pixels}x{self.channels}_{self.warps_m}x{self.warps_n}"
