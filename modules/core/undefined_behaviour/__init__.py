"""What C demands of expressions, for the properties that any expression may violate: both families claim it."""
