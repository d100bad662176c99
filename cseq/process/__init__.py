"""Child processes: run within limits, ended with everything that they started, or raced against each other."""
