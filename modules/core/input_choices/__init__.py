"""The stage `input_choices` and its private helpers."""
