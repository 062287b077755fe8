"""Times the first drawing and a step at 30, 200 and 1,000 nodes: `build.py bench steps`."""

from __future__ import annotations

import json
import sys

from playwright.sync_api import sync_playwright

from tests.bench.page import FLAGS, PATIENCE

NODES = (30, 200, 1000)
TARGETS = {30: (1000, 50), 200: (1000, 100), 1000: (1000, 100)}  # ms: first drawing, a step
STEPS = 20
RUN = """async (text) => {
  const { playground } = window;
  playground.setCode(text);
  performance.clearMarks();
  const { steps, error } = await playground.run();
  if (error) throw new Error(error.message);
  return [performance.now() - performance.getEntriesByName("trace").at(-1).startTime, steps];
}"""
STEP = """async ([first, count]) => {
  const times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await window.playground.goto(first + i);
    times.push(performance.now() - began);
  }
  return times;
}"""


def program(nodes: int) -> str:
    """A chain of named operations, which nothing folds before there are too many."""
    lines = ["import torch", "x = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)"]
    last = "x"
    for i in range(nodes - 2):
        change = f"torch.tanh({last})" if i % 2 else f"{last} * 1.5"
        lines.append(f"h{i} = {change}")
        last = f"h{i}"
    return "\n".join([*lines, f"z = {last}.sum()", "z.backward()"])


def measured(address: str, browser_path: str, runs: int) -> dict[int, list[tuple[float, float]]]:
    """For every size, per run: the first drawing, and the median of steps in mid backward."""
    found: dict[int, list[tuple[float, float]]] = {nodes: [] for nodes in NODES}
    with (
        sync_playwright() as play,
        play.chromium.launch(executable_path=browser_path, args=FLAGS) as browser,
        browser.new_context(viewport={"width": 1440, "height": 900}) as context,
    ):
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address)
        page.evaluate("window.playground.ready.then(() => null)")
        for _ in range(runs):
            for nodes in NODES:
                drawn, steps = page.evaluate(RUN, program(nodes))
                times = sorted(page.evaluate(STEP, [int(steps * 0.7), STEPS]))
                found[nodes].append((drawn, times[len(times) // 2]))
    return found


def main() -> None:
    """Print a table; the best run says most on a machine others use as well."""
    given = json.loads(sys.argv[1])
    found = measured(given["address"], given["browser"], given["runs"])
    print(f"Time to paint in ms, best and median of {given['runs']}, target; ratio to 30 nodes")
    base = [min(column) for column in zip(*found[NODES[0]], strict=True)]
    for nodes, rows in found.items():
        for k, what in enumerate(("first drawing", "step")):
            times = sorted(row[k] for row in rows)
            ratio, target = times[0] / base[k], TARGETS[nodes][k]
            middle = times[len(times) // 2]
            numbers = f"{times[0]:7.0f} {middle:7.0f}  ≤ {target:4d}  ×{ratio:.2f}"
            print(f"{nodes:5d} nodes  {what:14} {numbers}")


if __name__ == "__main__":
    main()
