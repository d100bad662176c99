"""What is told about a proof: its invariants as C expressions over the user's variables."""
