"""One reader for each kind of line that a finding may stand at, and the words that fit it."""
