"""Builder: makes networks, configurations and profiles, and turns a network into an engine."""

from __future__ import annotations

from minitrt.api import versions
from minitrt.api.arguments import checked
from minitrt.api.common import Logged
from minitrt.api.enums import ErrorCodeTRT, NetworkDefinitionCreationFlag
from minitrt.api.interfaces import IStreamWriter
from minitrt.api.logger import ILogger, Reporter, given_logger
from minitrt.api.sealed import sealed
from minitrt.builder.build import BuildError, build
from minitrt.builder.config import IBuilderConfig
from minitrt.builder.profile import IOptimizationProfile, WrongSizes
from minitrt.builder.target import default_target
from minitrt.calibration.collect import CalibrationFailed
from minitrt.network.definition import INetworkDefinition
from minitrt.network.lower import InvalidNetwork, lower
from minitrt.passes.pipeline import Cancelled
from minitrt.plan.encoding import encode
from minitrt.plan.plan import Plan

CHUNK = 1 << 20  # bytes that a stream writer is given at once


@sealed
@checked
class Builder(Logged):
    """The entry of a build. Errors go to the logger, and the call answers None or False."""

    def __init__(self, logger: ILogger):
        self._logger = logger
        self._report = Reporter(given_logger(logger, "Builder"))
        self._target = default_target()
        self.gpu_allocator = None
        self.max_threads = 1

    # --- what it makes ---

    def create_network(self, flags: int = 0) -> INetworkDefinition:
        """An empty network. flags: bit mask of NetworkDefinitionCreationFlag; where TensorRT 11 was chosen, every
        network is strongly typed."""
        strong = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED) if versions.version() == "11" else 0
        return INetworkDefinition(self, int(flags) | strong, self._logger)

    def create_builder_config(self) -> IBuilderConfig:
        return IBuilderConfig(self._target, self._report)

    def create_optimization_profile(self) -> IOptimizationProfile:
        return IOptimizationProfile()

    # --- building ---

    def build_serialized_network(self, network: INetworkDefinition, config: IBuilderConfig, kernel_text=None):
        """The engine's bytes (IHostMemory), or None after an error."""
        plan = self._plan(network, config)
        if plan is None:
            return None
        return encode(plan, "STRIP_PLAN" not in plan.flags)

    def build_serialized_network_to_stream(self, network, config, writer: IStreamWriter) -> bool:
        """Give the engine's bytes to `writer`, piece by piece."""
        data = self.build_serialized_network(network, config)
        if data is None:
            return False
        for start in range(0, len(data), CHUNK):
            piece = bytes(data[start : start + CHUNK])
            if writer.write(piece) != len(piece):
                self._report.error("the stream writer did not take everything", ErrorCodeTRT.FAILED_EXECUTION)
                return False
        return True

    def build_engine_with_config(self, network: INetworkDefinition, config: IBuilderConfig):
        """An engine that is ready to run (ICudaEngine), or None after an error."""
        data = self.build_serialized_network(network, config)
        if data is None:
            return None
        from minitrt.runtime.runtime import Runtime

        return Runtime(self._logger).deserialize_cuda_engine(data)

    def _plan(self, network: INetworkDefinition, config: IBuilderConfig) -> Plan | None:
        try:
            return build(network, config, self._report)
        except Cancelled as stop:
            self._report.warning(str(stop))
        except (BuildError, CalibrationFailed, InvalidNetwork, WrongSizes) as error:
            self._report.error(str(error), ErrorCodeTRT.INVALID_CONFIG)
        except Exception as error:  # nothing is thrown: who built asks for None, as with TensorRT
            self._report.error(f"the build failed: {type(error).__name__}: {error}", ErrorCodeTRT.INTERNAL_ERROR)
        return None

    def is_network_supported(self, network: INetworkDefinition, config: IBuilderConfig) -> bool:
        """Whether every layer can be lowered; reasons go to the logger."""
        try:
            lower(network)
        except (InvalidNetwork, ValueError, NotImplementedError) as error:
            self._report.error(str(error), ErrorCodeTRT.INVALID_ARGUMENT)
            return False
        return True

    def reset(self) -> None:
        """Nothing is kept between builds."""

    # --- what the platform can do ---

    @property
    def platform_has_tf32(self) -> bool:
        return self._capability >= (8, 0)

    @property
    def platform_has_fast_fp16(self) -> bool:
        return self._capability >= (7, 0)

    @property
    def platform_has_fast_int8(self) -> bool:
        return self._capability >= (6, 1)

    @property
    def _capability(self) -> tuple[int, int]:
        return self._target.compute_capability if self._target else (0, 0)

    @property
    def max_DLA_batch_size(self) -> int:
        return 0

    @property
    def num_DLA_cores(self) -> int:
        return 0

    def get_plugin_registry(self):
        from minitrt.plugins.registry import get_plugin_registry

        return get_plugin_registry()
