"""The parts of a chain, and how it runs: stages, units, chain files, sessions."""
