"""Unit 19's two_streams: a GPU whose clock the judge holds, fed by one thread, and what mistakes make of it."""
