# SPDX-License-Identifier: Apache-2.0
"""A director dies with all that runs on it: the router sends its flows to the other one, which knows where they belong."""
import contextlib
import time

from .. import routes, traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "director-death"
TITLE = "a director dies: its traffic moves, a download completes"
RATE = 100
AFTER = 2  # seconds of load once the router has changed


def run(lab):
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(routes.monitor(lab.router))
        flows = stack.enter_context(traffic.flows(lab.router, lab.client, lab.service))
        load = stack.enter_context(traffic.load(lab.client, lab.service, rate=RATE))
        download = stack.enter_context(traffic.download(lab.client, lab.service, lab.service.vip(4)))
        carrier = wait_until(lambda: flows.way(download.flow), "packets of the download", 10)
        director = next(d for d in lab.directors if d.name == carrier)
        stack.callback(_revive, lab, director)
        died = time.monotonic()
        _die(lab, director)
        changed = {family: _gone(lab, director, family, watch, died) for family in (4, 6)}
        time.sleep(AFTER)
        requests = load.stop()
        result = download.whole()
        way = flows.way(download.flow)
    if way == director.name:
        raise LabError(f"the download went on by {way}, which is dead")
    lab.wait_ready()
    requests.none_lost(f"around the death of {director.name}")
    line = (
        f"{director.name}: the router changed after {changed[4]:.3f} s (v4) and {changed[6]:.3f} s (v6); the download went "
        f"on by {way}, {result['bytes']:,} bytes right; 0 of {len(requests)} requests failed, "
        f"the slowest took {requests.slowest:.2f} s"
    )
    figures = {f"router-change-v{family}-s": round(seconds, 3) for family, seconds in changed.items()}
    return Outcome(line, len(requests), 0, figures | {"slowest-s": round(requests.slowest, 3)}, {"download-bytes": result["bytes"]})


def _die(lab, director):
    """All at once, as when the power goes."""
    director.kill_speaker()
    director.crash()
    director.host.ip("link", "set", lab.topology.link(director.name).host.name, "down")


def _revive(lab, director):
    director.host.apply_role()  # addresses and routes went with the link
    director.start()


def _gone(lab, director, family, watch, died):
    """Seconds from the death until the router's kernel had the VIP without this director."""
    vip, address = lab.service.vip(family), lab.topology.address(director.name, family)
    wait_until(lambda: address not in lab.next_hops(family), f"the router to drop {director.name}", 30)
    times = wait_until(lambda: [t for t, _ in watch.changes(vip, died)], f"the router's change of {vip}", 5)
    return times[0] - died
