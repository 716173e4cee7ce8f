"""Unit 10 has no race: where its data lies is judged by what is counted, and its times are recorded ones."""
