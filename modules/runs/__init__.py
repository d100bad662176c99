"""What asks engines, judges their answers, and plans which questions to ask."""
