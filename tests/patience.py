"""How long a test waits for what must come: a limit for what hangs, which no machine is slow enough to meet."""

PATIENCE_S = 900.0
PATIENCE_MS = 1000 * PATIENCE_S  # as browsers are told
