"""Record what PyTorch prints: `python -m tests.golden.record [--check] [GLOB …]`.

Runs wherever the reference release of PyTorch is installed. Each program runs in an interpreter of
its own; its output goes beside it as `.out`. With `--check` nothing is written and differences
are listed.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
import sys
from pathlib import Path

from tests.golden.play import PROGRAMS, normalise, play, programs

RELEASE = "2.13"
# What every x86-64 processor of the last ten years has. With AVX-512 another kernel computes gelu,
# whose last digits differ: gelu(3) is 2.99594975 there and 2.99595022 elsewhere.
PROCESSOR = {"ONEDNN_MAX_CPU_ISA": "AVX2", "ATEN_CPU_CAPABILITY": "avx2"}


def record(path: Path) -> str:
    """The output of one program in a fresh interpreter."""
    command = [sys.executable, "-m", "tests.golden.record", "--one", str(path)]
    environment = {**os.environ, **PROCESSOR}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=True, env=environment
    )
    return done.stdout


def main() -> int:
    """Record or check the programs whose names match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("globs", nargs="*", default=["*"])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--one", type=Path)
    args = parser.parse_args()
    import torch

    if args.one:
        sys.stdout.write(play(args.one.read_text(encoding="utf-8"), args.one.name))
        return 0
    if not torch.__version__.startswith(RELEASE):
        raise SystemExit(f"recording needs PyTorch {RELEASE}, not {torch.__version__}")
    changed = 0
    for path in programs():
        name = path.relative_to(PROGRAMS).with_suffix("").as_posix()
        if not any(fnmatch.fnmatch(name, glob) for glob in args.globs):
            continue
        lines = normalise(record(path))
        beside = path.with_suffix(".out")
        old = normalise(beside.read_text(encoding="utf-8")) if beside.exists() else None
        if old != lines:
            changed += 1
            print(("differs: " if args.check else "recorded: ") + name)
            if not args.check:
                beside.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    print(f"{changed} changed")
    return 1 if args.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
