"""Runs inside Pyodide: times the engine's workloads. Input: how many rounds; result: seconds."""

from tests.bench.alone import times

result = times(given)  # noqa: F821
