"""Recorded runs of compiled programs, in terms of their sources."""
