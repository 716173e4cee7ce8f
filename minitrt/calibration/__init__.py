"""Scales for INT8 from sample data: what runs (`collect.py`), what is counted (`histogram.py`), what is chosen
(`ranges.py`)."""
