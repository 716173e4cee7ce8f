"""What may come in unit 2."""

from __future__ import annotations

from autograder.running.cases.domain import ANY_BLOCK, ANY_BLOCK_2D, ANY_BLOCK_3D, ANY_FLOAT, SUMMED, Domain, Whole

PICTURE = {"n_rows": Whole(1, 1_101), "n_cols": Whole(1, 1_101)}
FAR = 1 << 40

DOMAINS = {
    "invert": Domain(sizes=PICTURE, arrays={"src": Whole(0, 255)}, blocks=ANY_BLOCK_2D),
    "pad": Domain(sizes={**PICTURE, "margin": Whole(0, 301)}, arrays={"src": ANY_FLOAT}, blocks=ANY_BLOCK_2D),
    "roll": Domain(
        sizes={"n": Whole(1, 70_003), "shift": Whole(-FAR, FAR)}, arrays={"src": ANY_FLOAT}, blocks=ANY_BLOCK
    ),
    "fade": Domain(
        sizes={"n_z": Whole(1, 301), "n_y": Whole(1, 301), "n_x": Whole(1, 1_101)},
        arrays={"volume": SUMMED, "weight": SUMMED},
        blocks=ANY_BLOCK_3D,
    ),
    "saxpy": Domain(sizes={"n": Whole(0, 100_003)}, scalars={"alpha": SUMMED}, arrays={"x": SUMMED, "y": SUMMED}),
    "split_channels": Domain(sizes={"n": Whole(1, 70_003)}, arrays={"pixels": ANY_FLOAT}, blocks=ANY_BLOCK),
    "broadcast_add": Domain(sizes={**PICTURE, "n_rows": Whole(1, 2_101)}, arrays={"row": SUMMED, "col": SUMMED}),
}
