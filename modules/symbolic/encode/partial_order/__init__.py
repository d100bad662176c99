"""Partial orders: the threads of a program for an engine that explores their interleavings itself."""
