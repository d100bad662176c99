"""The tests: unit (mirrors the rooms), programs, end_to_end, differential; support is what they share."""
