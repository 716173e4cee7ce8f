"""IBuilderConfig: everything a build can be told."""

from __future__ import annotations

from collections.abc import Sequence

from minitrt.api import enums as e
from minitrt.api.arguments import checked
from minitrt.api.deprecation import TYPED, removed_in_11
from minitrt.api.sealed import sealed
from minitrt.api.without_effect import notice_member
from minitrt.builder.profile import IOptimizationProfile
from minitrt.builder.timing_cache import ITimingCache
from minitrt.tactics.contract import Device
from minitrt.tactics.timing_cache import CacheMismatch, TimingCache, header_of

WEAK_FLAGS = (
    "FP16",
    "BF16",
    "INT8",
    "FP8",
    "INT4",
    "FP4",
    "OBEY_PRECISION_CONSTRAINTS",
    "PREFER_PRECISION_CONSTRAINTS",
)
EDIT = "edit the timing cache: config.get_timing_cache().update(key, value)"
BUILD_ROUTES = ("default",)
DLA_POOLS = {"DLA_LOCAL_DRAM": 1 << 30, "DLA_GLOBAL_DRAM": 512 << 20}  # what TensorRT says of them without a DLA, too
ALL_SOURCES = (1 << len(e.TacticSource)) - 1
DEFAULT_SOURCES = 1 << int(e.TacticSource.EDGE_MASK_CONVOLUTIONS) | 1 << int(e.TacticSource.JIT_CONVOLUTIONS)


@sealed
@checked
class IBuilderConfig:
    """Options of a build. Made by ``Builder.create_builder_config``; a new one has the defaults, as after reset()."""

    def __init__(self, target: Device | None = None, report=None):
        self._target, self._report = target, report
        self.reset()

    def reset(self) -> None:
        """All options as they were at first."""
        self._flags = 1 << int(e.BuilderFlag.TF32)
        self._said: set[str] = set()
        self._pools: dict[e.MemoryPoolType, int] = {}
        self._profiles: list[IOptimizationProfile] = []
        self._calibrator = self._algorithm_selector = None
        self._stages = None  # a `Stages`, for who wants to see what each pass makes of the graph
        self._calibration_profile: IOptimizationProfile | None = None
        self._timing_cache: ITimingCache | None = None
        self._preview: dict[e.PreviewFeature, bool] = {}
        self._quantization_flags = 0
        self._device_types: dict[object, e.DeviceType] = {}
        self._tactic_sources = DEFAULT_SOURCES
        self.avg_timing_iterations = 1
        self.engine_capability = e.EngineCapability.STANDARD
        self.default_device_type = e.DeviceType.GPU
        self.profile_stream = 0
        self.profiling_verbosity = e.ProfilingVerbosity.LAYER_NAMES_ONLY
        self.builder_optimization_level = 3
        self.max_num_tactics = -1
        self.hardware_compatibility_level = e.HardwareCompatibilityLevel.NONE
        self.runtime_platform = e.RuntimePlatform.SAME_AS_BUILD
        self.plugins_to_serialize: Sequence[str] = []
        self.max_aux_streams = -1
        self.progress_monitor = None
        self.tiling_optimization_level = e.TilingOptimizationLevel.NONE
        self.l2_limit_for_tiling = 0
        self.remote_auto_tuning_config = ""
        self._build_route = BUILD_ROUTES[0]

    # --- flags ---

    @property
    def flags(self) -> int:
        return self._flags

    @flags.setter
    def flags(self, flags: int) -> None:
        """The mask. Each bit that is new is set as by set_flag, with what that says."""
        new, self._flags = int(flags) & ~self._flags, int(flags) & self._flags
        for flag in e.BuilderFlag:
            if new >> int(flag) & 1:
                self.set_flag(flag)

    def set_flag(self, flag: e.BuilderFlag) -> None:
        if flag.name in WEAK_FLAGS:
            removed_in_11(f"BuilderFlag.{flag.name}", TYPED)
        notice_member(self, flag)
        self._flags |= 1 << int(flag)

    def clear_flag(self, flag: e.BuilderFlag) -> None:
        self._flags &= ~(1 << int(flag))

    def get_flag(self, flag: e.BuilderFlag) -> bool:
        return bool(self._flags >> int(flag) & 1)

    # --- memory ---

    def set_memory_pool_limit(self, pool: e.MemoryPoolType, pool_size: int) -> None:
        """Most bytes of a pool. WORKSPACE bounds what a tactic may need, TACTIC_SHARED_MEMORY its shared memory."""
        if pool.name.startswith("DLA") and self._report:
            self._report.error(f"{pool} belongs to DLA, and this is a GPU")
            return
        notice_member(self, pool)
        self._pools[pool] = int(pool_size)

    def get_memory_pool_limit(self, pool: e.MemoryPoolType) -> int:
        if pool in self._pools:
            return self._pools[pool]
        device = self._target
        if pool == e.MemoryPoolType.TACTIC_SHARED_MEMORY:
            return device.shared_bytes if device else 1 << 30
        if pool.name.startswith("DLA"):
            return DLA_POOLS.get(pool.name, 0)
        return device.memory_bytes if device else 1 << 40

    # --- profiles and calibration ---

    def add_optimization_profile(self, profile: IOptimizationProfile) -> int:
        """The profile's number, or -1 for one that sets nothing."""
        if not profile:
            return -1
        self._profiles.append(profile)
        return len(self._profiles) - 1

    @property
    def num_optimization_profiles(self) -> int:
        return len(self._profiles)

    @property
    def int8_calibrator(self):
        removed_in_11("IBuilderConfig.int8_calibrator")
        return self._calibrator

    @int8_calibrator.setter
    def int8_calibrator(self, calibrator) -> None:
        removed_in_11("IBuilderConfig.int8_calibrator")
        self._calibrator = calibrator

    def set_calibration_profile(self, profile: IOptimizationProfile) -> bool:
        removed_in_11("IBuilderConfig.set_calibration_profile")
        self._calibration_profile = profile
        return bool(profile)

    def get_calibration_profile(self) -> IOptimizationProfile | None:
        return self._calibration_profile

    @property
    def quantization_flags(self) -> int:
        return self._quantization_flags

    @quantization_flags.setter
    def quantization_flags(self, flags: int) -> None:
        self._quantization_flags = int(flags)

    def set_quantization_flag(self, flag: e.QuantizationFlag) -> None:
        removed_in_11("IBuilderConfig.set_quantization_flag")
        self._quantization_flags |= 1 << int(flag)

    def clear_quantization_flag(self, flag: e.QuantizationFlag) -> None:
        self._quantization_flags &= ~(1 << int(flag))

    def get_quantization_flag(self, flag: e.QuantizationFlag) -> bool:
        return bool(self._quantization_flags >> int(flag) & 1)

    # --- tactics and times ---

    def set_tactic_sources(self, tactic_sources: int) -> bool:
        """Bit mask of TacticSource that tactics may come from."""
        if int(tactic_sources) & ~ALL_SOURCES:
            return False
        self._tactic_sources = int(tactic_sources)
        return True

    def get_tactic_sources(self) -> int:
        return self._tactic_sources

    def create_timing_cache(self, serialized_timing_cache: bytes) -> ITimingCache | None:
        """A cache from bytes, an empty one from none; None, and an error, for bytes that are no cache."""
        try:
            return ITimingCache(TimingCache.deserialize(bytes(serialized_timing_cache), self._target))
        except ValueError as error:
            if self._report:
                self._report.error(f"timing cache: {error}")
            return None

    def set_timing_cache(self, cache: ITimingCache, ignore_mismatch: bool) -> bool:
        """Use a cache for builds. False when another device or other kernels made it, unless ignore_mismatch."""
        header = header_of(self._target)
        if cache.cache.header != header and not ignore_mismatch:
            if self._report:
                self._report.error(str(CacheMismatch(cache.cache.header, header)))
            return False
        self._timing_cache = cache
        return True

    def get_timing_cache(self) -> ITimingCache | None:
        return self._timing_cache

    def set_preview_feature(self, feature: e.PreviewFeature, enable: bool) -> None:
        if bool(enable) != self.get_preview_feature(feature):
            notice_member(self, feature)
        self._preview[feature] = bool(enable)

    def get_preview_feature(self, feature: e.PreviewFeature) -> bool:
        return self._preview.get(feature, feature.name == "PROFILE_SHARING_0806")

    # --- devices: there is one kind ---

    def set_device_type(self, layer, device_type: e.DeviceType) -> None:
        if device_type == e.DeviceType.DLA and self._report:
            self._report.error("there is no DLA: every layer runs on the GPU")
            return
        self._device_types[layer] = device_type

    def get_device_type(self, layer) -> e.DeviceType:
        return self._device_types.get(layer, self.default_device_type)

    def is_device_type_set(self, layer) -> bool:
        return layer in self._device_types

    def reset_device_type(self, layer) -> None:
        self._device_types.pop(layer, None)

    @property
    def DLA_core(self) -> int:
        """-1: there is none, and none can be chosen."""
        return -1

    @DLA_core.setter
    def DLA_core(self, core: int) -> None:
        if core >= 0 and self._report:
            self._report.error(f"there is no DLA, so core {core} cannot be chosen")

    def can_run_on_DLA(self, layer) -> bool:
        return False

    @property
    def algorithm_selector(self):
        """Who picks among a layer's tactics (IAlgorithmSelector)."""
        removed_in_11("IBuilderConfig.algorithm_selector", EDIT)
        return self._algorithm_selector

    @algorithm_selector.setter
    def algorithm_selector(self, selector) -> None:
        removed_in_11("IBuilderConfig.algorithm_selector", EDIT)
        self._algorithm_selector = selector

    @property
    def build_route(self) -> str:
        """How the engine is built (TensorRT 11): there is one way."""
        return self._build_route

    @build_route.setter
    def build_route(self, route: str) -> None:
        if route not in BUILD_ROUTES:
            raise ValueError(f"IBuilderConfig.build_route is one of {BUILD_ROUTES}, and not {route!r}")
        self._build_route = route

    @property
    def all_build_routes(self) -> list[str]:
        return list(BUILD_ROUTES)

    # --- minitrt's own ---

    @property
    def target(self) -> Device | None:
        """The device to build for: the GPU that is there; None builds for the NumPy reference."""
        return self._target

    @target.setter
    def target(self, device: Device | None) -> None:
        self._target = device

    def __enter__(self) -> IBuilderConfig:
        return self

    def __exit__(self, *_) -> None:
        pass
