# SPDX-License-Identifier: Apache-2.0
"""The same scenarios on several dataplanes, side by side: what has to be equal is."""
import json
from pathlib import Path

from . import dataplanes, scenarios
from .place import LabError

FAILED = "failed"
MISSING = "missing"
PERCENT = "-%"  # how the names of facts end that are shares of a table
TOLERANCE = 2  # points: what tables of other sizes may differ by, as the scenarios have it


def main(files):
    """Prints the table; 0: no dataplane lacks a scenario, failed one, or has another fact."""
    results = read([json.loads(Path(file).read_text()) for file in files])
    rows = compare(results, scenarios.common())
    _print_table(rows)
    different = [name for name, _, problem in rows if problem]
    print(f"{len(rows) - len(different)} scenarios the same on {' and '.join(dataplanes.OF)}, {len(different)} not")
    return 1 if different or not rows else 0


def read(documents):
    """Pure: dataplane → name of the scenario → its step, of what lab/lab demo --json writes."""
    results = {name: {} for name in dataplanes.OF}
    for document in documents:
        if document.get("dataplane") not in results:
            raise LabError(f"a file for dataplane {document.get('dataplane')}; there are {', '.join(results)}")
        for step in document["steps"]:
            before = results[document["dataplane"]].setdefault(step["name"], step)
            if not step["ok"]:  # of two runs the worse one counts
                results[document["dataplane"]][step["name"]] = step
            elif before["ok"] and not _alike([before, step]):
                raise LabError(f"two runs of {step['name']} on {document['dataplane']}: {before['facts']}, {step['facts']}")
    return results


def compare(results, names):
    """Pure: [(scenario, what each dataplane has to show, what is wrong or ""), ...]"""
    rows = []
    for name in names:
        shown = {dataplane: _shown(steps.get(name)) for dataplane, steps in results.items()}
        problem = next((f"{word} on {d}" for word in (MISSING, FAILED) for d, text in shown.items() if text == word), "")
        if not problem and not _alike([steps[name] for steps in results.values()]):
            problem = "differs"
        rows.append((name, tuple(shown.values()), problem))
    return rows


def _alike(steps):
    first = steps[0]
    return all(
        step["lost"] == first["lost"]
        and step["facts"].keys() == first["facts"].keys()
        and all(_same(name, value, step["facts"][name]) for name, value in first["facts"].items())
        for step in steps[1:]
    )


def _same(name, one, other):
    if not name.endswith(PERCENT):
        return one == other
    ones, others = (value if isinstance(value, list) else [value] for value in (one, other))
    return len(ones) == len(others) and all(abs(a - b) <= TOLERANCE for a, b in zip(ones, others))


def _shown(step):
    if step is None:
        return MISSING
    if not step["ok"]:
        return FAILED
    return ", ".join([f"lost {step['lost']}", *(f"{name} {_text(value)}" for name, value in sorted(step["facts"].items()))])


def _text(value):
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)


def _print_table(rows):
    lines = [("scenario", *dataplanes.OF, "")]
    lines += [(name, *shown, problem or "same") for name, shown, problem in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
