"""Unit 19's batch_uneven: an engine that takes sequences padded to few lengths, and what mistakes make of it."""
