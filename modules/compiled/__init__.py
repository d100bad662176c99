"""Exploration of a compiled program: which schedules are run, and what is made of them."""
