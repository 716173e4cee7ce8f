"""Classes of TensorRT's API that minitrt has no counterpart of: making one raises an error that names it."""

from __future__ import annotations

from minitrt.api.deprecation import absent, absent_property

LOW_PRECISION = "it computes in FP32, FP16 and INT8 only"
QUICK = "quickly deployable plugins are not supported; derive from IPluginV3"


def absent_class(name: str, why: str, members: str = "") -> type:
    """A class whose instances cannot be made, and whose members say so, too."""
    body = {member: absent_property(f"{name}.{member}", why) for member in members.split()}
    return type(name, (), {"__init__": absent(name, why), "__doc__": f"Not in minitrt: {why}.", **body})


IDynamicQuantizeLayer = absent_class(
    "IDynamicQuantizeLayer", LOW_PRECISION, "axis block_size block_shape to_type scale_type"
)
IDistCollectiveLayer = absent_class("IDistCollectiveLayer", "an engine runs on one GPU; use a pool of engines")
IMoELayer = absent_class(
    "IMoELayer",
    "build the experts from matrix products",
    "set_gated_weights set_gated_biases activation_type set_quantization_static set_quantization_dynamic_dbl_q"
    " quantization_to_type quantization_block_shape dyn_q_output_scale_type set_swiglu_params swiglu_param_limit"
    " swiglu_param_alpha swiglu_param_beta set_input",
)
IDENTITY = "plugin_name plugin_version plugin_namespace"
IPluginV3QuickCore = absent_class("IPluginV3QuickCore", QUICK, IDENTITY)
IPluginV3QuickBuild = absent_class("IPluginV3QuickBuild", QUICK)
IPluginV3QuickAOTBuild = absent_class("IPluginV3QuickAOTBuild", QUICK)
IPluginV3QuickRuntime = absent_class("IPluginV3QuickRuntime", QUICK)
IPluginCreatorV3Quick = absent_class(
    "IPluginCreatorV3Quick", QUICK, "name plugin_version field_names plugin_namespace create_plugin"
)
KernelLaunchParams = absent_class(
    "KernelLaunchParams", QUICK, "grid_x grid_y grid_z block_x block_y block_z shared_mem"
)
ISymExpr = absent_class("ISymExpr", QUICK, "type dtype expr")
ISymExprs = absent_class("ISymExprs", QUICK, "nbSymExprs")
FallbackString = absent_class("FallbackString", "strings are Python's")
