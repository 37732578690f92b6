# SPDX-License-Identifier: Apache-2.0
"""The server of a real dies: the real leaves the table, and nobody is sent there any more; back again, it returns."""
import signal
import time

from .. import traffic
from ..command import wait_until
from ..lab import HTTP_SERVER
from ..outcome import Outcome
from ..place import LabError

NAME = "server-death"
TITLE = "a server dies: out of the table; restarted: back in"
RATE = 100
REQUESTS_AFTER = 300


def run(lab):
    real = lab.reals[-1]
    address = lab.topology.address(real.name, 4)
    try:
        with traffic.load(lab.client, lab.service, rate=RATE) as load:
            time.sleep(0.5)  # some load before, so that the failure has something to hit
            killed = time.monotonic()
            real.end(HTTP_SERVER, signal.SIGKILL)
            removed = wait_removed(lab, address, lab.service.name)
            time.sleep(1)
            during = load.stop()
        during.after(removed).none_lost(f"after {real.name} had left the table")
        after = traffic.ask(lab.client, lab.service, REQUESTS_AFTER)
        after.none_lost(f"with {real.name} out of the table")
        if after.by_real()[real.name]:
            raise LabError(f"{real.name} still answered {after.by_real()[real.name]} requests")
    finally:
        started = time.monotonic()
        lab.start_server(real)
    lab.wait_ready()
    back = time.monotonic() - started
    again = traffic.ask(lab.client, lab.service, REQUESTS_AFTER)
    again.none_lost(f"after {real.name} came back")
    if not again.by_real()[real.name]:
        raise LabError(f"{real.name} is up again but answered none of {len(again)} requests")
    return _outcome(lab, real, removed - killed, back, during, killed, removed, after, again)


def wait_removed(lab, address, service, seconds=30):
    """Until no director's table of the service names the real; returns when that was seen."""

    def gone():
        return all(not director.shares(service)[address] for director in lab.directors)

    wait_until(gone, f"{address} to leave the tables", seconds, 0)
    return time.monotonic()


def _outcome(lab, real, removal, back, during, killed, removed, after, again):
    check = lab.service.health_check
    failed_before = sum(1 for row in during.lost if killed <= row.start <= removed)
    counted = len(during.after(removed)) + len(after) + len(again)
    line = (
        f"{real.name} out on both directors {removal:.2f} s after kill -9 (fall {check['fall']} × {check['interval']}); "
        f"until then {failed_before} requests refused, after it 0 of {counted} failed; back in after {back:.1f} s"
    )
    figures = {"removal-s": round(removal, 3), "return-s": round(back, 3), "refused-before-removal": failed_before}
    return Outcome(line, counted, 0, figures)
