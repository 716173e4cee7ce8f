"""Layers that users write: their interfaces (V2 and V3), the registry that finds them, and what runs them."""
