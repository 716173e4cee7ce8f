"""What a submission says, as data: found in a notebook by parsing, never by running. It runs nothing."""
