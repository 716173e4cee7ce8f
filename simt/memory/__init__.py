"""Where an index points, and what is read and written there."""
