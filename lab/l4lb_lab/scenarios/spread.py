# SPDX-License-Identifier: Apache-2.0
"""A thousand new connections are spread over the reals as the lookup table says."""
import math
from collections import Counter

from .. import traffic
from ..outcome import Outcome
from ..place import LabError

NAME = "spread"
TITLE = "1,000 requests, v4 and v6, spread as the table says"
REQUESTS = 1000
SIGMAS = 4  # beyond this an honest coin lands once in 16,000 times


def run(lab):
    tables = {director.table(lab.service.name) for director in lab.directors}
    if len(tables) != 1:
        raise LabError(f"the directors' tables differ: {'; '.join(sorted(tables))}")
    with traffic.flows(lab.router, lab.client, lab.service) as flows:
        requests = traffic.ask(lab.client, lab.service, REQUESTS)
        ways = Counter(way[0] for taken in flows.ways().values() for way in taken[:1])
    requests.none_lost("spread")
    if len(requests) != REQUESTS:
        raise LabError(f"{len(requests)} requests were made, not {REQUESTS}")
    share = shares(lab)
    parts = []
    for vip in lab.service.vips:
        counts = requests.of(vip).by_real()
        check(counts, share, vip)
        parts.append(f"{vip} " + "/".join(str(counts[real]) for real in share))
    table = "/".join(f"{100 * p:.1f}" for p in share.values())
    carried = ", ".join(f"{director} {count}" for director, count in sorted(ways.items()))
    if set(ways) != {director.name for director in lab.directors}:
        raise LabError(f"flows by director: {carried}: the router does not use all")
    line = f"answered by {'/'.join(share)}: {', '.join(parts)}; the table says {table} %; carried by {carried}"
    figures = {"by-real": dict(requests.by_real()), "table-shares": share, "slowest-s": round(requests.slowest, 3)}
    facts = {"asked": len(requests), "reals": len(requests.by_real()), "directors": len(ways), "table-shares-%": [
        round(100 * p) for p in share.values()]}
    return Outcome(line, len(requests), len(requests.lost), figures, facts)


def shares(lab):
    """Real's name → its share of the table."""
    names = dict(zip(lab.topology.real_addresses(lab.service), lab.service.reals))
    share = {names[address]: part for address, part in lab.directors[0].shares(lab.service.name).items()}
    if abs(sum(share.values()) - 1) > 1e-9:
        raise LabError(f"the shares of all reals make {sum(share.values()):.4f} of the table")
    return share


def check(counts, share, what):
    """Each count must be within SIGMAS standard deviations of the binomial distribution that the table implies."""
    total = sum(counts.values())
    for real, p in share.items():
        sigma = math.sqrt(total * p * (1 - p))
        if abs(counts[real] - total * p) > SIGMAS * sigma:
            raise LabError(
                f"{what}: {real} answered {counts[real]} of {total}; the table says {total * p:.0f} ± {SIGMAS * sigma:.0f}"
            )
