"""Witnesses of SV-COMP, in YAML and GraphML."""
