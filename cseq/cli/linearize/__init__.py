"""The command `cseq linearize`: check a data structure that has no main."""
