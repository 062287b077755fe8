"""Generated cases are the same in every run, and how long one takes decides nothing."""

from hypothesis import settings

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None)
settings.load_profile("repeatable")
