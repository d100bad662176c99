"""Measurements: each folder has a module `run` that writes its tables."""
