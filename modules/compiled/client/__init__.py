"""The client of the compiled runtime: its server, and the records of its runs."""
