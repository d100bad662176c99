"""Executing a counterexample again: what a traced program prints, and what that says of the execution."""
