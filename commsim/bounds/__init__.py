"""Bounds on communication complexity, one file a method. What they find is checked by :mod:`commsim.certificate`."""
