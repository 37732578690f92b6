# SPDX-License-Identifier: Apache-2.0
"""The router's kernel table: where a VIP leads to, and when that changed."""
import contextlib
import ipaddress
import json
import subprocess
import threading
import time


def next_hops(router, vip):
    """The gateways that the kernel uses for a VIP, sorted."""
    family = f"-{ipaddress.ip_address(vip).version}"
    hops = set()
    for route in json.loads(router.ip(family, "-j", "route", "show", vip).stdout or "[]"):
        for hop in route.get("nexthops", [route]):
            if not {"dead", "linkdown"} & set(hop.get("flags", [])):
                hops.add(hop.get("gateway") or hop.get("dev"))
    return sorted(hops)


class Monitor:
    """Notes each change of the router's table with the time at which it was seen."""

    def __init__(self, router):
        argv = router.enter(["stdbuf", "-oL", "ip", "monitor", "route"])
        self._process = subprocess.Popen(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self._changes = []
        self._reader = threading.Thread(target=self._read, name="route-monitor", daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            self._changes.append((time.monotonic(), line.strip()))

    def changes(self, vip, since=0.0):
        """[(time, line), ...] of the changes of this VIP's route; nexthop lines of a route follow its first line."""
        return [(t, line) for t, line in list(self._changes) if t >= since and vip in line.split()]

    def close(self):
        self._process.kill()
        self._process.wait()
        self._reader.join()


@contextlib.contextmanager
def monitor(router):
    watching = Monitor(router)
    try:
        yield watching
    finally:
        watching.close()
