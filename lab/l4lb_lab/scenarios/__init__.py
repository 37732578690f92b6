# SPDX-License-Identifier: Apache-2.0
"""What the lab is for: each scenario is a file with NAME, TITLE and `run(lab)`, which returns an Outcome or raises.

A scenario begins and ends with a lab that is ready: all agents run, all reals are up, the router uses all directors.
"""
from . import agent_crash, announce, broken_tunnel, director_death, move, reload, server_death, spread

ALL = (announce, spread, move, server_death, broken_tunnel, agent_crash, director_death, reload)
