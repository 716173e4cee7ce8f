"""Unit 19's gather_requests: threads whose order the judge decides, and what mistakes make of them."""
