"""What the tools are made of: modules here are imported, never run."""
