"""Runs inside Pyodide: pytest over the mounted checkout, with the wasm build of numpy."""

import os
import sys

sys.dont_write_bytecode = True
# Last, as this folder was made for another platform: of it only the tools themselves may come in.
sys.path.append("/tools")
os.chdir("/repo")

import pytest  # noqa: E402

options = ["-p", "no:cacheprovider", "-p", "no:faulthandler", "--capture=sys"]
code = int(pytest.main([*options, *given]))  # noqa: F821
if code:
    raise SystemExit(f"pytest in Pyodide ended with {code}")
