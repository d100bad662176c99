"""The summary of a proof: its invariants as C expressions over the user's variables."""
