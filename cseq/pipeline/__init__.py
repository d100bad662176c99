"""What a chain is made of and how it runs: stages, units, chain files, sessions."""
