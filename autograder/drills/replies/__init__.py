"""Replies to cards as people write them, right and wrong, kept beside the cards: `make check-cards` marks them all."""
