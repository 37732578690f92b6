#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Echo requests and traceroutes that look closely at what comes back.

echo.py ping ADDRESS TRIES        prints one of [ttl, problem] for each: requests whose checksums lie where an answer's, which
                                  differs by a type, carries or borrows; `problem` is null for a right answer
echo.py trace ADDRESS PORT HOW    HOW is udp, tcp or icmp; prints [from, reached] for each hop, null for a silent one
"""
import errno
import json
import os
import secrets
import select
import socket
import struct
import sys
import time

import wire

CHECKSUMS = (0x0000, 0x00FF, 0x0100, 0x1234, 0xF7FF, 0xF800, 0xFFFE)  # of requests: around every carry and borrow
PATIENCE = 1  # seconds for an answer
HOP_PATIENCE = 0.4
MOST_HOPS = 5
V4 = {"protocol": socket.IPPROTO_ICMP, "request": 8, "reply": 0, "exceeded": 11}
V6 = {"protocol": socket.IPPROTO_ICMPV6, "request": 128, "reply": 129, "exceeded": 3}


class Echo:
    """Echo requests to one address over a raw socket."""

    def __init__(self, address):
        self.family = wire.family_of(address)
        self.icmp = V4 if self.family == socket.AF_INET else V6
        self.socket = socket.socket(self.family, socket.SOCK_RAW, self.icmp["protocol"])
        if self.family == socket.AF_INET6:
            self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVHOPLIMIT, 1)
        self._address = address
        with socket.socket(self.family, socket.SOCK_DGRAM) as probe:
            probe.connect((address, 9))
            self._source = probe.getsockname()[0]
        self._id = os.getpid() & 0xFFFF
        self._sequence = 0

    def pseudo(self, source, destination, length):
        return b"" if self.family == socket.AF_INET else wire.pseudo_header(source, destination, self.icmp["protocol"], length)

    def request(self, checksum, size=56):
        """A request that has just this checksum: its last word makes up for the rest."""
        self._sequence += 1
        start = struct.pack("!BBHHH", self.icmp["request"], 0, checksum, self._id, self._sequence)
        start += secrets.token_bytes(size - 2)
        sum_so_far = wire.ones_sum(self.pseudo(self._source, self._address, len(start) + 2) + start)
        return start + struct.pack("!H", 0xFFFF - sum_so_far)

    def send(self, request):
        self.socket.sendto(request, (self._address, 0))

    def received(self, seconds):
        """(message, from, TTL) of the next ICMP message, or None."""
        if not select.select([self.socket], [], [], max(0, seconds))[0]:
            return None
        data, controls, _, source = self.socket.recvmsg(65535, 512)
        if self.family == socket.AF_INET:
            return data[(data[0] & 15) * 4 :], source[0], data[8]
        return data, source[0], next((struct.unpack("=i", d)[0] for _, kind, d in controls if kind == socket.IPV6_HOPLIMIT), None)

    def is_answer(self, message, request):
        return message[0] == self.icmp["reply"] and message[4:8] == request[4:8]

    def quotes(self, message, request):
        return message[0] == self.icmp["exceeded"] and request[4:8] in message[8:]

    def ping(self, checksum):
        request = self.request(checksum)
        self.send(request)
        end = time.monotonic() + PATIENCE
        while (found := self.received(end - time.monotonic())) is not None:
            message, source, ttl = found
            if self.is_answer(message, request):
                return [ttl, self._problem(message, source, request)]
        return [None, "no answer"]

    def _problem(self, message, source, request):
        if source != self._address:
            return f"answered by {source}"
        if wire.ones_sum(self.pseudo(source, self._source, len(message)) + message) != 0xFFFF:
            return f"wrong checksum {message[2:4].hex()} in the answer to {request[2:4].hex()}"
        return None if message[8:] == request[8:] else "other bytes came back"


def hop_by_echo(address, _port, ttl):
    echo = Echo(address)
    with echo.socket:
        wire.set_ttl(echo.socket, echo.family, ttl)
        request = echo.request(0x1234)
        echo.send(request)
        end = time.monotonic() + HOP_PATIENCE
        while (found := echo.received(end - time.monotonic())) is not None:
            message, source, _ = found
            if echo.is_answer(message, request):
                return [source, True]
            if echo.quotes(message, request):
                return [source, False]
        return None


def hop_by_socket(address, port, ttl, kind):
    family = wire.family_of(address)
    with socket.socket(family, kind) as one:
        wire.set_ttl(one, family, ttl)
        wire.want_errors(one, family)
        one.setblocking(False)
        connecting = one.connect_ex((address, port)) == errno.EINPROGRESS
        if kind == socket.SOCK_DGRAM:
            one.send(b"who is there?")
        poll = select.poll()
        poll.register(one, select.POLLOUT if connecting else select.POLLIN)
        if not poll.poll(HOP_PATIENCE * 1000):
            return None
        error = wire.next_error(one, 0)
        return [error["from"], False] if error else [address, True]


HOPS = {
    "icmp": hop_by_echo,
    "udp": lambda *hop: hop_by_socket(*hop, socket.SOCK_DGRAM),
    "tcp": lambda *hop: hop_by_socket(*hop, socket.SOCK_STREAM),
}


def trace(address, port, how):
    hops = []
    while len(hops) < MOST_HOPS and not (hops and hops[-1] and hops[-1][1]):
        hops.append(HOPS[how](address, port, len(hops) + 1))
    return hops


if __name__ == "__main__":
    if sys.argv[1] == "ping":
        echo = Echo(sys.argv[2])
        print(json.dumps([echo.ping(CHECKSUMS[i % len(CHECKSUMS)]) for i in range(int(sys.argv[3]))]))
    else:
        print(json.dumps(trace(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
