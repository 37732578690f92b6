# SPDX-License-Identifier: Apache-2.0
"""An agent is killed under load: the dataplane goes on without it, and the next agent takes it over as it is."""
import contextlib
import time

from .. import routes, traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "agent-crash"
TITLE = "kill -9 of an agent under load loses nothing"
RATE = 100
WITHOUT_AGENT = 3  # seconds
AFTER_RESTART = 2


def run(lab):
    with contextlib.ExitStack() as stack:
        watch = stack.enter_context(routes.monitor(lab.router))
        flows = stack.enter_context(traffic.flows(lab.router, lab.client, lab.service))
        load = stack.enter_context(traffic.load(lab.client, lab.service, rate=RATE))
        download = stack.enter_context(
            traffic.download(lab.client, lab.service, lab.service.vip(4), size=20_000_000, seconds=20)
        )
        carrier = wait_until(lambda: flows.way(download.flow), "packets of the download", 10)
        director = next(d for d in lab.directors if d.name == carrier)
        before = director.installed()
        stack.callback(director.start)
        director.crash()
        killed = time.monotonic()
        time.sleep(WITHOUT_AGENT)
        without = director.installed()
        started = time.monotonic()
        director.start()
        status = wait_until(director.answers, f"the agent on {director.name}", 60, 0.1)
        lab.wait_ready()
        back = time.monotonic() - started
        time.sleep(AFTER_RESTART)
        after = director.installed()
        result = download.whole()
        requests = load.stop()
        changes = [line for vip in lab.service.vips for _, line in watch.changes(vip, killed)]
    requests.none_lost(f"around kill -9 of the agent on {director.name}")
    _check(director, before, without, after, changes, status)
    line = (
        f"{director.name}: 0 of {len(requests)} requests failed, {WITHOUT_AGENT} s without agent, ready again {back:.1f} s "
        f"after its start; {_shown(before, after)}; its download from {result['real']} is whole; no route changed"
    )
    figures = {"slowest-s": round(requests.slowest, 3), "ready-again-s": round(back, 3)}
    return Outcome(line, len(requests), 0, figures, {"without-agent-s": WITHOUT_AGENT, "route-changes": len(changes)})


def _shown(before, after):
    return f"{before} → {after}" if after != before else f"{after}, as before"


def _check(director, before, without, after, changes, status):
    if not before or without != before or not director.kept(before, after):
        raise LabError(f"{director.name}: {before or 'nothing'}, then {without or 'nothing'} without agent, then {after or 'nothing'}")
    if changes:
        raise LabError(f"the router changed its routes: {changes[0]}")
    if not status["dataplane"].get("adopted", True):
        raise LabError(f"{director.name}: the new agent did not adopt the dataplane")
