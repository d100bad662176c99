"""What is known about functions that programs call but do not define."""
