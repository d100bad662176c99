"""The explicit family: from the core language to threads that make one transition at a time."""
