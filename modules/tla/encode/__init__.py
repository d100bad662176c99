"""The specifier: a program in the core language as a TLA+ specification."""
