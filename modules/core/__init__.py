"""From C to the core language: one visible access per statement."""
