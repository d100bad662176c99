"""Analyses and small pieces of code that stages of several rooms share."""
