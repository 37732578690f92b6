# SPDX-License-Identifier: Apache-2.0
"""What the lab is for: each scenario is a file with NAME, TITLE and `run(lab)`, which returns an Outcome or raises. One that is
only for some dataplanes says so in ON.

A scenario begins and ends with a lab that is ready: all agents run, all reals are up, the router uses all directors.
"""
from . import agent_crash, announce, broken_tunnel, datagrams_failover, director_death, drain, move, reload, server_death, spread
from . import ipvsadm_agrees, ipvsadm_restores
from . import check_types, wrong_check
from . import any_port, bulk, datagrams, fragments, mss, path_mtu, ping, quic, real_setup, spreading, traceroute
from . import tunnel_mtu, tunnel_path_mtu
from ..dataplanes import OF as DATAPLANES
from ..place import UsageError

DEMO = (announce, spread, move, server_death, broken_tunnel, agent_crash, director_death, reload)
OF = {  # name of the topology → the scenarios for a lab made from it, in their order
    "topology": DEMO,
    "dataplanes": (*DEMO, wrong_check, check_types, drain, path_mtu, datagrams, datagrams_failover, ipvsadm_agrees, ipvsadm_restores),
    "packets": (
        datagrams, quic, any_port, fragments, ping, traceroute, bulk, path_mtu, tunnel_path_mtu, mss, tunnel_mtu, spreading,
        real_setup,
    ),
}
NAMES = list(dict.fromkeys(scenario.NAME for scenarios in OF.values() for scenario in scenarios))
ON_ALL = ("topology", "dataplanes")  # the topologies whose scenarios are for all dataplanes, if they do not say otherwise


def of(topology, dataplane):
    """Those for such a lab."""
    if dataplane != "xdp" and topology not in ON_ALL:
        raise UsageError(f"the scenarios of {topology}.json are for dataplane xdp; on {dataplane} there are {', '.join(ON_ALL)}")
    return [scenario for scenario in OF[topology] if dataplane in _on(scenario)]


def common():
    """Names of those that all dataplanes have to pass alike."""
    return [scenario.NAME for scenario in OF["dataplanes"] if set(_on(scenario)) == set(DATAPLANES)]


def named(name, topology, dataplane):
    """The scenario of that name, if it is one for such a lab."""
    there = of(topology, dataplane)
    for scenario in there:
        if scenario.NAME == name:
            return scenario
    there_are = ", ".join(scenario.NAME for scenario in there)
    raise UsageError(f"{name} needs another lab; for one made from {topology}.json on {dataplane} there are {there_are}")


def _on(scenario):
    return getattr(scenario, "ON", tuple(DATAPLANES))
