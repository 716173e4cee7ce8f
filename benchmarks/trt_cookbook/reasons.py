"""Why a case of the cookbook does not come out as in TensorRT's log, by the beginning of its name."""

from __future__ import annotations

NARROW = "FP8, FP4 and BF16 are not computed with"
LOOP = "loops are unrolled, so a condition cannot end one"
REASONS = {
    "AttentionStructure case_quantization": NARROW,
    "Cast case_simple": NARROW,
    "DynamicQuantize": NARROW,
    "LoopStructure case_while": LOOP,
    "NMS case_simple": "TensorRT's count of rows ends at topk_box_limit, its rows do not; here it is their count",
    "RaggedSoftMax": "a bound beyond the row's end: TensorRT adds up what lies behind the row in memory",
}


def why_different(case: str) -> str:
    """The reason on record, or "" for a difference that nobody has explained yet."""
    return next((why for name, why in REASONS.items() if case.startswith(name)), "")
