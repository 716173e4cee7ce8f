"""Which of NVIDIA's samples are run, where they lie in its repository, and what each needs.

Tier A downloads nothing and checks itself. Tier B is given data, weights or a call of ours; the sample is unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass

PYTHON, POLYGRAPHY = "samples/python", "tools/Polygraphy"
API, TOOL = f"{POLYGRAPHY}/examples/api", f"{POLYGRAPHY}/bin/polygraphy"
PLUGINS = ("cupy", "onnx_graphsurgeon", "cuda")
MODELS = f"{POLYGRAPHY}/tests/models"


@dataclass(frozen=True)
class Sample:
    """name: as reported; tier: A or B; folder: in the checkout, copied and made the working directory; commands: run
    in order, each must end with status 0 (words that begin with @ are paths in the checkout, {data} is our folder);
    needs: modules; gpu: whether it talks to CUDA by itself; says: what the output must hold; known: why it fails where
    that is no fault of ours."""

    name: str
    tier: str
    folder: str
    commands: tuple[tuple[str, ...], ...]
    needs: tuple[str, ...] = ()
    gpu: bool = False
    says: str = ""
    known: str = ""


def script(name: str, tier: str, folder: str, *words: str, **more) -> Sample:
    return Sample(name, tier, folder, (("python", *words),), **more)


def example(number: str, *files: str, **more) -> Sample:
    """One of Polygraphy's examples of its Python API."""
    commands = tuple(("python", file) for file in files)
    return Sample(f"Polygraphy API {number[:2]}", "A", f"{API}/{number}", commands, **more)


def tool(name: str, *commands: str, says: str = "") -> Sample:
    """Polygraphy's command line, on a model that ships with it."""
    lines = tuple(("python", f"@{TOOL}", *command.split()) for command in commands)
    return Sample(f"polygraphy {name}", "A", MODELS, lines, says=says)


STREAM = "it names its stream by an array of one element, which NumPy refuses from 2.4 on; it asks for NumPy 1.26.4"


def circular(kind: str, *more_needs: str) -> Sample:
    needs, known = (*PLUGINS, *more_needs), STREAM if kind.endswith("cuda_python") else ""
    words = (f"python_plugin/circ_pad_{kind}.py",)
    return script(f"circ_pad_{kind}", "A", PYTHON, *words, needs=needs, gpu=True, known=known)


def non_zero(net_type: str) -> Sample:
    words = ("non_zero_plugin/non_zero_plugin.py", "--backend", "torch", "--net_type", net_type)
    needs = (*PLUGINS, "torch")
    return script(f"non_zero_plugin, {net_type}", "A", PYTHON, *words, needs=needs, gpu=True)


RESNET = ("-d", "{data}")
SAMPLES = (
    script("LSTM by hand (notebook)", "A", f"{PYTHON}/refactored/2_construct_network_with_layer_apis", "main.ipynb.py",
           says="Notebook executed successfully"),
    *(circular(kind, *more) for kind, *more in (
        ("plugin_numba", "numba"), ("plugin_torch", "torch"), ("plugin_triton", "torch", "triton"), ("plugin_cupy",),
        ("plugin_multi_tactic", "torch", "triton"), ("plugin_cuda_python",), ("plugin_inetdef_cuda_python",))),
    non_zero("onnx"),
    non_zero("inetdef"),
    script("stream_writer", "A", PYTHON, "stream_writer/build.py", says="Engine deserialized successfully"),
    example("00_inference_with_tensorrt", "build_and_run.py", "load_and_run.py"),
    example("01_comparing_frameworks", "example.py", needs=("onnxruntime",)),
    example("02_validating_on_a_dataset", "example.py"),
    example("03_interoperating_with_tensorrt", "example.py"),
    example("04_int8_calibration_in_tensorrt", "example.py"),
    example("05_using_tensorrt_network_api", "example.py"),
    example("06_immediate_eval_api", "build_and_run.py", "load_and_run.py"),
    example("07_tensorrt_and_dynamic_shapes", "example.py"),
    Sample("Polygraphy API 08", "A", f"{API}/08_working_with_run_results_and_saved_inputs_manually", (
        ("python", f"@{TOOL}", *"run identity.onnx --trt --onnxrt --save-inputs inputs.json --save-outputs".split(),
         "outputs.json"),
        ("python", "example.py"))),
    example("09_working_with_pytorch_tensors", "example.py", needs=("torch",), gpu=True),
    tool("run against ONNX Runtime", "run const_foldable.onnx --trt --onnxrt", says="PASSED"),
    tool("run, every layer compared",
         "run reducable.onnx --trt --onnxrt --trt-outputs mark all --onnx-outputs mark all", says="PASSED"),
    tool("run in INT8 with a cache",
         "run identity.onnx --trt --int8 --calibration-cache {data}/identity.cache",
         "run identity.onnx --trt --onnxrt --int8 --calibration-cache {data}/identity.cache --atol 0.1", says="PASSED"),
    tool("convert and inspect",
         "convert identity.onnx --convert-to trt -o {data}/identity.plan",
         "inspect model {data}/identity.plan --model-type engine --show layers attrs", says="Engine"),
    tool("debug precision", "debug precision identity.onnx --fp16 --check true"),
    Sample("trt-perf-analysis", "A", ".agents/skills/trt-perf-analysis/scripts", (
        ("python", "-m", "minitrt.trtexec", "--onnx={data}/small.onnx", "--profilingVerbosity=detailed",
         "--iterations=2", "--duration=0", "--warmUp=0", "--exportLayerInfo={data}/info.json",
         "--exportProfile={data}/profile.json"),
        ("python", "-m", "benchmarks.nvidia_samples.layers_alone", "{data}/info.json"),
        ("python", "analyze_trt_perf.py", "--data", "{data}/info.json", "{data}/profile.json", "--output",
         "{data}/analysis.json"))),
    script("onnx_resnet50", "B", PYTHON, "introductory_parser_samples/onnx_resnet50.py", *RESNET,
           needs=("cuda", "PIL"), gpu=True, says="ecognized"),
    script("simple_progress_monitor", "B", PYTHON, "simple_progress_monitor/simple_progress_monitor.py", *RESNET,
           needs=("cuda", "PIL"), gpu=True),
    script("network_api_pytorch_mnist", "B", PYTHON, "-m", "benchmarks.nvidia_samples.mnist",
           needs=("cuda", "torch", "torchvision"), gpu=True, says="outputs agree"),
    Sample("sample_weight_stripping", "B", PYTHON, (
        ("python", "sample_weight_stripping/build_engines.py", *RESNET),
        ("python", "sample_weight_stripping/refit_engine_and_infer.py", *RESNET)), ("cuda", "PIL"), True,
        "Refitted stripped engine correctly recognized"),
    script("onnx_helper", "B", "quickstart/IntroNotebooks", "-m", "benchmarks.nvidia_samples.classifier",
           needs=("cuda",), gpu=True, says="outputs agree"),
)  # fmt: skip
