# SPDX-License-Identifier: Apache-2.0
"""
The way from the directors to the reals shrinks and nobody tells the agents. The router says to the outer source, a director,
which tunnel packets are too big; the VIP says so to the client.
"""
import json

from .. import narrowing, packets, settings
from ..outcome import Outcome
from ..place import LabError

NAME = "tunnel-path-mtu"
TITLE = "the way to the reals shrinks: the VIP passes on what the router says, uploads go on"
ON = ("xdp",)
RELAYED = "answer-path-mtu"


def run(lab):
    verdicts = packets.Verdicts(lab)
    learned = [narrowing.go_on(lab, name) for name in narrowing.OVERHEAD]
    uploads = len(learned) * len(lab.service.vips)
    relayed = verdicts.wait(RELAYED, uploads)
    _shown_by_stats(lab)
    with settings.changed(lab, too_big_answers=False):
        verdicts = packets.Verdicts(lab)
        stalled = narrowing.stall(lab, lab.service.name)
        if sum(verdicts.since(RELAYED).values()):
            raise LabError("the directors passed on what the router said, though that is off")
    line = (
        f"{uploads} uploads whole, from {narrowing.USUAL} to {narrowing.NARROW} on their way; path MTU then "
        f"{'/'.join(map(str, learned))} by IP in IP and GUE over IPv4 and IPv6, by {relayed} answers; without them {stalled} of "
        f"{stalled} stall"
    )
    return Outcome(line, uploads, 0, {RELAYED: relayed})


def _shown_by_stats(lab):
    """What the operator sees: `l4lb stats`."""
    shown = [_packets(director.command("stats", "-o", "json").stdout) for director in lab.directors]
    if not sum(shown):
        raise LabError(f"l4lb stats shows no {RELAYED}")


def _packets(text):
    return next(row["packets"] for row in json.loads(text)["verdicts"] if row["verdict"] == RELAYED)
