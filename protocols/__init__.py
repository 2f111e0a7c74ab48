"""The protocols, one file a problem family."""
