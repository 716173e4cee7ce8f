"""Unit 19's threshold_plugin: what an engine asks a plugin, and what it does with the answers."""
