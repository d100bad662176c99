"""The stages: one class per file, each named for what it does; the chain files say in which order they run."""
