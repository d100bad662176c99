"""Whether a data structure is linearizable: scenarios made of its operations, each explored as a small program."""
