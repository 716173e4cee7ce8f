"""Programs that nobody wrote for a course: run whole under the interpreter, from a command line or by pytest."""
