"""Runs inside Pyodide before its memory is kept.

What both workers need is imported and used once, then the interface is built.

Input: {lazy: modules no import statement names, programs: name → text}.
"""

import importlib
import json
import pkgutil

for name in given["lazy"]:  # noqa: F821
    importlib.import_module(name)

import playground.late  # noqa: E402
from playground import app, session  # noqa: E402

sizes = {"layout": "desktop", "graph": {"width": 800, "height": 500}}
sizes |= {name: {"width": 800, "height": 160} for name in ("timeline", "ledger")}
surroundings = json.dumps({"language": "en", "theme": "light", "viewport": sizes})
app.start(lambda _text: None, surroundings)
# All programs are run, so that no module and no form of an operation is missing; what the interface
# makes of one is enough, as each leaves its traces in memory that is sent to everybody.
for number, text in enumerate(given["programs"].values()):  # noqa: F821
    message = {"type": "run", "id": number, "source": text, "seed": 0, "budgets": None}
    answer = session.handle(json.dumps(message))
    if number == 0:
        trace = json.loads(answer)["trace"]
        app.receive(json.dumps({"type": "trace", "id": number, "trace": trace, "keep": False}))
        app.receive(json.dumps({"type": "goto", "id": number, "step": 2}))
for module in pkgutil.walk_packages(playground.__path__, "playground."):
    importlib.import_module(module.name)
del trace, answer, message
app.draw_ahead(surroundings)
del app, session
