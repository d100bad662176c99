"""The thread library as the engines see it, in C; this file only makes the folder findable."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
"""Where the library's C files are."""

INCLUDE = FOLDER / "include"
"""The headers that stand in for the system's."""
