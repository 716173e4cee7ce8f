"""Cards as data: what one is, where it lies, which line of the course it belongs to."""
