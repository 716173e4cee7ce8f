"""A warp's attention, computed in NumPy lane by lane: with masks of every type, causal, and rows that see nothing."""

from __future__ import annotations

import numpy as np
import pytest

from minitrt.kernels.attention import fragments, masks
from minitrt.kernels.attention.masks import SeenKeys
from tests.minitrt.kernels.lanes import LANE, G, T, Warp, ask

SIZE, BLOCK, KEYS, FACTOR = 16, 64, 90, 0.25
PITCH = fragments.pitch_of(SIZE)
CASES = {
    "no mask": SeenKeys(),
    "floats a key": SeenKeys("float32", pairs=True),
    "floats a query, odd rows": SeenKeys("float32", by_query=True),
    "half floats a query": SeenKeys("float16", by_query=True, pairs=True),
    "half floats, odd rows": SeenKeys("float16", by_query=True),
    "booleans a query": SeenKeys("bool", by_query=True, pairs=True),
    "booleans, odd rows, causal": SeenKeys("bool", by_query=True, causal=True),
    "causal": SeenKeys(causal=True),
}


@pytest.fixture(autouse=True)
def lanes(monkeypatch):
    for module in (fragments, masks):
        monkeypatch.setattr(module, "emit", ask)
        monkeypatch.setattr(module, "emit_pure", ask)
        monkeypatch.setattr(
            module, "unpack", lambda b, value, count: list(value) if isinstance(value, list) else [value]
        )
    monkeypatch.setattr(fragments.cgutils, "pack_array", lambda b, values: list(values))


def run(intrinsic, warp: Warp, *given):
    """What an intrinsic's code computes."""
    _, codegen = intrinsic._defn(None, *given)
    return codegen(None, warp, None, list(given))


def stored(rows: np.ndarray) -> np.ndarray:
    """Rows of halves in shared memory, PITCH bytes apart."""
    shared = np.zeros((len(rows), PITCH), np.uint8)
    shared[:, : 2 * SIZE] = rows.astype(np.float16).view(np.uint8).reshape(len(rows), -1)
    return shared.reshape(-1)


def mask_array(seen: SeenKeys, rng: np.random.Generator) -> np.ndarray:
    """(16, columns) of the mask; row 3 sees nothing of the first block, row 5 nothing at all."""
    columns = KEYS + (0 if seen.pairs else 1)
    if seen.source == "bool":
        mask = rng.random((16, columns)) > 0.3
        mask[3, :BLOCK] = mask[5] = False
    else:
        mask = (rng.standard_normal((16, columns)) * 3).astype(seen.source or "float32")
        mask[3, :BLOCK] = mask[5] = -np.inf
    return mask if seen.by_query else np.repeat(mask[:1], 16, axis=0)


@pytest.mark.parametrize("name", CASES)
def test_a_warp_computes_softmax_behind_its_mask(name):
    seen, rng = CASES[name], np.random.default_rng(1)
    q, k, v = (rng.standard_normal((rows, SIZE)).astype(np.float16).astype(np.float32) for rows in (16, 128, 128))
    k[KEYS:] = v[KEYS:] = 0
    mask = mask_array(seen, rng)
    shared = np.concatenate([stored(q), stored(k), stored(v)])
    warp = Warp(shared, np.ascontiguousarray(mask).reshape(-1).view(np.uint8))
    state = attended(warp, seen, mask)

    with np.errstate(all="ignore"):
        found, expected = results(state), softmaxed(seen, q, k, v, mask)
    np.testing.assert_allclose(found, expected, atol=3e-3)


def attended(warp: Warp, seen: SeenKeys, mask: np.ndarray) -> list:
    """The state after all keys, with addresses and limits as `kernel.py` computes them."""
    k_at, v_at = 16 * PITCH, (16 + 128) * PITCH
    rows = G, G + 8
    item, pitch = mask.itemsize, mask.shape[1] if seen.by_query else 0
    addresses = [(row * pitch + 2 * T) * item for row in rows]
    of_k = k_at + ((LANE >> 4) * 8 + (LANE & 7)) * PITCH + ((LANE >> 3) & 1) * 16
    of_v = v_at + (LANE & 15) * PITCH + (LANE >> 4) * 16
    operand = run(fragments.make_load_queries(SIZE), warp, (LANE & 15) * PITCH + (LANE >> 4) * 16)
    state = [np.broadcast_to(np.float32(getattr(x, "constant", x)), 32) for x in run(fragments.make_start(SIZE), warp)]
    factor = np.float32(FACTOR if seen.source else FACTOR * np.log2(np.e))
    for block in range(0, KEYS, BLOCK):
        at = block + 2 * T
        limits = [KEYS - at, KEYS - at]
        if seen.causal:
            limits = [np.minimum(limit, row + 1 - at) for limit, row in zip(limits, rows, strict=True)]
        given = (state, operand, of_k + block * PITCH, of_v + block * PITCH, *limits, factor, np.float32(-np.inf))
        with np.errstate(all="ignore"):
            state = run(fragments.make_attend(SIZE, BLOCK, seen), warp, *given, *(a + block * item for a in addresses))
    return state


def results(state: list) -> np.ndarray:
    """(16, SIZE): weighted sums over the sums of weights, which four lanes share."""
    y = np.zeros((16, SIZE))
    for row in range(2):
        total = state[2 + row].reshape(8, 4).sum(axis=1)[G]
        for tile in range(SIZE // 8):
            for odd in range(2):
                y[G + 8 * row, 8 * tile + 2 * T + odd] = state[4 + 4 * tile + 2 * row + odd] / total
    return y


def softmaxed(seen: SeenKeys, q, k, v, mask) -> np.ndarray:
    scores = (q @ k[:KEYS].T) * FACTOR
    if seen.source == "bool":
        scores = np.where(mask[:, :KEYS], scores, -np.inf)
    elif seen.source:
        scores = scores + mask[:, :KEYS].astype(np.float32)
    if seen.causal:
        scores = np.where(np.arange(KEYS) <= np.arange(16)[:, None], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True) @ v[:KEYS]
