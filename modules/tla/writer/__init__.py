"""The text of TLA+ modules: from a specification to files that a person can read."""
