# SPDX-License-Identifier: Apache-2.0
"""
An edit that makes every probe fail must not take the service away: when most reals fail at once, it is the probes that are not
believed, and the last good set goes on. The right edit ends it.
"""
from .. import edits, traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "wrong-check"
TITLE = "probes that all fail at once are not believed"
RATE = 50


def run(lab):
    before = [director.shares(lab.service.name) for director in lab.directors]
    with traffic.load(lab.client, lab.service, rate=RATE) as load:
        with edits.edited(lab, lambda text: edits.with_check(text, 0, type="http", path="/nothing")):
            said = wait_until(lambda: _frozen(lab, before), "all directors to go on with the last good set", 60)
            if not lab.announced_by_all():
                raise LabError(f"not all directors announce the VIPs: {lab.lacks()}")
        lab.wait_ready()
        requests = load.stop()
    requests.none_lost("while no probe succeeded")
    if any(_problem(lab, director) for director in lab.directors):
        raise LabError("the good edit did not end it")
    return Outcome(f"{said[0]}; 0 of {len(requests)} requests failed", len(requests), 0)


def _frozen(lab, shares):
    """What each director says of it, once all reals are down for all of them and have their shares again; None before."""
    said = [_problem(lab, director) for director in lab.directors]
    reals = [real for director in lab.directors for real in director.service(lab.service.name)["reals"]]
    down = all(real["health"] == "down" and real["reason"] == "HTTP 404" for real in reals)
    same = [director.shares(lab.service.name) for director in lab.directors] == shares
    return said if down and same and all("frozen" in problem for problem in said) else None


def _problem(lab, director):
    return director.service(lab.service.name)["problem"]
