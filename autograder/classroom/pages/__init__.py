"""What is written from verdicts: the file itself, feedback pages and the gradebook. Nothing here judges or runs."""
