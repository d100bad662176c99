"""The deductive family: the threads of a program as a transition system, proved by invariants."""
