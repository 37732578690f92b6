# SPDX-License-Identifier: Apache-2.0
"""
A real is torn down and set up again by `l4lb real`, too quickly for the directors to mind. Without it nothing of the first setup
is left, and nobody opens what comes through the tunnel; with it traffic passes as before.
"""
from .. import traffic
from ..outcome import Outcome
from ..place import LabError

NAME = "real-setup"
TITLE = "l4lb real teardown takes back what setup made; with setup again traffic passes"
ON = ("xdp",)
REQUESTS = 120


def run(lab):
    real = lab.reals[-1]
    before = _settings(lab, real)
    try:
        real.apply_role("teardown")
        left = _left(lab, real)
        after = _settings(lab, real)
    finally:
        real.apply_role("setup")
    if left or after == before:
        raise LabError(f"{real.name}: l4lb real teardown left {', '.join(left) or before}")
    if _settings(lab, real) != before:
        raise LabError(f"{real.name}: after l4lb real setup it has {_settings(lab, real)}, had {before}")
    answered = traffic.ask(lab.client, lab.service, REQUESTS)
    answered.none_lost(f"with {real.name} set up again")
    by_it = answered.by_real()[real.name]
    if not by_it:
        raise LabError(f"{real.name} is set up again but answered none of {REQUESTS} requests")
    return Outcome(f"{real.name}: {before} by setup, {after} without; set up again it answered {by_it} of {REQUESTS}", REQUESTS)


def _left(lab, real):
    """What there still is of the VIPs, of the record of the setup, and of the program's pins."""
    addresses = real.ip("-o", "address", "show", "dev", "lo").stdout
    left = [vip for vip in lab.topology.vips() if f" {vip}/" in addresses]
    return left + [str(path) for path in (lab.place.real_state(real.name), lab.place.real_pins(real.name)) if path.exists()]


def _settings(lab, real):
    names = [f"net.ipv4.conf.{lab.topology.link(real.name).host.name}.{name}" for name in ("arp_ignore", "arp_announce")]
    values = real.run(["sysctl", "-n", *names]).stdout.split()
    return "arp_ignore {}, arp_announce {}".format(*values)
