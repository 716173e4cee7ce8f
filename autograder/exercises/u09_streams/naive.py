"""Unit 09 has no race: what it is about is judged by the order of its operations, on a timeline."""
