"""What holds for all tests."""

from hypothesis import settings

# How long one example takes says nothing about it: on a busy machine a deadline fails tests that are right.
settings.register_profile("commsim", deadline=None)
settings.load_profile("commsim")
