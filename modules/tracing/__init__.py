"""Replaying a counterexample: what a traced program prints, and what that says about the execution."""
