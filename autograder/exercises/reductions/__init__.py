"""Everything behind unit 06: inputs and oracles, slips, naive answers, hints and contracts."""
