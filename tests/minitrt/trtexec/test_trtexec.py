"""warpbook-trtexec: trtexec's flags, files and last line."""

from __future__ import annotations

import io
import json

import numpy as np
import onnx
import pytest

from benchmarks.models.networks import resnet
from minitrt.calibration.cache import write
from minitrt.trtexec import main, plots
from minitrt.trtexec.flags import REFUSED, WITHOUT_EFFECT
from minitrt.trtexec.options import parse, shapes
from minitrt.trtexec.progress import Progress
from tests.minitrt.engines import model_of
from tests.minitrt.operations import conv

FAST = ["--iterations=2", "--duration=0", "--warmUp=0"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("trtexec") / "net.onnx"
    onnx.save(resnet("resnet18", size=32, width=8, classes=10), path)
    return path


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch):
    monkeypatch.setenv("MINITRT_BACKEND", "reference")


def test_building_saving_loading_and_timing_end_with_passed(model, tmp_path, capsys):
    engine = tmp_path / "net.engine"
    built = main([f"--onnx={model}", "--stronglyTyped", "--optShapes=input:2x3x32x32", f"--saveEngine={engine}", *FAST])
    loaded = main([f"--loadEngine={engine}", *FAST])
    text = capsys.readouterr().out

    assert (built, loaded) == (0, 0)
    assert text.count("&&&& PASSED warpbook-trtexec") == 2
    assert "Throughput: " in text and "percentile(99%)" in text and "NumPy reference, no GPU" in text


def test_layer_and_profile_files_name_the_same_layers_as_nvidias_analyser_wants(model, tmp_path):
    layers, profile = tmp_path / "layers.json", tmp_path / "profile.json"
    exports = [f"--exportLayerInfo={layers}", f"--exportProfile={profile}", "--profilingVerbosity=detailed"]
    assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", *exports, *FAST]) == 0
    described = json.loads(layers.read_text())["Layers"]
    count, *rows = json.loads(profile.read_text())

    assert count == {"count": 2}
    assert [layer["Name"] for layer in described] == [row["name"] for row in rows]
    assert len({layer["Name"] for layer in described}) == len(described)
    assert all(isinstance(layer["LayerType"], str) and layer["Outputs"][0]["Dimensions"] for layer in described)
    assert sum(row["percentage"] for row in rows) == pytest.approx(100)


def test_inputs_come_from_files_and_outputs_go_to_one(model, tmp_path):
    np.ones((1, 3, 32, 32), np.float32).tofile(tmp_path / "input.bin")
    results = []
    for name in ("one.json", "two.json"):
        given = [f"--loadInputs=input:{tmp_path / 'input.bin'}", f"--exportOutput={tmp_path / name}"]
        assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", *given, *FAST]) == 0
        results.append(json.loads((tmp_path / name).read_text()))

    assert results[0] == results[1]
    assert [("fc_output", "1x10", 10)] == [(o["name"], o["dimensions"], len(o["values"])) for o in results[0]]


def test_int8_without_a_cache_says_that_results_mean_nothing(model, capsys):
    assert main([f"--onnx={model}", "--int8", "--shapes=input:1x3x32x32", *FAST]) == 0
    assert "results mean nothing" in capsys.readouterr().err


def test_a_missing_model_ends_with_failed_and_status_one(capsys):
    assert main(["--onnx=nowhere.onnx"]) == 1
    assert "there is no file nowhere.onnx" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["shapes", "minShapes", "optShapes", "maxShapes", "loadInputs"])
def test_an_input_that_the_model_does_not_have_is_an_error_that_lists_those_it_has(model, flag, capsys):
    value = "1x3x32x32" if flag != "loadInputs" else "x.bin"

    assert main([f"--onnx={model}", f"--{flag}=images:{value}", *FAST]) == 1
    assert f"--{flag} names the input 'images', but the inputs are: 'input'" in capsys.readouterr().err


@pytest.mark.parametrize("quoted", ["'input'", '"input"'])
def test_names_may_stand_in_quotes(model, quoted, tmp_path, capsys):
    np.ones((2, 3, 32, 32), np.float32).tofile(tmp_path / "x.bin")
    given = [f"--shapes={quoted}:2x3x32x32", f"--loadInputs={quoted}:{tmp_path / 'x.bin'}"]

    assert main([f"--onnx={model}", *given, *FAST]) == 0


def test_a_quoted_name_may_hold_colons_and_commas():
    assert {"a,b:0": (1, 2), "c:1": (3,)} == shapes("'a,b:0':1x2,c:1:3")


BROKEN = """load missing;load junk;inputs missing;inputs short;cache missing;cache junk;times junk;model junk;save
 nowhere""".replace("\n", "").split(";")


def broken_files(folder):
    """Flags that name a file which is missing or wrong, and what the error says of it."""
    (folder / "short.bin").write_bytes(b"1234")
    (folder / "junk").write_bytes(b"junk")
    missing, junk, given = folder / "missing", folder / "junk", ["--shapes=input:1x3x32x32"]
    return {
        "load missing": ([f"--loadEngine={missing}"], "missing"),
        "load junk": ([f"--loadEngine={junk}"], "could not be loaded"),
        "inputs missing": ([*given, f"--loadInputs=input:{missing}"], "missing"),
        "inputs short": ([*given, f"--loadInputs=input:{folder / 'short.bin'}"], "takes 12288"),
        "cache missing": ([*given, "--int8", f"--calib={missing}"], "missing"),
        "cache junk": ([*given, "--int8", f"--calib={junk}"], "is no calibration cache"),
        "times junk": ([*given, f"--timingCacheFile={junk}"], "is no timing cache"),
        "model junk": ([f"--onnx={junk}"], "could not be read"),
        "save nowhere": ([*given, f"--saveEngine={folder / 'no' / 'net.engine'}"], "net.engine"),
    }


@pytest.mark.parametrize("case", BROKEN)
def test_a_missing_or_wrong_file_ends_with_failed_and_a_sentence(model, case, tmp_path, capsys):
    flags, why = broken_files(tmp_path)[case]
    given = [] if flags[0].startswith(("--onnx", "--loadEngine")) else [f"--onnx={model}"]

    assert main([*given, *flags, *FAST]) == 1
    heard = capsys.readouterr()
    assert "&&&& FAILED warpbook-trtexec" in heard.err and why in heard.err.splitlines()[-1]
    assert "Engine built" not in heard.out or case in ("inputs missing", "inputs short", "save nowhere")


def test_only_what_was_built_is_called_built(model, capsys):
    assert main([f"--onnx={model}", "--shapes=input:1x4x32x32", *FAST]) == 1
    assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", "--stronglyTyped", "--fp16", *FAST]) == 1
    assert "Engine built" not in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["MinMaxCalibration", "EntropyCalibration2", "LegacyCalibration"])
def test_a_calibration_cache_may_be_any_calibrator_s(model, kind, tmp_path, capsys):
    cache = tmp_path / "cache"
    cache.write_bytes(write({"input": 0.01}, kind))

    assert main([f"--onnx={model}", "--int8", f"--calib={cache}", "--shapes=input:1x3x32x32", "--buildOnly"]) == 0


@pytest.mark.parametrize("flags", [[], ["--onnx=a", "--loadEngine=b"], ["--onnx=a", "--shapes=input"], ["--what"]])
def test_flags_that_make_no_sense_end_with_status_two(flags):
    with pytest.raises(SystemExit) as stop:
        main(flags)

    assert stop.value.code == 2


def test_pictures_show_every_layer_and_what_the_gpu_would_allow(model, tmp_path):
    bars, roof = tmp_path / "layers.svg", tmp_path / "roof.svg"
    assert (
        main([f"--onnx={model}", "--shapes=input:1x3x32x32", f"--plotLayers={bars}", f"--plotRoofline={roof}", *FAST])
        == 0
    )

    assert "<svg" in bars.read_text() and "<svg" in roof.read_text()


def test_a_layer_s_work_is_its_products_and_its_bytes():
    op = conv((2, 64, 8, 8), 32, (3, 3), before=(1, 1))
    layer = plots.layer_of(op, 0.5)

    assert layer.operations == 2 * (2 * 8 * 8) * 32 * 9 * 64
    assert layer.nbytes == 2 * 64 * 64 + 32 * 9 * 64 + 4 * 32 + 2 * 32 * 64
    assert (layer.element, layer.intensity) == ("INT8", layer.operations / layer.nbytes)


def test_a_roofline_has_both_ceilings_and_a_point_a_layer(tmp_path, monkeypatch):
    layers = [plots.layer_of(conv((1, 64, 8, 8), 32, (1, 1)), ms) for ms in (0.01, 0.02)]
    drawn = []
    monkeypatch.setattr(plots, "save", lambda plot, figure, axes, path, title: drawn.append(axes))
    plots.draw_roofline(layers, plots.Ceilings(4.8e12, 1979e12), "", "")
    lines = drawn[0].get_lines()

    assert 2 == len(drawn[0].collections[0].get_offsets())
    assert [1979e12, 1979e12 / 2] == [max(line.get_ydata()) for line in lines]
    assert lines[0].get_ydata()[0] == pytest.approx(4.8e12 * 0.1)


def test_a_long_build_says_how_far_it_is(model, capsys):
    assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", "--buildOnly", "--progress"]) == 0
    lines = capsys.readouterr().err.splitlines()

    assert "Building Engine: 4 steps" in lines
    assert any(line.startswith("Tactic Selection: ") for line in lines)


def test_on_a_terminal_progress_stays_on_one_line(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: True)
    progress = Progress(out)
    progress.phase_start("Building Engine", None, 2)
    progress.phase_start("Kernel Compilation", "Building Engine", 3)
    progress.told = 0.0
    assert progress.step_complete("Kernel Compilation", 1)
    progress.phase_finish("Kernel Compilation")
    progress.phase_finish("Building Engine")

    assert "\n" not in out.getvalue() and "Building Engine > Kernel Compilation 2 of 3" in out.getvalue()


# --- flags of the real trtexec ---


@pytest.mark.parametrize("flag", WITHOUT_EFFECT)
def test_a_harmless_flag_is_accepted_and_says_what_it_does_not_do(flag, capsys):
    options = parse(["--onnx=a", f"--{flag}", "--shapes=x:1"])

    assert {"x": (1,)} == options.shapes
    assert f"--{flag} has no effect: {WITHOUT_EFFECT[flag]}" in capsys.readouterr().err


@pytest.mark.parametrize("flag", REFUSED)
def test_a_flag_that_cannot_be_kept_says_why_in_one_sentence(flag, capsys):
    with pytest.raises(SystemExit) as stop:
        parse(["--onnx=a", f"--{flag}=1"])
    said = capsys.readouterr().err

    assert 2 == stop.value.code and f"--{flag} is not supported: {REFUSED[flag]}" in said and len(said.splitlines()) < 4


@pytest.mark.parametrize(
    ("flags", "why"),
    {
        "unknown": (["--shapse=x:1"], "did you mean --shapes?"),
        "no flag": (["junk"], "flags are --name=value"),
        "another GPU": (["--device=1"], "CUDA_VISIBLE_DEVICES"),
        "streams": (["--infStreams=2"], "EnginePool"),
        "unit": (["--memPoolSize=workspace:4096X"], "a unit B, K, M, G"),
        "pool": (["--memPoolSize=heap:1"], "tacticSharedMem are known"),
        "DLA's pool": (["--memPoolSize=dlaSRAM:1"], "DLA"),
        "open size": (["--shapes=x:-1x3"], "sizes of 0 or more"),
        "type": (["--inputIOFormats=bf16:chw"], "'bf16' is no type"),
        "format": (["--inputIOFormats=fp16:chw32"], "'chw32' is no format"),
        "verbosity": (["--profilingVerbosity=all"], "layer_names_only"),
    }.values(),
)
def test_a_value_that_makes_no_sense_is_told_in_a_sentence(flags, why, capsys):
    with pytest.raises(SystemExit) as stop:
        parse(["--onnx=a", *flags])
    said = capsys.readouterr().err

    assert 2 == stop.value.code and why in said and len(said.splitlines()) < 4


@pytest.mark.parametrize(
    ("text", "nbytes"),
    dict({"64": 64 << 20, "64M": 64 << 20, "4096MiB": 4 << 30, "1G": 1 << 30, "512K": 512 << 10, "100B": 100}).items(),
)
def test_a_pool_s_size_may_have_trtexec_s_units(text, nbytes):
    assert {"workspace": nbytes} == parse(["--onnx=a", f"--memPoolSize=workspace:{text}"]).memPoolSize


def test_best_is_fp16_and_int8_and_the_old_workspace_is_a_pool():
    options = parse(["--onnx=a", "--best", "--workspace=16"])

    assert (True, True, {"workspace": 16 << 20}) == (options.fp16, options.int8, options.memPoolSize)


def test_the_version_is_told_without_a_model(capsys):
    assert main(["--version"]) == 0
    assert "10.16" in capsys.readouterr().out


def test_a_dynamic_model_without_shapes_says_which_sizes_it_ran_with(model, capsys):
    assert main([f"--onnx={model}", *FAST]) == 0
    said = capsys.readouterr().out

    assert "Dynamic dimensions required for input: input" in said
    assert "Automatically overriding shape to: 1x3x32x32" in said and "Inputs: input 1x3x32x32" in said


@pytest.mark.parametrize("strong", [True, False])
def test_inputs_and_outputs_may_have_other_types_where_the_network_is_weakly_typed(model, strong, tmp_path, capsys):
    np.ones((1, 3, 32, 32), np.float16).tofile(tmp_path / "x.bin")
    flags = ["--inputIOFormats=fp16:chw", "--outputIOFormats=fp16:chw", "--shapes=input:1x3x32x32"]
    flags += [f"--loadInputs=input:{tmp_path / 'x.bin'}", "--dumpOutput"] + ["--stronglyTyped"] * strong

    status = main([f"--onnx={model}", *flags, *FAST])
    said = capsys.readouterr()
    assert (1 if strong else 0) == status, said.err
    assert strong or "fc_output: (1x10)" in said.out


def test_as_many_types_as_tensors_or_one(model, capsys):
    assert main([f"--onnx={model}", "--inputIOFormats=fp16:chw,fp32:chw", *FAST]) == 1
    assert "gives 2 types for 1 tensors ('input')" in capsys.readouterr().err


def test_layers_have_the_types_they_are_given_by_name(model, capsys):
    assert main([f"--onnx={model}", "--fp16", "--layerPrecisions=*:fp32", "--shapes=input:1x3x32x32", *FAST]) == 0
    assert main([f"--onnx={model}", "--fp16", "--layerPrecisions=nothing:fp32", *FAST]) == 1
    assert "names the layer 'nothing'" in capsys.readouterr().err


def test_times_are_in_trtexec_s_form(model, tmp_path):
    file = tmp_path / "times.json"
    assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", f"--exportTimes={file}", *FAST]) == 0
    rows = json.loads(file.read_text())

    assert 2 == len(rows) and all(row["latencyMs"] == row["computeMs"] > 0 == row["h2dMs"] for row in rows)
    assert rows[0]["endComputeMs"] == rows[1]["startComputeMs"]


def test_a_shape_tensor_gets_its_elements_from_shapes(tmp_path, capsys):
    file, made = tmp_path / "net.onnx", onnx.helper.make_node("Reshape", ["x", "s"], ["y"])
    onnx.save(model_of([made], {"x": (np.float32, [6]), "s": (np.int64, [2])}, ["y"]), file)

    assert main([f"--onnx={file}", "--shapes=s:2x3", "--dumpOutput", *FAST]) == 0
    assert "y: (2x3)" in capsys.readouterr().out
    assert main([f"--onnx={file}", *FAST]) == 1
    assert "input 's' decides shapes" in capsys.readouterr().err
