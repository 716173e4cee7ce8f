"""What a page shows as code runs as it stands there: every block is run here, or it is said where it is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib

import pytest

pytest.importorskip("numba.cuda")

from autograder.cli import main
from tests.tools.test_docs import PAGES, text_of
from tools.parts.units import ROOT

PROVEN = ("docs/pitfalls.md", "docs/pictures.md")  # pages that a tool writes, and its test compares
MINE = """from numba import cuda

@cuda.jit
def kernel(src):
    i = cuda.grid(1)
    if i < src.size:
        src[i] = src[i] * src[i]

@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
"""
PROGRAM = """import sys
import numpy as np
from numba import cuda

@cuda.jit
def choose(winner):
    {line}

winner = np.zeros(1)
choose[1, 64](winner)
print(sys.argv[1:], __name__, cuda.is_available())
"""
COMMANDS = {  # a line of a page, without what stands behind it -> what it must print
    "warpbook trace mine.py:kernel --grid 4 --block 256 --arg 'float32[1024]'": "No mistakes found.",
    "warpbook lint mine.py:kernel --sig 'float32[:]'": "kernel(float32[::1]): compiles",
    "warpbook check vector_add.vector_add mine.py": "vector_add: right",
    "warpbook trace answers.py:vector_add --gpu h200 --grid 4096 --block 256 --arg 'float32[1048576]' "
    "--arg 'float32[1048576]' --arg 'float32[1048576]'": "H200",
    "warpbook run program.py": "[] __main__ True",
    "warpbook run program.py 1000": "['1000'] __main__ True",
    "warpbook drill progress --figure days.svg": "Answers: 0",
    "warpbook drill export --history answers.csv": "answers.csv: 0 answers",
}
ELSEWHERE = {  # how a command of a page begins -> the test that runs it, or why none does
    "make ": "tests/tools/test_docs.py and test_menu.py: the targets exist, and make runs each before a release",
    "python -m minitrt.shim ": "tests/minitrt/shim/test_programs.py",
    "warpbook doctor": "tests/autograder/machine/test_health.py",
    "nbgrader ": "tests/autograder/classroom/test_nbgrader.py",
    "warpbook grade ": "tests/autograder/classroom/test_sample.py",
    "warpbook regrade ": "tests/autograder/classroom/test_regrade.py",
    "warpbook new-exercise ": "tests/autograder/classroom/test_own_exercises.py",
    "warpbook check-exercises ": "tests/autograder/classroom/test_own_exercises.py",
    "warpbook drill --": "tests/autograder/drills/test_terminal.py: it needs somebody at the keyboard",
    "warpbook drill export --anki ": "tests/autograder/drills/test_anki.py",
    "pytest --warpbook": "tests/autograder/programs/test_pytest_plugin.py",
    "python -m tools.build_lite": "tests/tools/test_build_lite.py: it downloads",
    "python -m http.server ": "it serves until it is ended",
    "python -m tools.make.hosted ": "tests/tools/test_make_hosted.py",
    "python -m tests.zoo ": "it needs a GPU",
    "python -m autograder.classroom.cluster.tls ": "tests/autograder/classroom/test_cluster.py",
    "podman ": "tests/autograder/classroom/test_container.py",
    "for gpu in ": "it needs GPUs",
    "build/submitted/": "names of files",
    "solutions/NN_topic/": "names of files",
    "block_sum_sequential: ": "tests/tools/test_readme.py",
}
NET = (
    "import numpy as np\nfrom tests.tools.test_docs_run import write_engine, write_net\nwrite_net()\n"
    "images = np.ones((2, 3, 16, 16), np.float32)\nbatches = [images] * 2\n"
)
PYTHON = {  # a page -> for each of its blocks, what comes before it and after it; or where it is run
    "README.md": ["tests/tools/test_readme.py"],
    "CONTRIBUTING.md": ["tests/course/test_corners.py"],
    "docs/minitrt.md": [
        (NET, "\nassert outputs['output'].shape == (2, 8, 16, 16)"),
        (
            NET + "write_net('open.onnx', 'batch')\nfive_images = np.ones((5, 3, 16, 16), np.float32)\n",
            "\nassert (1, 5) == (len(one['output']), len(five['output']))",
        ),
        (NET, "\nimport onnx\nassert 'QuantizeLinear' in {n.op_type for n in onnx.load('net.int8.onnx').graph.node}"),
        (NET, "\nassert data is not None and open('calibration.cache').read().startswith('TRT-')"),
        (NET + "write_engine()\n", "\nassert output.shape == (2, 8, 16, 16) and output.max() > 0"),
    ],
    "docs/minitrt-from-export.md": ["tests/tools/test_docs_run.py"] * 5,
    "docs/browser.md": [("", "\nassert cuda.jit and float32 and types.void and create_xoroshiro128p_states")],
    "docs/programs.md": ["test_the_comment_of_the_page_on_programs_silences_its_finding"],
    "docs/compilers.md": ["tests/autograder/lint/test_successor.py: the kernel of each fault, compiled"] * 6,
    "docs/many-gpus.md": ["tests/autograder/classroom/test_slurm.py"],
}
BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def write_engine() -> None:
    """The engine of net.onnx, as net.engine."""
    import minitrt as trt

    builder = trt.Builder(trt.Logger())
    network = builder.create_network(0)
    trt.OnnxParser(network, trt.Logger()).parse_from_file("net.onnx")
    with open("net.engine", "wb") as file:
        file.write(builder.build_serialized_network(network, builder.create_builder_config()))


def write_net(path: str = "net.onnx", batch: int | str = 2) -> None:
    """An ONNX file of a convolution and its activation. input: (batch, 3, 16, 16) float32."""
    import numpy as np
    import onnx
    from onnx import helper, numpy_helper

    weights = numpy_helper.from_array(np.ones((8, 3, 3, 3), np.float32), "weights")
    nodes = [helper.make_node("Conv", ["input", "weights"], ["mid"], pads=[1, 1, 1, 1])]
    nodes += [helper.make_node("Relu", ["mid"], ["output"])]
    ends = [helper.make_tensor_value_info(name, 1, [batch, n, 16, 16]) for name, n in (("input", 3), ("output", 8))]
    graph = helper.make_graph(nodes, "net", ends[:1], ends[1:], [weights])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def blocks_of(page: str, language: str) -> list[str]:
    return [code for named, code in BLOCK.findall(text_of(page)) if named == language]


def commands_of(page: str) -> list[str]:
    """The commands of a page's plain blocks: one that goes on in the next line is one; what explains it is left out."""
    text = "\n".join(re.sub(r" *\\\n +", " ", block) for block in blocks_of(page, ""))
    begun = [line.strip() for line in text.splitlines() if re.match(r"[a-z_/A-Z:]+ *\S", line.strip())]
    known = tuple(ELSEWHERE)
    commands = [line for line in begun if line.split()[0] in ("warpbook", "python", "pytest") or line.startswith(known)]
    return [re.split(r"(?<=\S) {2,}", line)[0] for line in commands]


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder with the files that the pages name."""
    for name in ("mine.py", "answers.py"):
        (tmp_path / name).write_text(MINE)
    (comment,) = blocks_of("docs/programs.md", "python")
    (tmp_path / "program.py").write_text(PROGRAM.format(line=comment.strip()))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WARPBOOK_DATA", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if page not in PROVEN])
def test_every_command_and_python_block_of_a_page_is_run_here_or_it_is_said_where(page):
    unknown = [line for line in commands_of(page) if line not in COMMANDS and not line.startswith(tuple(ELSEWHERE))]
    assert unknown == []
    assert len(blocks_of(page, "python")) == len(PYTHON.get(page, []))


def test_every_command_and_test_that_is_listed_here_is_one_that_a_page_has_or_a_file():
    shown = [line for page in PAGES for line in commands_of(page)]
    assert set(COMMANDS) <= set(shown)
    assert [start for start in ELSEWHERE if not any(line.startswith(start) for line in shown)] == []
    pages = [where for blocks in PYTHON.values() for where in blocks if isinstance(where, str)]
    files = [path for why in [*ELSEWHERE.values(), *pages] for path in re.findall(r"\w+/\S+?\.py", why)]
    assert [path for path in files if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_a_page_prints_what_is_promised(command, workplace, capfd):
    status = main(shlex.split(command)[1:])

    said = capfd.readouterr()
    assert status == 0, said
    assert COMMANDS[command] in said.out


def test_the_comment_of_the_page_on_programs_silences_its_finding(workplace, capfd):
    loud = (workplace / "program.py").read_text().replace("# warpbook", "#")
    (workplace / "loud.py").write_text(loud)

    assert main(["run", "program.py", "1"]) == 0
    assert "no findings, 1 silenced" in capfd.readouterr().out
    assert main(["run", "loud.py", "1"]) == 1


@pytest.mark.parametrize("page", [page for page, around in PYTHON.items() if isinstance(around[0], tuple)])
def test_a_python_block_runs_as_it_stands(page, workplace):
    found = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
    }  # the page's own imports need none, and what stands around them does
    for code, (before, after) in zip(blocks_of(page, "python"), PYTHON[page], strict=True):
        command = [sys.executable, "-c", before + code + after]
        done = subprocess.run(command, capture_output=True, text=True, env=found)
        assert done.returncode == 0, done.stderr


def test_the_page_from_an_export_to_an_engine_runs_from_top_to_bottom(workplace):
    code = "\n".join(blocks_of("docs/minitrt-from-export.md", "python"))
    found = {**os.environ, "PYTHONPATH": str(ROOT), "MINITRT_BACKEND": "reference"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=found)

    assert done.returncode == 0, done.stderr
    first, *layers = done.stdout.splitlines()
    assert float(first.split()[1].rstrip(",")) > 0.99
    assert [2, 2] == [line.count("Int8") for line in layers if "conv" in line]
    assert not any("relu" in line and "conv" not in line for line in layers)


def test_the_page_of_the_engine_says_how_slow_the_reference_was_measured_to_be():
    measured = json.loads((ROOT / "benchmarks/results/reference-speed.json").read_text(encoding="utf-8"))

    for kind, words in (("FP32", "takes {:.0f} times as"), ("INT8", "and {:.0f} times as long in INT8")):
        assert words.format(measured[kind]["ratio"]) in " ".join(text_of("docs/minitrt.md").split())


def test_the_line_of_trtexec_on_the_page_of_the_engine_runs(workplace, capsys):
    from minitrt.trtexec import main as trtexec

    write_net()
    shown = re.findall(r"`(warpbook-trtexec --onnx[^`]+--dumpProfile|--plot\w+=[^`]+)`", text_of("docs/minitrt.md"))
    command, *plots = shown

    status = trtexec([*shlex.split(command)[1:], *plots, "--iterations=1", "--duration=0", "--warmUp=0"])

    assert status == 0 and "&&&& PASSED" in capsys.readouterr().out
    assert all((workplace / plot.partition("=")[2]).is_file() for plot in plots) and len(plots) == 2


def test_the_class_file_of_the_guide_is_one_that_is_read(workplace):
    from autograder.classroom import class_file

    rules, own = blocks_of("docs/instructor-guide.md", "toml")
    (workplace / "class.toml").write_text(rules)
    known = {"01_vector_add": ["vector_add.vector_add", "vector_add.blend"]}

    assert class_file.read(workplace / "class.toml", known).rules("01_vector_add").weight == 2
    assert tomllib.loads(own + rules)["own"] == ["../teaching/exercises"]
