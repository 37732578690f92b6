#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One upload as fast as it goes: upload.py VIP PORT SIZE SECONDS, after which it gives up.

Prints {"bytes", "sha256": as the real had them, "real", "path-mtu": what the kernel found, "seconds", "error"}; `error` is null
when the real had all of it.
"""
import http.client
import json
import socket
import sys
import time

from pattern import chunk

IP_MTU, IPV6_MTU = 14, 24  # linux/in.h, linux/in6.h


def path_mtu(one):
    if one.family == socket.AF_INET6:
        return one.getsockopt(socket.IPPROTO_IPV6, IPV6_MTU)
    return one.getsockopt(socket.IPPROTO_IP, IP_MTU)


def main(vip, port, size, seconds):
    said = {"bytes": 0, "sha256": "", "real": None, "path-mtu": None, "error": None}
    start = time.monotonic()
    connection = http.client.HTTPConnection(vip, port, timeout=seconds)
    try:
        connection.connect()
        one = connection.sock  # the connection lets go of it with the last byte of the answer
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(size))
        connection.endheaders()
        for offset in range(0, size, 1 << 20):
            one.settimeout(max(0.01, start + seconds - time.monotonic()))
            connection.send(chunk(offset, min(1 << 20, size - offset)))
        one.settimeout(max(0.01, start + seconds - time.monotonic()))
        response = connection.getresponse()
        said["path-mtu"] = path_mtu(one)
        count, said["sha256"] = response.read().decode().split()
        said["bytes"] = int(count)
        said["real"] = response.getheader("X-Real")
    except (OSError, http.client.HTTPException, ValueError) as e:
        said["error"] = f"{type(e).__name__}: {e}"
    said["seconds"] = time.monotonic() - start
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
