"""Runs inside Pyodide: does once what a worker does, and says which files that took.

Input: {role: "runner" | "interface", site: where packages are, programs: name → text, traces,
lazy: modules no import statement names}.
The result: {modules, data, traces}; modules are archive entries of site packages and of the
standard library alike, data are other files that were opened.
"""

import importlib
import json
import sys

role, site = given["role"], given["site"]  # noqa: F821
opened = set()


def watch(event, args):
    if event == "open" and isinstance(args[0], str) and args[0].startswith(site):
        opened.add(args[0])


def imported():
    """Yield the archive entry of every module that is loaded now."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        for root in (site + "/", "/lib/python312.zip/"):
            if file.startswith(root):
                yield file[len(root) :]


def run_programs():
    """Run every example program, and what programs reach without an import statement."""
    for name in given["lazy"]:  # noqa: F821
        importlib.import_module(name)
    from playground import session

    answers = []
    for name, text in given["programs"].items():  # noqa: F821
        message = {"type": "run", "id": name, "source": text, "seed": 0, "budgets": None}
        answers.append(json.loads(session.handle(json.dumps(message)))["trace"])
    return answers


def show_traces():
    """Open the interface and walk through each trace as a learner would."""
    from playground import app

    sizes = {"layout": "desktop", "graph": {"width": 800, "height": 500}}
    sizes |= {name: {"width": 800, "height": 160} for name in ("timeline", "ledger")}
    surroundings = {"language": "en", "theme": "light", "viewport": sizes}
    sent = []
    app.start(sent.append, json.dumps(surroundings))
    for number, trace in enumerate(given["traces"]):  # noqa: F821
        app.receive(json.dumps({"type": "trace", "id": number, "trace": trace, "keep": False}))
        for step in (0, 1, 2):
            app.receive(json.dumps({"type": "goto", "id": 0, "step": step}))
    app.receive(json.dumps({"type": "language", "id": 0, "language": "zh"}))
    app.receive(json.dumps({"type": "theme", "id": 0, "theme": "dark"}))
    return []


sys.addaudithook(watch)
traces = run_programs() if role == "runner" else show_traces()
result = {
    "modules": sorted(set(imported())),
    "data": sorted(path[len(site) + 1 :] for path in opened if not path.endswith((".pyc", ".so"))),
    "traces": traces,
}
