"""What is known of functions that programs call and do not define."""
