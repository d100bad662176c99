"""The stage `stepper`, and what it alone uses."""
