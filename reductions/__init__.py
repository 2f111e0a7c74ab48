"""The reductions, one file each: source_target."""
