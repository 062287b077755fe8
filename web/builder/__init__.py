"""The steps behind build.py; the standard library only, so that they run before anything is set up."""
