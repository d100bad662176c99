"""The stage `sequentializer`: thread functions, the driver, canonical schedules."""
