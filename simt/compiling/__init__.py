"""A kernel's source becomes closures `f(env, mask)`: one question of Python's language a file."""
