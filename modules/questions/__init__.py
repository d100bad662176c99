"""Running engines: planning the questions, asking them, and judging the answers."""
