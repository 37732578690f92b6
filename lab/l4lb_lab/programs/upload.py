#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One upload as fast as it goes: upload.py VIP PORT SIZE SECONDS [--pause] [--segment BYTES].

It gives up after SECONDS, and sends no segments larger than that. Prints {"bytes", "sha256": as the real had them, "real",
"path-mtu": what the kernel found, "seconds", "error"}; `error` is null when the real had all of it. With --pause it prints
{"half": true} when the real's kernel has half of it, and goes on at a line of standard input; SECONDS count anew from there.
"""
import argparse
import fcntl
import http.client
import json
import socket
import struct
import sys
import termios
import time

from pattern import chunk

IP_MTU, IPV6_MTU = 14, 24  # linux/in.h, linux/in6.h
POLL = 0.01  # seconds


def say(**fields):
    print(json.dumps(fields), flush=True)


def path_mtu(one):
    if one.family == socket.AF_INET6:
        return one.getsockopt(socket.IPPROTO_IPV6, IPV6_MTU)
    return one.getsockopt(socket.IPPROTO_IP, IP_MTU)


def unacknowledged(one):
    """Bytes (SIOCOUTQ)."""
    return struct.unpack("=i", fcntl.ioctl(one, termios.TIOCOUTQ, bytes(4)))[0]


class Upload:
    def __init__(self, options):
        self._options = options
        self._connection = http.client.HTTPConnection(options.vip, options.port)
        self._socket = None
        self._end = 0.0
        self.said = {"bytes": 0, "sha256": "", "real": None, "path-mtu": None, "error": None}

    def run(self):
        start = time.monotonic()
        try:
            self._all()
        except (OSError, http.client.HTTPException, ValueError) as e:
            self.said["error"] = f"{type(e).__name__}: {e}"
        say(**self.said, seconds=time.monotonic() - start)

    def _all(self):
        options = self._options
        self._more_time()
        self._connect()
        self._connection.putrequest("POST", "/")
        self._connection.putheader("Content-Length", str(options.size))
        self._connection.endheaders()
        half = options.size // 2 if options.pause else 0
        self._send(0, half)
        if options.pause:
            self._pause()
        self._send(half, options.size)
        self._bound()
        response = self._connection.getresponse()
        self.said["path-mtu"] = path_mtu(self._socket)
        count, self.said["sha256"] = response.read().decode().split()
        self.said["bytes"] = int(count)
        self.said["real"] = response.getheader("X-Real")

    def _connect(self):
        one = socket.socket(socket.AF_INET6 if ":" in self._options.vip else socket.AF_INET)
        if self._options.segment:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, self._options.segment)
        # The connection lets go of it with the last byte of the answer.
        self._connection.sock = self._socket = one
        self._bound()
        one.connect((self._options.vip, self._options.port))

    def _send(self, first, last):
        for offset in range(first, last, 1 << 20):
            self._bound()
            self._connection.send(chunk(offset, min(1 << 20, last - offset)))

    def _pause(self):
        while unacknowledged(self._socket):
            if time.monotonic() > self._end:
                raise TimeoutError("half of it did not arrive")
            time.sleep(POLL)
        say(half=True)
        sys.stdin.readline()
        self._more_time()

    def _more_time(self):
        self._end = time.monotonic() + self._options.seconds

    def _bound(self):
        self._socket.settimeout(max(0.01, self._end - time.monotonic()))


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("vip")
    parser.add_argument("port", type=int)
    parser.add_argument("size", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--pause", action="store_true")
    parser.add_argument("--segment", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    Upload(parse(sys.argv[1:])).run()
