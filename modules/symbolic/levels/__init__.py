"""How the runs of a chain are divided into jobs that can be done at the same time."""
