"""The intermediate representation: the core language as types, and what is asked of it."""
