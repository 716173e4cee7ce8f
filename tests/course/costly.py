"""Exercises of which one more answer takes the interpreter seconds: a commit tries few of them, a release all."""

COSTLY = (
    "matmul.matmul_ring",
    "matmul.matmul_tensor",
    "matmul.matmul_warpgroup",
    "matmul.matmul_int8",
    "matmul.matmul_wide",
    "convolution.conv_implicit",
    "convolution.conv_winograd",
    "scan.radix_sort",
    "scan.scan_device",
    "scan.scan_lookback",
    "atomics.histogram_adaptive",
    "shared_memory.blur_column",
    "shared_memory.blur_wide",
    "memory_kinds.blur_async",
    "memory_kinds.blur_rows",
    "streams.as_graph",
)
