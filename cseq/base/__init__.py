"""What every part speaks of: places in the source, errors, verdicts, counterexamples."""
