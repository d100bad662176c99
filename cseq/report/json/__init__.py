"""Reports for programs: `--json` and `--linemap-json`."""
