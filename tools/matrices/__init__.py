"""The matrices beside the kill matrix: right answers in other styles, right results without the work."""
