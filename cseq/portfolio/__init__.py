"""Engines that look for an answer at the same time, and machines that share the work."""
