"""Which projects are run, at which commit, what their tests import, and what was judged true of what was found."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.public_projects.reasons import (
    BARRIER_BELOW_IF,
    COUNTER,
    EVERY_THREAD,
    EXERCISES,
    NUMBA_CUDA,
    TILE_IS_REFILLED,
    UNWRITTEN,
)


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


PLOT = {"MPLBACKEND": "Agg"}
TUTORIAL = "session-{}/exercises/"
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
            "test_cuda or practice or cuda and (one_args or two_args or create)",
        ),
        path=(".",),
        true={
            **{f"cuda_ops.py:{line} barrier_divergence": BARRIER_BELOW_IF for line in (249, 258, 318, 324)},
            **{f"cuda_ops.py:{line} race": TILE_IS_REFILLED for line in (460, 466)},
        },
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
        "disimpy",
        "kerkelae/disimpy",
        "f1d97421ee56fa0624e37e3aa4bb0ff3437e456b",
        needs=("matplotlib", "scipy"),
        tests=("disimpy/tests",),
        path=(".",),
        environment=PLOT,
    ),
    Project(
        "larnd-sim",
        "DUNE/larnd-sim",
        "aab11b95092f736bc83009485a063bae767b895c",
        needs=("pyyaml",),
        tests=("-o", "python_files=test*.py", "tests"),
        paths=("larndsim/", "tests/"),
        path=(".",),
        adds={"cupy.py": "from numpy import *  # what its modules ask CuPy for where they are imported\n"},
    ),
    Project(
        "sgkit",
        "sgkit-dev/sgkit",
        "72f7588f341b441666b0a0a04577cfba9704c64f",
        needs=("xarray<2025.3.1", "dask[array,dataframe]<=2024.8.0", "zarr<3", "scikit-learn", "pandas<3"),
        tests=("sgkit/tests/test_distance.py",),
        paths=("sgkit/", "conftest.py", "pyproject.toml"),
        path=(".",),
    ),
    Project(
        "algotom",
        "algotom/algotom",
        "50536a400f094d832d3cd4178161f798abf5a0a4",
        needs=("scipy", "pywavelets", "pillow", "h5py", "joblib"),
        tests=("tests/test_rec", "tests/test_util/test_correlation.py"),
        path=(".",),
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
