"""Everything behind unit 04: inputs and oracles, slips, naive answers, hints and contracts."""
