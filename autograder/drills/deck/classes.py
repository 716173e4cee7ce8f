"""Classes of bugs that a learner tells apart, and which of the judge's and the interpreter's kinds belong to each."""

from __future__ import annotations

CLASSES: dict[str, dict[str, str]] = {
    "race": {"en": "race: nothing orders two accesses", "zh": "数据竞争：两次访问之间没有先后保证"},
    "out_of_bounds": {"en": "index out of bounds", "zh": "索引越界"},
    "uninitialised_read": {"en": "read of memory that nobody wrote", "zh": "读取未初始化的内存"},
    "barrier_divergence": {
        "en": "barrier or warp operation that some threads miss",
        "zh": "部分线程到不了栅栏或线程束操作",
    },
    "wrong_output": {"en": "wrong result by its logic alone", "zh": "逻辑错误导致结果不对"},
    "over_budget": {"en": "right, but costs too much", "zh": "结果正确，但代价过高"},
    "float64": {"en": "double precision by accident", "zh": "无意中使用了双精度"},
    "refused": {"en": "does not compile or cannot launch", "zh": "无法编译或无法启动"},
    "deadlock": {"en": "deadlock: threads wait for each other for good", "zh": "死锁：线程永远互相等待"},
}
CLASS_OF_KIND = {
    "race": "race",
    "lost_update": "race",
    "out_of_bounds": "out_of_bounds",
    "negative_index": "out_of_bounds",
    "uninitialised_read": "uninitialised_read",
    "barrier_divergence": "barrier_divergence",
    "warp_mask": "barrier_divergence",
    "over_budget": "over_budget",
    "float64_arithmetic": "float64",
    "not_compiled": "refused",
    "compile_error": "refused",
    "unsupported": "refused",
    "invalid_launch": "refused",
    "deadlock": "deadlock",
}


def class_of(kind: str) -> str:
    """The class of a finding's or a cause's kind; what nobody placed is a wrong result."""
    return CLASS_OF_KIND.get(kind, "wrong_output")


def name_of(cls: str, language: str) -> str:
    """What a learner reads."""
    names = CLASSES[cls]
    return names[language] if language in names else " / ".join(names.values())
