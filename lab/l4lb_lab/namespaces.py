# SPDX-License-Identifier: Apache-2.0
"""Hosts as network namespaces of this machine, links as veth pairs. Nothing is made in the root namespace."""
import contextlib
import os
import re
import shutil
import signal
from pathlib import Path

from .command import run, wait_until
from .place import LabError


def exists(namespace):
    return (Path("/run/netns") / namespace).exists()


def make(place, topology):
    for host in topology.hosts:
        run(["ip", "netns", "add", place.namespace(host.name)])
    for link in topology.links:
        a, b = link.router, link.host
        run(["ip", "link", "add", a.name, "netns", place.namespace(a.host), "type", "veth",
             "peer", "name", b.name, "netns", place.namespace(b.host)])


@contextlib.contextmanager
def another(place, name):
    """One more for a while, where nothing is but a loopback interface; what is yielded runs commands in it."""
    namespace = place.namespace(name)
    run(["ip", "netns", "add", namespace])
    try:
        run(["ip", "-n", namespace, "link", "set", "lo", "up"])
        yield lambda argv, **options: run(["ip", "netns", "exec", namespace, *argv], **options)
    finally:
        run(["ip", "netns", "delete", namespace])


def make_state(place, topology, dataplane):
    place.root.mkdir(mode=0o755)
    place.marker.touch()
    place.topology.write_text(topology.name)
    place.dataplane.write_text(dataplane)
    for host in topology.hosts:
        place.host(host.name).mkdir()
    for host in topology.role("director") + topology.role("real"):
        place.bpf(host.name).mkdir()
        run(["mount", "-t", "bpf", "bpf", place.bpf(host.name)])


def pids(namespace):
    """Processes of this machine that are inside it."""
    return [int(pid) for pid in run(["ip", "netns", "pids", namespace], check=False).stdout.split()]


def remove(place, topology):
    """Ends what runs in the lab's namespaces, then removes them, the mounts and the state; whatever of it there is."""
    ours = [place.namespace(host.name) for host in topology.hosts if exists(place.namespace(host.name))]
    for namespace in ours:
        _end_processes(namespace)
    for namespace in ours:
        run(["ip", "netns", "delete", namespace])
    _remove_state(place)


def _end_processes(namespace):
    def none_left():
        left = [pid for pid in pids(namespace) if pid != os.getpid()]
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return not left

    wait_until(none_left, f"the end of the processes in {namespace}", 10)


def _remove_state(place):
    if not place.root.exists():
        return
    if not place.marker.exists() and any(place.root.iterdir()):
        raise LabError(f"{place.root} was not made by the lab: it is left alone")
    for mount in reversed(_mounts_under(place.root)):
        run(["umount", mount])
    shutil.rmtree(place.root)


def _mounts_under(directory):
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    points = [re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), line.split()[4]) for line in lines]
    return [point for point in points if point.startswith(f"{directory}/")]
