# SPDX-License-Identifier: Apache-2.0
"""Directors with other settings for a while."""
import contextlib

from .command import wait_until
from .place import LabError


@contextlib.contextmanager
def changed(lab, by_director=None, **xdp):
    """
    All agents run with these keys of [xdp], underscores for hyphens, then again with the usual ones. `by_director`: further
    keys, by the director's name. They are killed, not stopped: what they announced stays, and the next one takes over the
    dataplane as it is.
    """
    try:
        _restart(lab, {director.name: keys(director.name, xdp, by_director) for director in lab.directors})
        yield
    finally:
        _restart(lab, {})


def keys(director, xdp, by_director):
    """Pure: those of one director, as the configuration has them."""
    both = {**xdp, **(by_director or {}).get(director, {})}
    return {key.replace("_", "-"): value for key, value in both.items()}


def _restart(lab, xdp):
    programs = {director: director.installed() for director in lab.directors}
    for director in lab.directors:
        lab.configure(director, xdp=xdp.get(director.name))
        director.crash()
        director.start()
    for director, before in programs.items():
        wait_until(lambda d=director, b=before: _replaced(d, b), f"the new agent's XDP program on {director.name}", 30, 0.1)
    lab.wait_ready()


def _replaced(director, program):
    if not director.host.pid("agent"):
        raise LabError(f"{director.name}: the agent with other settings ended; see {director.host.log('agent')}")
    return director.installed() != program
