# SPDX-License-Identifier: Apache-2.0
"""The router's kernel has every VIP over every director."""
import json

from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "announce"
TITLE = "both directors announce"


def run(lab):
    wait_until(lab.announced_by_all, "the router to use all directors", 30)
    for director in lab.directors:
        sessions = json.loads(director.shown("status", "-o", "json"))["bgp"]["neighbors"]
        down = [session["address"] for session in sessions if session["state"] != "up"]
        if down or len(sessions) != 2:
            raise LabError(f"{director.name}: {len(sessions)} BGP sessions, not up: {', '.join(down) or 'none'}")
        if not director.service(lab.service.name)["announced"]:
            raise LabError(f"{director.name} says that it does not announce {lab.service.name}")
    ways = [f"{lab.service.vip(family)} via {', '.join(lab.next_hops(family))}" for family in (4, 6)]
    hops = {f"next-hops-v{family}": len(lab.next_hops(family)) for family in (4, 6)}
    return Outcome("; ".join(ways), figures=hops, facts=hops)
