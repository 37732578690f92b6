# SPDX-License-Identifier: Apache-2.0
"""What the lab is for: each scenario is a file with NAME, TITLE and `run(lab)`, which returns an Outcome or raises.

A scenario begins and ends with a lab that is ready: all agents run, all reals are up, the router uses all directors.
"""
from . import agent_crash, announce, broken_tunnel, director_death, move, reload, server_death, spread
from . import any_port, bulk, datagrams, fragments, mss, path_mtu, ping, quic, real_setup, spreading, traceroute
from . import tunnel_mtu, tunnel_path_mtu
from ..place import UsageError

OF = {  # name of the topology → the scenarios for a lab made from it, in their order
    "topology": (announce, spread, move, server_death, broken_tunnel, agent_crash, director_death, reload),
    "packets": (
        datagrams, quic, any_port, fragments, ping, traceroute, bulk, path_mtu, tunnel_path_mtu, mss, tunnel_mtu, spreading,
        real_setup,
    ),
}
NAMES = [scenario.NAME for scenarios in OF.values() for scenario in scenarios]


def named(name, topology):
    """The scenario of that name, if it is one for this topology."""
    for scenario in OF[topology]:
        if scenario.NAME == name:
            return scenario
    there_are = ", ".join(scenario.NAME for scenario in OF[topology])
    raise UsageError(f"{name} needs a lab of another topology; for one made from {topology}.json there are {there_are}")
