"""A trained network that ships with the engine, to build, to time and to compress."""
