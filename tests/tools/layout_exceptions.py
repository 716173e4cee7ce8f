"""What is larger than the house's limits, with the reason. A number here may fall, and its line go; neither may grow.

A line that is no longer needed fails the test, so this file is always the whole list.
"""

ENTRIES = {"simt": (26, "which compiler is in use is asked before any other folder is loaded")}  # folder -> (most, why)

CIRCLES: dict[tuple[str, ...], str] = {}  # modules that import each other, lazily too -> why

MODULES = {  # file -> (most lines, why)
    "tests/simt/analyses/test_races.py": (420, "one test a kind of race"),
    "tests/simt/stepper/test_stepper.py": (330, "one test a promise of the stepper"),
    "tests/simt/test_errors.py": (390, "one test an error"),
    "tests/simt/test_kernels.py": (750, "one test a thing that kernels do"),
    "tests/simt/test_numba_typing.py": (330, "one test a rule of numba's types"),
    "tests/zoo/shared_memory.py": (310, "a list of kernels"),
}

FUNCTIONS = {  # file:function -> (most lines, why)
    "autograder/exercises/u12_matmul/answers/matmul_int8.py:matmul_int8": (50, "a kernel whose steps share registers"),
    "autograder/exercises/u12_matmul/answers/matmul_tensor.py:matmul_tensor": (
        48,
        "a kernel whose steps share registers",
    ),
    "autograder/exercises/u12_matmul/answers/matmul_wide.py:matmul_wide": (42, "a kernel whose steps share registers"),
    "autograder/exercises/u19_engine_runtime/answers/threshold_plugin.py:threshold_plugin": (
        48,
        "an answer is one function, and this one holds a plugin and its creator",
    ),
    "autograder/exercises/u14_attention/answers/attention_tensor.py:attention_tensor": (
        74,
        "a kernel of two products that share registers",
    ),
    "autograder/exercises/u20_compression/answers/sparse_products.py:sparse_products": (
        58,
        "a kernel whose steps share registers",
    ),
    "minitrt/kernels/attention/kernel.py:tensor_core_attention": (50, "a kernel"),
    "minitrt/kernels/plain/attention.py:attention": (42, "a kernel"),
    "minitrt/kernels/plain/recurrent.py:kernel": (46, "a step of time is six loops between barriers"),
    "minitrt/kernels/plain/recurrent.py:recurrent": (66, "a factory around that kernel"),
    "minitrt/kernels/hopper_conv/consumer.py:consume": (50, "a device function: its steps share registers"),
    "minitrt/kernels/hopper_conv/consumer.py:make_consumer": (80, "a factory around that device function"),
    "minitrt/kernels/hopper_conv/producer.py:make_producer": (52, "a factory around a device function"),
    "simt/run.py:launch": (70, "half of it tells what its thirteen options mean"),
}

SAME_NAMES: dict[str, tuple[tuple[str, ...], str]] = {}  # package -> (public names that are also modules of it, why)

SAME_CLASSES = {  # package -> public classes that several of its modules define, how many -> rooms that never meet
    "simt": {"Array": 2, "Record": 2, "Signature": 2},  # numba's own names in cuda_api/types.py
    "autograder": {
        "Answer": 4,
        "Bench": 2,
        "Code": 2,
        "Facts": 2,
        "Grade": 2,
        "Launcher": 2,
        "Plan": 2,
        "Question": 2,
        "Record": 2,
        "Sample": 2,
        "Task": 3,
        "Waiting": 2,
    },
    "minitrt": {"Graph": 2, "Progress": 2},
}
