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

from builder import assemble, relock, serve, testing  # noqa: E402
from builder.places import Failure, warn  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="build.py")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="build dist/ and serve it")
    serving.add_argument("--port", type=int, default=8000)
    building = commands.add_parser("build", help="build dist/")
    for command in (serving, building):
        command.add_argument("--plain", action="store_true", help="without the snapshot: quicker")
    commands.add_parser("lock", help="write lock.json anew")
    tests = commands.add_parser("test", help="run every test, or some sections of them")
    tests.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(testing.SECTIONS))
    given, arguments = parser.parse_known_args()
    if arguments and given.command != "test":
        parser.error(f"unknown arguments: {' '.join(arguments)}")
    try:
        if given.command == "lock":
            relock.renew()
        elif given.command == "test":
            testing.check_names(given.sections)
            return 0 if testing.run(given.sections, arguments) else 1
        else:
            assemble.build(plain=given.plain)
        if given.command == "serve":
            serve.serve(given.port)
    except Failure as error:
        warn(f"build.py: {error}")
        return 1
    except KeyboardInterrupt:
        warn("build.py: stopped; dist/ is as it was")
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
