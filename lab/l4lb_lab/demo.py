# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios in a lab that is up, and prints what was measured."""
import json
import sys
import time
from pathlib import Path

from . import scenarios
from .place import LabError

_FIGURES = (  # what the table's last column shows of a scenario
    ("removal-s", "server death to removal", "s"),
    ("noticed-s", "tunnel break to removal", "s"),
    ("ready-again-s", "agent start to ready", "s"),
    ("router-change-v4-s", "director death to router's change, v4", "s"),
    ("router-change-v6-s", "v6", "s"),
    ("slowest-s", "slowest request", "s"),
)

READY = 90  # seconds that a lab has to get ready for a scenario
READY_AGAIN = 5  # where it was not before


def run_one(lab, options):
    scenario = scenarios.named(options.scenario, lab.topology.name, lab.dataplane)
    lab.wait_ready()
    outcome = scenario.run(lab)
    print(f"{scenario.TITLE}: {outcome.line}")
    print(json.dumps(outcome.figures, indent=2))


def run_all(lab, options):
    """All of the lab's topology, in order. Those that come after a failure still run if the lab gets ready again, soon."""
    steps = []
    known = {step["name"] for file in options.but for step in json.loads(Path(file).read_text())["steps"]}
    wanted = [scenario for scenario in scenarios.of(lab.topology.name, lab.dataplane) if scenario.NAME not in known]
    for number, scenario in enumerate(wanted, 1):
        steps.append(_step(lab, number, scenario, READY if all(step["ready"] for step in steps) else READY_AGAIN))
    passed = sum(step["ok"] for step in steps)
    print()
    _print_table(steps)
    print()
    if options.json:
        Path(options.json).write_text(json.dumps({"dataplane": lab.dataplane, "steps": steps}, indent=2) + "\n")
    if passed < len(steps):
        print(lab.last_words(), file=sys.stderr)
    print(f"{passed} passed, {len(steps) - passed} failed", flush=True)
    return 0 if passed == len(steps) else 1


def _step(lab, number, scenario, seconds):
    step = {"name": scenario.NAME, "title": scenario.TITLE, "ok": False, "ready": False, "requests": 0, "lost": 0, "figures": {}, "facts": {}}
    start = time.monotonic()
    try:
        lab.wait_ready(seconds)
        step["ready"] = True
        outcome = scenario.run(lab)
        step |= {"ok": True, "line": outcome.line, "figures": outcome.figures, "facts": outcome.facts}
        step |= {"requests": outcome.requests, "lost": outcome.lost}
    except (LabError, KeyError, ValueError) as e:
        step["line"] = str(e) if isinstance(e, LabError) else f"{type(e).__name__}: {e}"
    step["seconds"] = round(time.monotonic() - start, 1)
    print(f"{'ok  ' if step['ok'] else 'FAIL'} {number}. {scenario.TITLE}: {step['line']}", flush=True)
    return step


def _print_table(steps):
    rows = [("step", "took", "requests", "lost", "measured")]
    for step in steps:
        if step["ok"]:
            rows.append((step["name"], f"{step['seconds']} s", str(step["requests"]), str(step["lost"]), _measured(step)))
        else:
            rows.append((step["name"], f"{step['seconds']} s", "-", "-", "failed"))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in (1, 2, 3)), row[4]]
        print("  ".join(cells).rstrip())


def _measured(step):
    figures = step["figures"]
    return ", ".join(f"{text} {figures[name]:g} {unit}" for name, text, unit in _FIGURES if name in figures)
