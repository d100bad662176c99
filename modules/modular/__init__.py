"""Thread-modular analysis: data-race freedom of whole programs, with a reason for each pair of accesses."""
