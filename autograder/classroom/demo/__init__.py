"""A class of six invented students, made from the course itself, to see grading at work."""
