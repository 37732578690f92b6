# SPDX-License-Identifier: Apache-2.0
"""A real's weight is set to 0 by a reload: what it serves goes on to its end, and nothing new comes to it."""
import contextlib

from .. import edits, traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "drain"
TITLE = "a real with weight 0 keeps its flows and gets no new ones"
REQUESTS = 120
SECONDS = 15  # of the downloads: all of the draining has to happen meanwhile


def run(lab):
    with contextlib.ExitStack() as stack:
        downloads = {
            vip: stack.enter_context(traffic.download(lab.client, lab.service, vip, seconds=SECONDS)) for vip in lab.service.vips
        }
        serving = {vip: _server(lab, download.flow[1]) for vip, download in downloads.items()}
        number = lab.service.reals.index(serving[lab.service.vip(4)])
        real = lab.service.reals[number]
        with edits.edited(lab, lambda text: edits.with_weight(text, number, 0)):
            address = lab.topology.real_addresses(lab.service)[number]
            wait_until(lambda: _drained(lab, address), f"{real} to get no new flows", 15, 0.1)
            after = traffic.ask(lab.client, lab.service, REQUESTS)
            unfinished = [download for download in downloads.values() if download.process.poll() is None]
            results = {vip: download.whole() for vip, download in downloads.items()}
    lab.wait_ready()
    after.none_lost(f"with {real} drained")
    _check(real, after, unfinished, results, serving)
    back = traffic.ask(lab.client, lab.service, REQUESTS)
    back.none_lost(f"with {real} back")
    line = (
        f"{real} drained: 0 of {len(after)} new requests came to it, none failed, and its download was whole; with its weight "
        f"back it answered {back.by_real()[real]} of {len(back)}"
    )
    facts = {"new-on-drained": after.by_real()[real], "whole": len(results), "back": back.by_real()[real] > 0}
    return Outcome(line, len(after) + len(back), 0, facts=facts)


def _server(lab, port):
    """The real that has a connection with the client's port."""

    def found():
        selector = ["state", "established", "dport", "=", f":{port}"]
        return next((real.name for real in lab.reals if real.run(["ss", "-Htn", *selector]).stdout.strip()), None)

    return wait_until(found, f"a real with a connection of the client's port {port}", 10)


def _drained(lab, address):
    return not any(director.shares(lab.service.name)[address] for director in lab.directors)


def _check(real, after, unfinished, results, serving):
    if not unfinished:
        raise LabError("this machine is too slow today: the downloads were over before the requests were")
    if after.by_real()[real]:
        raise LabError(f"{real} has weight 0 and answered {after.by_real()[real]} of {len(after)} new requests")
    for vip, result in results.items():
        if result["real"] != serving[vip]:
            raise LabError(f"the download of {vip} began at {serving[vip]} and ended at {result['real']}")
