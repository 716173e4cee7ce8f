"""Fresh values for cards: drawn, worked out, and measured in the interpreter."""
