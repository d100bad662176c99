"""The symbolic family: from the core language to a bounded sequential program for one engine."""
