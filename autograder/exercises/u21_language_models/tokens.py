"""What one token of a language model brings through memory, from the sizes of a model of 8 billion weights."""

from __future__ import annotations

from typing import Any

LAYERS, WIDTH, INNER, WORDS = 32, 4_096, 14_336, 128_256  # of the model: numbers of a row, of a layer's inside, tokens
HEADS, SHARED, HEAD = 32, 8, 128
BITS = {"16": 16.0, "4 and a scale per 32": 4.5}
TEXTS = (1_024, 32_768)  # places that the text has so far
RATE_GBS = 4_200  # about what an H200 copies
COLUMNS = ("bits per weight", "places so far", "weights, GB", "cache, GB", "ms at 4,200 GB/s", "tokens/s at most")


def weights() -> int:
    """How many a token is multiplied with: four products of attention, three inside each layer, one for the words."""
    attention = WIDTH * HEAD * (2 * HEADS + 2 * SHARED)
    return LAYERS * (attention + 3 * WIDTH * INNER) + WIDTH * WORDS


def cache_bytes(n_places: int) -> int:
    """Keys and values of a text, in float16."""
    return 2 * 2 * LAYERS * SHARED * HEAD * n_places


def counted() -> dict[str, Any]:
    """Columns and rows: what a token reads, and what follows for a reader of 4,200 GB/s."""
    rows = []
    for name, bits in BITS.items():
        for n_places in TEXTS:
            of_weights, of_cache = weights() * bits / 8e9, cache_bytes(n_places) / 1e9
            ms = (of_weights + of_cache) / RATE_GBS * 1e3
            rows.append([name, f"{n_places:,}", f"{of_weights:.1f}", f"{of_cache:.1f}", f"{ms:.2f}", f"{1e3 / ms:.0f}"])
    return {"columns": COLUMNS, "rows": rows}
