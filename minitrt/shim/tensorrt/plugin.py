"""TensorRT's decorators for plugins (register, impl, autotune), which minitrt lacks: importing it says what to use."""

raise ImportError(
    "minitrt has no tensorrt.plugin: derive a class from IPluginV3, with a creator, and register that with"
    " trt.get_plugin_registry().register_creator(creator, ''); or write a kernel as a minitrt.tactics.OwnTactic",
    name="tensorrt.plugin",
)
