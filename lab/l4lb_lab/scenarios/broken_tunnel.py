# SPDX-License-Identifier: Apache-2.0
"""
A real whose server is fine but whose tunnel is broken must be seen as down: probes go the way that traffic goes.
`l4lb real setup`, run again, mends it.
"""
import time

from .. import traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "broken-tunnel"
TITLE = "a broken tunnel marks a real down"
REQUESTS_AFTER = 300


def run(lab):
    real = lab.reals[0]
    address = lab.topology.address(real.name, 4)
    try:
        broken = time.monotonic()
        real.apply_role("close-tunnels")
        reasons = wait_until(lambda: _reasons_down(lab, address), f"{real.name} to be down on all directors", 30, 0)
        noticed = time.monotonic() - broken
        local = [_answers_locally(real, vip) for vip in lab.service.vips]
        after = traffic.ask(lab.client, lab.service, REQUESTS_AFTER)
        after.none_lost(f"with the tunnel of {real.name} broken")
    finally:
        real.apply_role("setup")
    lab.wait_ready()
    line = (
        f"{real.name} down after {noticed:.2f} s ({reasons[0]}), while its server answers {' and '.join(local)} locally; "
        f"0 of {len(after)} requests failed"
    )
    return Outcome(line, len(after), 0, {"noticed-s": round(noticed, 3)})


def _reasons_down(lab, address):
    """Why each director holds it for down; None while one does not."""
    reals = [director.real(lab.service.name, address) for director in lab.directors]
    shares = [director.shares(lab.service.name)[address] for director in lab.directors]
    if any(shares) or not all(real["health"] == "down" for real in reals):
        return None
    if not all(real["reason"] for real in reals):
        raise LabError(f"{address} is down without a reason")
    return [real["reason"] for real in reals]


def _answers_locally(real, vip):
    host = f"[{vip}]" if ":" in vip else vip
    said = real.run(["curl", "-s", "-m", "3", f"http://{host}/who"]).stdout.strip()
    if said != real.name:
        raise LabError(f"{real.name}: its own server answers {said!r} on {vip}")
    return vip
