"""An answer as text: where it came from, what it needs, whether it was attempted, and the course's own one."""
