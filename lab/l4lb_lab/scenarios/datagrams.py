# SPDX-License-Identifier: Apache-2.0
"""UDP requests and replies: a flow has one real, a client of a service with the 3-tuple key has one for all its flows."""
from collections import Counter

from .. import packets
from ..outcome import Outcome
from ..place import LabError

NAME = "datagrams"
TITLE = "UDP flows keep their real; with the 3-tuple key a client does"
PORTS = range(40000, 40040)
ROUNDS = 2


def run(lab):
    asked, parts = 0, []
    for vip in lab.service.vips:
        by_port = _reals(lab, "datagrams", vip)
        moved = [port for port, reals in by_port.items() if len(reals) != 1]
        if moved:
            raise LabError(f"{vip}: flows from ports {moved} went to several reals")
        spread = Counter(real for reals in by_port.values() for real in reals)
        if len(spread) < 2:
            raise LabError(f"{vip}: {len(PORTS)} flows all went to {', '.join(spread)}")
        sticky = set().union(*_reals(lab, "sticky", vip).values())
        if len(sticky) != 1:
            raise LabError(f"{vip}: one client had {', '.join(sorted(sticky))} of a service with the 3-tuple key")
        asked += 2 * len(PORTS) * ROUNDS
        parts.append(f"{vip} {'/'.join(str(spread[real.name]) for real in lab.reals)}, 3-tuple only {sticky.pop()}")
    return Outcome(f"{asked} of {asked} answered; flows by real: {'; '.join(parts)}", asked, facts={"asked": asked, "reals-of-a-flow": 1})


def _reals(lab, name, vip):
    """Client's port → the reals that answered it."""
    service = lab.topology.service(name)
    requests = [{"to": [vip, service.port], "from": ["", port], "size": 100} for _ in range(ROUNDS) for port in PORTS]
    found = {}
    for request, reply in zip(requests, packets.replies(lab.client, requests)):
        found.setdefault(request["from"][1], set()).add(reply["real"])
    return found
