"""The registry: creators by name, version and namespace, and resources that plugins share."""

from __future__ import annotations

from typing import Any

from minitrt.api.arguments import checked
from minitrt.api.deprecation import absent
from minitrt.api.sealed import sealed
from minitrt.plugins.interfaces import IPluginCreator, IPluginCreatorInterface, IPluginResource

Key = tuple[str, str, str]


@sealed
@checked
class IPluginRegistry:
    """One a process. Registering a creator twice under one key is refused with False."""

    def __init__(self):
        self._creators: dict[Key, IPluginCreatorInterface] = {}
        self._resources: dict[str, tuple[IPluginResource, int]] = {}
        self.error_recorder = None
        self.parent_search_enabled = True

    @property
    def all_creators(self) -> list[IPluginCreatorInterface]:
        return list(self._creators.values())

    all_creators_recursive = all_creators

    @property
    def plugin_creator_list(self) -> list[IPluginCreator]:
        return [creator for creator in self._creators.values() if isinstance(creator, IPluginCreator)]

    def register_creator(self, creator: IPluginCreatorInterface, plugin_namespace: str = "") -> bool:
        """Make a creator known. An empty namespace leaves the creator's own."""
        if plugin_namespace:
            creator.plugin_namespace = plugin_namespace
        key = key_of(creator)
        if key in self._creators:
            return False
        self._creators[key] = creator
        return True

    def deregister_creator(self, creator: IPluginCreatorInterface) -> bool:
        return self._creators.pop(key_of(creator), None) is not None

    def get_creator(self, type: str, version: str, plugin_namespace: str = "") -> IPluginCreatorInterface | None:
        return self._creators.get((type, version, plugin_namespace))

    def get_plugin_creator(self, type: str, version: str, plugin_namespace: str = "") -> IPluginCreator | None:
        found = self.get_creator(type, version, plugin_namespace)
        return found if isinstance(found, IPluginCreator) else None

    def acquire_plugin_resource(self, key: str, resource: IPluginResource) -> IPluginResource:
        """The resource under a key; `resource` is cloned for it the first time."""
        held, count = self._resources.get(key, (None, 0))
        held = held if held is not None else resource.clone()
        self._resources[key] = held, count + 1
        return held

    def release_plugin_resource(self, key: str) -> int:
        """Give a resource back; it is released when nobody holds it. 0 for success, 1 for an unknown key."""
        if key not in self._resources:
            return 1
        held, count = self._resources.pop(key)
        if count > 1:
            self._resources[key] = held, count - 1
        else:
            held.release()
        return 0

    load_library = absent("IPluginRegistry.load_library", "plugins are Python; register their creator")
    deregister_library = absent("IPluginRegistry.deregister_library", "plugins are Python; deregister their creator")


def key_of(creator: IPluginCreatorInterface) -> Key:
    return str(creator.name), str(creator.plugin_version), str(getattr(creator, "plugin_namespace", "") or "")


_registry = IPluginRegistry()


def get_plugin_registry() -> IPluginRegistry:
    """The process's registry."""
    return _registry


get_builder_plugin_registry: Any = lambda capability=None: _registry  # noqa: E731 - one registry serves both


def init_libnvinfer_plugins(logger: Any, namespace: str) -> bool:
    """Register those of NVIDIA's plugins that are here (`nvidia.py`). Always True."""
    from minitrt.plugins.nvidia import KNOWN, NvidiaCreator

    for name in KNOWN:
        if _registry.get_creator(name, "1", namespace) is None:
            _registry.register_creator(NvidiaCreator(name), namespace)
    return True
