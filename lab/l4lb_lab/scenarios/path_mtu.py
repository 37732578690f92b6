# SPDX-License-Identifier: Apache-2.0
"""
The link to the client shrinks while it downloads. The router tells the VIP; whichever director gets that, also one that never
saw the flow, the real that sends must hear of it, and no other.
"""
import contextlib
import time

from .. import packets, steering, traffic
from ..outcome import Outcome
from ..place import LabError
from ..slowness import pace

NAME = "path-mtu"
TITLE = "the client's link shrinks: the real hears of it by either director, the download goes on"
SMALL, USUAL = 1400, 1500
SIZE, SECONDS = 4_000_000, 6


def run(lab):
    carrier = lab.directors[0]
    parts = []
    for told in lab.directors:
        with steering.clients_by(lab, carrier), steering.errors_by(lab, told):
            reals = _shrink(lab)
        parts.append(f"flows by {carrier.name}, errors by {told.name}: {' and '.join(reals)} learned {SMALL}")
    return Outcome("; ".join(parts), 2 * len(lab.directors), 0, facts={"learned": SMALL, "downloads": 2 * len(lab.directors)})


def _shrink(lab):
    """The reals that served IPv4 and IPv6."""
    link = lab.topology.link(lab.client.name).router.name
    packets.forget_paths(*lab.reals)
    try:
        with contextlib.ExitStack() as stack:
            start = time.monotonic()
            running = [
                stack.enter_context(traffic.download(lab.client, lab.service, vip, SIZE, SECONDS)) for vip in lab.service.vips
            ]
            lab.router.ip("link", "set", link, "mtu", SMALL)
            if time.monotonic() - start > pace(SECONDS) - 1:
                raise LabError("this machine is too slow today: the downloads were nearly over when the link shrank")
            results = [download.whole(SECONDS + 10) for download in running]
        for family, result in zip((4, 6), results):
            _only_it_learned(lab, family, result["real"])
    finally:
        lab.router.ip("link", "set", link, "mtu", USUAL)
        packets.forget_paths(*lab.reals)
    return [result["real"] for result in results]


def _only_it_learned(lab, family, server):
    client, vip = lab.topology.address(lab.client.name, family), lab.service.vip(family)
    learned = {real.name: packets.path_mtu(real, client, vip) for real in lab.reals}
    if learned != {real.name: SMALL if real.name == server else None for real in lab.reals}:
        raise LabError(f"{server} serves the download of {vip}; path MTUs that the reals learned: {learned}")
