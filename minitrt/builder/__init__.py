"""From a network to a serialised engine: configuration, calibration, passes, tactics, plan."""
