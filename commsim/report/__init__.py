"""Results as records, which become text or JSON."""
