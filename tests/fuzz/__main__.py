"""The fuzzer's command line: `python -m tests.fuzz --minutes 5`.

Programs are numbered; number n of a seed is always the same program. Where a run stopped is kept in
the state file, and the next run goes on from there. Needs PyTorch 2.13 beside `engine`.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from tests.fuzz.compare import Difference, first_difference
from tests.fuzz.generate import Written, write
from tests.fuzz.known import explanation
from tests.fuzz.observe import Seen, run
from tests.fuzz.render import render
from tests.fuzz.shrink import shrink
from tests.golden.record import PROCESSOR

STATE = Path(".build/fuzz")


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--programs", type=int, default=None, help="stop after this many")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--start", type=int, default=None, help="first program; else resume")
    parser.add_argument("--against", default="engine", help="the module to compare with torch")
    parser.add_argument("--only", default="", help="families, comma-separated")
    parser.add_argument("--show", type=int, default=None, help="print one program and what differs")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--save", default=None, help="write each difference as a program here")
    parser.add_argument("--report", default=None, help="write the differences here as well")
    return parser.parse_args(words)


class Fuzzer:
    """Runs programs and keeps the distinct differences."""

    def __init__(self, against: str, families: tuple[str, ...], seed: str) -> None:
        for name, value in PROCESSOR.items():
            os.environ.setdefault(name, value)
        import torch
        import torch._dynamo  # loaded late otherwise, perhaps cut by a time limit

        self.torch: Any = torch
        self.other: Any = importlib.import_module(against)
        self.families, self.seed = families, seed
        self.found: dict[str, tuple[int, tuple[str, ...], Difference]] = {}
        self.counts: Counter[str] = Counter()
        self.explained: Counter[str] = Counter()
        self.rounding = self.done = self.statements = 0

    def one(self, number: int, small: bool = True) -> None:
        """Write, run and compare one program."""
        written = write(self.torch, f"{self.seed}:{number}", self.families)
        self.done += 1
        self.statements += len(written.program)
        if not written.program:
            return
        other = run(self.other, written.program)
        if first_difference(list(written.seen), other) is None:
            return
        # statements refused while writing may have left traces, so ask a fresh run
        found = first_difference(self.again(written.program), other)
        if found is None:
            return
        if self.is_rounding(written.program, found):
            self.rounding += 1
            return
        line = written.lines[found.at] if found.at < len(written.lines) else "end"
        reason = explanation(found, line)
        if reason is not None:
            self.explained[reason] += 1
            return
        mark = signature(found, written)
        self.counts[mark] += 1
        if mark not in self.found:
            program = written.program
            if small and found.kind != "missing" and len(self.found) < 300:
                program = shrink(program[: found.at + 1], partial(self.shows, found=found))
                found = first_difference(self.again(program), run(self.other, program)) or found
            self.found[mark] = (number, program, found)

    def again(self, program: tuple[str, ...]) -> list[Seen]:
        return run(self.torch, program)

    def shows(self, program: tuple[str, ...], found: Difference) -> bool:
        other = first_difference(self.again(program), run(self.other, program))
        if other is None or kind_of(other) != kind_of(found):
            return False
        return not self.is_rounding(program, other)

    def is_rounding(self, program: tuple[str, ...], found: Difference) -> bool:
        """Whether PyTorch with noisy rounding differs from PyTorch in the same kind of way."""
        if not found.about_numbers and "nan values" not in str(found.want) + str(found.got):
            return False
        from tests.fuzz.noise import Noise

        plain = self.again(program)
        for seed in range(4):
            with Noise(seed):
                noisy = run(self.torch, program)
            other = first_difference(plain, noisy)
            if other is not None and other.at <= found.at:
                return True
        return False


def kind_of(found: Difference) -> str:
    """A difference without its place and its numbers."""
    if found.kind in ("missing", "error"):
        return f"{found.kind}: {bare(found.want)} | {bare(found.got)}"
    if found.kind.startswith("flags") or found.kind in ("dtype", "type"):
        return f"{found.kind}: {bare(found.want)} | {bare(found.got)}"
    return found.kind


def bare(text: Any) -> str:
    """A text without its numbers and names of variables."""
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "#", str(text))[:110]


def signature(found: Difference, written: Written) -> str:
    line = written.lines[found.at] if found.at < len(written.lines) else "end"
    if found.kind == "missing":
        return f"missing: {bare(found.got)}"
    return f"{line} — {kind_of(found)}"


def report(fuzzer: Fuzzer) -> str:
    """The distinct differences, frequent ones first."""
    parts: list[str] = []
    for mark, times in fuzzer.counts.most_common():
        number, program, found = fuzzer.found[mark]
        parts.append(f"--- {times}x {mark}   (program {number})")
        parts.extend(f"    {s}" for s in program)
        parts.append(f"  want {found.name} {str(found.want)[:400]}")
        parts.append(f"  got  {found.name} {str(found.got)[:400]}")
    parts.extend(f"explained {n}x: {reason}" for reason, n in fuzzer.explained.most_common())
    return "\n".join(parts)


def save(fuzzer: Fuzzer, folder: Path, seed: str) -> None:
    """Write the differences as programs of their own with what PyTorch prints."""
    from tests.golden.play import normalise, play

    folder.mkdir(parents=True, exist_ok=True)
    for number, program, _ in fuzzer.found.values():
        path = folder / f"{seed}_{number}.py"
        path.write_text(render(program), encoding="utf-8")
        lines = normalise(play(path.read_text(encoding="utf-8"), path.name))
        out = "".join(line + "\n" for line in lines)
        path.with_suffix(".out").write_text(out, encoding="utf-8")


def main(words: list[str] | None = None) -> int:
    """Fuzz; 0 when nothing unexplained was found."""
    args = arguments(words)
    families = tuple(f for f in args.only.split(",") if f)
    fuzzer = Fuzzer(args.against, families, args.seed)
    STATE.mkdir(parents=True, exist_ok=True)
    state = STATE / f"{args.against}-{args.seed}-{args.only or 'all'}.json"
    start = args.start
    if start is None:
        start = json.loads(state.read_text())["next"] if state.exists() else 0
    if args.show is not None:
        start, args.programs = args.show, 1
    begin = time.monotonic()
    number = start
    while time.monotonic() - begin < args.minutes * 60:
        if args.programs is not None and number - start >= args.programs:
            break
        fuzzer.one(number, not args.no_shrink)
        number += 1
        if number % 500 == 0:
            state.write_text(json.dumps({"next": number}))
    if args.start is None and args.show is None:
        state.write_text(json.dumps({"next": number}))
    took = time.monotonic() - begin
    text = report(fuzzer)
    print(text)
    print(
        f"{fuzzer.done} programs ({start}–{number - 1}) with {fuzzer.statements} statements in "
        f"{took:.0f} s, {fuzzer.done / max(took, 1e-9):.0f} a second; "
        f"{fuzzer.rounding} explained by rounding, {fuzzer.explained.total()} otherwise; "
        f"{len(fuzzer.found)} distinct differences in {fuzzer.counts.total()} programs"
    )
    if args.save:
        save(fuzzer, Path(args.save), args.seed)
    if args.report:
        Path(args.report).write_text(text)
    return 1 if fuzzer.found else 0


if __name__ == "__main__":
    sys.exit(main())
