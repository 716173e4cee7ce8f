"""Which projects are run, at which commit, what their tests import, and what was judged true of what was found."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Project:
    """One public project with kernels for numba.cuda.

    repository: owner/name on GitHub. needs: what to install for the tests, for pip. tests: arguments of pytest, in
    `folder`. programs: files run one by one, notebooks among them; each counts as a test. paths: what of the repository
    is looked at (prefixes). adds: files that a checkout lacks, as path -> text. as_simulated: NUMBA_ENABLE_CUDASIM
    stays set here, as the project then asks for no CuPy, no CUDA toolkit. true: what was found and read, as
    "file:line kind" -> why it is a mistake. known: a test that passes in numba's simulator and not here -> why.
    """

    name: str
    repository: str
    commit: str
    needs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    folder: str = "."
    path: tuple[str, ...] = ()
    paths: tuple[str, ...] = ("",)
    adds: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    as_simulated: bool = False
    true: dict[str, str] = field(default_factory=dict)
    known: dict[str, str] = field(default_factory=dict)


UNWRITTEN = "The kernel reads shared memory that nothing wrote; its test looks at sizes alone."
EVERY_THREAD = "Every thread adds to every element without an atomic; the test asks only that the launch ends."
RAW = "It asks the driver for raw memory, and there is no driver."
WORDS = "It wants numba's own words in the message; ours say more."
CANNOT = "It asks that the simulator cannot do this; the interpreter can, or does as a GPU does."
NEW_ARRAY = "A thread makes a new array, which numba compiles only where its own memory manager is turned on."
ALLOWED = "The message is another: numba refuses the same copy."
COUNTER = "The lesson's own example of a race: every thread adds to one counter without an atomic."
EXERCISES = {
    **{f"{name}.py:16 race": "The exercise's own mistake: a histogram without atomics." for name in ("ex1", "ex1a")},
    **{f"{name}.py:17 out_of_bounds": "The exercise's own mistake: a bin below zero." for name in ("ex3", "ex3a")},
    "ex2.py:15 unsupported": "The exercise opens a debugger in a kernel, which no GPU has.",
}
PLOT = {"MPLBACKEND": "Agg"}
TUTORIAL = "session-{}/exercises/"

NUMBA_CUDA = {
    test: why
    for why, tests in {
        RAW: (
            "cudadrv/test_host_alloc.py::TestHostAlloc::test_host_alloc_driver",
            "cudadrv/test_host_alloc.py::TestHostAlloc::test_host_alloc_pinned",
        ),
        ALLOWED: (
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_copy_device",
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_device_strided",
            "cudadrv/test_cuda_ndarray.py::TestCudaNDArray::test_devicearray_contiguous_slice",
        ),
        WORDS: (
            "cudapy/test_errors.py::TestJitErrors::test_non_integral_dims",
            "cudapy/test_errors.py::TestJitErrors::test_too_many_dims",
            "cudapy/test_errors.py::TestJitErrors::test_unconfigured_typed_cudakernel",
            "cudapy/test_errors.py::TestJitErrors::test_unconfigured_untyped_cudakernel",
            "cudapy/test_forall.py::TestForAll::test_forall_negative_work",
        ),
        CANNOT: (
            "cudapy/test_array.py::TestCudaArray::test_array_like_2d_view_transpose_simulator",
            "cudapy/test_array_alignment.py::TestCudasimUnsupportedAlignment::test_local_unsupported",
            "cudapy/test_array_alignment.py::TestCudasimUnsupportedAlignment::test_shared_unsupported",
            "cudapy/test_exception.py::TestException::test_zero_division_error_in_debug",
            "cudapy/test_stream_api.py::TestStreamAPI::test_external_stream_simulator_unavailable",
        ),
        NEW_ARRAY: (
            "cudapy/test_array_methods.py::TestCudaArrayMethods::test_array_copy",
            "nrt/test_nrt.py::TestNrtBasic::test_nrt_launches",
            "nrt/test_nrt.py::TestNrtBasic::test_nrt_returns_correct",
        ),
    }.items()
    for test in tests
}
PROJECTS = (
    Project(
        "stumpy",
        "TDAmeritrade/stumpy",
        "423c679fdfcdd547744d2b9a2aed7565124fd6e1",
        needs=("pandas<3", "polars"),
        tests=(
            "tests/test_gpu_stump.py",
            "tests/test_gpu_aamp.py",
            "tests/test_gpu_aampdist.py",
            "tests/test_gpu_mpdist.py",
        ),
        paths=("stumpy/", "tests/", "pyproject.toml", "setup.py"),
        path=(".",),
    ),
    Project(
        "numba-cuda",
        "NVIDIA/numba-cuda",
        "b18b944b2f88a4e840424e49a1b0d29488263b40",
        needs=("filecheck", "psutil", "cffi", "ml_dtypes", "pytest-benchmark", "nvidia-cuda-nvrtc"),
        tests=(
            "-c",
            "pytest.ini",
            "--noconftest",
            "-p",
            "conftest",
            "--benchmark-disable",
            "../numba_cuda/numba/cuda/tests",
        ),
        paths=("testing/", "numba_cuda/numba/cuda/tests/"),
        folder="testing",
        path=("testing",),
        as_simulated=True,
        true={
            **{f"test_exception.py:{line} race": EVERY_THREAD for line in (59, 64, 74, 80)},
            **{f"test_sm_creation.py:{line} uninitialised_read": UNWRITTEN for line in (25, 33, 47)},
            **{f"test_sm.py:{line} uninitialised_read": UNWRITTEN for line in (89, 91)},
            "test_freevar.py:27 uninitialised_read": UNWRITTEN,
        },
        known=NUMBA_CUDA,
    ),
    Project(
        "quarimo",
        "ryneches/quarimo",
        "2eb1271eed475eb42d44e5ee2a7510d6d2fc95e8",
        tests=("tests/test_cuda_kernels.py", "tests/test_kernel_agreement.py", "tests/test_paralog_delta_kernel.py"),
        path=(".",),
    ),
    Project(
        "ManipulaPy",
        "boelnasr/ManipulaPy",
        "cb059557d8ce085ef2107450300a55d273eb04ea",
        needs=("matplotlib", "pillow"),
        tests=(
            "tests/test_cuda_kernels.py",
            "tests/test_cuda_kernels_cpu.py",
            "tests/test_potential_field.py",
            "tests/test_trajectory_planning.py",
            "tests/test_path_planning_unit.py",
        ),
        path=(".",),
    ),
    Project(
        "cubie",
        "ccam80/cubie",
        "0dfe92b4e59e834f54e261cfb77d7738abc62bbe",
        needs=("attrs", "sympy", "lxml", "networkx", "Pint", "rdflib", "pandas<3"),
        tests=(
            "-m",
            "not nocudasim and not cupy and not specific_algos",
            "--import-mode=importlib",
            "tests/memory",
            "tests/outputhandling",
            "tests/integrators/matrix_free_solvers",
        ),
        path=("src", "."),
        as_simulated=True,
        true={
            "norms.py:189 uninitialised_read": "The test's kernel hands over a local array that nothing fills, and the "
            "solver's norm reads it."
        },
    ),
    Project(
        "cuda-nms-numba",
        "liltommy142/cuda-nms-numba",
        "114df94ff8a6a3f17eef96c51c35584b52407473",
        tests=("tests", "-k", "not 1000 and not sanity"),  # which run for minutes in the simulator
        path=(".", "src"),
    ),
    Project(
        "minitorch",
        "Cornell-Tech-ML/minitorch-annetta",
        "5f0b86261074c1d899aa0b8cf618125441d98428",
        needs=("typing_extensions", "colorama"),
        tests=(
            "tests/test_cuda.py",
            "tests/test_tensor_general.py",
            "-k",
            "one_args or two_args or create or test_cuda",
        ),
        path=(".",),
    ),
    Project(
        "gamdpy",
        "jklust/gamdpy",
        "3a8c96e83a46632d104bc274b5847c2d5ead6efd",
        needs=("h5py", "pandas<3", "matplotlib", "scipy"),
        tests=("tests",),
        path=(".",),
        environment=PLOT,
    ),
    Project(
        "skallel-tensor",
        "scikit-allel/skallel-tensor",
        "eddd4b1760d9249b60b996730381318dd262c048",
        needs=("multipledispatch", "dask[array,dataframe]", "pandas", "h5py", "zarr"),
        tests=("src/skallel_tensor/test",),
        path=("src",),
        adds={"src/skallel_tensor/version.py": "version = ''\n"},  # its build writes it
    ),
    Project(
        "decontamination",
        "lpsc-euclid/decontamination",
        "1554ddb9f035884db7b72a091adda2efae95705a",
        needs=("healpy", "astropy", "h5py", "tqdm", "zarr", "matplotlib", "minisom"),
        tests=("test",),
        path=(".",),
        environment=PLOT,
    ),
    Project(
        "nvidia-cuda-tutorial",
        "numba/nvidia-cuda-tutorial",
        "d2ef2bc1e73eb0781313869b2e9d7e2ebc757aba",
        needs=("matplotlib", "scipy"),
        programs=(
            *(TUTORIAL.format(1) + f"{name}.ipynb" for name in ("guvectorize", "kernels", "vectorize")),
            TUTORIAL.format(1) + "cuda-ufuncs-and-memory-management.ipynb",
            *(TUTORIAL.format(3) + f"debug/{name}.py" for name in ("ex1", "ex1a", "ex2", "ex3", "ex3a")),
            TUTORIAL.format(3) + "1-Porting.ipynb",
            "session-3/examples/cai_implementation.py",
            "session-4/exercise/interval_example.py",
            "session-4/exercise/quaternion_solution.py",
            "session-5/exercises/exercise.ipynb",
        ),
        environment=PLOT,
        true=EXERCISES | {"kernels.ipynb cell 10:3 race": COUNTER},
    ),
    Project(
        "gtc2017-numba",
        "ContinuumIO/gtc2017-numba",
        "6ddaeec9baecf07df1a22e3e685d5f6e3b4f33d9",
        needs=("matplotlib", "scipy"),
        programs=(
            "2 - CUDA Basics.ipynb",
            "3 - Memory Management.ipynb",
            "4 - Writing CUDA Kernels.ipynb",
            "6 - Extra Topics.ipynb",
            *(f"debug/{name}.py" for name in ("ex1", "ex1a", "ex2", "ex3", "ex3a")),
        ),
        environment=PLOT,
        true=EXERCISES | {"4 - Writing CUDA Kernels.ipynb cell 10:3 race": COUNTER},
    ),
    Project(
        "numba-examples",
        "numba/numba-examples",
        "c423f5419a459f5ab8874fda6d39bb5ea05d04b2",
        needs=("matplotlib", "scipy"),
        programs=(
            "legacy/cudajit/matmul.py",
            "legacy/cudajit/matmul_smem.py",
            "legacy/cudajit/sum.py",
            "legacy/vectorize/cuda_polynomial.py",
            "legacy/blackscholes/blackscholes_cuda.py",
            "notebooks/Numba_051_CUDA_Release_Demo.ipynb",
            "notebooks/Numba_052_CUDA_Release_Demo.ipynb",
            "notebooks/Numba_053_CUDA_Release_Demo.ipynb",
            "notebooks/Numba_054_CUDA_Release_Demo.ipynb",
        ),
        environment=PLOT,
    ),
)
