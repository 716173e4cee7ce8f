"""trtexec's flags as data: what they do here, which are accepted and do nothing, and which are refused, with the reason
and what to use instead."""

from __future__ import annotations

SWITCHES = {
    "stronglyTyped": "types of the network are kept (TensorRT 11: always)",
    "fp16": "let layers compute in FP16 (TensorRT 8 to 10, weak typing)",
    "int8": "let layers compute in INT8 (8 to 10, weak typing), with the scales of --calib",
    "best": "the same as --fp16 --int8 (8 to 10)",
    "refit": "weights can be replaced later",
    "stripWeights": "leave weights out of the engine",
    "versionCompatible": "an engine that other versions load, with host code",
    "buildOnly": "build, and do not run",
    "skipInference": "the same",
    "verbose": "log everything",
    "dumpProfile": "print each layer's time",
    "dumpLayerInfo": "print each layer",
    "whyNot": "say which layers do not share a kernel, where Q and DQ stayed, and what is not INT8, and why",
    "dumpOutput": "print the outputs of the last run",
    "progress": "say on stderr how far the build is, also where that is no terminal",
    "version": "print the version, and do nothing else",
}
TEXTS = {
    "onnx": "model to build from",
    "saveEngine": "file to write the engine to",
    "loadEngine": "engine to run instead of building one",
    "calib": "calibration cache of any calibrator (8 to 10)",
    "timingCacheFile": "times of tactics, read and written",
    "exportTimes": "file for the time of each run",
    "exportProfile": "file for the time of each layer",
    "exportLayerInfo": "file for the inspector's layers",
    "exportOutput": "file for outputs",
    "plotLayers": "picture of the time of each layer (.svg, .png, .pdf)",
    "viewer": "page (.html) of the graph after each pass, and of the layers with tactics and times",
    "plotRoofline": "picture of each layer's rate below the GPU's ceilings",
}
ALWAYS = "it is always so"
WITHOUT_EFFECT = {
    "noTF32": "FP32 is computed in full precision anyway",
    "avgRuns": "every run counts by itself",
    "avgTiming": "the tuner itself decides how often a tactic is timed",
    "minTiming": "the tuner itself decides how often a tactic is timed",
    "separateProfileRun": "layers are always timed apart from the runs",
    "explicitBatch": "every network has an explicit batch",
    "precisionConstraints": "types that are set are kept",
    "allowGPUFallback": "every layer runs on the GPU",
    "useCudaGraph": "launches are replayed as a graph wherever they can be",
    "noDataTransfers": "copies are never part of the times",
    "useSpinWait": "the host always waits actively",
    "useManagedMemory": "inputs and outputs lie in device memory",
    "exposeDMA": "copies are not part of the times",
    "threads": "there is one stream",
    "directIO": "inputs and outputs have the formats that they are allowed",
    "noBuilderCache": "kernels are compiled once a process",
    "noCompilationCache": "kernels are compiled once a process",
    "persistentCacheLimit": "L2 is not set aside",
    "tilingOptimizationLevel": "layers are not tiled",
    "l2LimitForTiling": "layers are not tiled",
    "maxAuxStreams": "there is one stream",
    "hardwareCompatibilityLevel": "an engine is for this model of GPU",
    "runtimePlatform": "an engine is for this platform",
    "skipTuning": "see --builderOptimizationLevel=0",
    "restricted": "there is no safety scope",
    "sparsity": "no kernel takes sparse weights",
    "minShapesCalib": "scales come from the cache of --calib",
    "optShapesCalib": "scales come from the cache of --calib",
    "maxShapesCalib": "scales come from the cache of --calib",
}
NARROW = "minitrt computes in FP32, FP16 and INT8. Use --fp16, or --stronglyTyped with a model that says its types"
PLUGINS = (
    "plugins are Python here. Register their creators in a program that builds the engine (docs/minitrt.md), or run it"
    " with python -m minitrt.shim"
)
NO_DLA = "there is no DLA. Leave it out"
OLD = "TensorRT itself removed it"
REFUSED = {
    **dict.fromkeys(("bf16", "fp8", "int4", "fp4"), NARROW),
    **dict.fromkeys(("plugins", "staticPlugins", "dynamicPlugins", "setPluginsToSerialize"), PLUGINS),
    **dict.fromkeys(("useDLACore", "buildDLAStandalone", "layerDeviceTypes"), NO_DLA),
    **dict.fromkeys(
        ("uff", "model", "deploy", "output", "uffInput", "batch", "maxBatch"), f"{OLD}. Use --onnx, --shapes"
    ),
    "safe": "there is no safety runtime. Leave it out",
    "consistency": "there is no safety runtime. Leave it out",
    "useRuntime": "there is one runtime, and it is Python. Leave it out",
    "leanDLLPath": "there is one runtime, and it is Python. Leave it out",
    "allowWeightStreaming": "set BuilderFlag.WEIGHT_STREAMING in a program (IBuilderConfig.set_flag)",
    "weightStreamingBudget": "set ICudaEngine.weight_streaming_budget_v2 in a program",
    "markDebug": "mark tensors in a program (INetworkDefinition.mark_debug)",
    "markUnfusedTensorsAsDebugTensors": "mark tensors in a program (INetworkDefinition.mark_debug)",
    "saveDebugTensors": "listen in a program (IExecutionContext.set_debug_listener)",
    "tacticSources": "choose them in a program (IBuilderConfig.set_tactic_sources)",
    "previewFeatures": "set them in a program (IBuilderConfig.set_preview_feature)",
    "excludeLeanRuntime": "there is no lean runtime. Leave it out",
    "timeDeserialize": "time Runtime.deserialize_cuda_engine in a program",
    "timeRefit": "time Refitter.refit_cuda_engine in a program",
    "dumpRefit": "Refitter.get_all_weights says what can be refitted",
    "dumpRawBindingsToFile": "use --exportOutput",
    "getPlanVersionOnly": "an engine says its version when it cannot be loaded",
    "calibProfile": "scales come from the cache of --calib",
    "sleepTime": "use --idleTime, which waits between runs",
    "cpuOnly": "set the environment variable MINITRT_BACKEND=reference",
}
