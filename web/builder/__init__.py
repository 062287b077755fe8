"""The steps behind build.py; the standard library only, as nothing is set up yet."""
