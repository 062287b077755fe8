#!/usr/bin/env python3
"""serve · build · test · bench · fuzz · lock: everything this project is made with, on plain Python 3.10.

`python3 build.py serve` builds the page and serves it; `python3 build.py test` runs every test.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "web"))
sys.dont_write_bytecode = True

from builder import assemble, relock, serve  # noqa: E402
from builder.places import Failure, warn  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prog="build.py")
    commands = parser.add_subparsers(dest="command", required=True)
    serving = commands.add_parser("serve", help="build dist/ and serve it")
    serving.add_argument("--port", type=int, default=8000)
    commands.add_parser("build", help="build dist/")
    commands.add_parser("lock", help="write lock.json anew")
    given = parser.parse_args()
    if sys.version_info < (3, 10):
        warn("Python 3.10 or newer is needed.")
        return 1
    try:
        if given.command == "lock":
            relock.renew()
        else:
            assemble.build()
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
