"""What may come in unit 2."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

NINE = Real(-9, 9)
PICTURE = {"n_rows": Whole(1, 1_100), "n_cols": Whole(1, 1_100)}
FAR = 1 << 40

DOMAINS = {
    "invert": Domain(sizes=PICTURE, arrays={"src": Whole(0, 255)}),
    "pad": Domain(sizes={**PICTURE, "margin": Whole(0, 300)}, arrays={"src": NINE}),
    "roll": Domain(sizes={"n": Whole(1, 70_003), "shift": Whole(-FAR, FAR)}, arrays={"src": NINE}),
    "fade": Domain(
        sizes={"n_z": Whole(1, 300), "n_y": Whole(1, 300), "n_x": Whole(1, 1_100)},
        arrays={"volume": NINE, "weight": NINE},
    ),
    "saxpy": Domain(sizes={"n": Whole(0, 100_003)}, scalars={"alpha": NINE}, arrays={"x": NINE, "y": NINE}),
    "split_channels": Domain(sizes={"n": Whole(1, 70_003)}, arrays={"pixels": NINE}),
    "broadcast_add": Domain(sizes=PICTURE, arrays={"row": NINE, "col": NINE}),
}
