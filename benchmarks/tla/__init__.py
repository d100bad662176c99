"""What TLC makes of specifications in TLA+: states, times, and whether it agrees with the engine `native`."""
