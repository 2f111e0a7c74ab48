"""Models on token sequences, one file a family: constructions, and how each splits between two parties."""
