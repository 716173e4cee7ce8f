"""trtexec's flags: those that are kept, those that do nothing, and those that are refused."""

from __future__ import annotations

import json

import numpy as np
import onnx
import onnx.parser
import pytest

import minitrt as trt
from minitrt.trtexec import main
from minitrt.trtexec.flags import REFUSED, WITHOUT_EFFECT
from minitrt.trtexec.options import parse
from tests.minitrt.engines import model_of

FAST = ["--iterations=2", "--duration=0", "--warmUp=0"]


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
        "sizes joined by commas": (["--shapes=x:1,3,8"], "sizes are joined by x"),
        "a model without its flag": (["net.onnx"], "Did you mean --onnx=net.onnx?"),
        "another dash": (["\u2014fp16"], "type two hyphens"),
        "a value of a switch": (["--fp16=true"], "--fp16 takes no value: write --fp16 alone"),
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


def test_an_input_without_a_shape_takes_what_dimensions_of_its_names_are_elsewhere(tmp_path, capsys):
    text = '<ir_version: 8, opset_import: ["" : 17]> g (float[n,s] x, float[n,s] m) => (float[n,s] y) { y = Add(x, m) }'
    onnx.save(onnx.parser.parse_model(text), tmp_path / "two.onnx")
    flags = ["--minShapes=x:1x2", "--optShapes=x:2x8", "--maxShapes=x:4x20"]

    assert main([f"--onnx={tmp_path / 'two.onnx'}", *flags, *FAST]) == 0
    said = capsys.readouterr().out
    assert "no shapes were provided. Automatically overriding shape to: 2x8" in said and "Inputs: x 2x8, m 2x8" in said


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


def test_outputs_of_layers_have_the_types_they_are_given(model, tmp_path, capsys):
    file, sizes = tmp_path / "net.engine", "--shapes=input:1x3x32x32"
    assert main([f"--onnx={model}", "--layerOutputTypes=*:fp16", sizes, "--buildOnly", f"--saveEngine={file}"]) == 0
    engine = trt.Runtime(trt.Logger()).deserialize_cuda_engine(file.read_bytes())
    output = next(name for name in engine if engine.get_tensor_mode(name) == trt.TensorIOMode.OUTPUT)

    assert engine.get_tensor_dtype(output) == trt.float16 and "[ERROR]" not in capsys.readouterr().out
    assert main([f"--onnx={model}", "--stronglyTyped", "--layerOutputTypes=*:fp16", sizes, "--buildOnly"]) == 1
    assert "--layerOutputTypes is for weakly typed networks" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--fp16", "--int8", "--best", "--calib=x", "--layerPrecisions=*:fp32"])
def test_flags_of_weak_typing_are_refused_where_11_is_asked_for(model, flag, capsys):
    trt.api = "11"
    try:
        assert main([f"--onnx={model}", flag, "--buildOnly"]) == 1
        assert main([f"--onnx={model}", "--shapes=input:1x3x32x32", *FAST]) == 0
    finally:
        trt.api = "both"
    assert "is of TensorRT 8 to 10" in capsys.readouterr().err


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


NUMBERS = "iterations duration warmUp idleTime percentile builderOptimizationLevel streams infStreams workspace".split()


@pytest.mark.parametrize("flag", [*NUMBERS, "device"])
@pytest.mark.parametrize("value", ["-1", "nan", "inf", "many", ""])
def test_a_number_that_makes_no_sense_is_refused_in_a_sentence(flag, value, capsys):
    with pytest.raises(SystemExit) as stop:
        parse(["--onnx=a", f"--{flag}={value}"])

    assert 2 == stop.value.code and f"{value!r} is no " in capsys.readouterr().err


def test_a_run_of_no_iterations_and_no_seconds_is_one(tmp_path, capsys):
    path = tmp_path / "m.onnx"
    onnx.save(model_of([onnx.helper.make_node("Relu", ["x"], ["y"])], {"x": (np.float32, [1, 2])}, ["y"]), path)

    assert 0 == main([f"--onnx={path}", "--iterations=0", "--duration=0", "--warmUp=0"])
    assert "Throughput: " in capsys.readouterr().out


def test_a_name_that_is_there_twice_is_refused(capsys):
    with pytest.raises(SystemExit):
        parse(["--onnx=a", "--shapes=x:1x2,x:3x4"])

    assert "'x' is there twice" in capsys.readouterr().err
