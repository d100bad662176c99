"""From the core language to TLA+: the specification family."""
