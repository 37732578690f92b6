# SPDX-License-Identifier: Apache-2.0
"""The way from the directors to the reals gets narrow under uploads. Nobody tells the directors' agents."""
import contextlib

from . import packets, traffic
from .place import LabError

USUAL, NARROW = 1500, 1400
OVERHEAD = {"web": 20, "gue": 28, "web6": 40, "gue6": 48}  # of a service's tunnels
SEGMENT = 1380  # a packet of it fits any of the tunnels at 1500, and none at 1400
STALLED = 2  # seconds without progress that are enough, since the first half takes none


@contextlib.contextmanager
def narrow(lab):
    """The links to the reals, at both ends: the router says what does not fit, and no real would take it."""
    try:
        _links_to_reals(lab, NARROW)
        yield
    finally:
        _links_to_reals(lab, USUAL)


def _links_to_reals(lab, mtu):
    for real in lab.reals:
        link = lab.topology.link(real.name)
        lab.router.ip("link", "set", link.router.name, "mtu", mtu)
        real.ip("link", "set", link.host.name, "mtu", mtu)


def go_on(lab, name):
    """
    Uploads to the service's VIPs, whose packets fill the usual tunnel when the way gets narrow, come to their end; returns the
    path MTU that the client has then, which is what the narrow tunnel leaves.
    """
    with _half_done(lab, name) as uploads:
        _client_learned(lab, name, USUAL - OVERHEAD[name])
        with narrow(lab):
            for upload in uploads:
                upload.whole()
            _client_learned(lab, name, NARROW - OVERHEAD[name])
    return NARROW - OVERHEAD[name]


def stall(lab, name):
    """
    Uploads whose packets fit the usual tunnel do not outlive that the way gets narrow; returns how many they were. Their
    segments are small from the start, so that until then they need nobody's answers.
    """
    with _half_done(lab, name, segment=SEGMENT, seconds=STALLED) as uploads, narrow(lab):
        for upload in uploads:
            if not upload.go_on()["error"]:
                raise LabError(f"{name}: an upload to {upload.vip} came through links of {NARROW}, though nobody told the client")
    return len(uploads)


@contextlib.contextmanager
def _half_done(lab, name, **options):
    """Uploads to all VIPs of the service."""
    service = lab.topology.service(name)
    packets.forget_paths(lab.client)
    try:
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(traffic.half_upload(lab.client, service, vip, **options)) for vip in service.vips]
    finally:
        packets.forget_paths(lab.client)


def _client_learned(lab, name, mtu):
    for family in (4, 6):
        vip = lab.topology.service(name).vip(family)
        learned = packets.path_mtu(lab.client, vip, lab.topology.address(lab.client.name, family))
        if learned != mtu:
            raise LabError(f"{name}: the client's path MTU to {vip} is {learned}, not {mtu}")
