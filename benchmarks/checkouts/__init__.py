"""Whether two checkouts of CSeq do the same with every program of the suites."""
