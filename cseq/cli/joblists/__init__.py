"""Jobs as command lines that other systems run, and one answer from their reports."""
