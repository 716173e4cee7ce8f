"""Debug tensors: which are shown to a listener."""

from __future__ import annotations

from minitrt.api.interfaces import IDebugListener
from minitrt.api.logger import Reporter


class Debugging:
    """Mixed into IExecutionContext."""

    def __init__(self, report: Reporter):
        self._report = report
        self._listener: IDebugListener | None = None
        self._shown: dict[str, bool] = {}
        self.unfused_tensors_debug_state = False

    def set_debug_listener(self, listener: IDebugListener) -> bool:
        self._listener = listener
        return True

    def get_debug_listener(self) -> IDebugListener | None:
        return self._listener

    def _debug_names(self) -> list[str]:
        return [value.name for value in self._plan.profiles[0].graph.kept]

    def set_tensor_debug_state(self, name: str, flag: bool) -> bool:
        """Show or hide one debug tensor. False when the network did not mark it."""
        if name not in self._debug_names():
            return False
        self._shown[name] = flag
        return True

    def get_debug_state(self, name: str) -> bool:
        return self._shown.get(name, False)

    def set_all_tensors_debug_state(self, flag: bool) -> bool:
        self._shown = dict.fromkeys(self._debug_names(), flag)
        return True
