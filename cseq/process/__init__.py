"""Child processes: run within limits, ended with all that they started, several in a race."""
