"""warpbook-trtexec: trtexec's flags, files and last line."""

from __future__ import annotations

import io
import json

import numpy as np
import onnx
import pytest

from minitrt.builder.target import default_target
from minitrt.calibration.cache import write
from minitrt.trtexec import main, plots
from minitrt.trtexec.options import shapes
from minitrt.trtexec.progress import Progress
from tests.minitrt.engines import model_of
from tests.minitrt.operations import conv

FAST = ["--iterations=2", "--duration=0", "--warmUp=0"]


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
    assert "Engine built" not in heard.out or case in ("inputs short", "save nowhere")


@pytest.mark.parametrize("flag", ["saveEngine", "timingCacheFile", "exportTimes", "viewer"])
def test_a_folder_that_is_not_there_is_said_before_anything_is_built(model, flag, tmp_path, capsys):
    assert main([f"--onnx={model}", f"--{flag}={tmp_path / 'none' / 'file'}"]) == 1

    out, err = capsys.readouterr()
    assert f"--{flag}=" in err and "none is not there" in err
    assert "Engine built" not in out


@pytest.mark.skipif(default_target() is not None, reason="there is a GPU")
def test_without_a_gpu_a_timing_cache_is_said_not_to_be_written(model, tmp_path, capsys):
    assert main([f"--onnx={model}", f"--timingCacheFile={tmp_path / 'times'}", "--buildOnly"]) == 0

    assert "without a GPU no tactic is timed" in capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--plotLayers={folder}/times.bmp"], "must end with one of .svg, .png, .pdf"),
        (["--saveEngine={folder}"], "is a folder: name a file"),
        (["--loadInputs=input:{folder}/none.bin"], "there is no such file"),
        (["--onnx={folder}"], "Is a directory"),
    ],
)
def test_a_file_that_cannot_be_is_said_before_anything_is_built(model, flags, why, tmp_path, capsys):
    assert main([f"--onnx={model}", *(flag.format(folder=tmp_path) for flag in flags)]) == 1

    out, err = capsys.readouterr()
    assert why in err.splitlines()[-1] and "Errno" not in err and "Engine built" not in out


def test_sizes_that_the_model_fixes_cannot_be_others(tmp_path, capsys):
    path = tmp_path / "net.onnx"
    onnx.save(model_of([onnx.helper.make_node("Relu", ["x"], ["y"])], {"x": (np.float32, [1, 3])}, ["y"]), path)

    assert main([f"--onnx={path}", "--shapes=x:2x3"]) == 1
    assert "--shapes=x:2x3, but the model fixes this input to 1x3" in capsys.readouterr().err


def test_a_shape_tensor_that_is_given_too_few_elements_is_named(tmp_path, capsys):
    node, path = onnx.helper.make_node("Reshape", ["x", "shape"], ["y"]), tmp_path / "net.onnx"
    onnx.save(model_of([node], {"x": (np.float32, ["b", 6]), "shape": (np.int64, [2])}, ["y"]), path)

    assert main([f"--onnx={path}", "--shapes=x:2x6,shape:2"]) == 1
    assert "input 'shape' is a shape tensor of 2 elements (2,), but the profile gives it 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (["--minShapes=input:4x3x32x32", "--optShapes=input:2x3x32x32", "--maxShapes=input:8x3x32x32"], "min <= opt"),
        (["--shapes=input:2x3x32x32", "--optShapes=input:1x3x32x32"], "the run failed"),
    ],
)
def test_sizes_that_contradict_one_another_end_with_failed_and_a_sentence(model, flags, why, capsys):
    assert main([f"--onnx={model}", *flags, *FAST]) == 1

    heard = capsys.readouterr().err
    assert "&&&& FAILED warpbook-trtexec" in heard and why in heard.splitlines()[-1]
