"""Enumerations with the behaviour of TensorRT's: int(), hashing, ``__members__``, ``str(x) == "DataType.FLOAT"``.

Values are those of TensorRT 10.16's headers, since callers build bit masks of them (``1 << int(BuilderFlag.FP16)``).
Source: the name lists of TensorRT 10.16's Python bindings; bit values that Polygraphy's tests assert.
"""

from __future__ import annotations

import enum


class Entries(enum.EnumMeta):
    """Adds what pybind's enumerations have: `__entries`, name -> (member, documentation)."""


def entries(kind: Entries) -> dict[str, tuple[enum.Enum, str | None]]:
    return {name: (member, None) for name, member in kind.__members__.items()}


setattr(Entries, "__entries", property(entries))  # in a class's body the name would be mangled


class Versioned(Entries):
    """Of enumerations of which TensorRT 11 has other members than 10: those of `_absent_` are not there."""

    _absent_: frozenset[str] = frozenset()

    def __getattribute__(cls, name: str):
        if name != "_absent_" and not name.startswith("__") and name in type.__getattribute__(cls, "_absent_"):
            raise AttributeError(name)
        return super().__getattribute__(name)

    def __getattr__(cls, name: str):  # of Python 3.11, which looks members up here
        if name in cls._absent_ or name.startswith("__"):
            raise AttributeError(name)
        found = cls._member_map_.get(name)
        if found is None:
            raise AttributeError(name)
        return found

    def __getitem__(cls, name: str):
        if name in cls._absent_:
            raise KeyError(name)
        return super().__getitem__(name)

    def __iter__(cls):
        return (member for member in super().__iter__() if member.name not in cls._absent_)

    def __len__(cls) -> int:
        return len(list(iter(cls)))

    @property
    def __members__(cls):
        return {name: member for name, member in super().__members__.items() if name not in cls._absent_}


class PyEnum(enum.Enum, metaclass=Entries):
    """An enumeration that converts to int without being one: DataType.FLOAT != 0, int(DataType.FLOAT) == 0."""

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class OrderedEnum(PyEnum):
    """One whose members are ordered, as the bindings order some: ``severity <= Logger.WARNING``."""

    def __lt__(self, other: object) -> bool:
        return self.value < self._matching(other)

    def __le__(self, other: object) -> bool:
        return self.value <= self._matching(other)

    def __gt__(self, other: object) -> bool:
        return self.value > self._matching(other)

    def __ge__(self, other: object) -> bool:
        return self.value >= self._matching(other)

    def _matching(self, other: object) -> int:
        if not isinstance(other, type(self)):
            raise TypeError(f"{self} is ordered among {type(self).__name__} alone, but was compared with {other!r}")
        return other.value


class VersionedEnum(PyEnum, metaclass=Versioned):
    """One whose members depend on the version that was chosen."""


class OrderedVersionedEnum(OrderedEnum, metaclass=Versioned):
    """The same, ordered."""


VERSIONED = "BuilderFlag CollectiveOperation NetworkDefinitionCreationFlag PreviewFeature TacticSource".split()
ORDERED = (
    "Severity ErrorCodeTRT ExecutionContextAllocationStrategy SerializationFlag EngineCapability EngineStat"
    " AllocatorFlag SeekPosition BuilderFlag QuantizationFlag TacticSource NetworkDefinitionCreationFlag TensorFormat"
    " DimensionOperation PluginCapabilityType TensorRTPhase QuickPluginCreationRequest PluginArgType PluginArgDataType"
).split()


def numbered(name: str, members: str, start: int = 0) -> type[PyEnum]:
    """An enumeration whose members, separated by spaces, count up from `start`; A=B is another name of B."""
    values: dict[str, int] = {}
    for member in members.split():
        own, _, meant = member.partition("=")
        values[own] = values[meant] if meant else start + len(set(values.values()))
    plain, ordered = (VersionedEnum, OrderedVersionedEnum) if name in VERSIONED else (PyEnum, OrderedEnum)
    return (ordered if name in ORDERED else plain)(name, values, module=__name__)


class DataType(PyEnum):
    """Type of a tensor's elements. ``itemsize`` is in bytes: 0.5 for INT4 and FP4."""

    FLOAT = 0
    HALF = 1
    INT8 = 2
    INT32 = 3
    BOOL = 4
    UINT8 = 5
    FP8 = 6
    BF16 = 7
    INT64 = 8
    INT4 = 9
    FP4 = 10
    E8M0 = 11

    @property
    def itemsize(self) -> float:
        return ITEMSIZES[self.name]


ITEMSIZES = dict(FLOAT=4, HALF=2, INT8=1, INT32=4, BOOL=1, UINT8=1, FP8=1, BF16=2, INT64=8, INT4=0.5, FP4=0.5, E8M0=1)


# Each is numbered in the order of TensorRT's headers.
ActivationType = numbered(
    "ActivationType",
    "RELU SIGMOID TANH LEAKY_RELU ELU SELU SOFTSIGN SOFTPLUS CLIP HARD_SIGMOID SCALED_TANH THRESHOLDED_RELU GELU_ERF"
    " GELU_TANH",
)
AllocatorFlag = numbered("AllocatorFlag", "RESIZABLE")
APILanguage = numbered("APILanguage", "CPP PYTHON")
AttentionIOForm = numbered("AttentionIOForm", "PADDED_BHND PACKED_NHD")
AttentionNormalizationOp = numbered("AttentionNormalizationOp", "NONE SOFTMAX")
BoundingBoxFormat = numbered("BoundingBoxFormat", "CORNER_PAIRS CENTER_SIZES")
BuilderFlag = numbered(
    "BuilderFlag",
    "FP16 INT8 DEBUG GPU_FALLBACK REFIT DISABLE_TIMING_CACHE TF32 SPARSE_WEIGHTS SAFETY_SCOPE"
    " OBEY_PRECISION_CONSTRAINTS PREFER_PRECISION_CONSTRAINTS DIRECT_IO REJECT_EMPTY_ALGORITHMS VERSION_COMPATIBLE"
    " EXCLUDE_LEAN_RUNTIME FP8 ERROR_ON_TIMING_CACHE_MISS BF16 DISABLE_COMPILATION_CACHE STRIP_PLAN REFIT_IDENTICAL"
    " WEIGHT_STREAMING INT4 REFIT_INDIVIDUAL STRICT_NANS MONITOR_MEMORY FP4 EDITABLE_TIMING_CACHE"
    " DISTRIBUTIVE_INDEPENDENCE WEIGHTLESS=STRIP_PLAN",
)
CalibrationAlgoType = numbered(
    "CalibrationAlgoType", "LEGACY_CALIBRATION ENTROPY_CALIBRATION ENTROPY_CALIBRATION_2 MINMAX_CALIBRATION"
)
CausalMaskKind = numbered("CausalMaskKind", "NONE UPPER_LEFT LOWER_RIGHT")
CollectiveOperation = numbered(
    "CollectiveOperation", "ALL_REDUCE ALL_GATHER BROADCAST REDUCE REDUCE_SCATTER ALL_TO_ALL GATHER SCATTER"
)
CumulativeOperation = numbered("CumulativeOperation", "SUM")
DeviceType = numbered("DeviceType", "GPU DLA")
DimensionOperation = numbered("DimensionOperation", "SUM PROD MAX MIN SUB EQUAL LESS FLOOR_DIV CEIL_DIV")
ElementWiseOperation = numbered(
    "ElementWiseOperation", "SUM PROD MAX MIN SUB DIV POW FLOOR_DIV AND OR XOR EQUAL GREATER LESS"
)
EngineCapability = numbered("EngineCapability", "STANDARD SAFETY DLA_STANDALONE")
EngineStat = numbered("EngineStat", "TOTAL_WEIGHTS_SIZE STRIPPED_WEIGHTS_SIZE")
ErrorCode = numbered(
    "ErrorCode",
    "SUCCESS INTERNAL_ERROR MEM_ALLOC_FAILED MODEL_DESERIALIZE_FAILED INVALID_VALUE INVALID_GRAPH INVALID_NODE"
    " UNSUPPORTED_GRAPH UNSUPPORTED_NODE UNSUPPORTED_NODE_ATTR UNSUPPORTED_NODE_INPUT UNSUPPORTED_NODE_DATATYPE"
    " UNSUPPORTED_NODE_DYNAMIC UNSUPPORTED_NODE_SHAPE REFIT_FAILED",
)
ErrorCodeTRT = numbered(
    "ErrorCodeTRT",
    "SUCCESS UNSPECIFIED_ERROR INTERNAL_ERROR INVALID_ARGUMENT INVALID_CONFIG FAILED_ALLOCATION FAILED_INITIALIZATION"
    " FAILED_EXECUTION FAILED_COMPUTATION INVALID_STATE UNSUPPORTED_STATE",
)
ExecutionContextAllocationStrategy = numbered(
    "ExecutionContextAllocationStrategy", "STATIC ON_PROFILE_CHANGE USER_MANAGED"
)
FillOperation = numbered("FillOperation", "LINSPACE RANDOM_UNIFORM RANDOM_NORMAL")
GatherMode = numbered("GatherMode", "DEFAULT ELEMENT ND")
HardwareCompatibilityLevel = numbered("HardwareCompatibilityLevel", "NONE AMPERE_PLUS SAME_COMPUTE_CAPABILITY")
InterpolationMode = numbered("InterpolationMode", "NEAREST LINEAR CUBIC")
KVCacheMode = numbered("KVCacheMode", "LINEAR")
LayerInformationFormat = numbered("LayerInformationFormat", "ONELINE JSON")
LayerType = numbered(
    "LayerType",
    "CONVOLUTION CAST ACTIVATION POOLING LRN SCALE SOFTMAX DECONVOLUTION CONCATENATION ELEMENTWISE PLUGIN UNARY"
    " PADDING SHUFFLE REDUCE TOPK GATHER MATRIX_MULTIPLY RAGGED_SOFTMAX CONSTANT IDENTITY PLUGIN_V2 SLICE SHAPE"
    " PARAMETRIC_RELU RESIZE TRIP_LIMIT RECURRENCE ITERATOR LOOP_OUTPUT SELECT FILL QUANTIZE DEQUANTIZE CONDITION"
    " CONDITIONAL_INPUT CONDITIONAL_OUTPUT SCATTER EINSUM ASSERTION ONE_HOT NON_ZERO GRID_SAMPLE NMS REVERSE_SEQUENCE"
    " NORMALIZATION PLUGIN_V3 SQUEEZE UNSQUEEZE CUMULATIVE DYNAMIC_QUANTIZE ATTENTION_INPUT ATTENTION_OUTPUT"
    " ROTARY_EMBEDDING KV_CACHE_UPDATE MOE DIST_COLLECTIVE",
)
LoopOutput = numbered("LoopOutput", "LAST_VALUE CONCATENATE REVERSE")
MatrixOperation = numbered("MatrixOperation", "NONE TRANSPOSE VECTOR")
MemoryPoolType = numbered(
    "MemoryPoolType",
    "WORKSPACE DLA_MANAGED_SRAM DLA_LOCAL_DRAM DLA_GLOBAL_DRAM TACTIC_DRAM TACTIC_SHARED_MEMORY",
)
MoEActType = numbered("MoEActType", "NONE SILU")
NetworkDefinitionCreationFlag = numbered(
    "NetworkDefinitionCreationFlag", "EXPLICIT_BATCH STRONGLY_TYPED PREFER_AOT_PYTHON_PLUGINS PREFER_JIT_PYTHON_PLUGINS"
)
OnnxParserFlag = numbered(
    "OnnxParserFlag",
    "NATIVE_INSTANCENORM ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA REPORT_CAPABILITY_DLA ENABLE_PLUGIN_OVERRIDE"
    " ADJUST_FOR_DLA",
)
PaddingMode = numbered("PaddingMode", "EXPLICIT_ROUND_DOWN EXPLICIT_ROUND_UP SAME_UPPER SAME_LOWER")
PluginArgDataType = numbered("PluginArgDataType", "INT8 INT16 INT32")
PluginArgType = numbered("PluginArgType", "INT")
PluginCapabilityType = numbered("PluginCapabilityType", "CORE BUILD RUNTIME")
PluginCreatorVersion = PyEnum("PluginCreatorVersion", {"V1": 0, "V1_PYTHON": 64}, module=__name__)
PluginFieldType = numbered(
    "PluginFieldType", "FLOAT16 FLOAT32 FLOAT64 INT8 INT16 INT32 CHAR DIMS UNKNOWN BF16 INT64 FP8 INT4 FP4"
)
PoolingType = numbered("PoolingType", "MAX AVERAGE MAX_AVERAGE_BLEND")
PreviewFeature = numbered(
    "PreviewFeature",
    "PROFILE_SHARING_0806 ALIASED_PLUGIN_IO_10_03 RUNTIME_ACTIVATION_RESIZE_10_10 MULTIDEVICE_RUNTIME_10_16",
)
ProfilingVerbosity = numbered("ProfilingVerbosity", "LAYER_NAMES_ONLY NONE DETAILED")
QuantizationFlag = numbered("QuantizationFlag", "CALIBRATE_BEFORE_FUSION")
QuickPluginCreationRequest = numbered(
    "QuickPluginCreationRequest", "UNKNOWN PREFER_JIT PREFER_AOT STRICT_JIT STRICT_AOT"
)
ReduceOperation = numbered("ReduceOperation", "SUM PROD MAX MIN AVG NONE")
ResizeCoordinateTransformation = numbered("ResizeCoordinateTransformation", "ALIGN_CORNERS ASYMMETRIC HALF_PIXEL")
ResizeRoundMode = numbered("ResizeRoundMode", "HALF_UP HALF_DOWN FLOOR CEIL")
ResizeSelector = numbered("ResizeSelector", "FORMULA UPPER")
RuntimePlatform = numbered("RuntimePlatform", "SAME_AS_BUILD WINDOWS_AMD64")
SampleMode = numbered("SampleMode", "STRICT_BOUNDS WRAP CLAMP FILL REFLECT")
ScaleMode = numbered("ScaleMode", "UNIFORM CHANNEL ELEMENTWISE")
ScatterMode = numbered("ScatterMode", "ELEMENT ND")
SeekPosition = numbered("SeekPosition", "SET CUR END")
SerializationFlag = numbered("SerializationFlag", "EXCLUDE_WEIGHTS EXCLUDE_LEAN_RUNTIME INCLUDE_REFIT")
TacticSource = numbered("TacticSource", "CUBLAS CUBLAS_LT CUDNN EDGE_MASK_CONVOLUTIONS JIT_CONVOLUTIONS")
TempfileControlFlag = numbered("TempfileControlFlag", "ALLOW_IN_MEMORY_FILES ALLOW_TEMPORARY_FILES")
TensorFormat = numbered(
    "TensorFormat", "LINEAR CHW2 HWC8 CHW4 CHW16 CHW32 DHWC8 CDHW32 HWC DLA_LINEAR DLA_HWC4 HWC16 DHWC"
)
TensorIOMode = numbered("TensorIOMode", "NONE INPUT OUTPUT")
TensorLocation = numbered("TensorLocation", "DEVICE HOST")
TensorRTPhase = numbered("TensorRTPhase", "BUILD RUNTIME")
TilingOptimizationLevel = numbered("TilingOptimizationLevel", "NONE FAST MODERATE FULL")
TopKOperation = numbered("TopKOperation", "MAX MIN")
TripLimit = numbered("TripLimit", "COUNT WHILE")
UnaryOperation = numbered(
    "UnaryOperation",
    "EXP LOG SQRT RECIP ABS NEG SIN COS TAN SINH COSH ASIN ACOS ATAN ASINH ACOSH ATANH CEIL FLOOR ERF NOT SIGN ROUND"
    " ISINF ISNAN",
)
WeightsRole = numbered("WeightsRole", "KERNEL BIAS SHIFT SCALE CONSTANT ANY")
Severity = numbered("Severity", "INTERNAL_ERROR ERROR WARNING INFO VERBOSE")
