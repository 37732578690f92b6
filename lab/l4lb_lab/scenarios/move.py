# SPDX-License-Identifier: Apache-2.0
"""A flow keeps its real whichever director carries it: it is moved to another director in mid-download."""
import contextlib

from .. import traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "move"
TITLE = "a download moves between directors and keeps its real"
SETTLED = 20  # packets of the flow that must be seen on each side of the move


def run(lab):
    families = (4, 6)
    with contextlib.ExitStack() as stack:
        flows = stack.enter_context(traffic.flows(lab.router, lab.client, lab.service))
        stack.callback(_enable_all, lab)
        downloads = {
            family: stack.enter_context(traffic.download(lab.client, lab.service, lab.service.vip(family)))
            for family in families
        }
        before = {family: _carrier(flows, downloads[family].flow) for family in families}
        for family in families:
            lab.bird.disable(before[family], family)
        after = {family: _carrier(flows, downloads[family].flow, but=before[family]) for family in families}
        results = {family: downloads[family].whole() for family in families}
        ways = {family: flows.ways()[downloads[family].flow] for family in families}
    lab.wait_ready()
    return _outcome(lab, results, ways, before, after)


def _outcome(lab, results, ways, before, after):
    parts, figures = [], {}
    for family, result in results.items():
        packets = ways[family]
        if [way for way, _ in packets] != [before[family], after[family]]:
            raise LabError(f"the download of {lab.service.vip(family)} went by {packets}")
        said = " then ".join(f"{way} ({count} packets)" for way, count in packets)
        parts.append(f"v{family} by {said}, {result['bytes']:,} bytes of {result['real']} right")
        figures[f"bytes-v{family}"] = result["bytes"]
    return Outcome("; ".join(parts), len(results), 0, figures, dict(figures))


def _carrier(flows, flow, but=None):
    """The director that carries the flow, once it has carried some packets of it."""

    def found():
        ways = flows.ways().get(flow)
        return ways[-1][0] if ways and ways[-1][0] != but and ways[-1][1] >= SETTLED else None

    return wait_until(found, f"packets of the flow to {flow[0]} from port {flow[1]}" + (f" elsewhere than by {but}" if but else ""), 20)


def _enable_all(lab):
    for director in lab.directors:
        for family in (4, 6):
            lab.bird.enable(director.name, family)
