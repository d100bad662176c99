"""Types that every part shares: places in the source, errors, verdicts, claims, counterexamples."""
