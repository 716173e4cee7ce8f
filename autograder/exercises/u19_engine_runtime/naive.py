"""Unit 19 has no kernel whose speed is measured."""
