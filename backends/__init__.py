"""The engines: one file each, which finds the engine, speaks its dialect and reads its output."""
