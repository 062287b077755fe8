#!/usr/bin/env python3
"""serve · build · test · bench · fuzz · lock: how this project is made, on plain Python 3.10.

`python3 build.py serve` builds the page and serves it; `python3 build.py test` runs every test.
"""

import argparse
import sys
from pathlib import Path

if sys.version_info < (3, 10):  # noqa: UP036 the one place that says so in words
    raise SystemExit("build.py: Python 3.10 or newer is needed")

sys.path.insert(0, str(Path(__file__).resolve().parent / "web"))
sys.dont_write_bytecode = True

from builder import assemble, bench, onefile, places, relock, serve, testing  # noqa: E402
from builder.places import Failure, say, warn  # noqa: E402


def main() -> int:
    given, arguments = parse()
    try:
        run(given, arguments)
    except Failure as error:
        warn(f"build.py: {error}")
        return 1
    except KeyboardInterrupt:
        warn("build.py: stopped; dist/ is as it was")
        return 130
    return 0


def parse() -> tuple[argparse.Namespace, list[str]]:
    """Read the command line; what a test runner or the fuzzer understands is passed on to it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="build.py")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="build dist/ and serve it")
    serving.add_argument("--port", type=int, default=8000)
    building = commands.add_parser("build", help="build dist/")
    building.add_argument("--single-file", action="store_true", help="say where the one file is")
    building.add_argument(
        "--base-path",
        default="",
        metavar="PATH",
        help="where the files lie on the server",
    )
    for command in (serving, building):
        command.add_argument("--plain", action="store_true", help="without the snapshot: quicker")
    tests = commands.add_parser("test", help="run every test, or some sections of them")
    tests.add_argument("sections", nargs="*", help=", ".join(testing.SECTIONS))
    benching = commands.add_parser("bench", help="measure the page or the engine")
    benching.add_argument("what", nargs="?", choices=("page", "steps", "engine"), default="page")
    benching.add_argument("--runs", type=int, default=bench.RUNS)
    commands.add_parser("fuzz", help="compare with an installed PyTorch: --minutes N")
    commands.add_parser("lock", help="write lock.json anew")
    given, arguments = parser.parse_known_args()
    if arguments and given.command not in ("test", "fuzz"):
        parser.error(f"unknown arguments: {' '.join(arguments)}")
    return given, arguments


def run(given: argparse.Namespace, arguments: list[str]) -> None:
    if given.command == "lock":
        relock.renew()
    elif given.command == "test":
        testing.check_names(given.sections)
        if not testing.run(given.sections, arguments):
            raise Failure("not everything passed")
    elif given.command == "bench":
        bench.run(given.what, given.runs)
    elif given.command == "fuzz":
        testing.fuzz(arguments)
    else:
        base_path = given.base_path if given.command == "build" else ""
        assemble.build(kind="cut" if given.plain else "snapshot", base_path=base_path)
        if given.command == "build" and given.single_file:
            path = places.DIST / onefile.NAME
            say(f"{path} opens by double click ({path.stat().st_size / 1e6:.0f} MB)")
        if given.command == "serve":
            serve.serve(given.port)


if __name__ == "__main__":
    raise SystemExit(main())
