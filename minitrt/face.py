"""The public names and the module each lives in; read by `minitrt/__init__.py`."""

from __future__ import annotations

_BY_MODULE = {
    "api.enums": (
        "ActivationType AllocatorFlag APILanguage AttentionIOForm AttentionNormalizationOp BoundingBoxFormat"
        " BuilderFlag CausalMaskKind"
        " CalibrationAlgoType CollectiveOperation CumulativeOperation DataType DeviceType DimensionOperation"
        " ElementWiseOperation EngineCapability EngineStat ErrorCode ErrorCodeTRT ExecutionContextAllocationStrategy"
        " FillOperation GatherMode HardwareCompatibilityLevel InterpolationMode KVCacheMode LayerInformationFormat"
        " LayerType LoopOutput MatrixOperation MemoryPoolType MoEActType NetworkDefinitionCreationFlag OnnxParserFlag"
        " PaddingMode PluginArgDataType PluginArgType PluginCapabilityType PluginCreatorVersion PluginFieldType"
        " PoolingType PreviewFeature ProfilingVerbosity QuantizationFlag QuickPluginCreationRequest ReduceOperation"
        " ResizeCoordinateTransformation ResizeRoundMode ResizeSelector RuntimePlatform SampleMode ScaleMode"
        " ScatterMode SeekPosition SerializationFlag TacticSource TempfileControlFlag TensorFormat TensorIOMode"
        " TensorLocation TensorRTPhase TilingOptimizationLevel TopKOperation TripLimit UnaryOperation WeightsRole"
    ),
    "api.logger": "ILogger Logger",
    "api.dims": "Dims Dims2 Dims3 Dims4 DimsHW Permutation volume",
    "api.weights": "IHostMemory Weights nptype _itemsize",
    "api.interfaces": (
        "IDebugListener IErrorRecorder IGpuAllocator IGpuAsyncAllocator IOutputAllocator IProfiler IProgressMonitor"
        " IStreamReader IStreamReaderV2 IStreamWriter IVersionedInterface InterfaceInfo Profiler"
    ),
    "network.tensor": "ITensor",
    "network.layer": "ILayer",
    "network.definition": "INetworkDefinition",
    "network.convolutional": "IConvolutionLayer IDeconvolutionLayer ILRNLayer IPaddingLayer IPoolingLayer",
    "network.arithmetic": (
        "IActivationLayer ICastLayer IElementWiseLayer IIdentityLayer IParametricReLULayer IScaleLayer ISelectLayer"
        " IUnaryLayer"
    ),
    "network.sums": (
        "ICumulativeLayer IEinsumLayer IMatrixMultiplyLayer INormalizationLayer IReduceLayer ISoftMaxLayer ITopKLayer"
    ),
    "network.shaping": (
        "IAssertionLayer IConcatenationLayer IConstantLayer IGatherLayer INonZeroLayer IOneHotLayer"
        " IReverseSequenceLayer IScatterLayer IShapeLayer IShuffleLayer ISliceLayer ISqueezeLayer IUnsqueezeLayer"
    ),
    "network.caching": "IKVCacheUpdateLayer IRaggedSoftMaxLayer",
    "network.filling": "IFillLayer",
    "network.sampling": "IGridSampleLayer INMSLayer IResizeLayer",
    "network.quantising": "IDequantizeLayer IQuantizeLayer",
    "onnx_import.parser": "NodeIndices OnnxParser ParserError SubGraphCollection get_nv_onnx_parser_version",
    "calibration.calibrators": (
        "IInt8Calibrator IInt8EntropyCalibrator IInt8EntropyCalibrator2 IInt8LegacyCalibrator IInt8MSECalibrator"
        " IInt8MinMaxCalibrator IInt8PercentileCalibrator"
    ),
    "network.plugin_layers": "IPluginV2Layer IPluginV3Layer",
    "plugins.exprs": "DimsExprs IDimensionExpr IExprBuilder",
    "plugins.fields": "PluginField PluginFieldCollection PluginFieldCollection_",
    "plugins.interfaces": (
        "DynamicPluginTensorDesc IPluginCapability IPluginCreator IPluginCreatorInterface IPluginCreatorV3One"
        " IPluginResource IPluginResourceContext IPluginV2 IPluginV2DynamicExt IPluginV2DynamicExtBase IPluginV2Ext"
        " IPluginV3 IPluginV3OneBuild IPluginV3OneBuildV2 IPluginV3OneCore IPluginV3OneRuntime PluginTensorDesc"
    ),
    "plugins.registry": ("IPluginRegistry get_builder_plugin_registry get_plugin_registry init_libnvinfer_plugins"),
    "network.control": (
        "IConditionLayer IIfConditional IIfConditionalBoundaryLayer IIfConditionalInputLayer IIfConditionalOutputLayer"
        " IIteratorLayer ILoop ILoopBoundaryLayer ILoopOutputLayer IRecurrenceLayer ITripLimitLayer"
    ),
    "network.attention_layers": (
        "IAttention IAttentionBoundaryLayer IAttentionInputLayer IAttentionOutputLayer IRotaryEmbeddingLayer"
    ),
    "api.absent_classes": (
        "FallbackString IDistCollectiveLayer IDynamicQuantizeLayer IMoELayer IPluginCreatorV3Quick"
        " IPluginV3QuickAOTBuild IPluginV3QuickBuild IPluginV3QuickCore IPluginV3QuickRuntime"
        " ISymExpr ISymExprs KernelLaunchParams"
    ),
    "refit.refitter": "Refitter",
    "refit.onnx_refitter": "OnnxParserRefitter",
    "builder.builder": "Builder",
    "builder.algorithms": ("IAlgorithm IAlgorithmContext IAlgorithmIOInfo IAlgorithmSelector IAlgorithmVariant"),
    "builder.config": "IBuilderConfig",
    "builder.profile": "IOptimizationProfile",
    "builder.timing_cache": "ITimingCache TimingCacheKey TimingCacheValue",
    "runtime.runtime": "Runtime",
    "runtime.engine": "ICudaEngine",
    "runtime.context": "IExecutionContext",
    "runtime.serialization": "IRuntimeConfig ISerializationConfig",
    "runtime.inspector": "EngineInspector",
}
HOMES: dict[str, str] = {name: module for module, names in _BY_MODULE.items() for name in names.split()}
ALIASES: dict[str, str] = {
    **dict(float32="DataType.FLOAT", float16="DataType.HALF", bfloat16="DataType.BF16", int8="DataType.INT8"),
    **dict(int32="DataType.INT32", int64="DataType.INT64", bool="DataType.BOOL", uint8="DataType.UINT8"),
    **dict(fp8="DataType.FP8", int4="DataType.INT4", fp4="DataType.FP4", e8m0="DataType.E8M0"),
}
MISSING: dict[str, str] = {}
