"""For tests that run their kernel in a child: Python imports this file there, which installs the plugin."""

import numba_suite.plugin  # noqa: F401
